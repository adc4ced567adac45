"""The match: its target and its winners, and the limit of rounds."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.rummy.match import MOST_ROUNDS
from tests.unit.rulebooks.rummy.tables import play, rules, scored, table

TAKES = "winner_takes"


def after_one_more(*totals, left=("QD", "9C"), **overrides):
    """Seat 0 goes out while the others hold `left`; before it the seats had these points."""
    held = left[: len(totals) - 1]
    match = table("5S 6S", *held, stock="7S", laid=("0 2H 3H 4H",), ruleset=rules(**overrides), after=scored(totals))
    return play(match, "0 draw stock", "0 meld 5S6S7S")


def ended(match):
    """How the match ended, and who won; None and nobody while it goes on."""
    end = rummy.end(match)
    return end and (end.kind, end.seat), rummy.score(match)["winners"]


# --- Each adds -----------------------------------------------------------------


def test_the_match_goes_on_until_somebody_reaches_the_target():
    """Seat 1 has 89 and adds QD 10: 99 of 100."""
    match = after_one_more(0, 89, 50)
    assert rummy.score(match)["totals"] == [0, 99, 59]
    assert ended(match) == (None, [])


def test_it_ends_when_somebody_reaches_the_target_and_the_lowest_total_wins():
    """Seat 1 has 90 and adds QD 10: 100. Seat 0 has 70, and seat 2 the least: 0 and 9C 9."""
    match = after_one_more(70, 90, 0)
    assert ended(match) == (("target", 2), [2])
    assert rummy.score(match)["totals"] == [70, 100, 9]
    assert (rummy.turn(match), rummy.score(match)["over"]) == (None, True)
    assert rummy.view(match, 0)["legal_moves"] == []


def test_the_seat_that_goes_out_last_need_not_win():
    match = after_one_more(80, 95, 0)
    assert rummy.view(match, None)["last_round"]["winner"] == 0
    assert ended(match)[1] == [2]


def test_equal_lowest_totals_are_joint_winners():
    """Seat 0 has 9 already, seat 2 adds 9C 9 to 0; seat 1 is past the target."""
    match = after_one_more(9, 95, 0)
    assert rummy.score(match)["totals"] == [9, 105, 9]
    assert ended(match) == (("target", None), [0, 2])


def test_several_may_pass_the_target_together():
    match = after_one_more(10, 95, 95)
    assert ended(match) == (("target", 0), [0])


# --- The winner takes ----------------------------------------------------------


def test_where_the_winner_takes_all_the_first_to_the_target_wins():
    """10 + 9 = 19: from 80 to 99, or from 81 to 100."""
    assert ended(after_one_more(80, 99, 0, scoring=TAKES)) == (None, [])
    assert ended(after_one_more(81, 99, 0, scoring=TAKES)) == (("target", 0), [0])


@pytest.mark.parametrize(("target", "over"), [(1, True), (19, True), (20, False), (10_000, False)])
def test_the_target_is_the_rulesets(target, over):
    match = after_one_more(0, 0, 0, scoring=TAKES, target=target)
    assert rummy.score(match)["totals"][0] == 19
    assert rummy.score(match)["over"] is over


# --- The most rounds -----------------------------------------------------------


def last_of_all(*totals, **overrides):
    """The last round there can be."""
    rounds = (totals, *[(0,) * len(totals)] * (MOST_ROUNDS - 2))
    match = table("5S 6S", "QD", "9C", stock="7S", ruleset=rules(target=10_000, **overrides), after=scored(*rounds))
    return play(match, "0 draw stock", "0 meld 5S6S7S")


def test_a_match_has_five_hundred_rounds_at_the_most_and_then_its_own_order_decides():
    """After round 500: 40, 10 + 10 = 20 and 12 + 9 = 21; the lowest wins."""
    assert MOST_ROUNDS == 500
    match = last_of_all(40, 10, 12)
    assert len(match.rounds) == 500
    assert ended(match) == (("round_limit", 1), [1])


def test_where_the_winner_takes_all_the_highest_wins_at_the_last_round():
    """Seat 0 takes 19: 19, 30, 5."""
    assert ended(last_of_all(0, 30, 5, scoring=TAKES)) == (("round_limit", 1), [1])


def test_equal_totals_at_the_last_round_are_joint_winners():
    """Each adds: 20, 10 + 10 and 50 + 9. The winner takes 19: 19, 19 and 5."""
    assert ended(last_of_all(20, 10, 50)) == (("round_limit", None), [0, 1])
    assert ended(last_of_all(0, 19, 5, scoring=TAKES)) == (("round_limit", None), [0, 1])


def test_a_round_before_the_last_decides_nothing():
    rounds = scored(*[(0, 0, 0)] * (MOST_ROUNDS - 2))
    match = table("5S 6S", "QD", "9C", stock="7S", ruleset=rules(target=10_000), after=rounds)
    assert rummy.end(play(match, "0 draw stock", "0 meld 5S6S7S")) is None
