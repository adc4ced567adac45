"""Matches as they are played: ends, resigning, the round limit, and what the ruleset keeps from round to round."""

import pytest

from service.rulebooks import gin
from service.rulebooks.base import End, Turn
from service.rulebooks.errors import GameOver, WrongPhase
from service.rulebooks.gin.match import MOST_ROUNDS
from tests.builders import (
    deal,
    dealt_match,
    deck,
    knocked,
    last_round,
    legal,
    outcome,
    play_moves,
    resign,
    rules,
    scored,
)

GIN = "2S 3S 4S 4C 5C 6C 7D 8D 9D TD"
MELDLESS = "5S 7C JD KH KS 2H 3D 9H 8C 6H"
"""70 points of deadwood against that gin."""
DEAL = {"type": "deal"}


def gin_by_seat_0(match):
    """The next round, dealt by seat 1 and won by seat 0 with gin: 70 and the bonus."""
    match = deal(match, deck(GIN, MELDLESS, "QH", "KC"), drawn_dealer=1)
    return play_moves(match, "0 pass", "1 pass", "0 draw stock", "0 knock KC")


# --- Before, between and after rounds ---


def test_before_the_first_deal_nobody_is_on_turn_and_either_player_may_deal():
    match = gin.start(rules(), 2, None)
    assert gin.turn(match) == Turn(None, "round_over")
    assert legal(match, 0) == legal(match, 1) == [DEAL]
    assert gin.view(match, None)["legal_moves"] == []
    assert (gin.round_number(match), gin.end(match)) == (0, None)
    assert gin.ruleset(match) == rules()


@pytest.mark.parametrize("text", ["pass", "draw stock", "discard AS", "knock AS", "big_gin", "spread"])
def test_no_move_is_possible_before_the_first_deal_or_between_rounds(text):
    for match in (gin.start(rules(), 2, 0), knocked(GIN, MELDLESS)):
        for seat in (0, 1):
            with pytest.raises(WrongPhase) as refusal:
                play_moves(match, f"{seat} {text}")
            assert (refusal.value.move, refusal.value.phase) == (text.split()[0], "round_over")


def test_nobody_deals_during_a_round():
    with pytest.raises(WrongPhase) as refusal:
        deal(dealt_match(), deck(), 0)
    assert (refusal.value.move, refusal.value.phase) == ("deal", "opening")


def test_between_rounds_either_player_may_deal_and_the_last_round_stays():
    match = knocked(GIN, MELDLESS)
    assert gin.turn(match) == Turn(None, "round_over")
    assert legal(match, 0) == legal(match, 1) == [DEAL]
    assert gin.round_number(match) == 1
    match = deal(match, deck(), 0)
    assert gin.round_number(match) == 2
    assert last_round(match)["number"] == 1


def test_points_are_added_up_from_round_to_round():
    """70 + 25 twice."""
    ruleset = rules(target=1000)
    match = gin_by_seat_0(gin.start(ruleset, 2, 1))
    assert gin.score(match)["points"] == [95, 0]
    match = deal(match, deck(MELDLESS, GIN, "QH", "KD KC"), drawn_dealer=1)
    match = play_moves(match, "1 pass", "0 pass", "1 draw stock", "1 discard KD")
    assert outcome(play_moves(match, "0 draw stock", "0 knock KC")) == ("gin", 0, 95)
    match = play_moves(match, "0 draw stock", "0 knock KC")
    assert (gin.score(match)["points"], gin.score(match)["boxes"]) == ([190, 0], [2, 0])


def test_a_bonus_set_at_creation_holds_in_every_round():
    """70 + 20 twice, and through storage in between."""
    match = gin_by_seat_0(gin.start(rules(gin_bonus=20, target=1000, next_dealer="loser"), 2, 1))
    match = gin_by_seat_0(gin.load(gin.dump(match)))
    assert [each.points for each in match.rounds] == [90, 90]
    assert gin.ruleset(match).gin_bonus == 20


# --- The end ---


@pytest.mark.parametrize(("target", "over"), [(95, True), (96, False), (1, True)])
def test_the_match_ends_after_the_round_that_reaches_the_target(target, over):
    match = gin_by_seat_0(gin.start(rules(target=target), 2, 1))
    assert (gin.end(match) == End("target", 0)) is over
    assert (gin.turn(match) is None) is over


def test_an_undercut_can_win_the_match_though_the_other_seat_knocked():
    """A has 95 and B 90. B knocks with 9, A ends with 2: 95 + 7 + 25 = 127.

    A: 127 + 2 boxes, 50, + 100 = 277. B: 90 + 25 = 115.
    """
    before = scored("0 knock 95", "1 knock 90")
    match = dealt_match(
        "AS 2S 3S 4C 5C 6C 7D 8D 9D 9H", "JH JD JC QH QD QC TS TH TC 2H", "KD", "KC", dealer_seat=0, after=before
    )
    match = play_moves(match, "1 pass", "0 pass", "1 draw stock", "1 knock KC", "0 spread")
    assert outcome(match) == ("undercut", 0, 32)
    assert gin.end(match) == End("target", 0)
    score = gin.score(match)
    assert (score["points"], score["totals"], score["margin"], score["winners"]) == ([127, 90], [277, 115], 162, [0])


def test_after_the_end_nothing_moves_any_more():
    match = gin_by_seat_0(gin.start(rules(target=50), 2, 1))
    before = gin.dump(match)
    for refused in (
        lambda: deal(match, deck(), 0),
        lambda: play_moves(match, "0 draw stock"),
        lambda: resign(match, 0),
    ):
        with pytest.raises(GameOver):
            refused()
    assert gin.dump(match) == before
    assert legal(match, 0) == legal(match, 1) == []


def test_after_the_end_the_last_round_and_the_score_stay_to_be_read():
    match = gin_by_seat_0(gin.start(rules(target=50), 2, 1))
    view = gin.view(match, 1)
    assert view["turn"] is None
    assert view["last_round"]["kind"] == "gin"
    assert view["round"]["hands"][0]["cards"]
    assert view["score"]["winners"] == [0]


# --- The round limit ---


def void_round(match):
    """A round that its first turn makes void: the first take from the discard pile is the last."""
    match = deal(match, deck(MELDLESS, "", "QH"), drawn_dealer=1)
    seat = gin.turn(match).seat
    return play_moves(match, f"{seat} draw discard", f"{seat} discard 5S")


def test_a_match_ends_after_500_rounds_with_the_higher_points_or_nobody():
    assert MOST_ROUNDS == 500
    match = gin.start(rules("open", max_discard_draws=1), 2, 1)
    for _ in range(499):
        match = void_round(match)
    assert (gin.end(match), gin.round_number(match)) == (None, 499)
    match = void_round(match)
    assert (gin.end(match), gin.round_number(match)) == (End("round_limit", None), 500)
    with pytest.raises(GameOver):
        deal(match, deck(), 0)


@pytest.mark.parametrize(
    ("ahead", "end", "totals"),
    [("0 knock 10", End("round_limit", 0), [145, 0]), ("1 knock 10", End("round_limit", 1), [0, 145])],
)
def test_the_higher_points_win_at_the_round_limit_with_the_bonuses(ahead, end, totals):
    """10 x 2 + 25 + 100."""
    before = scored(ahead, *["void"] * 498)
    match = dealt_match(MELDLESS, "", "QH", ruleset=rules("open", max_discard_draws=1), after=before)
    match = play_moves(match, "0 draw discard", "0 discard 5S")
    assert gin.end(match) == end
    assert gin.score(match)["totals"] == totals


def test_the_target_reached_in_the_last_round_is_the_target_and_not_the_limit():
    match = dealt_match(GIN, MELDLESS, "QH", "KC", after=scored("1 knock 90", "0 knock 5", *["void"] * 497))
    match = play_moves(match, "0 pass", "1 pass", "0 draw stock", "0 knock KC")
    assert gin.end(match) == End("target", 0)


# --- Resigning ---


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_during_a_round_gives_the_match_to_the_other_seat_and_ends_the_round(seat):
    match = dealt_match(GIN, MELDLESS)
    step = resign(match, seat)
    assert gin.end(step.state) == End("resigned", 1 - seat)
    assert gin.turn(step.state) is None
    assert (step.event.seat, step.event.move) == (seat, {"type": "resign"})
    assert step.event.result == last_round(step.state)
    assert outcome(step.state) == ("resigned", None, 0)
    assert last_round(step.state)["deadwood"] == [0, 70]
    assert last_round(step.state)["lines"] == []


def test_resigning_lays_both_hands_open():
    match = resign(dealt_match(GIN, MELDLESS), 0).state
    assert ["cards" in hand for hand in gin.view(match, None)["round"]["hands"]] == [True, True]


def test_a_seat_may_resign_when_it_is_not_on_turn_and_in_every_phase():
    for moves in ([], ["0 pass"], ["0 pass", "1 pass"], ["0 draw discard"]):
        match = play_moves(dealt_match(upcard="QH"), *moves)
        assert gin.end(resign(match, 1).state) == End("resigned", 0)


def test_points_and_boxes_stand_without_bonuses_after_resigning():
    """95 and a box for the seat that resigns; nothing for the winner."""
    match = gin_by_seat_0(gin.start(rules(target=1000), 2, 1))
    score = gin.score(resign(deal(match, deck(), 0), 0).state)
    assert (score["totals"], score["margin"], score["winners"]) == ([120, 0], -120, [1])


def test_resigning_between_rounds_adds_no_round():
    match = gin_by_seat_0(gin.start(rules(target=1000), 2, 1))
    step = resign(match, 1)
    assert step.event.result is None
    assert len(step.state.rounds) == 1
    assert last_round(step.state)["kind"] == "gin"


def test_resigning_before_the_first_deal_ends_a_match_without_rounds():
    step = resign(gin.start(rules(), 2, None), 0)
    assert (gin.end(step.state), step.event.result) == (End("resigned", 1), None)
    assert gin.view(step.state, 0)["round"] is None
    assert gin.score(step.state)["totals"] == [0, 0]


# --- Abandoning ---


def test_a_match_abandoned_before_its_first_deal_has_no_winner():
    match = gin.abandon(gin.start(rules(), 2, None))
    assert (gin.end(match), gin.turn(match)) == (End("abandoned", None), None)
    assert gin.score(match)["winners"] == []
    with pytest.raises(GameOver):
        gin.abandon(match)


def test_both_seats_play_from_the_first_deal_on():
    assert gin.playing(gin.start(rules(), 2, None)) is None
    assert tuple(gin.playing(dealt_match())) == (0, 1)
