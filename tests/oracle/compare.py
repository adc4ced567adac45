"""What is compared before every move: the state as both sides have it, and the moves they allow."""

from typing import Any

from service.cards.card import NAMES, Card
from service.cards.deadwood import best_throws, deadwood
from service.rulebooks.errors import CardNotInHand, DiscardJustTaken, RuleViolation
from service.rulebooks.gin.match import submit
from service.rulebooks.gin.moves import Discard, Draw, Knock, Move, Pass
from service.rulebooks.gin.round import PublicTurn, Round
from tests.oracle import deviations
from tests.oracle.cards import minimum_there
from tests.oracle.deviations import Eleven, Item, Items
from tests.oracle.duel import Duel
from tests.oracle.ledger import Difference
from tests.oracle.legal import Legal, listed
from tests.oracle.theirs import KNOCK, PASS, STOCK, TAKE, Phase

PHASES = {
    "opening": Phase.FIRST_UPCARD,
    "draw": Phase.DRAW,
    "discard": Phase.DISCARD,
    "spread": Phase.LAYOFF,
    "fiftieth": Phase.WALL,
}


def compare(duel: Duel) -> tuple[Legal, ...]:
    """Compare the state and the legal moves, which come back. Raises Difference."""
    compare_state(duel)
    legal = listed(duel.round)
    compare_moves(duel, legal)
    return legal


# --- State ---------------------------------------------------------------------


def compare_state(duel: Duel) -> None:
    """Turn, phase, hands, piles, limit, passes and deadwood."""
    round, theirs, ledger = duel.round, duel.theirs, duel.ledger
    ledger.equal("state", _ours(duel), _theirs(duel))
    known = () if duel.anew else deviations.LIMIT
    ledger.fold("knock limit", round.knock_limit, theirs.limit, known, round.rules.oklahoma_ace)
    if round.phase == "spread":
        return
    for seat in (0, 1):
        if round.phase == "discard" and seat == round.turn:
            spot = eleven(duel)
            least = best_throws(spot.cards, spot.taken)[0]
            ledger.fold("deadwood of eleven", least, theirs.deadwood(seat), deviations.DEADWOOD_OF_ELEVEN, spot)
        else:
            ledger.equal(f"deadwood of seat {seat}", deadwood(round.hands[seat]), theirs.deadwood(seat))


def _ours(duel: Duel) -> Items:
    round = duel.round
    in_wall = round.knock_must_follow and not duel.anew
    upcard_waits = round.phase in {"opening", "draw", "fiftieth"}
    items: set[Item] = {
        ("turn", round.turn),
        ("phase", str(_phase(round, in_wall))),
        ("pile", round.discards),
        ("top", round.discards[-1] if upcard_waits else None),
        ("stock", len(round.stock)),
    }
    for seat in (0, 1):
        knocker = seat == round.knocker and round.laid is not None
        items.add(("hand of", seat, round.laid.unmelded if knocker and round.laid else round.hands[seat]))
        items.add(("knocked", seat, knocker or (in_wall and seat == round.turn)))
        if not duel.anew:
            items.add(("passed", seat, any(_passes(each) for each in round.public if each.seat == seat)))
    return frozenset(items)


def _passes(turn: PublicTurn) -> bool:
    return turn.took is None and turn.threw is None


def _phase(round: Round, in_wall: bool) -> Any:
    if in_wall:
        return Phase.KNOCK
    return Phase.FIRST_UPCARD if round.phase == "draw" and round.stock_only else PHASES[round.phase]


def _theirs(duel: Duel) -> Items:
    theirs = duel.theirs
    items: set[Item] = {
        ("turn", theirs.turn),
        ("phase", str(theirs.phase)),
        ("pile", theirs.pile),
        ("top", theirs.top),
        ("stock", theirs.stock),
    }
    for seat in (0, 1):
        items.add(("hand of", seat, theirs.hand(seat)))
        items.add(("knocked", seat, theirs.knocked(seat)))
        if not duel.anew:
            items.add(("passed", seat, theirs.passed(seat)))
    return frozenset(items)


# --- Legal moves ---------------------------------------------------------------


def eleven(duel: Duel) -> Eleven:
    """The seat on turn with the card it drew, or at the end of the stock with the last discard it could take."""
    round = duel.round
    assert round.turn is not None
    hand, taken = round.hands[round.turn], round.taken
    if round.phase == "fiftieth":
        taken = round.discards[-1]
        hand |= 1 << taken
    wall = round.phase == "fiftieth" or round.knock_must_follow
    return Eleven(round, hand, taken, duel.theirs.limit, wall)


def compare_moves(duel: Duel, legal: tuple[Legal, ...]) -> None:
    """The moves that may be made, one list against the other. (Spreads are compared as they are laid.)"""
    phase = duel.round.phase
    if phase == "discard":
        _compare_throws(duel, legal)
    elif phase != "spread":
        here = frozenset(_drawing(each.move) for each in legal)
        there = frozenset(drawing_there(action) for action in duel.theirs.offered)
        known = deviations.AT_LAST_DISCARD if phase == "fiftieth" else ()
        spot = eleven(duel) if known else None
        gaps = [(each.__name__, each(spot)) for each in known] if spot else []
        duel.ledger.reconcile(f"moves in {phase}", here, there, gaps, spot)


def _compare_throws(duel: Duel, legal: tuple[Legal, ...]) -> None:
    spot, theirs = eleven(duel), duel.theirs
    here = frozenset(_throwing(each.move) for each in legal)
    throws = theirs.cards_offered() if theirs.phase == Phase.DISCARD else set()
    there = frozenset(("throw", card) for card in throws) | {("knock", card) for card in theirs.knocks_offered()}
    if spot.wall:  # the end of the stock is not dealt anew, only the hands: there a throw is still on the list
        there = frozenset(item for item in there if item[0] == "knock")
    gaps = [(each.__name__, each(spot)) for each in deviations.AT_ELEVEN]
    duel.ledger.reconcile("throws and knocks", here, there, gaps, spot)
    for each in legal:
        if isinstance(each.move, Discard):
            left = minimum_there(spot.cards ^ 1 << each.move.card)
            duel.ledger.equal(f"deadwood after throwing {NAMES[each.move.card]}", each.deadwood, left)
    _compare_refusals(duel, spot)


def _compare_refusals(duel: Duel, spot: Eleven) -> None:
    """The taken card is refused by name; so is a card of the other hand, which OpenSpiel does not list either."""
    seat = duel.round.turn
    assert seat is not None
    other = duel.round.hands[1 - seat]
    foreign = (other & -other).bit_length() - 1
    refusals: list[tuple[Card, type[RuleViolation]]] = [(foreign, CardNotInHand)]
    if spot.taken is not None:
        refusals.append((spot.taken, DiscardJustTaken))
    for card, refusal in refusals:
        for move in (Discard(card), Knock(card)):
            try:
                submit(duel.match, seat, move)
            except refusal:
                continue
            raise Difference(f"throwing {NAMES[card]}", "accepted", f"{refusal.__name__} is right")


def _drawing(move: Move) -> Item:
    return ("pass",) if isinstance(move, Pass) else ("take",) if move == Draw("discard") else ("stock",)


def drawing_there(action: int) -> Item:
    return {TAKE: ("take",), KNOCK: ("take",), STOCK: ("stock",), PASS: ("pass",)}[action]


def _throwing(move: Move) -> Item:
    match move:
        case Discard(card):
            return ("throw", card)
        case Knock(card):
            return ("knock", card)
    return ("big gin",)
