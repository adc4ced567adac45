"""Refusals of the use cases, and what a store may fail with. Refusals of the rules rise through here untouched.

PlayError
  NoSuchGame
  NoSuchRound              number
  NoSuchRuleset
  CredentialRefused
  SeatsOpen
  NoOpenSeat
  SeatResigned
  SeatNotTaken             seat
  RateLimited              retry_after
  TooManyGames             most, retry_after
  GameTooLarge             most
  RequestRefused           field, reason
    NoHumanSeat
    BotNotAvailable
    SandboxNotAllowed
  Stale                    version
  Busy
  KeyReused
  KeyExpired
  StoreError
    StoreUnavailable       reason
    SnapshotUnreadable     schema
    SnapshotCorrupt        reason
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(eq=False)
class PlayError(Exception):
    """The use case refuses; nothing has changed. code: a stable name of the reason. says: the reason as a sentence."""

    code: ClassVar[str]
    says: ClassVar[str]

    def facts(self) -> dict[str, Any]:
        """What the refusal is about, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.says.format(**self.facts())


@dataclass(eq=False)
class NoSuchGame(PlayError):
    """There is no such game, or the caller may not know of it."""

    code = "no_such_game"
    says = "There is no such game."


@dataclass(eq=False)
class NoSuchRound(PlayError):
    """The game has no finished round of that number."""

    code = "no_such_round"
    says = "Round {number} is not among the finished rounds of this game."
    number: int


@dataclass(eq=False)
class NoSuchRuleset(PlayError):
    """There is no preset of that name for that game."""

    code = "no_such_ruleset"
    says = "There is no such ruleset."


@dataclass(eq=False)
class CredentialRefused(PlayError):
    """The call needs a seat or an API key, and the credential is missing, forged or no longer valid."""

    code = "credential_refused"
    says = "This call needs a credential: the token of a seat in this game, or an API key where a backend calls."


@dataclass(eq=False)
class SeatsOpen(PlayError):
    """A seat is still open, and the game does not begin without it."""

    code = "seats_open"
    says = "A seat is still open: the game begins when every seat is taken."


@dataclass(eq=False)
class NoOpenSeat(PlayError):
    """Every seat is taken, or the match has begun or is over."""

    code = "no_open_seat"
    says = "Every seat of this game is taken."


@dataclass(eq=False)
class SeatResigned(PlayError):
    """The seat has given up; the others play on without it."""

    code = "seat_resigned"
    says = "This seat has resigned."


@dataclass(eq=False)
class SeatNotTaken(PlayError):
    """Only a seat that a human has taken has a token."""

    code = "seat_not_taken"
    says = "Seat {seat} is not taken by a human."
    seat: int


@dataclass(eq=False)
class RateLimited(PlayError):
    """The caller has called too often. retry_after: in whole seconds."""

    code = "rate_limited"
    says = "Too many calls; try again in {retry_after} s."
    retry_after: int


@dataclass(eq=False)
class TooManyGames(PlayError):
    """The caller has as many games open as one may. retry_after: in whole seconds."""

    code = "too_many_games"
    says = "{most} games are open already: finish one, end one, or wait until one expires."
    most: int
    retry_after: int = 60


@dataclass(eq=False)
class GameTooLarge(PlayError):
    """The game is stored in more bytes than one may take, so no seat may join and no round be dealt any more."""

    code = "game_too_large"
    says = "The game has grown beyond {most} bytes: no seat can be taken and no round dealt in it any more."
    most: int


@dataclass(eq=False)
class RequestRefused(PlayError):
    """A request of the right shape asks for something that is not to be had. field: where, as a JSON pointer."""

    code = "request_refused"
    says = "{reason}"
    field: str
    reason: str


class NoHumanSeat(RequestRefused):
    """A game needs somebody to play it."""

    code = "no_human_seat"


class BotNotAvailable(RequestRefused):
    """There is no computer player of that level."""

    code = "bot_not_available"


class SandboxNotAllowed(RequestRefused):
    """Decks may be given only where the settings allow it."""

    code = "sandbox_not_allowed"


@dataclass(eq=False)
class Stale(PlayError):
    """The game is not at the version that the caller named. version: where it is now."""

    code = "stale_version"
    says = "The game has moved on: it is at version {version}."
    version: int


@dataclass(eq=False)
class Busy(PlayError):
    """Others kept changing the game between reading and writing it."""

    code = "busy"
    says = "The game is being changed by others; try again."


@dataclass(eq=False)
class KeyReused(PlayError):
    """The idempotency key was used before, with another body."""

    code = "idempotency_key_reused"
    says = "This Idempotency-Key was used with another body."


@dataclass(eq=False)
class KeyExpired(PlayError):
    """The idempotency key was used once, and the answer is no longer kept."""

    code = "idempotency_key_expired"
    says = "This Idempotency-Key was used before, and the answer to it is no longer kept."


@dataclass(eq=False)
class StoreError(PlayError):
    """The store cannot serve; nothing has changed. The reason is for the log: callers are told the code only."""

    def facts(self) -> dict[str, Any]:
        """Nothing: how the store is set up is no business of a caller."""
        return {}


@dataclass(eq=False)
class StoreUnavailable(StoreError):
    """The store is away, full, read-only or slow."""

    code = "store_unavailable"
    says = "The store of games cannot be reached now; try again."
    reason: str


@dataclass(eq=False)
class SnapshotUnreadable(StoreError):
    """The game was written in a schema that this server does not know; a newer one will."""

    code = "snapshot_unreadable"
    says = "The game is stored in a form that this server cannot read."
    schema: object


@dataclass(eq=False)
class SnapshotCorrupt(StoreError):
    """What is stored is not a game, or contradicts itself."""

    code = "snapshot_corrupt"
    says = "The stored game is damaged and cannot be played on."
    reason: str
