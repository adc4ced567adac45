"""What the use cases need from outside: a store of games, and a source of names and secrets."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from msgspec import Struct

from service.play.game import Game
from service.play.log import Entry


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is kept of an answered request that had an idempotency key.

    name: under which it is kept. request: SHA-256 of the raw body, hexadecimal. etag, location: headers of the answer,
    or empty. secret_id, generation: of the tokens in it. body: the answer as sent, but with null for each token.
    """

    name: str
    request: str
    status: int
    etag: str
    location: str
    secret_id: str
    generation: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """What tells versions of a game apart, and the generation of each seat's token.

    size: the bytes of its snapshot and log; 0 where only the head was read.
    """

    version: int
    stamp: str
    generations: tuple[int, ...]
    size: int = field(default=0, compare=False)


class Loaded(Protocol):
    """What one look at a game found."""

    @property
    def now(self) -> int:
        """The store's clock, in milliseconds since 1970."""

    @property
    def head(self) -> Head | None:
        """Which version it is; None if there is no such game."""

    @property
    def receipt(self) -> Receipt | None:
        """What is kept of the same request, if it was answered before."""

    def game(self) -> Game:
        """The game itself, read and checked. Raises SnapshotUnreadable or SnapshotCorrupt."""


class Change(Struct, frozen=True):
    """One step of a game, to be written all or nothing.

    game: as it is afterwards. entries: what was added to its log. seen: what it was based on; None for a new game.
    generations: of the seats' tokens afterwards.
    expires_at: milliseconds since 1970. receipt: kept until then, in the same, if there is a key.
    """

    game: Game
    entries: tuple[Entry, ...]
    seen: Head | None
    generations: tuple[int, ...]
    expires_at: int
    receipt: Receipt | None = None
    receipt_until: int = 0


@dataclass(frozen=True, slots=True)
class Committed:
    """The change was written."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """The game is not as it was seen; nothing was written."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The same request was answered before, and this is its receipt; nothing was written."""

    receipt: Receipt


Outcome: TypeAlias = Committed | Outdated | Replay


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry of a log, with the version it made and the stamp of its commit."""

    version: int
    stamp: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Tail:
    """A game's head, and the end of its log as it was at that moment."""

    head: Head
    entries: tuple[Logged, ...]


class Store(Protocol):
    """Where games are kept. Every call may raise a StoreError."""

    def load(self, game_id: str, receipt_name: str | None = None) -> Loaded:
        """The game and, if a name is given, the receipt under it; one round trip."""

    def look(self, game_id: str) -> Loaded:
        """The game for one who only looks: without the clock (0) and without a receipt; one round trip."""

    def head(self, game_id: str) -> Head | None:
        """The version, stamp and generations of a game without reading it; None if there is no such game."""

    def log(self, game_id: str) -> list[Entry]:
        """The whole log of a game, in order; empty if there is no such game."""

    def tail(self, game_id: str, first: int, most: int) -> Tail | None:
        """Up to `most` entries of the log from a version on, and the head; None if there is no such game."""

    def commit(self, change: Change) -> Outcome:
        """Write a change if the game is still as it was seen; one round trip."""

    def rotate(
        self, game_id: str, seen: Head, generations: tuple[int, ...], receipt: Receipt | None, receipt_until: int
    ) -> Outcome:
        """Set the generations of the seats' tokens if they are still as they were seen; one round trip."""

    def erase(self, game_id: str, seen: Head) -> bool:
        """Remove a game with all its keys if it is still as it was seen; whether it was."""


class Quota(Protocol):
    """How many games each holder has open. The count may be late for a while; it is never needed to play."""

    def admit(self, holder: str, game_id: str, most: int) -> bool:
        """Count a game that is about to be made, unless the holder has `most` open already; whether it was counted."""

    def release(self, holder: str, game_id: str) -> None:
        """Count a game no longer. Never fails: a game that stays counted by mistake is found when it is gone."""


class Watch(Protocol):
    """One who waits for news of a game."""

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop, so that nobody should wait any longer."""

    def wait(self, seconds: float) -> float:
        """Wait until the game may have changed, at most so long; the seconds left then, 0 if none or at the close."""


class Feed(Protocol):
    """The news of which games have changed."""

    def watch(self, game_id: str) -> AbstractContextManager[Watch]:
        """Wait for news of a game from now on; whatever changes after this wakes the watch once more."""

    def close(self) -> None:
        """Wake all who wait, for the last time: the server is about to stop."""


class Ids(Protocol):
    """Names, chance and signatures."""

    def game_ids(self, caller: str, key: str | None) -> tuple[str, ...]:
        """The id for a new game first; then others that the same idempotency key may have made a game under."""

    def root(self) -> bytes:
        """32 random bytes that a match is dealt from."""

    def stamp(self) -> str:
        """Random characters that tell one commit from any other."""

    def secret_id(self) -> str:
        """Which secret signs now."""

    def seat_token(self, game_id: str, seat: int, generation: int, secret_id: str) -> str:
        """The token of a seat, signed with a secret. Raises UnknownSecret."""

    def invite(self, game_id: str, secret_id: str) -> str:
        """What lets somebody join a game, signed with a secret. Raises UnknownSecret."""


class UnknownSecret(LookupError):
    """A signature is asked of a secret that is no longer listed."""
