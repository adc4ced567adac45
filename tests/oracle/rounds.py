"""A round played on both sides at once, with state and legal moves compared before every move."""

from random import Random

from service.rulebooks.base import ROUND_OVER
from service.rulebooks.errors import RuleViolation
from service.rulebooks.gin.match import Match, submit
from service.rulebooks.gin.moves import BigGin, Discard, Draw, Knock, Move, Pass, Spread
from service.rulebooks.gin.round import STOCK_END, Played, Round, dealt
from tests.oracle import deviations
from tests.oracle.cards import SWAPPED
from tests.oracle.compare import compare, drawing_there
from tests.oracle.duel import Duel
from tests.oracle.ledger import Difference, Ledger
from tests.oracle.showdown import follow_knock, follow_spread
from tests.oracle.tables import Table
from tests.oracle.theirs import KNOCK, PASS, STOCK, TAKE, Phase, Theirs


def begin(table: Table, chance: Random, ledger: Ledger) -> Duel:
    """The round just dealt on both sides."""
    match = Match(table.rules, table.dealer, dealt(table.rules, 1, table.dealer, table.deck))
    return Duel(table, match, Theirs.dealt(table.undealt, table.deck, 1 - table.dealer), chance, ledger)


def play(duel: Duel) -> None:
    """Play the round to its end. Raises Difference."""
    while duel.round.phase != ROUND_OVER:
        legal = compare(duel)
        seat = duel.round.turn
        assert seat is not None
        step(duel, duel.table.players[seat](duel.round, legal, duel.chance))
    assert duel.match.last is not None
    duel.ledger.kinds[duel.match.last.result.kind] += 1


def step(duel: Duel, move: Move) -> None:
    """Make a move of the seat on turn on both sides. Raises Difference."""
    seat = duel.round.turn
    assert seat is not None
    before = duel.match
    duel.note(seat, move)
    duel.match, played = _accepted(duel, seat, move)
    _follow(duel, before, move, played)


def _accepted(duel: Duel, seat: int, move: Move) -> tuple[Match, Played]:
    try:
        return submit(duel.match, seat, move)
    except RuleViolation as refusal:
        raise Difference("a move that was listed", f"refused: {refusal}", "legal") from refusal


# --- The same move on the other side -----------------------------------------------


def _follow(duel: Duel, before: Match, move: Move, played: Played) -> None:
    match move:
        case Pass():
            duel.theirs.do(PASS)
        case Draw("stock"):
            _follow_stock(duel, before)
        case Draw("discard"):
            _follow_take(duel, before)
        case Discard(card):
            duel.theirs.do(SWAPPED[card])
        case Knock() | BigGin():
            follow_knock(duel, before, played)
        case Spread():
            follow_spread(duel, before, played)
    if played.result is not None and played.result.kind == "void":
        _compare_void(duel, played)


def _follow_stock(duel: Duel, before: Match) -> None:
    """OpenSpiel's chance node may deal exactly the cards of our stock; ours is dealt."""
    assert before.round is not None
    duel.theirs.do(STOCK)
    duel.ledger.equal("cards in the stock", frozenset(before.round.stock), frozenset(duel.theirs.cards_offered()))
    duel.theirs.do(SWAPPED[before.round.stock[0]])


def _follow_take(duel: Duel, before: Match) -> None:
    assert before.round is not None
    round, theirs = duel.round, duel.theirs
    if before.round.phase != "fiftieth":
        theirs.do(TAKE)
        if ends := deviations.fiftieth_take_ends_the_round(round):
            _follow_fiftieth_take(duel, ends)
    elif KNOCK in theirs.offered:
        theirs.do(KNOCK)
    else:
        _deal_anew(duel)


def _follow_fiftieth_take(duel: Duel, ends: deviations.Gap) -> None:
    round, theirs = duel.round, duel.theirs
    assert round.turn is not None
    here = frozenset({("turn", round.turn), ("hand", round.hands[round.turn]), ("top", None)})
    there = frozenset({("turn", theirs.turn), ("hand", theirs.hand(round.turn)), ("top", theirs.top)})
    name = deviations.fiftieth_take_ends_the_round.__name__
    duel.ledger.reconcile("the fiftieth take", here, there, [(name, ends)], round.public[-1])
    duel.ledger.equal("returns after the fiftieth take", (0, 0), (theirs.returns(0), theirs.returns(1)))
    _deal_anew(duel)


def _deal_anew(duel: Duel) -> None:
    """OpenSpiel's side goes on in a fresh round, where the same cards were dealt and the same card taken."""
    round = duel.round
    assert round.turn is not None
    assert round.taken is not None
    hand = round.hands[round.turn] ^ 1 << round.taken
    undealt = duel.table.undealt_at(round.knock_limit)
    duel.theirs = Theirs.dealt_anew(undealt, round.turn, hand, round.taken, round.hands[1 - round.turn])
    duel.theirs.beneath = round.discards
    duel.theirs.unlike = duel.theirs.stock - len(round.stock)
    duel.anew = True


# --- A void round --------------------------------------------------------------------


def _compare_void(duel: Duel, played: Played) -> None:
    """Nobody scores on either side; OpenSpiel may still be waiting for a pass at the wall."""
    round, theirs, result = duel.round, duel.theirs, played.result
    assert result is not None
    if not theirs.state.is_terminal() and not duel.anew:
        duel.ledger.equal("stock at the wall", STOCK_END, theirs.stock)
        duel.ledger.equal("phase at the wall", str(Phase.WALL), str(theirs.phase))
        seat = theirs.turn
        assert seat is not None
        there = frozenset((*drawing_there(action), seat) for action in theirs.offered)
        gap = deviations.last_discard_always_in_reach(round, 1 - _last_to_throw(round), theirs.limit)
        name = deviations.last_discard_always_in_reach.__name__
        duel.ledger.reconcile("moves at the end of the stock", frozenset(), there, [(name, gap)], round.public[-1])
        theirs.do(PASS)
    if not duel.anew:
        duel.ledger.equal("over", True, theirs.state.is_terminal())
    assert duel.match.last is not None
    duel.ledger.equal("points of a void round", 0, duel.match.last.score.points)
    for seat in (0, 1):
        duel.ledger.equal(f"hand of seat {seat} at the end", round.hands[seat], theirs.hand(seat))
        duel.ledger.equal(f"deadwood of seat {seat} at the end", result.deadwood[seat], theirs.deadwood(seat))
        duel.ledger.equal(f"return of seat {seat}", 0, theirs.returns(seat))


def _last_to_throw(round: Round) -> int:
    return next(turn.seat for turn in reversed(round.public) if turn.threw is not None)
