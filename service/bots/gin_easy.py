"""The easy player of gin rummy: it keeps the least deadwood, and knocks as soon as it may."""

from service.cards.card import POINTS, card
from service.cards.cardset import CardSet, cardset
from service.cards.deadwood import best_throws, deadwood
from service.rulebooks.base import Doc


def choose(view: Doc) -> Doc:
    """A move for the seat on turn, one of its legal moves.

    It takes the top of the discard pile where that lowers its deadwood, ends the round when it can, and else throws
    what leaves the least deadwood, the dearest such card first. As the defender it leaves the spread to the engine.
    """
    legal = view["legal_moves"]
    match view["turn"]["phase"]:
        case "opening" | "draw" | "fiftieth":
            return _draw(view, legal)
        case "discard":
            return _throw(legal)
        case _:
            return dict(legal[0]["move"])


def _draw(view: Doc, legal: list[Doc]) -> Doc:
    moves = [each["move"] for each in legal]
    take = {"type": "draw", "source": "discard"}
    if take in moves and (view["turn"]["phase"] == "fiftieth" or _helps(view)):
        return take
    return dict(next(move for move in moves if move != take))


def _helps(view: Doc) -> bool:
    hand = _own_hand(view)
    upcard = card(view["round"]["discard_top"])
    least, _ = best_throws(hand | 1 << upcard, taken=upcard)
    return least < deadwood(hand)


def _own_hand(view: Doc) -> CardSet:
    own = next(hand for hand in view["round"]["hands"] if "cards" in hand)
    return cardset(map(card, own["cards"]))


def _throw(legal: list[Doc]) -> Doc:
    """Big gin, else the knock or gin with the least deadwood, else the discard with the least."""
    by_type: dict[str, list[Doc]] = {}
    for each in legal:
        by_type.setdefault(each["move"]["type"], []).append(each)
    ending = by_type.get("big_gin") or by_type.get("knock")
    best = min(ending or by_type["discard"], key=lambda each: (each["deadwood"], -_worth(each["move"])))
    return dict(best["move"])


def _worth(move: Doc) -> int:
    thrown = move.get("card") or move.get("discard")
    return 0 if thrown is None else POINTS[card(thrown)]
