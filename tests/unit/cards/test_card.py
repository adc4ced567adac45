"""Cards: two characters each, in the order S H D C and ace to king."""

import pytest

from service.cards.card import NAMES, POINTS, UnreadableCard, card, name, rank, suit


def test_the_deck_in_card_order_goes_through_spades_hearts_diamonds_and_clubs():
    listed = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    listed += " AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert list(NAMES) == listed.split()


@pytest.mark.parametrize("text", NAMES)
def test_a_card_reads_back_as_the_name_it_was_given(text):
    assert name(card(text)) == text


@pytest.mark.parametrize("text", ["as", "aS", "As", "td", "tD"])
def test_lower_case_is_accepted(text):
    assert name(card(text)) == text.upper()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "S",
        "SA",
        "1S",
        "10S",
        "0S",
        "AX",
        "ASS",
        "A S",
        " AS",
        "AS ",
        "AS\n",
        "♠A",
        "A♠",
        "A\u017f",
        "\uff21S",
        "JOKER",
    ],
)
def test_anything_else_is_refused_and_quoted(text):
    with pytest.raises(UnreadableCard) as refusal:
        card(text)
    assert refusal.value.text == text
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize(("ranks", "points"), [("A", 1), ("2", 2), ("5", 5), ("9", 9), ("TJQK", 10)])
def test_a_card_counts_its_index_and_pictures_count_ten(ranks, points):
    assert {POINTS[card(each + of)] for each in ranks for of in "SHDC"} == {points}


def test_rank_and_suit_are_numbered_from_the_ace_and_from_spades():
    assert [(rank(card(text)), suit(card(text))) for text in ("AS", "KS", "AH", "TD", "KC")] == [
        (0, 0),
        (12, 0),
        (0, 1),
        (9, 2),
        (12, 3),
    ]
