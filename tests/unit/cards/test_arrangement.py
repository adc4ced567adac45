"""The one arrangement that is chosen for a hand: least deadwood, then the least for the opponent to lay off."""

import pytest

from service.cards.arrangement import arrange, best_arrangement, extending_cards
from service.cards.cardset import EMPTY, names
from tests.builders import hand, laid, shown


def test_melds_come_out_in_card_order_and_the_rest_is_deadwood():
    held = hand("7S 7H 7D AS 2S 3S KC 5D")
    arranged = arrange(held, (hand("7S 7H 7D"), hand("AS 2S 3S")))
    assert arranged.meld_names() == [["AS", "2S", "3S"], ["7S", "7H", "7D"]]
    assert (names(arranged.unmelded), arranged.deadwood) == (["5D", "KC"], 15)


def test_three_sets_are_laid_where_three_runs_would_give_more_to_lay_off():
    """Three sets can be extended by 5H 6H 7H only; three runs by 4 and 8 of S, D and C, which are six cards."""
    held = hand("AS 5S 6S 7S 5C 6C 7C 5D 6D 7D")
    assert best_arrangement(held) == laid("5S 5D 5C | 6S 6D 6C | 7S 7D 7C | AS")
    assert len(names(extending_cards(laid("5S 5D 5C | 6S 6D 6C | 7S 7D 7C | AS").melds, held))) == 3
    assert names(extending_cards(laid("5S 6S 7S | 5D 6D 7D | 5C 6C 7C | AS").melds, held)) == [
        *("4S", "8S"),
        *("4D", "8D"),
        *("4C", "8C"),
    ]


def test_deadwood_comes_before_what_can_be_laid_off():
    """Three sevens and 8S 9S leave 17 that can be extended by one card; 7S 8S 9S leaves 14 and three that extend."""
    assert shown(best_arrangement(hand("7S 7H 7D 8S 9S"))) == "7S 8S 9S | 7H 7D"


def test_a_card_of_the_own_hand_cannot_be_laid_off_by_the_opponent():
    """Four fours with 5S 6S 7S: 4S is held, so 8S alone extends. 4S-7S with three fours: 3S and 8S."""
    held = hand("4S 4H 4D 4C 5S 6S 7S")
    assert names(extending_cards((hand("4S 4H 4D 4C"), hand("5S 6S 7S")), held)) == ["8S"]
    assert names(extending_cards((hand("4S 5S 6S 7S"), hand("4H 4D 4C")), held)) == ["3S", "8S"]
    assert best_arrangement(held) == laid("4S 4H 4D 4C | 5S 6S 7S |")


def test_a_card_thrown_cannot_be_laid_off_either_and_turns_the_choice():
    """7S 7H 7D 7C 8S 9S TS: with four sevens JS alone extends (7S is held); with 7S-TS it is 6S and JS.

    With 6S and JS out of reach nothing extends either way, and 7S 8S comes before 7S 7H in card order.
    """
    held = hand("7S 7H 7D 7C 8S 9S TS")
    assert best_arrangement(held) == laid("7S 7H 7D 7C | 8S 9S TS |")
    assert best_arrangement(held, thrown=hand("6S JS")) == laid("7S 8S 9S TS | 7H 7D 7C |")


def test_fewest_melds_come_next():
    """AS-6S as one run or as two: 7S alone extends either, since the other neighbours are held."""
    assert best_arrangement(hand("AS 2S 3S 4S 5S 6S")) == laid("AS 2S 3S 4S 5S 6S |")


@pytest.mark.parametrize(
    ("held", "chosen"),
    [
        ("AS 2S 3S 2H 2D", "AS 2S 3S | 2H 2D"),
        ("QS QH QD JD KD", "QS QH QD | JD KD"),
    ],
)
def test_the_lowest_arrangement_in_card_order_comes_last(held, chosen):
    """The run AS 2S 3S leaves 4 and 4S extends it; the twos leave 4 and 2C extends them: AS comes first.

    The queens leave 20 and QC extends them; the run JD QD KD leaves 20 and TD extends it: QS comes first.
    """
    assert best_arrangement(hand(held)) == laid(chosen)


@pytest.mark.parametrize("held", ["", "KH", "AS 3S 5S", "2S KH QD"])
def test_a_hand_without_a_meld_is_all_deadwood(held):
    arranged = best_arrangement(hand(held))
    assert (arranged.melds, arranged.unmelded) == ((), hand(held))


def test_nothing_extends_no_meld():
    assert extending_cards((), EMPTY) == EMPTY
