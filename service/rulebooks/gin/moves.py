"""The moves of gin rummy, and their JSON form.

`melds` and `layoffs` are None where the mover leaves the choice to the engine.
"""

from typing import Literal, TypeAlias, cast

from msgspec import Struct

from service.cards.card import NAMES, Card, card, name
from service.rulebooks.base import Doc

NamedMelds: TypeAlias = tuple[tuple[Card, ...], ...]
"""Melds as a mover named them: not yet known to be melds, or in hand."""
Source: TypeAlias = Literal["stock", "discard"]


class Pass(Struct, frozen=True):
    """Decline the upcard in the opening, or the fiftieth card."""


class Draw(Struct, frozen=True):
    """Take the top card of the stock or of the discard pile."""

    source: Source


class Discard(Struct, frozen=True):
    """Throw a card, and end the turn."""

    card: Card


class Knock(Struct, frozen=True):
    """Throw a card and lay the other ten out."""

    discard: Card
    melds: NamedMelds | None = None


class BigGin(Struct, frozen=True):
    """Lay out all eleven cards in melds."""

    melds: NamedMelds | None = None


class Layoff(Struct, frozen=True):
    """A defender's card, and the index of the knocker's meld that it is laid on."""

    card: Card
    meld: int


class Spread(Struct, frozen=True):
    """The defender's answer to a knock."""

    melds: NamedMelds | None = None
    layoffs: tuple[Layoff, ...] | None = None


Move: TypeAlias = Pass | Draw | Discard | Knock | BigGin | Spread

TYPES: dict[type[Move], str] = {
    Pass: "pass",
    Draw: "draw",
    Discard: "discard",
    Knock: "knock",
    BigGin: "big_gin",
    Spread: "spread",
}


def read_move(doc: Doc) -> Move:
    """The move that a JSON object says; its shape has been checked. Raises UnreadableCard."""
    match doc["type"]:
        case "pass":
            return Pass()
        case "draw":
            return Draw(cast(Source, doc["source"]))
        case "discard":
            return Discard(card(doc["card"]))
        case "knock":
            return Knock(card(doc["discard"]), _read_melds(doc))
        case "big_gin":
            return BigGin(_read_melds(doc))
        case "spread":
            return Spread(_read_melds(doc), _read_layoffs(doc))
    raise ValueError(f"gin rummy has no move of the type {doc['type']!r}")


def write_move(move: Move) -> Doc:
    """The JSON object of a move; what the mover left open is left out."""
    if isinstance(move, Discard):  # before all others: a view lists up to eleven of them
        return {"type": "discard", "card": NAMES[move.card]}
    match move:
        case Draw(source):
            return {"type": "draw", "source": source}
        case Pass():
            return {"type": "pass"}
        case Knock(thrown):
            doc: Doc = {"type": "knock", "discard": name(thrown)}
        case _:
            doc = {"type": TYPES[type(move)]}
    if move.melds is not None:
        doc["melds"] = [[name(each) for each in meld] for meld in move.melds]
    if isinstance(move, Spread) and move.layoffs is not None:
        doc["layoffs"] = [{"card": name(layoff.card), "meld": layoff.meld} for layoff in move.layoffs]
    return doc


def _read_melds(doc: Doc) -> NamedMelds | None:
    melds = doc.get("melds")
    return None if melds is None else tuple(tuple(card(each) for each in meld) for meld in melds)


def _read_layoffs(doc: Doc) -> tuple[Layoff, ...] | None:
    layoffs = doc.get("layoffs")
    return None if layoffs is None else tuple(Layoff(card(each["card"]), each["meld"]) for each in layoffs)
