"""The table: what every use case works with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct

from service.play.game import Game, Lifetimes
from service.play.log import Entry
from service.play.ports import Feed, Ids, Quota, Store
from service.rulebooks.base import Doc

TRIES = 3
"""How often a change is tried again when another came between reading and writing."""
FIRST_GENERATION = 1
"""The generation of a seat's first token."""
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


GiveWay: TypeAlias = Callable[[], None]
"""Lets those go first who are served by the same process."""


def stay() -> None:
    """Give way to nobody: nobody else is served meanwhile."""


@dataclass(frozen=True, slots=True)
class Table:
    """The ports and settings of the use cases.

    sandbox: whether clients may give decks. most_bytes: that a game may take and still grow; 0 for no limit.
    heartbeat: after so many seconds without news a stream shows that it is alive. give_way: called before each computer
    player thinks.
    """

    store: Store
    ids: Ids
    quota: Quota
    feed: Feed
    lifetimes: Lifetimes
    sandbox: bool = False
    most_bytes: int = 0
    heartbeat: float = 15.0
    give_way: GiveWay = stay


@dataclass(frozen=True, slots=True)
class Holder:
    """Whom an open game is counted for, and how many that one may have open. name: tells no address."""

    name: str
    most: int


@dataclass(frozen=True, slots=True)
class Keyed:
    """An idempotency key. name: of the receipt. key: as sent. request: SHA-256 of the raw body, hexadecimal."""

    name: str
    key: str
    request: str


class Conditions(Struct, frozen=True):
    """What a request makes its change depend on. if_match: entity tags, of which one must be the current one."""

    keyed: Keyed | None = None
    if_match: frozenset[str] | None = None


class Answer(Struct, frozen=True):
    """What is sent back. body: JSON."""

    status: int
    body: bytes
    etag: str = ""
    location: str = ""
    replayed: bool = False


class Draft(Struct, frozen=True):
    """A change before it is written: the game with its entries, and the answer, with null for each token in it.

    viewer: the seat whose view is in the answer. generations: of the seats' tokens afterwards. generation: of the
    tokens in the answer.
    """

    game: Game
    entries: tuple[Entry, ...]
    doc: Doc
    viewer: int | None
    generations: tuple[int, ...]
    generation: int = FIRST_GENERATION
    status: int = 200
    location: str = ""
