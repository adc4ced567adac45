"""Sets of cards as masks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cards.card import UnreadableCard, card
from service.cards.cardset import EMPTY, FULL_DECK, cards_in, cardset, holds, names, points, read_cards, read_set


def test_a_set_lists_its_cards_in_card_order_however_they_came():
    assert names(cardset(read_cards("KC AS 7D 2H"))) == ["AS", "2H", "7D", "KC"]


@given(st.lists(st.integers(0, 51), max_size=60))
def test_a_set_has_fewer_cards_than_were_given_if_one_was_given_twice(given_cards):
    held = cardset(given_cards)
    twice = len(set(given_cards)) < len(given_cards)
    assert (held.bit_count() < len(given_cards)) == twice
    assert twice or cards_in(held) == sorted(given_cards)


def test_the_full_deck_holds_52_cards_and_the_empty_set_none():
    assert cards_in(FULL_DECK) == list(range(52))
    assert cards_in(EMPTY) == []


def test_a_set_holds_the_cards_in_it_and_no_other():
    mask = cardset(read_cards("AS KC"))
    assert [each for each in range(52) if holds(mask, each)] == [card("AS"), card("KC")]


def test_points_add_up_card_by_card_without_melds():
    """1 + 2 + 3 + 10 + 10 + 9 = 35, though AS 2S 3S is a run."""
    assert points(cardset(read_cards("AS 2S 3S TH KD 9C"))) == 35


def test_cards_are_read_in_the_order_written_with_or_without_spaces():
    assert read_cards("TS9S JS") == [card("TS"), card("9S"), card("JS")]
    assert read_cards("") == []
    assert read_cards("tS 9s js") == read_cards("TS 9S JS")


@pytest.mark.parametrize(
    ("text", "pair"),
    [("AS 1S 7D", "1S"), ("ASSA7D", "SA"), ("AS7D7", "7"), ("AS A\ud800", "A\ud800"), ("AS é♠", "é♠")],
)
def test_what_is_no_card_is_named(text, pair):
    with pytest.raises(UnreadableCard) as refused:
        read_cards(text)
    assert refused.value.text == pair


@pytest.mark.parametrize("text", ["AS2", "A", "AS,2S", "AS2X"])
def test_a_text_that_is_not_all_cards_is_refused(text):
    with pytest.raises(UnreadableCard):
        read_cards(text)


def test_a_set_is_read_whatever_the_order_and_a_card_written_twice_is_refused():
    assert read_set("TS 9SJS") == read_set("9STSJS") == cardset(read_cards("TS 9S JS"))
    with pytest.raises(ValueError, match="twice"):
        read_set("TS 9S TS")
