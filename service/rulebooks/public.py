"""What everybody at the table saw of the turns of a round, and the short form in which it is stored; for every game.

A stored turn is five characters: the seat, what was taken (`--` nothing, `**` the stock) and what was thrown (`--`
nothing).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.cards.card import Card, card, name
from service.rulebooks.base import Doc

Took: TypeAlias = Card | Literal["stock"] | None

_WIDTH = 5
_NOTHING = "--"
_STOCK = "**"


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A pass (both None), or what was taken and what was thrown; the running turn has thrown nothing yet."""

    seat: int
    took: Took = None
    threw: Card | None = None

    def doc(self) -> Doc:
        """The turn as JSON."""
        took = name(self.took) if isinstance(self.took, int) else self.took
        return {"seat": self.seat, "took": took, "threw": None if self.threw is None else name(self.threw)}


def pack_public(turns: Iterable[PublicTurn]) -> str:
    """Turns in their stored form."""
    return "".join(f"{turn.seat}{_pack_took(turn.took)}{_pack_card(turn.threw)}" for turn in turns)


def read_public(packed: str) -> tuple[PublicTurn, ...]:
    """The turns that `pack_public` wrote. Raises ValueError."""
    return tuple(_read_turn(packed[start : start + _WIDTH]) for start in range(0, len(packed), _WIDTH))


def _pack_took(took: Took) -> str:
    return _STOCK if took == "stock" else _pack_card(took)


def _pack_card(card: Card | None) -> str:
    return _NOTHING if card is None else name(card)


def _read_turn(packed: str) -> PublicTurn:
    took, threw = packed[1:3], packed[3:]
    return PublicTurn(int(packed[0]), "stock" if took == _STOCK else _read_card(took), _read_card(threw))


def _read_card(text: str) -> Card | None:
    return None if text == _NOTHING else card(text)
