"""The verdict: what was promised, held against what the store has."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

import orjson
from msgspec.structs import replace
from redis import Redis

from service.config import Settings
from service.play.game import Game, Lifetimes
from service.play.log import from_created, grown
from service.play.ports import Logged
from service.play.record import record_of
from service.play.replay import replay
from service.play.views import game_view
from service.storage.codec import decode_game, decode_logged, receipt_of_entry
from service.storage.keys import game_key, log_key
from tests.chaos.players import Ledger, Promise, digest

DEFAULTS = Settings()
LIFETIMES = Lifetimes(DEFAULTS.expire_waiting, DEFAULTS.expire_idle, DEFAULTS.expire_finished)


@dataclass(frozen=True)
class Commit:
    """The entries that one commit added to a log, and the receipts that they name."""

    entries: tuple[Logged, ...]
    receipts: frozenset[str | None]

    @property
    def mark(self) -> tuple[int, str]:
        """The version that it made, and its stamp."""
        return self.entries[-1].version, self.entries[-1].stamp


@dataclass
class Verdict:
    """What is wrong, game by game; nothing, if every promise was kept.

    late: changes that had been made by a try that was not acknowledged, and whose next try got the receipt.
    """

    games: int = 0
    promises: int = 0
    late: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """All of it in one list."""
        return [*self.lost, *self.twice, *self.out_of_order, *self.differing]


def judge(ledgers: Iterable[Ledger], store: Redis) -> Verdict:
    """Hold every ledger against the log and the snapshot of its game."""
    verdict = Verdict()
    for ledger in ledgers:
        raw = store.lrange(log_key(ledger.game), 0, -1)
        commits = commits_of(raw)
        verdict.games += 1
        verdict.promises += len(ledger.promises)
        verdict.late += sum(promise.late for promise in ledger.promises)
        verdict.entries += len(raw)
        hold(verdict, ledger, commits)
        if [promise.version for promise in ledger.promises] == [commit.mark[0] for commit in commits]:
            replay_all(verdict, ledger, commits, stored(ledger.game, store))
    return verdict


def commits_of(raw: list[bytes]) -> list[Commit]:
    """A log, commit by commit: neighbours with one stamp."""
    logged = [(decode_logged(version, entry), receipt_of_entry(entry)) for version, entry in enumerate(raw, 1)]
    groups = (list(group) for _, group in groupby(logged, key=lambda each: each[0].stamp))
    return [Commit(tuple(entry for entry, _ in group), frozenset(name for _, name in group)) for group in groups]


def stored(game_id: str, store: Redis) -> Game:
    version, stamp, snapshot = store.hmget(game_key(game_id), ["v", "x", "s"])
    return decode_game(game_id, int(version), stamp.decode(), snapshot)


def hold(verdict: Verdict, ledger: Ledger, commits: list[Commit]) -> None:
    """Each promise is one commit, in the same order, and there is no other commit."""
    promised = [(promise.version, promise.stamp) for promise in ledger.promises]
    made = [commit.mark for commit in commits]
    verdict.lost += [f"{ledger.game}: {mark}" for mark in promised if mark not in made]
    verdict.twice += [f"{ledger.game}: {mark}, which nobody was told of" for mark in made if mark not in promised]
    receipts = Counter(name for commit in commits for name in commit.receipts)
    verdict.twice += [f"{ledger.game}: receipt {name}" for name, times in receipts.items() if times > 1 or name is None]
    if [mark for mark in made if mark in promised] != [mark for mark in promised if mark in made]:
        verdict.out_of_order.append(ledger.game)


def replay_all(verdict: Verdict, ledger: Ledger, commits: list[Commit], kept: Game) -> None:
    """Playing the log gives each answer as it was acknowledged, the snapshot at its end, and a record that replays."""
    entries = [logged.entry for commit in commits for logged in commit.entries]
    game = None
    for promise, commit in zip(ledger.promises, commits, strict=True):
        for logged in commit.entries:
            game = from_created(logged.entry) if game is None else grown(game, logged.entry)
        if not asked_for(promise, commit, game) or digest(game_view(game, promise.seat, LIFETIMES)) != promise.view:
            verdict.differing.append(f"{ledger.game}: version {promise.version} is not what was answered")
    if replace(game, stamp=kept.stamp) != kept:
        verdict.differing.append(f"{ledger.game}: the log does not replay to the snapshot")
    if replay(record_of(entries)).differences:
        verdict.differing.append(f"{ledger.game}: the record says something else than the rules")


def asked_for(promise: Promise, commit: Commit, game: Game) -> bool:
    """Whether a commit is what the request asked for, and after it only moves of computer players and the end."""
    first, *others = (logged.entry for logged in commit.entries)
    if not all(other.type == "ended" or game.seats[other.seat].kind == "bot" for other in others):
        return False
    match promise.path.rpartition("/")[2]:
        case "games":
            return first.type == "created"
        case "join":
            return first.type == "joined" and first.seat == promise.seat
        case "resign":
            return first.data["move"] == {"type": "resign"} and first.seat == promise.seat
    asked = orjson.loads(promise.body)
    made = {"type": "deal", **first.data} if first.type == "dealt" else first.data["move"]
    return first.seat == promise.seat and asked.items() <= made.items()
