"""Oklahoma: the first upcard sets the knock limit, and a spade doubles the round."""

import pytest

from service.rulebooks import gin
from service.rulebooks.gin.errors import DeadwoodOverLimit
from tests.builders import dealt_match, last_round, legal, outcome, play_moves, rules

THREE_RUNS = "2S 3S 4S 4C 5C 6C 7D 8D 9D"
LIMITS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
DEFENDER = "KD KC QS QD JS 9S 8H 5H 3H AD"
"""No meld, nothing to lay off: 10 + 10 + 10 + 10 + 10 + 9 + 8 + 5 + 3 + 1 = 76."""


def spread_after(held, upcard, ruleset, against=DEFENDER):
    """Seat 0 draws QC from the stock and knocks with it; seat 1 leaves the spread to the engine."""
    match = dealt_match(held, against, upcard, "QC", ruleset=ruleset)
    match = play_moves(match, "0 pass", "1 pass", "0 draw stock", "0 knock QC")
    return match if match.round.phase == "round_over" else play_moves(match, "1 spread")


@pytest.mark.parametrize(("rank", "limit"), LIMITS.items())
def test_the_upcard_sets_the_knock_limit_and_pictures_count_ten(rank, limit):
    for suit in "HC":
        match = dealt_match(upcard=rank + suit, ruleset=rules("oklahoma"))
        assert gin.view(match, 0)["round"]["knock_limit"] == limit
        assert gin.view(match, None)["round"]["limit_card"] == rank + suit


@pytest.mark.parametrize(("preset", "limit"), [("oklahoma", 1), ("oklahoma_bicycle", 0)])
def test_an_ace_means_one_or_gin_only(preset, limit):
    assert gin.view(dealt_match(upcard="AH", ruleset=rules(preset)), 0)["round"]["knock_limit"] == limit


@pytest.mark.parametrize("upcard", ["5S", "6H", "KH"])
def test_a_knock_within_the_limit_of_the_upcard_is_legal(upcard):
    """Three runs and 5D."""
    assert spread_after(f"{THREE_RUNS} 5D", upcard, rules("oklahoma")).last.result.kind == "knock"


@pytest.mark.parametrize(("upcard", "limit"), [("4H", 4), ("2H", 2), ("AH", 1)])
def test_a_knock_over_the_limit_of_the_upcard_is_refused(upcard, limit):
    with pytest.raises(DeadwoodOverLimit) as refusal:
        spread_after(f"{THREE_RUNS} 5D", upcard, rules("oklahoma"))
    assert (refusal.value.deadwood, refusal.value.limit) == (5, limit)


def test_with_gin_only_every_knock_listed_is_gin():
    """Three runs and AC: with an ace turned it is a knock with 1, or none at all; TD instead makes gin."""
    for held, preset, knocks in (
        (f"{THREE_RUNS} AC", "oklahoma", [False]),
        (f"{THREE_RUNS} AC", "oklahoma_bicycle", []),
        (f"{THREE_RUNS} TD", "oklahoma_bicycle", [True]),
    ):
        match = dealt_match(held, DEFENDER, "AH", "QC", ruleset=rules(preset))
        match = play_moves(match, "0 pass", "1 pass", "0 draw stock")
        listed = gin.view(match, 0)["legal_moves"]
        assert [each["gin"] for each in listed if each["move"]["type"] == "knock"] == knocks


def test_the_card_that_set_the_limit_stays_visible_all_round():
    match = dealt_match("", "", "4H", ruleset=rules("oklahoma"))
    match = play_moves(match, "0 draw discard")
    for seat in (0, 1, None):
        seen = gin.view(match, seat)["round"]
        assert (seen["limit_card"], seen["knock_limit"], seen["discard_top"]) == ("4H", 4, None)
    match = play_moves(match, f"0 discard {legal(match, 0)[0]['card']}")
    assert gin.view(match, 1)["round"]["limit_card"] == "4H"


def test_without_oklahoma_no_card_sets_the_limit():
    seen = gin.view(dealt_match(upcard="4H"), 0)["round"]
    assert (seen["limit_card"], seen["knock_limit"]) == (None, 10)


def test_a_spade_doubles_the_points_of_a_knock():
    """76 - 5 = 71, twice: 142."""
    match = spread_after(f"{THREE_RUNS} 5D", "KS", rules("oklahoma"))
    assert outcome(match) == ("knock", 0, 142)
    assert [(line["part"], line["points"], line["rule"]) for line in last_round(match)["lines"]] == [
        ("deadwood", 71, "knock"),
        ("doubling", 71, "oklahoma_spade_doubles"),
    ]


@pytest.mark.parametrize(("upcard", "points"), [("KS", 192), ("KH", 96)])
def test_a_spade_doubles_the_gin_bonus_with_the_rest(upcard, points):
    """76 + 20 = 96, twice: 192."""
    assert outcome(spread_after(f"{THREE_RUNS} TD", upcard, rules("oklahoma"))) == ("gin", 0, points)


@pytest.mark.parametrize(("upcard", "points"), [("KS", 28), ("KH", 14)])
def test_a_spade_doubles_an_undercut_with_its_bonus(upcard, points):
    """Queens, jacks, nines and AD: 1 against 5, a difference of 4 and the bonus of 10; twice: 28."""
    against = "QS QD QH JS JH JD 9S 9H 9C AD"
    assert outcome(spread_after(f"{THREE_RUNS} 5D", upcard, rules("oklahoma"), against)) == ("undercut", 1, points)


def test_a_spade_does_not_double_the_boxes():
    """Gin has one box and two extra ones."""
    assert gin.score(spread_after(f"{THREE_RUNS} TD", "KS", rules("oklahoma", target=10_000)))["boxes"] == [3, 0]


def test_a_spade_does_not_double_boxes_paid_round_by_round():
    """(71 x 2) + 20 for one box."""
    ruleset = rules("oklahoma", target=10_000, box_timing="per_round")
    assert gin.score(spread_after(f"{THREE_RUNS} 5D", "KS", ruleset))["points"] == [162, 0]


def test_no_spade_doubles_where_the_ruleset_does_not_say_so():
    ruleset = rules("oklahoma", oklahoma_spade_doubles=False)
    assert outcome(spread_after(f"{THREE_RUNS} 5D", "KS", ruleset)) == ("knock", 0, 71)
    match = dealt_match(f"{THREE_RUNS} 5D", DEFENDER, "KS", "QC")
    match = play_moves(match, "0 pass", "1 pass", "0 draw stock", "0 knock QC", "1 spread")
    assert outcome(match) == ("knock", 0, 71)


def test_the_boxes_of_oklahoma_are_three_for_gin_two_for_an_undercut_and_one_for_a_knock():
    roomy = rules("oklahoma", target=10_000)
    assert gin.score(spread_after(f"{THREE_RUNS} TD", "KH", roomy))["boxes"] == [3, 0]
    assert gin.score(spread_after(f"{THREE_RUNS} 5D", "KH", roomy))["boxes"] == [1, 0]
    assert gin.score(spread_after(f"{THREE_RUNS} 5D", "KH", roomy, "QS QD QH JS JH JD 9S 9H 9C AD"))["boxes"] == [0, 2]
