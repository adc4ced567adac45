"""What is a meld, with the ace low or at either end, against melds made from their description alone."""

from itertools import combinations

import pytest

from service.cards.card import DECK_SIZE, NAMES
from service.cards.cardset import cardset
from service.rulebooks.errors import InvalidMeld, LayoffDoesNotFit
from service.rulebooks.rummy.melds import HIGH_RUNS, is_rummy_meld, rummy_melds_in
from tests.builders import hand
from tests.unit.rulebooks.rummy.tables import legal, play, rules, table

EITHER = rules(ace="either")
SUITS = "SHDC"
ACE_LOW = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
ACE_HIGH = [*ACE_LOW[1:], "A"]


def naive(high_ace):
    """Sets of three and four, and runs of three and more along one order of ranks or two, as sets of names."""
    sets = {frozenset(rank + suit for suit in suits) for rank in ACE_LOW for n in (3, 4) for suits in each(n)}
    orders = [ACE_LOW, ACE_HIGH] if high_ace else [ACE_LOW]
    runs = {
        frozenset(rank + suit for rank in order[start:end])
        for order in orders
        for suit in SUITS
        for start in range(13)
        for end in range(start + 3, 14)
    }
    return sets | runs


def each(size):
    return combinations(SUITS, size)


def named(mask):
    return frozenset(NAMES[card] for card in range(DECK_SIZE) if mask >> card & 1)


@pytest.mark.parametrize("high_ace", [False, True])
def test_the_melds_of_a_whole_pack_are_those_of_the_description(high_ace):
    """329 with a low ace: 65 sets and 264 runs. 40 more that end in king and ace: ten lengths in each suit."""
    found = rummy_melds_in((1 << DECK_SIZE) - 1, high_ace)
    assert {named(meld) for meld in found} == naive(high_ace)
    assert len(found) == len(set(found)) == (369 if high_ace else 329)
    assert len(HIGH_RUNS) == 40


@pytest.mark.parametrize("high_ace", [False, True])
def test_three_cards_are_a_meld_exactly_if_the_description_says_so(high_ace):
    """All 22100 of them."""
    melds = naive(high_ace)
    for cards in combinations(range(DECK_SIZE), 3):
        mask = cardset(cards)
        assert is_rummy_meld(mask, high_ace) == (named(mask) in melds)


@pytest.mark.parametrize("text", ["AS 2S 3S QS KS", "AS AH AD AC 2S 3S", "JC QC KC AC 2C", "KD AD 2D QD"])
def test_the_melds_of_a_hand_are_those_of_its_cards_in_card_order(text):
    for high_ace in (False, True):
        found = rummy_melds_in(hand(text), high_ace)
        assert {named(meld) for meld in found} == {meld for meld in naive(high_ace) if meld <= set(text.split())}
        listed = [[card for card in range(DECK_SIZE) if meld >> card & 1] for meld in found]
        assert listed == sorted(listed)


@pytest.mark.parametrize(
    ("cards", "low", "either"),
    [
        ("AS 2S 3S", True, True),
        ("QS KS AS", False, True),
        ("9S TS JS QS KS AS", False, True),
        ("KS AS 2S", False, False),
        ("QS KS AS 2S", False, False),
        ("AS 2S 3S KS", False, False),
        ("KS AS", False, False),
        ("QS KS AH", False, False),
        ("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", True, True),
        ("AS AH AD", True, True),
        ("", False, False),
    ],
)
def test_an_ace_is_low_or_at_either_end_and_a_run_never_goes_round_the_corner(cards, low, either):
    assert (is_rummy_meld(hand(cards), False), is_rummy_meld(hand(cards), True)) == (low, either)


def drawn(held, card, *laid, ruleset):
    return play(table(held, "AH", pile="2C", stock=card, laid=laid, ruleset=ruleset), "0 draw stock")


def test_a_high_run_can_be_melded_only_where_the_ace_may_be_high():
    assert "meld ASQSKS" in legal(drawn("QS KS 5D", "AS", ruleset=EITHER), 0)
    with pytest.raises(InvalidMeld):
        play(drawn("QS KS 5D", "AS", ruleset=rules()), "0 meld QSKSAS")


def test_an_ace_can_be_laid_off_on_a_king_and_then_nothing_behind_it():
    match = drawn("AS 2S 9S 5D", "TS", "1 JS QS KS", ruleset=EITHER)
    match = play(match, "0 lay AS>0", "0 lay TS>0")
    with pytest.raises(LayoffDoesNotFit):
        play(match, "0 lay 2S>0")
    assert [move for move in legal(match, 0) if move.startswith("lay")] == ["lay 9S>0"]


def test_a_king_cannot_be_laid_off_on_a_low_ace():
    match = drawn("KS 4S 5D", "TC", "1 AS 2S 3S", ruleset=EITHER)
    assert [move for move in legal(match, 0) if move.startswith("lay")] == ["lay 4S>0"]


def test_with_a_low_ace_none_is_laid_off_on_a_king():
    match = drawn("AS 5D", "TC", "1 JS QS KS", ruleset=rules())
    assert [move for move in legal(match, 0) if move.startswith("lay")] == []
