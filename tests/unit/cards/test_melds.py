"""Melds: sets of three or four, runs of three or more, ace low."""

from itertools import combinations

import pytest

from service.cards.cardset import cardset, names
from service.cards.melds import EXTENSIONS, MELDS, RUNS, SETS, is_meld, is_set, joined, melds_in
from tests import naive
from tests.builders import cards, hand

DECK_LESS_ONE_SUIT = "AS 2S 3S 4S AH 2H 3H 4H AD 2D 3D 4D"


def test_there_are_65_sets_and_264_runs():
    """13 x (4 + 1) sets; 4 x (11 + 10 + ... + 1 = 66) runs."""
    assert (len(set(SETS)), len(set(RUNS)), len(set(MELDS))) == (65, 264, 329)


def test_the_melds_are_those_that_a_plain_reading_of_the_rule_finds():
    assert {frozenset(names(meld)) for meld in MELDS} == set(naive.ALL_MELDS)


@pytest.mark.parametrize(
    "text",
    ["AS 2S 3S", "JS QS KS", "TS 9S JS", "7S 7D 7C", "7S 7H 7D 7C", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"],
)
def test_sets_and_runs_are_melds_in_any_order(text):
    assert is_meld(cardset(cards(text)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing at all"),
        ("7S", "one card"),
        ("7S 7H", "a set of two"),
        ("4S 5S", "a run of two"),
        ("QS KS AS", "the ace is low only"),
        ("KS AS 2S", "no run round the corner"),
        ("4S 5S 6H", "two suits"),
        ("4S 5S 7S", "a gap"),
        ("7S 7H 8D", "two ranks"),
        ("KS AH 2H", "kings of one suit and aces of the next are not neighbours"),
        ("QS KS AH", "nor the other way round"),
        ("3S 4S 5S 7H 7D 7C", "two melds are not one"),
    ],
)
def test_anything_else_is_no_meld(text, why):
    assert not is_meld(hand(text)), why


def test_sets_and_runs_are_told_apart():
    assert is_set(hand("7S 7H 7D"))
    assert not is_set(hand("7S 8S 9S"))


@pytest.mark.parametrize(
    ("meld", "grows_by"),
    [
        ("5S 6S 7S", "4S 8S"),
        ("AS 2S 3S", "4S"),
        ("2S 3S 4S", "AS 5S"),
        ("TC JC QC", "9C KC"),
        ("JC QC KC", "TC"),
        ("7S 7H 7D", "7C"),
        ("7S 7H 7D 7C", ""),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", ""),
        ("AD AS AC", "AH"),
    ],
)
def test_a_run_grows_at_either_end_and_a_set_to_the_fourth_card(meld, grows_by):
    assert EXTENSIONS[hand(meld)] == hand(grows_by)


def test_the_melds_in_a_hand_are_all_that_lie_within_it():
    held = hand(DECK_LESS_ONE_SUIT)
    found = melds_in(held)
    subsets = (
        cardset(part)
        for size in range(3, 5)
        for part in combinations(cards(DECK_LESS_ONE_SUIT), size)
        if is_meld(cardset(part))
    )
    assert len(found) == len(set(found))
    assert set(found) == set(subsets)


def test_the_melds_in_a_hand_are_its_runs_and_then_its_sets():
    runs = [hand("5S 6S 7S"), hand("9C TC JC")]
    assert melds_in(hand("2S 2H 2D 5S 6S 7S 9C 9D 9H TC JC")) == [*runs, hand("2S 2H 2D"), hand("9H 9D 9C")]


def test_melds_joined_are_all_their_cards():
    assert joined((hand("AS 2S 3S"), hand("7S 7H 7D"))) == hand("AS 2S 3S 7S 7H 7D")
    assert joined(()) == 0
