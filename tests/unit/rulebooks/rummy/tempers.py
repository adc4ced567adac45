"""Ways to play basic rummy: each chooses one of the listed moves of a view, or gives up."""

from collections.abc import Callable, Mapping
from typing import Any

from tests import naive
from tests.unit.rulebooks.machine import RESIGN
from tests.unit.rulebooks.rummy.decks import MELDS
from tests.unit.rulebooks.rummy.naive_checker import is_meld

Doc = dict[str, Any]
STOCK = {"type": "draw", "source": "stock"}
DISCARD = {"type": "draw", "source": "discard"}
BREAK = 5


def hand_of(view: Doc) -> frozenset[str]:
    """The cards of the seat whose view it is; none if it has not been dealt any."""
    if view["round"] is None or view["you"] is None:
        return frozenset()
    own = [hand for hand in view["round"]["hands"] if hand["seat"] == view["you"]["seat"]]
    return frozenset(card for hand in own for card in hand["cards"])


def keen(view: Doc) -> Doc:
    """Takes what helps, lays down all it can, the longest meld first, and throws what has no company."""
    moves = _moves(view)
    if "draw" in moves:
        return DISCARD if DISCARD in moves["draw"] and _helps(view) else STOCK
    if "meld" in moves:
        return max(moves["meld"], key=lambda move: len(move["cards"]))
    if "lay_off" in moves:
        return moves["lay_off"][-1]
    return _thrown(view, lambda card: (_company(card, hand_of(view)), -naive.ORDER[card] % 13))


def hoarding(view: Doc) -> Doc:
    """Draws from the stock, lays nothing down, and throws the dearest card."""
    return STOCK if "draw" in _moves(view) else _thrown(view, lambda card: -naive.RANKS.index(card[0]))


def circling(view: Doc) -> Doc:
    """Takes every discard, and lays nothing down, so that takes reach their cap."""
    draws = _moves(view).get("draw", [])
    return DISCARD if DISCARD in draws else STOCK if draws else _thrown(view, lambda card: naive.ORDER[card])


def drawing(view: Doc) -> Doc:
    """As circling, but it draws from the stock once."""
    return STOCK if "draw" in _moves(view) and _turns(view) == BREAK else circling(view)


def ambling(view: Doc) -> Doc:
    """As circling, but it lays down some cards in the first turns."""
    moves, turn = _moves(view), _turns(view)
    if "meld" in moves and turn <= 2 * BREAK and len(hand_of(view)) > 5:
        return min(moves["meld"], key=lambda move: len(move["cards"]))
    if "lay_off" in moves and turn <= 3 * BREAK and len(hand_of(view)) > 3:
        return moves["lay_off"][0]
    return circling(view)


def melding(view: Doc) -> Doc:
    """As circling, but it lays one meld after some turns."""
    moves = _moves(view)
    if "meld" in moves and BREAK < _turns(view) <= 2 * BREAK:
        return min(moves["meld"], key=lambda move: len(move["cards"]))
    return circling(view)


def fickle(view: Doc) -> Doc:
    """Takes the only card of the pile and gives up, where others play on; at other times it is keen."""
    moves = _moves(view)
    if DISCARD in moves.get("draw", ()) and view["round"]["discard_count"] == 1:
        return DISCARD
    if "discard" in moves and view["round"]["discard_count"] == 0:
        return RESIGN
    return keen(view)


def weary(view: Doc) -> Doc:
    """As hoarding, but the last of the seats gives up in its third turn."""
    if view["round"] is None or "deal" in _moves(view):
        return hoarding(view)
    seat = view["you"]["seat"]
    turns = sum(seen["seat"] == seat for seen in view["round"]["public"])
    return RESIGN if turns == 3 and seat == view["round"]["hands"][-1]["seat"] else hoarding(view)


TEMPERS: Mapping[str, Callable[[Doc], Doc]] = {
    "keen": keen,
    "hoarding": hoarding,
    "circling": circling,
    "drawing": drawing,
    "ambling": ambling,
    "melding": melding,
    "fickle": fickle,
    "weary": weary,
}


def _moves(view: Doc) -> dict[str, list[Doc]]:
    """The listed moves by their type."""
    moves: dict[str, list[Doc]] = {}
    for legal in view["legal_moves"]:
        moves.setdefault(legal["move"]["type"], []).append(legal["move"])
    return moves


def _turns(view: Doc) -> int:
    """How many turns of the round have begun."""
    return 0 if view["round"] is None else len(view["round"]["public"])


def _thrown(view: Doc, least: Callable[[str], Any]) -> Doc:
    """The throw that is least by some measure; where nothing can be thrown, the first of the other moves."""
    moves = _moves(view)
    if "discard" not in moves:
        return dict(view["legal_moves"][0]["move"])
    return min(moves["discard"], key=lambda move: least(move["card"]))


def _helps(view: Doc) -> bool:
    """Whether the top of the pile makes a meld with the hand, or fits on one that lies there."""
    top, hand = view["round"]["discard_top"], hand_of(view)
    if any(top in meld and hand.issuperset(set(meld) - {top}) for meld in MELDS):
        return True
    return any(is_meld(frozenset((*meld["cards"], top)), view["ruleset"]["ace"]) for meld in view["round"]["table"])


def _company(card: str, hand: frozenset[str]) -> int:
    """How many melds the card could be part of that lack one card at the most."""
    return sum(card in meld and len(hand & set(meld)) >= len(meld) - 1 for meld in MELDS if len(meld) <= 4)
