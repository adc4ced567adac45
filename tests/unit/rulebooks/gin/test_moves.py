"""Moves as JSON says them, and back."""

import pytest

from service.cards.card import UnreadableCard, card
from service.rulebooks.gin.moves import BigGin, Discard, Draw, Knock, Layoff, Pass, Spread, read_move, write_move
from tests.builders import named

RUNS = [["AS", "2S", "3S"], ["4C", "5C", "6C"]]

MOVES = [
    ({"type": "pass"}, Pass()),
    ({"type": "draw", "source": "stock"}, Draw("stock")),
    ({"type": "draw", "source": "discard"}, Draw("discard")),
    ({"type": "discard", "card": "7D"}, Discard(card("7D"))),
    ({"type": "knock", "discard": "KH"}, Knock(card("KH"))),
    ({"type": "knock", "discard": "KH", "melds": []}, Knock(card("KH"), ())),
    ({"type": "knock", "discard": "KH", "melds": RUNS}, Knock(card("KH"), named("AS 2S 3S", "4C 5C 6C"))),
    ({"type": "big_gin"}, BigGin()),
    ({"type": "big_gin", "melds": RUNS}, BigGin(named("AS 2S 3S", "4C 5C 6C"))),
    ({"type": "spread"}, Spread()),
    ({"type": "spread", "melds": RUNS}, Spread(named("AS 2S 3S", "4C 5C 6C"))),
    ({"type": "spread", "layoffs": [{"card": "9H", "meld": 1}]}, Spread(None, (Layoff(card("9H"), 1),))),
    ({"type": "spread", "melds": [], "layoffs": []}, Spread((), ())),
]


@pytest.mark.parametrize(("doc", "move"), MOVES, ids=str)
def test_a_move_reads_and_writes_as_the_same_json(doc, move):
    assert read_move(doc) == move
    assert write_move(move) == doc


def test_lower_case_cards_are_read_and_written_in_capitals():
    assert write_move(read_move({"type": "knock", "discard": "kh", "melds": [["as", "2s", "3s"]]})) == {
        "type": "knock",
        "discard": "KH",
        "melds": [["AS", "2S", "3S"]],
    }


def test_melds_stay_in_the_order_in_which_the_mover_named_them():
    assert read_move({"type": "big_gin", "melds": [["TS", "9S", "JS"]]}) == BigGin(named("TS 9S JS"))


def test_null_is_the_same_as_left_out():
    assert read_move({"type": "knock", "discard": "KH", "melds": None}) == Knock(card("KH"))
    assert read_move({"type": "spread", "melds": None, "layoffs": None}) == Spread()


@pytest.mark.parametrize(
    "doc",
    [
        {"type": "discard", "card": "10S"},
        {"type": "knock", "discard": "XX"},
        {"type": "knock", "discard": "KH", "melds": [["AS", "2S", "?"]]},
        {"type": "big_gin", "melds": [["S3"]]},
        {"type": "spread", "layoffs": [{"card": "", "meld": 0}]},
    ],
)
def test_an_unreadable_card_is_refused_wherever_it_stands(doc):
    with pytest.raises(UnreadableCard):
        read_move(doc)


def test_a_move_of_another_game_is_no_move_of_gin_rummy():
    with pytest.raises(ValueError, match="no move of the type 'lay_off'"):
        read_move({"type": "lay_off"})
