"""From the knock to the result: our one move becomes OpenSpiel's many, and its offers are compared at each of them."""

from dataclasses import dataclass

from service.cards.arrangement import best_arrangement
from service.cards.card import Card
from service.cards.cardset import EMPTY, CardSet, cards_in, cardset, points
from service.cards.deadwood import deadwood
from service.cards.melds import joined, melds_in
from service.rulebooks.errors import LayoffDoesNotFit, RuleViolation
from service.rulebooks.gin.errors import DeadwoodOverLimit
from service.rulebooks.gin.match import Match, submit
from service.rulebooks.gin.moves import BigGin, Knock, Layoff, Move, NamedMelds, Spread
from service.rulebooks.gin.round import Played
from service.rulebooks.gin.showdown import RoundResult
from tests.oracle import deviations
from tests.oracle.cards import SWAPPED, minimum_there, pieces
from tests.oracle.deviations import Ending, Items, LayingOff, Spreading
from tests.oracle.duel import Duel
from tests.oracle.formulas import shortcut
from tests.oracle.theirs import KNOCK, PASS, Phase, Theirs


@dataclass(frozen=True)
class Knocking:
    """A knock being laid out there. before: our match before it, to ask. cut: the melds, in the pieces laid there."""

    before: Match
    knocker: int
    thrown: Card
    ten: CardSet
    cut: tuple[CardSet, ...]


def follow_knock(duel: Duel, before: Match, played: Played) -> None:
    """Knock, throw and lay the melds there; go on to the result if the round is over here."""
    assert before.round is not None
    knocker = before.round.turn
    assert knocker is not None
    hand = before.round.hands[knocker]
    if isinstance(played.move, BigGin):
        thrown = min(card for card in cards_in(hand) if deadwood(hand ^ 1 << card) == 0 and card != before.round.taken)
        melds = best_arrangement(hand ^ 1 << thrown).melds
    else:
        assert isinstance(played.move, Knock)
        assert played.round.laid is not None
        thrown, melds = played.move.discard, played.round.laid.melds
    knocking = Knocking(before, knocker, thrown, hand ^ 1 << thrown, pieces(melds, duel.chance))
    _knock_and_throw(duel, knocking)
    for step in range(len(knocking.cut) + 1):
        _compare_knockers_melds(duel, knocking, step)
        if step < len(knocking.cut):
            duel.theirs.lay(knocking.cut[step])
    duel.theirs.do(PASS)
    _go_on(duel, knocking, played.result)


def _go_on(duel: Duel, knocking: Knocking, result: RoundResult | None) -> None:
    """Wait for the spread, or finish the round as it was finished here."""
    if result is None:
        _compare_optimum(duel)
    elif result.kind in {"gin", "big_gin"}:
        _lay_defenders_melds(duel, None, result, EMPTY)
        left = knocking.ten ^ joined(knocking.cut)
        _compare_end(duel, result, EMPTY, Laid(knocking.cut, left))
    else:
        _compare_optimum_of(duel, result)
        _answer(duel, None, result, knocking.cut)


def _knock_and_throw(duel: Duel, knocking: Knocking) -> None:
    theirs = duel.theirs
    left = points(knocking.ten ^ joined(knocking.cut))
    if knocking.thrown not in theirs.knocks_offered() or left > theirs.limit:
        _deal_anew_with_a_stand_in(duel, knocking)
        return
    if theirs.phase == Phase.DISCARD:
        theirs.do(KNOCK)
    theirs.do(SWAPPED[knocking.thrown])


def _deal_anew_with_a_stand_in(duel: Duel, knocking: Knocking) -> None:
    """A knock denied there is shown in a fresh round: the same ten cards, and a throw that does not mislead."""
    round, ten, knocker = duel.round, knocking.ten, knocking.knocker
    other = round.hands[1 - knocker]
    spare = [card for card in range(52) if not (ten | other) >> card & 1]
    stand_in = next(card for card in spare if shortcut(ten | 1 << card) <= round.knock_limit)
    theirs = Theirs.dealt_anew(duel.table.undealt_at(round.knock_limit), knocker, ten, stand_in, other)
    theirs.do(KNOCK, SWAPPED[stand_in])
    theirs.beneath = round.discards[:-1]
    theirs.unlike = theirs.stock - len(round.stock)
    theirs.stand_in = {stand_in: knocking.thrown}
    duel.theirs, duel.anew = theirs, True


def _named(melds: tuple[CardSet, ...]) -> NamedMelds:
    return tuple(tuple(cards_in(meld)) for meld in melds)


def _accepted(match: Match, seat: int, move: Move, refusal: type[Exception]) -> bool:
    try:
        submit(match, seat, move)
    except refusal:
        return False
    return True


def _compare_knockers_melds(duel: Duel, knocking: Knocking, step: int) -> None:
    """A meld may be laid now if our engine takes a knock that names it, with the best of the rest; so for stopping."""
    laid = knocking.cut[:step]
    rest = knocking.ten ^ joined(laid)

    def accepted(melds: tuple[CardSet, ...]) -> bool:
        move = Knock(knocking.thrown, _named(melds))
        return _accepted(knocking.before, knocking.knocker, move, DeadwoodOverLimit)

    legal = frozenset(meld for meld in melds_in(rest) if accepted((*laid, meld, *best_arrangement(rest ^ meld).melds)))
    here = {("meld", meld) for meld in legal} | ({("stop",)} if accepted(laid) else set())
    less = None if duel.theirs.limit == duel.round.knock_limit else duel.theirs.limit
    _reconcile_melds(duel, "melds of the knocker", frozenset(here), Spreading(legal, rest, limit_there=less))


def _reconcile_melds(duel: Duel, what: str, here: Items, spot: Spreading) -> None:
    theirs = duel.theirs
    stop = {("stop",)} if PASS in theirs.offered else set()
    there = frozenset({("meld", meld) for meld in theirs.melds_offered()} | stop)
    gaps = [(each.__name__, each(spot)) for each in deviations.AT_MELDS]
    duel.ledger.reconcile(what, here, there, gaps, spot)


# --- The defender's answer -------------------------------------------------------


def _compare_optimum(duel: Duel) -> None:
    """What our engine answers by itself leaves as little as any way to lay off that OpenSpiel offers."""
    seat = duel.round.turn
    assert seat is not None
    result = submit(duel.match, seat, Spread())[1].result
    assert result is not None
    _compare_optimum_of(duel, result)


def _compare_optimum_of(duel: Duel, result: RoundResult) -> None:
    assert result.knocker is not None
    least = duel.theirs.least_after_layoffs()
    duel.ledger.equal("the defender's optimum", result.deadwood[1 - result.knocker], least)


def follow_spread(duel: Duel, before: Match, played: Played) -> None:
    """Lay off and meld there as the defender did here."""
    assert played.result is not None
    knocker = played.result.knocker
    assert knocker is not None
    _answer(duel, before, played.result, tuple(duel.theirs.laid(knocker)))


def _answer(duel: Duel, in_spread: Match | None, result: RoundResult, cut: tuple[CardSet, ...]) -> None:
    """The layoffs, then the melds. in_spread: the match before the spread, to ask; None if nothing was waited for."""
    assert result.knocker is not None
    melds = result.spreads[result.knocker].melds
    hand = duel.round.hands[1 - result.knocker]
    denied = EMPTY
    for step in range(len(result.layoffs) + 1):
        laid = result.layoffs[:step]
        rest = hand & ~cardset(layoff.card for layoff in laid)
        _compare_layoffs(duel, in_spread, LayingOff(melds, cut, laid, rest, denied))
        if step == len(result.layoffs):
            break
        card = result.layoffs[step].card
        if card in duel.theirs.cards_offered():
            duel.theirs.do(SWAPPED[card])
        else:
            denied |= 1 << card
    duel.theirs.do(PASS)
    _lay_defenders_melds(duel, in_spread, result, denied)
    _compare_end(duel, result, denied, Laid(cut, result.spreads[result.knocker].unmelded))


def _compare_layoffs(duel: Duel, in_spread: Match | None, spot: LayingOff) -> None:
    """A card may be laid off now if our engine takes a spread in which it is next, on one of the melds."""
    here = spot.here() if in_spread is None else _cards_taken(in_spread, spot)
    there = duel.theirs.cards_offered()
    gaps = [(each.__name__, each(spot)) for each in deviations.AT_LAYOFFS]
    duel.ledger.reconcile(
        "layoffs",
        frozenset(("lay off", card) for card in here),
        frozenset(("lay off", card) for card in there),
        gaps,
        spot,
    )


def _cards_taken(in_spread: Match, spot: LayingOff) -> set[Card]:
    assert in_spread.round is not None
    seat = in_spread.round.turn
    assert seat is not None
    return {
        card
        for card in cards_in(spot.hand)
        for index in range(len(spot.melds))
        if _accepted(in_spread, seat, Spread((), (*spot.layoffs, Layoff(card, index))), LayoffDoesNotFit)
    }


def _lay_defenders_melds(duel: Duel, in_spread: Match | None, result: RoundResult, denied: CardSet) -> None:
    assert result.knocker is not None
    defender = 1 - result.knocker
    spread = result.spreads[defender]
    cut = pieces(spread.melds, duel.chance)
    hand = joined(spread.melds) | spread.unmelded
    for step in range(len(cut) + 1):
        rest = hand ^ joined(cut[:step])
        legal = frozenset(
            meld
            for meld in melds_in(rest)
            if in_spread is None
            or _accepted(in_spread, defender, Spread(_named((*cut[:step], meld)), result.layoffs), RuleViolation)
        )
        here = frozenset({("meld", meld) for meld in legal} | {("stop",)})
        _reconcile_melds(duel, "melds of the defender", here, Spreading(legal, rest | denied, denied))
        if step < len(cut):
            duel.theirs.lay(cut[step])
    duel.theirs.do(PASS)


# --- The result --------------------------------------------------------------------


@dataclass(frozen=True)
class Laid:
    """The knocker's hand as it lies there: the melds in pieces, and what is in none."""

    cut: tuple[CardSet, ...]
    left: CardSet


def _compare_end(duel: Duel, result: RoundResult, denied: CardSet, laid: Laid) -> None:
    """Melds, layoffs, deadwood and points."""
    assert result.knocker is not None
    knocker, defender, theirs, ledger = result.knocker, 1 - result.knocker, duel.theirs, duel.ledger
    ledger.equal("over", True, theirs.state.is_terminal())
    ledger.equal("melds laid by the knocker", list(laid.cut), theirs.laid(knocker))
    laid_off = tuple(layoff.card for layoff in result.layoffs if not denied >> layoff.card & 1)
    ledger.equal("cards laid off", laid_off, theirs.layoffs)
    ledger.equal("the knocker's unmelded cards", laid.left, theirs.hand(knocker))
    ledger.equal("the defender's unmelded cards", result.spreads[defender].unmelded | denied, theirs.hand(defender))
    ledger.equal("the knocker's deadwood", result.deadwood[knocker], theirs.deadwood(knocker))
    ledger.equal("the defender's deadwood", result.deadwood[defender] + points(denied), theirs.deadwood(defender))
    _compare_minimum(duel, result)
    spot = Ending(duel.round, result.kind, result.deadwood[knocker], result.deadwood[defender], denied)
    ledger.fold("return of the knocker", _points(duel, knocker), theirs.returns(knocker), deviations.AT_RESULT, spot)
    ledger.equal("sum of the returns", 0, theirs.returns(0) + theirs.returns(1))
    ledger.kinds["rounds with layoffs"] += bool(result.layoffs)


def _compare_minimum(duel: Duel, result: RoundResult) -> None:
    """On gin the defender's least deadwood counts."""
    assert result.knocker is not None
    if result.kind in {"gin", "big_gin"}:
        hand = duel.round.hands[1 - result.knocker]
        duel.ledger.equal("the defender's least deadwood", result.deadwood[1 - result.knocker], minimum_there(hand))


def _points(duel: Duel, knocker: int) -> int:
    """What the round was worth to the knocker here: negative if the defender scored."""
    assert duel.match.last is not None
    score = duel.match.last.score
    if score.winner is None:
        return 0
    return score.points if score.winner == knocker else -score.points
