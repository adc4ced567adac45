"""The facts of a knock: the defender's optimum, and what it comes to."""

import json
from pathlib import Path

import pytest

from service.cards.arrangement import Arrangement, best_arrangement
from service.cards.card import card
from service.cards.cardset import cardset
from service.rulebooks.gin.scoring import price
from service.rulebooks.gin.showdown import best_answer, checked_answer, settle, settle_gin, settle_unknocked
from tests.builders import hand, laid, layoffs, rules

SPREADS = Path(__file__).parents[3] / "vectors" / "spreads.jsonl"


@pytest.mark.parametrize(
    ("knocker", "defender", "deadwood"),
    [
        ("JS QS KS | TC TD TH | AS AC AD | 2H", "4S 4C 4D 4H 5S 5C 5D 5H 9S TS", 0),
        ("KS KC KD | 5S 6S 7S | 9C TC JC | JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H", 9),
        ("5S 6S 7S | TD JD QD | AH AD AC | 2H", "8S 9S TS 2D 4D 6D 9D 3H 7H JH", 32),
    ],
)
def test_known_optima(knocker, defender, deadwood):
    """The last: 8S 9S TS are a run as they are; 9D on TD JD QD: 2 + 4 + 6 + 3 + 7 + 10 = 32 with it laid off."""
    assert best_answer(laid(knocker), hand(defender)).laid.deadwood == deadwood


def test_the_optimum_lays_off_no_more_than_it_must():
    """8S 9S TS are a run and need not go on 5S 6S 7S: of the two ways to leave 32, it is the one with one layoff."""
    answer = best_answer(laid("5S 6S 7S | TD JD QD | AH AD AC | 2H"), hand("8S 9S TS 2D 4D 6D 9D 3H 7H JH"))
    assert [layoff.card for layoff in answer.layoffs] == [card("9D")]
    assert answer.laid.melds == (hand("8S 9S TS"),)


@pytest.mark.parametrize(
    ("knocker", "defender", "laid_off", "rest"),
    [
        (
            "7S 7H 7C | 3H 4H 5H 6H | 3C 4C 5C |",
            "3S 4S 5S 6S 3D 4D 5D 6D 7D 6C",
            "7D>0",
            "3S 4S 5S | 6S 6D 6C | 3D 4D 5D |",
        ),
        (
            "AS AH AC | 2S 3S 4S 5S | 3H 4H 5H |",
            "2H AD 2D 3D 4D 5D 2C 3C 4C 5C",
            "2H>2",
            "AD 2D 3D 4D 5D | 2C 3C 4C 5C |",
        ),
        (
            "6S 6H 6C | 9S 9H 9D | TS TH TD TC |",
            "7S 8S 7H 8H 6D 7D 8D 7C 8C 9C",
            "6D>0",
            "7S 7H 7D | 8S 8H 8D | 7C 8C 9C |",
        ),
    ],
)
def test_of_two_cards_that_could_be_laid_off_the_arrangement_left_decides(knocker, defender, laid_off, rest):
    """One layoff leaves nothing, either way.

    7D: three cards extend what is left, 2S 6H 2D; 6C instead leaves two runs, and four: 2S 7S 2D 8D.
    2H: three extend it, 6D AC 6C, and it is two melds; AD instead leaves three, and three: 2S 6D 6C.
    6D: two extend three melds, 6C TC; 9C instead leaves three, and two: 5D 9D. 7S 7H 7D comes before 7S 7H 7C.
    """
    answer = best_answer(laid(knocker), hand(defender))
    assert (answer.layoffs, answer.laid) == (layoffs(laid_off), laid(rest))


def test_the_optimum_without_a_layoff_is_the_best_arrangement():
    defender = hand("KD KC QS QD JS 9S 8H 5H 3H AD")
    answer = best_answer(laid("2S 3S 4S | 4C 5C 6C | 7D 8D 9D | 5D"), defender)
    assert (answer.layoffs, answer.laid) == ((), best_arrangement(defender))


@pytest.mark.parametrize("knocker", [0, 1])
def test_spreads_and_deadwood_are_listed_by_seat(knocker):
    own, answer = laid("AS 2S 3S | 4C 5C 6C | 7D 8D 9D | 5H"), laid("JH JD JC | QH QD QC | 9S 9H AC AD")
    result = settle(knocker, own, checked_answer(own, hand("JH JD JC QH QD QC 9S 9H AC AD"), None, ()), True)
    assert result.spreads[knocker] == own
    assert result.spreads[1 - knocker] == answer
    assert result.deadwood[knocker] == 5
    assert result.deadwood[1 - knocker] == 20
    assert (result.kind, result.winner, result.knocker) == ("knock", knocker, knocker)


@pytest.mark.parametrize("knocker", [0, 1])
@pytest.mark.parametrize("kind", ["gin", "big_gin"])
def test_gin_is_won_by_the_knocker_with_the_defender_at_the_best(kind, knocker):
    own = laid("AS 2S 3S | 4C 5C 6C | 7D 8D 9D TD |")
    result = settle_gin(kind, knocker, own, hand("JH JD JC QH QD QC 9S 9H AC AD"))
    assert (result.kind, result.winner, result.knocker, result.layoffs) == (kind, knocker, knocker, ())
    assert result.deadwood[1 - knocker] == 20


def test_a_round_that_nobody_knocked_in_has_both_hands_at_their_best():
    result = settle_unknocked("void", (hand("AS 2S 3S KH"), hand("7S 7H 7D 7C")))
    assert (result.kind, result.winner, result.knocker, result.deadwood) == ("void", None, None, (10, 0))


@pytest.mark.parametrize(
    ("defender", "tie_counts", "kind", "winner"),
    [
        ("JH JD JC QH QD QC 9S 9H 9C 6S", True, "knock", 0),
        ("JH JD JC QH QD QC 9S 9H 9C 5S", True, "undercut", 1),
        ("JH JD JC QH QD QC 9S 9H 9C 5S", False, "tie", None),
        ("JH JD JC QH QD QC 9S 9H 9C AD", True, "undercut", 1),
        ("JH JD JC QH QD QC 9S 9H 9C AD", False, "undercut", 1),
    ],
)
def test_more_than_the_knocker_loses_as_much_ties_and_less_undercuts(defender, tie_counts, kind, winner):
    """The knocker has 5; the defender 6, 5 or 1."""
    own = laid("AS 2S 3S | 4C 5C 6C | 7D 8D 9D | 5H")
    result = settle(0, own, best_answer(own, hand(defender)), tie_counts)
    assert (result.kind, result.winner) == (kind, winner)


def test_a_tie_keeps_who_knocked_and_what_was_laid_off():
    """TD goes on 7D 8D 9D, and 5S is left: 5 against 5."""
    own = laid("AS 2S 3S | 4C 5C 6C | 7D 8D 9D | 5H")
    answer = best_answer(own, hand("QS QH QD QC 8H 9H TH JH 5S TD"))
    result = settle(0, own, answer, False)
    assert (result.kind, result.winner, result.knocker, result.layoffs) == ("tie", None, 0, layoffs("TD>1"))


def test_a_card_that_fits_a_set_and_a_run_goes_where_the_layoff_says():
    own = laid("7S 8S 9S | TH TD TC | AS AC AD | 2H")
    defender = hand("TS JS KD KC QH 9D 8D 6D 5D 3D")
    for where, left in (("TS>1 JS>1", "KC QH 3D 5D 6D 8D 9D KD"), ("TS>2", "JS QH 3D 5D 6D 8D 9D KD KC")):
        answer = checked_answer(own, defender, None, layoffs(where))
        assert answer.laid == Arrangement((), hand(left))


def test_the_stored_spreads_come_to_what_two_other_engines_found():
    """A knocker's melds and deadwood against a defender who plays the optimum."""
    cases = [json.loads(line) for line in SPREADS.read_text().splitlines()]
    wrong = [case for case in cases if found(case) != (case["defender_deadwood"], case["result"])]
    assert wrong == []
    assert len(cases) == 220


def found(case):
    """The knocker is seat 0; its deadwood is given as points, so cards of that worth stand for it."""
    melds = tuple(cardset(map(card, meld)) for meld in case["melds"])
    defender = cardset(map(card, case["defender"]))
    answer = best_answer(Arrangement(melds, 0), defender)
    left = case["knocker_deadwood"]
    spare = next(each for each in stand_ins(left, sum(melds) | defender))
    result = settle(0, Arrangement(melds, spare), answer, True)
    points = price(result, 1, rules("eaai", undercut_bonus=case["undercut_bonus"]), None).points
    winner = {0: "knocker", 1: "defender"}[result.winner]
    return answer.laid.deadwood, {"kind": result.kind, "winner": winner, "points": points}


def stand_ins(points, elsewhere):
    """Sets of cards that count so much and are not elsewhere."""
    free = [each for each in range(52) if not elsewhere >> each & 1]
    worth = {each: min(each % 13 + 1, 10) for each in free}
    yield from (0 for _ in [0] if points == 0)
    yield from (1 << each for each in free if worth[each] == points)
    yield from (1 << one | 1 << two for one in free for two in free if one < two and worth[one] + worth[two] == points)
