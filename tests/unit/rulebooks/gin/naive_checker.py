"""The moves of gin rummy a second time, naively: with card names, and written from the text of the rules.

It shares no code with the service. It reads the view of the seat that moves, and says whether a move is to be accepted,
what the cards count, and who is to act next.
"""

from collections.abc import Collection, Sequence
from typing import Any

from tests import naive

Doc = dict[str, Any]
Hand = frozenset[str]
Melds = Sequence[Collection[str]]

NEVER_DRAWN = 2


def is_meld(cards: Collection[str]) -> bool:
    return len(set(cards)) == len(cards) and naive.is_meld(frozenset(cards))


def left_by(melds: Melds, hand: Hand) -> Hand | None:
    """The cards in none of the melds named; None if they are no melds, not in the hand, or share a card."""
    rest = set(hand)
    for meld in melds:
        if not is_meld(meld) or not rest.issuperset(meld):
            return None
        rest -= set(meld)
    return frozenset(rest)


def laid_off(layoffs: Sequence[Doc], melds: Melds, hand: Hand) -> Hand | None:
    """What is left after laying cards off in this order; None if one of them is not held or does not fit."""
    grown = [set(meld) for meld in melds]
    rest = set(hand)
    for layoff in layoffs:
        card, index = layoff["card"], layoff["meld"]
        if card not in rest or not 0 <= index < len(grown) or not is_meld(grown[index] | {card}):
            return None
        grown[index].add(card)
        rest.remove(card)
    return frozenset(rest)


def hand_of(view: Doc, seat: int) -> Hand:
    return frozenset(view["round"]["hands"][seat]["cards"])


def knock_limit(view: Doc) -> int:
    rules, card = view["ruleset"], view["round"]["limit_card"]
    if rules["knock_limit"] != "upcard":
        return int(rules["knock_limit"])
    if card[0] == "A" and rules["oklahoma_ace"] == "gin_only":
        return 0
    return naive.count(frozenset([card]))


def accepts(view: Doc, seat: int, move: Doc) -> bool:
    """Whether the seat whose view it is may make the move now."""
    turn = view["turn"]
    if turn is None:
        return False
    if move["type"] == "deal":
        return turn["phase"] == "round_over"
    if turn["seat"] != seat:
        return False
    return MAY[turn["phase"]](view, hand_of(view, seat), move)


def _may_in_opening(view: Doc, hand: Hand, move: Doc) -> bool:
    return move in ({"type": "pass"}, {"type": "draw", "source": "discard"})


def _may_in_draw(view: Doc, hand: Hand, move: Doc) -> bool:
    if move == {"type": "draw", "source": "discard"}:
        return not (both_just_passed(view) and view["ruleset"]["both_pass_draw"] == "stock_only")
    return move == {"type": "draw", "source": "stock"}


def _may_in_discard(view: Doc, hand: Hand, move: Doc) -> bool:
    taken = view["round"]["taken"]
    at_the_end = taken is not None and view["round"]["stock_count"] == NEVER_DRAWN
    match move["type"]:
        case "discard":
            return move["card"] in hand and move["card"] != taken and not at_the_end
        case "knock":
            thrown = move["discard"]
            return thrown in hand and thrown != taken and _counts_within(hand - {thrown}, move, knock_limit(view))
        case "big_gin":
            return view["ruleset"]["big_gin_bonus"] is not None and _counts_within(hand, move, 0)
        case _:
            return False


def counted(hand: Hand, move: Doc) -> int | None:
    """What a hand counts that is laid out as the move names it, or at its best; None if it cannot be laid out so."""
    if "melds" not in move:
        return naive.deadwood(hand)
    rest = left_by(move["melds"], hand)
    return None if rest is None else naive.count(rest)


def _counts_within(hand: Hand, move: Doc, limit: int) -> bool:
    count = counted(hand, move)
    return count is not None and count <= limit


def _may_in_spread(view: Doc, hand: Hand, move: Doc) -> bool:
    if move["type"] != "spread":
        return False
    rest = laid_off(move.get("layoffs", ()), view["round"]["spread"]["melds"], hand)
    return rest is not None and left_by(move.get("melds", ()), rest) is not None


def _may_in_fiftieth(view: Doc, hand: Hand, move: Doc) -> bool:
    if move == {"type": "draw", "source": "discard"}:
        offered = view["round"]["discard_top"]
        eleven = hand | {offered}
        if view["ruleset"]["big_gin_bonus"] is not None and naive.deadwood(eleven) == 0:
            return True
        return any(naive.deadwood(eleven - {card}) <= knock_limit(view) for card in hand)
    return move == {"type": "pass"}


MAY = {
    "opening": _may_in_opening,
    "draw": _may_in_draw,
    "discard": _may_in_discard,
    "spread": _may_in_spread,
    "fiftieth": _may_in_fiftieth,
    "round_over": lambda view, hand, move: False,
}


def passed(seen: Doc) -> bool:
    return seen["took"] is None and seen["threw"] is None


def both_just_passed(view: Doc) -> bool:
    public = view["round"]["public"]
    return len(public) == 2 and all(map(passed, public))


def takes(view: Doc) -> int:
    """How many cards were taken from the discard pile since the opening; a card taken in the offer is not counted."""
    public = view["round"]["public"]
    opening = 0
    if view["ruleset"]["opening"] == "offer":
        opening = 2 if passed(public[0]) else 1
    return sum(seen["took"] not in (None, "stock") for seen in public[opening:])


OVER = ("round_over", None)


def turn_after(view: Doc, move: Doc) -> tuple[str, int | None]:
    """Phase and seat after an accepted move, from the view of the seat that made it."""
    seat, other = view["turn"]["seat"], 1 - view["turn"]["seat"]
    match view["turn"]["phase"], move["type"]:
        case "opening", "pass":
            return ("draw", other) if view["round"]["public"] else ("opening", other)
        case _, "draw":
            return "discard", seat
        case _, "discard":
            return _after_discard(view, other)
        case _, "knock":
            at_once = counted(hand_of(view, seat) - {move["discard"]}, move) == 0
            return OVER if at_once or view["ruleset"]["layoff"] == "auto" else ("spread", other)
        case _:
            return OVER


def _after_discard(view: Doc, other: int) -> tuple[str, int | None]:
    if view["round"]["taken"] is not None and takes(view) >= view["ruleset"]["max_discard_draws"]:
        return OVER
    if view["round"]["stock_count"] > NEVER_DRAWN:
        return "draw", other
    return ("fiftieth", other) if view["ruleset"]["fiftieth_card"] else OVER


def kind_of(knocker: int, deadwood: Sequence[int], undercut_on_tie: bool) -> str:
    """What a knock with deadwood came to."""
    mine, theirs = deadwood[knocker], deadwood[1 - knocker]
    if theirs == mine and not undercut_on_tie:
        return "tie"
    return "knock" if theirs > mine else "undercut"
