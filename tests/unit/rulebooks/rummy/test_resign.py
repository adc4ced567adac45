"""Resigning: the hand leaves play, the seat is skipped, and the last one left wins."""

import pytest

from service.cards.cardset import names
from service.rulebooks import rummy
from service.rulebooks.errors import GameOver, NotYourTurn
from tests.unit.rulebooks.rummy.tables import (
    UNSHUFFLED,
    dealt,
    last_round,
    legal,
    outcome,
    phase,
    play,
    rules,
    scored,
    table,
    throw_every_draw,
)


def test_out_of_turn_the_round_goes_on_and_the_seat_is_skipped():
    match = play(dealt(4, dealer=3), "1 resign")
    assert phase(match) == (0, "draw")
    assert phase(throw_every_draw(match, 1)) == (2, "draw")
    assert phase(throw_every_draw(match, 3)) == (0, "draw")


@pytest.mark.parametrize("moves", [(), ("1 draw stock",), ("1 draw discard",)], ids=["draw", "play", "taken"])
def test_in_turn_the_turn_passes_to_the_left(moves):
    match = play(dealt(3, dealer=0), *moves, "1 resign")
    assert phase(match) == (2, "draw")
    assert match.round.taken is None
    assert legal(match, 2)[0] == "draw stock"


def test_the_highest_seat_passes_the_turn_to_the_lowest():
    assert phase(play(dealt(3, dealer=1), "2 resign")) == (0, "draw")


def test_the_hand_leaves_play_and_nobody_sees_it_before_the_round_is_over():
    match = dealt(3, dealer=2)
    held = names(match.round.hands[1])
    match = play(match, "1 resign")
    assert rummy.view(match, 0)["round"]["hands"][1] == {"seat": 1, "count": 7}
    assert rummy.view(match, None)["round"]["hands"][1] == {"seat": 1, "count": 7}
    match = throw_every_draw(match, 1)
    assert not set(held) & set(names(match.round.hands[0] | match.round.hands[2]))
    assert names(match.round.hands[1]) == held


def test_a_seat_that_resigned_can_do_nothing_more():
    match = play(dealt(3, dealer=2), "0 resign")
    assert legal(match, 0) == []
    with pytest.raises(NotYourTurn):
        play(match, "0 draw stock")


def test_between_rounds_it_may_not_deal_and_is_dealt_to_no_more():
    """Four seats are dealt seven cards, and so are the three that are left."""
    match = dealt(4, ruleset=rules("block", target=10_000))
    match = play(throw_every_draw(match, len(match.round.stock)), "2 resign")
    assert [legal(match, seat) for seat in range(4)] == [["deal"], ["deal"], [], ["deal"]]
    assert rummy.playing(match) == (0, 1, 3)
    match = rummy.deal(match, UNSHUFFLED, (0, 1, 3), 0)
    assert [hand.bit_count() for hand in match.round.hands] == [7, 7, 0, 7]
    assert match.round.seats == (0, 1, 3)


def test_before_the_first_deal_the_others_play_on_without_it():
    match = rummy.resign(rummy.start(rules(), 3, 0), 2, (0, 1, 2)).state
    assert rummy.playing(match) == (0, 1)
    match = rummy.deal(match, UNSHUFFLED, (0, 1), 0)
    assert [hand.bit_count() for hand in match.round.hands] == [10, 10, 0]


def test_the_last_one_left_wins_the_match_and_the_round_in_play_is_worth_nothing():
    match = play(table("AS", "KH", "KD", after=scored((0, 90, 80))), "1 resign", "0 resign")
    assert outcome(match) == ("resigned", None, [0, 0, 0])
    assert (rummy.end(match).kind, rummy.end(match).seat) == ("resigned", 2)
    score = rummy.score(match)
    assert (score["totals"], score["winners"], score["over"]) == ([0, 90, 80], [2], True)
    assert rummy.turn(match) is None


def test_the_hands_are_open_then_the_resigned_ones_too():
    match = play(table("AS", "KH", "KD"), "1 resign", "0 resign")
    assert last_round(match)["deadwood"] == [1, 10, 10]
    assert [spread["deadwood_cards"] for spread in last_round(match)["spreads"]] == [["AS"], ["KH"], ["KD"]]
    assert [hand["cards"] for hand in rummy.view(match, None)["round"]["hands"]] == [["AS"], ["KH"], ["KD"]]


def test_of_two_the_other_wins_at_once_in_or_out_of_turn():
    for seat in (0, 1):
        match = play(dealt(2, dealer=1), f"{seat} resign")
        assert rummy.end(match).seat == 1 - seat


def test_between_rounds_the_last_one_left_wins_and_no_round_is_added():
    match = throw_every_draw(dealt(2, ruleset=rules("block", target=10_000)), 31)
    match = play(match, "1 resign")
    assert (rummy.end(match).kind, rummy.end(match).seat, len(match.rounds)) == ("resigned", 0, 1)
    assert rummy.turn(match) is None


def test_before_the_first_deal_the_last_one_left_wins():
    step = rummy.resign(rummy.start(rules(), 2, None), 0, (0, 1))
    assert (rummy.end(step.state).seat, step.event.result) == (1, None)
    assert rummy.score(step.state)["winners"] == [1]


def test_the_event_is_a_resignation_with_the_result_if_it_ended_the_round():
    step = rummy.resign(dealt(3), 2, (0, 1, 2))
    assert (step.event.seat, step.event.move, step.event.result) == (2, {"type": "resign"}, None)
    step = rummy.resign(step.state, 0, (0, 1, 2))
    assert step.event.result == last_round(step.state)


def test_what_it_laid_stays_on_the_table_and_takes_layoffs():
    match = play(table("KC 5S", "AH", "AD", stock="9D", laid=("1 KS KH KD",)), "1 resign", "0 draw stock")
    assert "lay KC>0" in legal(match, 0)


def test_a_seat_that_resigned_cannot_win_a_match_that_others_play_on():
    """Seat 1 resigned with 5; seat 0 goes out at 20, and seat 2 reaches 100: seat 0 wins."""
    match = table("5S 6S", "QD", "QC", stock="7S", laid=("0 2H 3H 4H",), after=scored((20, 5, 90)))
    match = play(match, "1 resign", "0 draw stock", "0 meld 5S6S7S")
    assert rummy.score(match)["totals"] == [20, 5, 100]
    assert rummy.score(match)["winners"] == [0]


def test_a_turn_given_up_on_an_empty_stock_turns_the_pile_over():
    """Seat 0 drew the last card, 9D, and keeps it; 2C and 3C are drawn next, 4C stays on top."""
    match = play(table("AS", "AH", "", pile="2C 3C 4C", stock="9D", rest=2), "0 draw stock", "0 resign")
    assert (phase(match), match.round.turned, len(match.round.stock)) == ((1, "draw"), 1, 2)


def test_nobody_resigns_from_a_match_that_is_over_and_nobody_gives_it_up():
    match = play(dealt(2), "0 resign")
    with pytest.raises(GameOver):
        play(match, "1 resign")
    with pytest.raises(GameOver):
        rummy.abandon(match)
    with pytest.raises(GameOver):
        play(match, "1 draw stock")


def test_a_match_that_is_given_up_has_no_winner():
    match = rummy.abandon(dealt(3))
    assert (rummy.end(match).kind, rummy.end(match).seat) == ("abandoned", None)
    assert (rummy.score(match)["winners"], rummy.score(match)["over"]) == ([], True)
