"""Moves tried out: what they leave of the own hand, and no card that only the move itself would bring to light."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import CardNotInHand, GameOver, NotYourTurn, WrongPhase
from service.rulebooks.gin.errors import DeadwoodOverLimit
from tests.builders import about_to_throw, dealt_match, knocked, move, play_moves
from tests.unit.rulebooks.gin.positions import OTHER, RUNS, at_the_fiftieth_card

LAID = [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]]


def tried(match, seat, text):
    return gin.preview(match, seat, move(text))


def left(deadwood, *cards, gin=False, melds=LAID):
    return {"legal": True, "deadwood": deadwood, "gin": gin, "melds": melds, "deadwood_cards": list(cards)}


@pytest.mark.parametrize("text", ["discard KH", "knock KH"])
def test_after_a_throw_the_ten_cards_kept_count(text):
    assert tried(about_to_throw(RUNS, drawn="KH", against=OTHER), 0, text) == left(5, "5H")


def test_a_throw_that_leaves_no_deadwood_is_gin_knocked_or_not():
    match = about_to_throw("AS 2S 3S 7D 8D 9D 4C 5C 6C 7C", drawn="KH", against=OTHER)
    melds = [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C", "7C"]]
    for text in ("discard KH", "knock KH"):
        assert tried(match, 0, text) == left(0, gin=True, melds=melds)


def test_melds_that_are_named_count_as_named():
    """7D 8D 9D are left out: 7 + 8 + 9 are over the limit; without 4C 5C 6C there are 15 + 5."""
    match = about_to_throw(RUNS, drawn="KH", against=OTHER)
    with pytest.raises(DeadwoodOverLimit) as refused:
        tried(match, 0, "knock KH AS2S3S 4C5C6C")
    assert refused.value.facts() == {"deadwood": 29, "limit": 10}
    named = tried(match, 0, "knock KH 4C5C6C AS2S3S 7D8D9D")
    assert (named["deadwood"], sorted(named["melds"])) == (5, sorted(LAID))


def test_big_gin_lays_out_eleven_cards():
    match = about_to_throw("AS 2S 3S 7D 8D 9D 4C 5C 6C 7C", drawn="TD", against=OTHER)
    shown = tried(match, 0, "big_gin")
    assert (shown["deadwood"], shown["gin"], shown["deadwood_cards"]) == (0, True, [])
    assert sum(map(len, shown["melds"])) == 11


@pytest.mark.parametrize("text", ["draw stock", "draw discard"])
def test_a_draw_tells_of_the_hand_before_it(text):
    match = play_moves(about_to_throw(OTHER, drawn="KH", against=RUNS), "0 discard KH")
    assert tried(match, 1, text) == left(5, "5H")


def test_a_pass_tells_of_the_hand_as_it_is():
    assert tried(dealt_match(RUNS, OTHER), 0, "pass") == left(5, "5H")


def test_the_fiftieth_card_tells_of_the_hand_before_it():
    match = at_the_fiftieth_card()
    hand = gin.view(match, 1)["round"]["hands"][1]
    for text in ("draw discard", "pass"):
        shown = tried(match, 1, text)
        assert (shown["deadwood"], shown["melds"], shown["gin"]) == (hand["deadwood"], hand["melds"], False)


def test_a_spread_leaves_what_is_neither_melded_nor_laid_off():
    match = knocked("9S TS JS 4C 5C 6C 7D 8D 9D 5H", OTHER)
    optimum = tried(match, 1, "spread")
    assert optimum["deadwood"] == gin.apply(match, 1, move("spread")).state.last.result.deadwood[1]
    named = tried(match, 1, "spread nothing | QS>0 KS>0")
    assert (named["melds"], {"QS", "KS"} & set(named["deadwood_cards"])) == ([], set())


@pytest.mark.parametrize(
    ("seat", "text", "refusal"),
    [
        (1, "discard KH", NotYourTurn),
        (0, "draw stock", WrongPhase),
        (0, "discard KD", CardNotInHand),
        (0, "knock 5H", DeadwoodOverLimit),
    ],
)
def test_what_the_rules_forbid_is_refused(seat, text, refusal):
    match = about_to_throw("AS 2S 3S 4C 5C 6C 7D 8D TD 5H", drawn="KH", against=OTHER)
    with pytest.raises(refusal):
        tried(match, seat, text)


def test_a_match_that_is_over_refuses_everything():
    with pytest.raises(GameOver):
        tried(gin.abandon(dealt_match(RUNS, OTHER)), 0, "pass")
