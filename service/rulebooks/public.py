"""What everybody at the table saw of the turns of a round, and the short form in which it is stored; for every game.

A stored turn is five characters: the seat, what was taken (`--` nothing, `**` the stock) and what was thrown (`--`
nothing).
"""

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from service.cards.card import NAMES, Card, card
from service.rulebooks.base import Doc

Took: TypeAlias = Card | Literal["stock"] | None

_WIDTH = 5
_NOTHING = "--"
_STOCK = "**"
_SHOWN: dict[Took, str | None] = {**dict(enumerate(NAMES)), "stock": "stock", None: None}
_PACKED: dict[Took, str] = {**dict(enumerate(NAMES)), "stock": _STOCK, None: _NOTHING}


class PublicTurn(NamedTuple):
    """A pass (both None), or what was taken and what was thrown; the running turn has thrown nothing yet."""

    seat: int
    took: Took = None
    threw: Card | None = None


def show_public(turns: Iterable[PublicTurn]) -> list[Doc]:
    """Turns as JSON."""
    return [{"seat": seat, "took": _SHOWN[took], "threw": _SHOWN[threw]} for seat, took, threw in turns]


def pack_public(turns: Iterable[PublicTurn]) -> str:
    """Turns in their stored form."""
    return "".join(map(_pack_turn, turns))


def read_public(packed: str) -> tuple[PublicTurn, ...]:
    """The turns that `pack_public` wrote. Raises ValueError."""
    return tuple([_read_turn(packed[start : start + _WIDTH]) for start in range(0, len(packed), _WIDTH)])


@cache
def _pack_turn(turn: PublicTurn) -> str:
    """The five characters of a turn; there are fewer than 3,000 turns of a seat."""
    seat, took, threw = turn
    return f"{seat}{_PACKED[took]}{_PACKED[threw]}"


@cache
def _read_turn(packed: str) -> PublicTurn:
    """The turn of five characters."""
    took, threw = packed[1:3], packed[3:]
    return PublicTurn(int(packed[0]), "stock" if took == _STOCK else _read_card(took), _read_card(threw))


def _read_card(text: str) -> Card | None:
    return None if text == _NOTHING else card(text)
