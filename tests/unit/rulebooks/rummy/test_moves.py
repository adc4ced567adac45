"""Moves in their JSON form, there and back, and what the rulebook makes of them."""

import pytest

from service.cards.card import UnreadableCard
from service.rulebooks.rummy.moves import TYPES, Discard, Draw, LayOff, Meld, read_move, write_move
from tests.builders import cards

DOCS = [
    ({"type": "draw", "source": "stock"}, Draw("stock")),
    ({"type": "draw", "source": "discard"}, Draw("discard")),
    ({"type": "meld", "cards": ["7S", "7H", "7D"]}, Meld(cards("7S 7H 7D"))),
    ({"type": "meld", "cards": []}, Meld(())),
    ({"type": "lay_off", "card": "9H", "meld": 3}, LayOff(cards("9H")[0], 3)),
    ({"type": "discard", "card": "AC"}, Discard(cards("AC")[0])),
]


@pytest.mark.parametrize(("doc", "move"), DOCS)
def test_a_move_is_read_and_written_the_same(doc, move):
    assert read_move(doc) == move
    assert write_move(move) == doc


def test_every_type_of_move_is_tried():
    assert {doc["type"] for doc, _ in DOCS} == set(TYPES.values())


def test_the_cards_of_a_meld_stay_in_the_order_named():
    assert write_move(read_move({"type": "meld", "cards": ["9s", "7S", "8s"]}))["cards"] == ["9S", "7S", "8S"]


@pytest.mark.parametrize(
    "doc",
    [
        {"type": "meld", "cards": ["7S", "??", "7D"]},
        {"type": "lay_off", "card": "", "meld": 0},
        {"type": "discard", "card": "10S"},
    ],
)
def test_an_unreadable_card_is_refused(doc):
    with pytest.raises(UnreadableCard):
        read_move(doc)


@pytest.mark.parametrize("kind", ["knock", "deal", "pass", "resign", ""])
def test_another_type_of_move_is_refused(kind):
    with pytest.raises(ValueError, match="basic rummy has no move of the type"):
        read_move({"type": kind})
