"""Deadwood of a hand, and the best throws from it: known answers."""

import json
from pathlib import Path

import pytest

from service.cards.card import card, name
from service.cards.cardset import cardset, names
from service.cards.deadwood import best_throws, deadwood, throws
from tests.builders import cards, hand

HANDS = Path(__file__).parents[2] / "vectors" / "hands.jsonl"


@pytest.mark.parametrize(
    ("held", "points", "why"),
    [
        ("", 0, "nothing counts nothing"),
        ("KH", 10, "one card is in no meld"),
        ("AS 2S", 3, "1 + 2"),
        ("AS 2S 3S", 0, "the ace is low"),
        ("QS KS AS", 21, "the ace is not high: 10 + 10 + 1"),
        ("KS AS 2S", 13, "no run round the corner: 10 + 1 + 2"),
        ("TS 9S JS", 0, "a run out of order"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS", 0, "a run of ten"),
        ("JC 9D 8S 6D JS 8H TD 8D 7D JD", 16, "the run 6-T of diamonds and three jacks leave 8S 8H"),
        ("6H QH QC 5H KD KH 7H KC 4H QD", 0, "4-7 of hearts, queens, kings"),
        ("KC 3S 3C 9C KH 3H 9H 3D 9D KD", 0, "threes, nines, kings"),
        ("4S 5S 4C 5C 2D 3D 4D 5D 4H 5H 6H", 5, "2D 3D 4D, three fours are gone: 4H 5H 6H and 5S 5C 5D or such"),
        ("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", 5, "three runs leave 5H"),
        ("AS 3S 5S 7S 9S JS KS 2H 4H 6H", 57, "no meld: 1 + 3 + 5 + 7 + 9 + 10 + 10 and 2 + 4 + 6"),
        ("7S 7H 7D 7C", 0, "four of a kind"),
        ("7S 7H 7D 7C 8S 9S", 0, "the fourth seven runs with 8S 9S"),
        ("7S 7H 7D 7C 8S 9S 8H 9H", 14, "two runs leave 7D 7C; a run and three sevens would leave 8H 9H, 17"),
    ],
)
def test_known_deadwood(held, points, why):
    assert deadwood(cardset(cards(held))) == points, why


def test_a_gin_that_the_best_eleven_cards_hide_is_found():
    """Melds of 4S 5S 4C 5C 2D 3D 4D 5D 4H 5H 6H leave 5 at best; without 6H: 2D-5D, 4S 4C 4H, 5S 5C 5H leave 0.

    Dropping the dearest card of what the best of eleven leaves would come to 2 or more.
    """
    assert best_throws(hand("4S 5S 4C 5C 2D 3D 4D 5D 4H 5H 6H")) == (0, (card("6H"),))


def test_every_throw_that_reaches_the_least_is_named_in_card_order():
    """2S to 6S and TS JS QS are runs, and so are 2D or 6D with 3D 4D 5D: two throws leave nothing."""
    least, best = best_throws(hand("TS 5D 4S 3S QS JS 3D 4D 6D 2S 2D"))
    assert (least, [name(each) for each in best]) == (0, ["2D", "6D"])


def test_the_card_just_taken_is_never_among_the_throws():
    """With KH barred, 5H goes and KH counts 10; KH drawn from the stock may go and 5H counts 5."""
    eleven = hand("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H KH")
    assert best_throws(eleven, taken=card("KH")) == (10, (card("5H"),))
    assert best_throws(eleven) == (5, (card("KH"),))


def test_throws_are_all_cards_but_the_one_just_taken():
    held = hand("KH AS 5C")
    assert [name(each) for each in throws(held)] == ["AS", "KH", "5C"]
    assert [name(each) for each in throws(held, taken=card("KH"))] == ["AS", "5C"]
    assert [name(each) for each in throws(held, taken=card("2D"))] == ["AS", "KH", "5C"]


def vectors():
    return [json.loads(line) for line in HANDS.read_text().splitlines()]


def test_the_stored_hands_count_what_two_other_engines_counted():
    wrong = [case for case in vectors() if deadwood(cardset(map(card, case["hand"]))) != case["deadwood"]]
    assert wrong == []
    assert len(vectors()) == 330


def test_the_stored_hands_of_eleven_have_the_best_throws_that_two_other_engines_found():
    elevens = [case for case in vectors() if "best_throws" in case]
    wrong = []
    for case in elevens:
        least, best = best_throws(cardset(map(card, case["hand"])))
        if (least, names(cardset(best))) != (case["deadwood_after_best_throw"], in_card_order(case["best_throws"])):
            wrong.append(case)
    assert wrong == []
    assert len(elevens) == 125


def in_card_order(listed):
    return names(cardset(map(card, listed)))
