"""Moves tried out: what they leave in the own hand, and no card that only the move itself would bring to light."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.errors import DiscardJustTaken, GameOver, InvalidMeld, LayoffDoesNotFit, NotYourTurn
from tests.unit.rulebooks.rummy.tables import dealt, move, play, rules, table

KINGS = "1 KS KH KD"


def tried(match, seat, text):
    return rummy.preview(match, seat, move(text))


def left(deadwood, *cards):
    return {"legal": True, "deadwood": deadwood, "gin": False, "melds": [], "deadwood_cards": list(cards)}


@pytest.fixture
def playing():
    """Seat 0 has drawn 7S beside 5S 6S KC."""
    return play(table("5S 6S KC", "9C", pile="2C", stock="7S", laid=(KINGS,)), "0 draw stock")


@pytest.mark.parametrize("text", ["draw stock", "draw discard"])
def test_a_draw_tells_of_the_hand_before_it(text):
    match = table("5S 6S", "9C", pile="2C", stock="7S")
    assert tried(match, 0, text) == left(11, "5S", "6S")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("meld 5S6S7S", left(10, "KC")),
        ("lay KC>0", left(18, "5S", "6S", "7S")),
        ("discard 7S", left(21, "5S", "6S", "KC")),
    ],
)
def test_what_is_laid_or_thrown_is_gone_from_the_hand(playing, text, shown):
    assert tried(playing, 0, text) == shown


def test_going_out_leaves_nothing():
    match = play(table("5S 6S", "9C", pile="2C", stock="7S"), "0 draw stock")
    assert tried(match, 0, "meld 5S6S7S") == left(0)


def test_an_ace_counts_what_the_ruleset_says():
    match = table("AS 6S", "9C", pile="2C", stock="7S", ruleset=rules("standard", ace="either", ace_points=11))
    assert tried(match, 0, "draw stock")["deadwood"] == 17


@pytest.mark.parametrize(
    ("seat", "text", "refusal"),
    [
        (1, "discard 9C", NotYourTurn),
        (0, "meld 5S6SKC", InvalidMeld),
        (0, "lay 5S>0", LayoffDoesNotFit),
    ],
)
def test_what_the_rules_forbid_is_refused(playing, seat, text, refusal):
    with pytest.raises(refusal):
        tried(playing, seat, text)


def test_a_card_just_taken_is_not_thrown():
    with pytest.raises(DiscardJustTaken):
        tried(play(table("5S 6S", "9C", pile="2C"), "0 draw discard"), 0, "discard 2C")


def test_a_match_that_is_over_refuses_everything():
    with pytest.raises(GameOver):
        tried(rummy.abandon(dealt(3)), 0, "draw stock")
