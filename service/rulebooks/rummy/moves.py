"""The moves of basic rummy, and their JSON form."""

from typing import Literal, TypeAlias, cast

from msgspec import Struct

from service.cards.card import Card, card, name
from service.rulebooks.base import Doc

Source: TypeAlias = Literal["stock", "discard"]


class Draw(Struct, frozen=True):
    """Take the top card of the stock or of the discard pile."""

    source: Source


class Meld(Struct, frozen=True):
    """Lay a set or run on the table; the cards are not yet known to be one, or in hand."""

    cards: tuple[Card, ...]


class LayOff(Struct, frozen=True):
    """Add a card to a meld on the table, anybody's. meld: its index in the order of laying."""

    card: Card
    meld: int


class Discard(Struct, frozen=True):
    """Throw a card, and end the turn."""

    card: Card


Move: TypeAlias = Draw | Meld | LayOff | Discard

TYPES: dict[type[Move], str] = {Draw: "draw", Meld: "meld", LayOff: "lay_off", Discard: "discard"}


def read_move(doc: Doc) -> Move:
    """The move that a JSON object says; its shape has been checked. Raises UnreadableCard."""
    match doc["type"]:
        case "draw":
            return Draw(cast(Source, doc["source"]))
        case "meld":
            return Meld(tuple(card(each) for each in doc["cards"]))
        case "lay_off":
            return LayOff(card(doc["card"]), doc["meld"])
        case "discard":
            return Discard(card(doc["card"]))
    raise ValueError(f"basic rummy has no move of the type {doc['type']!r}")


def write_move(move: Move) -> Doc:
    """The JSON object of a move."""
    doc: Doc = {"type": TYPES[type(move)]}
    match move:
        case Draw(source):
            return doc | {"source": source}
        case Meld(cards):
            return doc | {"cards": [name(each) for each in cards]}
        case LayOff(laid, meld):
            return doc | {"card": name(laid), "meld": meld}
    return doc | {"card": name(move.card)}
