"""The ports of the use cases in memory: a store that can be told to be late, and names that can be foreseen."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson

from service.play import create, join, moves
from service.play.callers import Backend, Caller
from service.play.create import NewGame
from service.play.game import Game, Lifetimes, Seat
from service.play.log import Entry
from service.play.ports import (
    Change,
    Committed,
    Head,
    Logged,
    Outcome,
    Outdated,
    Receipt,
    Replay,
    Tail,
    UnknownSecret,
)
from service.play.table import Answer, Conditions, Holder, Keyed, Table

NOW = 1_700_000_000_000
LIFETIMES = Lifetimes(waiting=60, idle=3600, finished=600)


@dataclass
class Look:
    """What one look at the memory found."""

    now: int
    head: Head | None
    receipt: Receipt | None
    found: Game | None

    def game(self) -> Game:
        assert self.found is not None
        return self.found


@dataclass
class Memory:
    """A store in memory. late: how many of the next changes find that somebody else came first. size: of each game."""

    now: int = NOW
    late: int = 0
    games: dict[str, Game] = field(default_factory=dict)
    generations: dict[str, tuple[int, ...]] = field(default_factory=dict)
    logs: dict[str, list[Entry]] = field(default_factory=dict)
    stamps: dict[str, list[str]] = field(default_factory=dict)
    receipts: dict[tuple[str, str | None], Receipt] = field(default_factory=dict)
    size: int = 0
    changes: list[Change] = field(default_factory=list)
    kept_until: set[int] = field(default_factory=set)

    def head(self, game_id: str) -> Head | None:
        game = self.games.get(game_id)
        return None if game is None else Head(game.version, game.stamp, self.generations[game_id], self.size)

    def load(self, game_id: str, receipt_name: str | None = None) -> Look:
        receipt = self.receipts.get((game_id, receipt_name))
        return Look(self.now, self.head(game_id), receipt, self.games.get(game_id))

    def look(self, game_id: str) -> Look:
        return Look(0, self.head(game_id), None, self.games.get(game_id))

    def log(self, game_id: str) -> list[Entry]:
        return list(self.logs.get(game_id, ()))

    def tail(self, game_id: str, first: int, most: int) -> Tail | None:
        head = self.head(game_id)
        if head is None:
            return None
        entries = self.logs[game_id][first - 1 : first - 1 + most]
        stamps = self.stamps[game_id]
        return Tail(head, tuple(Logged(n, stamps[n - 1], entry) for n, entry in enumerate(entries, start=first)))

    def commit(self, change: Change) -> Outcome:
        game = change.game
        if (answered_before := self._receipt(game.id, change.receipt)) is not None:
            return Replay(answered_before)
        if self.late:
            self.late -= 1
            return Outdated()
        if change.seen != self.head(game.id):
            return Outdated()
        self.changes.append(change)
        self.games[game.id] = game
        self.generations[game.id] = change.generations
        self.logs.setdefault(game.id, []).extend(change.entries)
        self.stamps.setdefault(game.id, []).extend([game.stamp] * len(change.entries))
        if change.receipt:
            self.receipts[game.id, change.receipt.name] = change.receipt
        return Committed()

    def rotate(
        self, game_id: str, seen: Head, generations: tuple[int, ...], receipt: Receipt | None, receipt_until: int
    ) -> Outcome:
        if (answered_before := self._receipt(game_id, receipt)) is not None:
            return Replay(answered_before)
        if self.late:
            self.late -= 1
            return Outdated()
        if game_id not in self.games or self.generations[game_id] != seen.generations:
            return Outdated()
        self.generations[game_id] = generations
        if receipt:
            self.receipts[game_id, receipt.name] = receipt
            self.kept_until.add(receipt_until)
        return Committed()

    def erase(self, game_id: str, seen: Head) -> bool:
        if self.late:
            self.late -= 1
            return False
        if seen != self.head(game_id):
            return False
        for kept in (self.games, self.generations, self.logs):
            del kept[game_id]
        self.receipts = {key: receipt for key, receipt in self.receipts.items() if key[0] != game_id}
        return True

    def _receipt(self, game_id: str, receipt: Receipt | None) -> Receipt | None:
        return None if receipt is None else self.receipts.get((game_id, receipt.name))


@dataclass
class Tally:
    """Counts the open games of each holder exactly."""

    open: dict[str, set[str]] = field(default_factory=dict)

    def admit(self, holder: str, game_id: str, most: int) -> bool:
        held = self.open.setdefault(holder, set())
        if game_id not in held and len(held) >= most:
            return False
        held.add(game_id)
        return True

    def release(self, holder: str, game_id: str) -> None:
        self.open[holder].discard(game_id)


@dataclass
class News:
    """A feed whose waits are scripted. happens: a call to make during each wait, or None for time that passes."""

    happens: list[Any] = field(default_factory=list)
    closing: bool = False
    waited: list[float] = field(default_factory=list)

    @contextmanager
    def watch(self, game_id: str) -> Iterator["News"]:
        yield self

    def wait(self, seconds: float) -> float:
        self.waited.append(seconds)
        if not self.happens:
            self.closing = True
            return 0.0
        act = self.happens.pop(0)
        if act is None:
            return 0.0
        act()
        return 0.0 if self.closing else seconds / 2

    def close(self) -> None:
        self.closing = True


@dataclass
class Names:
    """Names that count up, and signatures that say what they sign."""

    secrets: tuple[str, ...] = ("secret",)
    made: int = 0

    def game_ids(self, caller: str, key: str | None) -> tuple[str, ...]:
        if key is None:
            self.made += 1
            return (f"game-{self.made}",)
        return tuple(f"{secret}-{caller}-{key}" for secret in self.secrets)

    def root(self) -> bytes:
        self.made += 1
        return self.made.to_bytes(32, "big")

    def stamp(self) -> str:
        self.made += 1
        return f"stamp-{self.made}"

    def secret_id(self) -> str:
        return self.secrets[0]

    def seat_token(self, game_id: str, seat: int, generation: int, secret_id: str) -> str:
        return f"token {self._listed(secret_id)} {game_id} {seat} {generation}"

    def invite(self, game_id: str, secret_id: str) -> str:
        return f"invite {self._listed(secret_id)} {game_id}"

    def _listed(self, secret_id: str) -> str:
        if secret_id not in self.secrets:
            raise UnknownSecret(secret_id)
        return secret_id


def table(most_bytes: int = 0, **others: Any) -> Table:
    """A table in memory; `late` tells its store how often to be late."""
    return Table(Memory(**others), Names(), Tally(), News(), LIFETIMES, sandbox=True, most_bytes=most_bytes)


def keyed(key: str = "key", body: str = "body") -> Conditions:
    return Conditions(Keyed(f"name of {key}", key, body))


def answered(answer: Answer) -> dict[str, Any]:
    """The body of an answer."""
    doc: dict[str, Any] = orjson.loads(answer.body)
    return doc


def new_game(
    at: Table,
    *seats: Seat,
    conditions: Conditions | None = None,
    backend: Backend | None = None,
    holder: Holder | None = None,
    **wanted: Any,
) -> dict[str, Any]:
    """Create a game of gin; two humans unless other seats are given."""
    asked = {"kind": "gin", "preset": "standard", "overrides": {}} | wanted
    asked["seats"] = seats or (Seat("Ann"), Seat("Ben"))
    return answered(create.create(at, NewGame(**asked), backend, holder, conditions or Conditions()))


def move(
    at: Table,
    game_id: str,
    seat: int,
    doc: dict[str, Any],
    *,
    conditions: Conditions | None = None,
    generation: int = 1,
) -> Answer:
    """Make a move for a seat."""
    return moves.submit(at, game_id, Caller(seat, generation), lambda game: doc, conditions or Conditions())


def guest(
    at: Table, game_id: str, name: str = "Ben", client_seed: str = "", conditions: Conditions | None = None
) -> Answer:
    """Join a game."""
    return join.join(at, game_id, name, client_seed, conditions or Conditions())
