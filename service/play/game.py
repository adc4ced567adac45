"""A game: the stored resource that a client creates, with its seats, ruleset and one match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from service.cards.card import Card
from service.cards.shuffle import drawn_dealer, round_seed, shuffled_deck
from service.rulebooks.base import Doc, Rulebook
from service.rulebooks.registry import RULEBOOKS


class Seat(Struct, frozen=True):
    """A place at the table: a named human's, a computer player's of some level, or open."""

    name: str | None = None
    bot: str | None = None
    client_seed: str = ""

    @property
    def kind(self) -> str:
        """`human`, `bot` or `open`."""
        return "human" if self.name is not None else "bot" if self.bot is not None else "open"


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """After how many seconds without a change a game expires: never started, in play, and finished."""

    waiting: int
    idle: int
    finished: int

    def of(self, status: str) -> int:
        """How long a game of this status is kept, in milliseconds."""
        return 1000 * (self.waiting if status == "waiting" else self.idle if status == "playing" else self.finished)

    def receipt_until(self, game: "Game", now: int, keep_ms: int) -> int:
        """When a receipt of something that happens to a game now expires, in milliseconds since 1970.

        It never outlives its game, however soon after it that may end and be given another lifetime.
        """
        shortest = min(self.waiting, self.idle, self.finished) * 1000
        return min(now + keep_ms, now + shortest, game.expires_at(self))


class Game(Struct, frozen=True):
    """A game at one version, which each move makes anew several times.

    state: the rulebook's. root: 32 secret bytes that all deals come from. commitment: what was published of it. decks:
    the decks of the first rounds, in a sandbox. server_only: no seat gave a seed for the round. tenant: of the
    backend that made it, if one did. holder: whom it is counted for while it is open, if anybody. version: how many
    entries the log has. stamp: random bits of the last commit. Times are milliseconds since 1970.
    """

    id: str
    kind: str
    state: Any
    seats: tuple[Seat, ...]
    root: bytes
    commitment: str
    created_at: int
    updated_at: int
    spectators: bool = False
    metadata: Doc | None = None
    decks: tuple[tuple[Card, ...], ...] | None = None
    server_only: bool = True
    tenant: str | None = None
    holder: str | None = None
    version: int = 0
    stamp: str = ""

    @property
    def rulebook(self) -> Rulebook:
        """The rules that this game is played by."""
        return RULEBOOKS[self.kind]

    @property
    def status(self) -> str:
        """`waiting` while a seat is open and nothing was dealt, then `playing`, then `finished` or `abandoned`."""
        end = self.rulebook.end(self.state)
        if end is not None:
            return "abandoned" if end.kind == "abandoned" else "finished"
        started = self.rulebook.playing(self.state) is not None
        return "playing" if started or all(seat.kind != "open" for seat in self.seats) else "waiting"

    @property
    def over(self) -> bool:
        """Whether the match has ended, with a winner or without."""
        return self.rulebook.end(self.state) is not None

    @property
    def resigned(self) -> frozenset[int]:
        """The seats that gave up the match."""
        playing, end = self.rulebook.playing(self.state), self.rulebook.end(self.state)
        left = [end.seat] if end is not None and end.kind == "resigned" else playing
        if left is None or len(left) == len(self.seats):
            return frozenset()
        return frozenset(index for index, seat in enumerate(self.seats) if seat.kind != "open" and index not in left)

    def may_start(self, seat: int) -> bool:
        """Whether a seat may deal the first round while others are open: the lowest named one may.

        It needs as many taken seats as the game can be played with; the open ones are left out.
        """
        taken = [index for index, each in enumerate(self.seats) if each.kind != "open"]
        lowest = next((index for index in taken if self.seats[index].kind == "human"), None)
        return seat == lowest and len(taken) >= self.rulebook.SEATS[0]

    def expires_at(self, lifetimes: Lifetimes) -> int:
        """When the game expires unless somebody changes it, in milliseconds since 1970."""
        return self.updated_at + lifetimes.of(self.status)

    def with_seat(self, index: int, seat: Seat) -> "Game":
        """The game with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))


def dealt(game: Game) -> Game:
    """The game with its next round dealt, from the root and the seats' seeds, or from a sandbox's decks.

    Raises what the rulebook's `deal` raises.
    """
    number = game.rulebook.round_number(game.state) + 1
    seats = seats_dealt(game)
    seeds = client_seeds(game, seats)
    drawn = seats[drawn_dealer(round_seed(game.root, number), seeds)] if number == 1 else seats[0]
    state = game.rulebook.deal(game.state, deck_of(game, number, seeds), seats, drawn)
    return replace(game, state=state, server_only=not any(seeds))


def seats_dealt(game: Game) -> tuple[int, ...]:
    """The seats that the next round is dealt to: those that play, or at the first deal those that are taken."""
    playing = game.rulebook.playing(game.state)
    if playing is not None:
        return tuple(playing)
    return tuple(index for index, seat in enumerate(game.seats) if seat.kind != "open")


def deck_of(game: Game, number: int, seeds: Sequence[str]) -> tuple[Card, ...]:
    """The deck of a round that is dealt with these client seeds, or a sandbox's."""
    if game.decks is not None and number <= len(game.decks):
        return game.decks[number - 1]
    return shuffled_deck(round_seed(game.root, number), number, seeds)


def client_seeds(game: Game, seats: Sequence[int]) -> tuple[str, ...]:
    """The seed that each of some seats gave last; empty if none."""
    return tuple(game.seats[seat].client_seed for seat in seats)
