"""What a round is worth: what is left in the hands, who takes it, the bonus for rummy, and what an ace counts."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.rummy.scoring import count
from tests.builders import hand
from tests.unit.rulebooks.rummy.tables import last_round, outcome, play, rules, table

OWN = "0 2H 3H 4H"
KINGS = "1 KS KH KD"


def out(*others, laid=(OWN,), **overrides):
    """Seat 0 goes out with a run of three; the others hold these cards."""
    ruleset = rules(overrides.pop("preset", "standard"), **overrides)
    match = table("5S 6S", *others, pile="2C", stock="7S", laid=laid, ruleset=ruleset)
    return play(match, "0 draw stock", "0 meld 5S6S7S")


def blocked(*hands, **overrides):
    """Seat 0 draws and throws the last card, 2D; the seats are left with these cards."""
    ruleset = rules(overrides.pop("preset", "standard"), stock_empty="block", **overrides)
    match = table(*hands, pile="2C", stock="2D", laid=(KINGS,), ruleset=ruleset, rest="pile")
    return play(match, "0 draw stock", "0 discard 2D")


def lines(match):
    return [(line["seat"], line["part"], line["points"], line["rule"]) for line in last_round(match)["lines"]]


@pytest.mark.parametrize(
    ("held", "points"),
    [("AS", 1), ("2S 3H", 5), ("9D", 9), ("TC", 10), ("JC QC KC", 30), ("AS AH AD AC", 4), ("", 0), ("5S 6S 7S", 18)],
)
def test_cards_count_their_index_pictures_ten_and_an_ace_one(held, points):
    """Cards that would make a meld count too: what is not on the table is lost."""
    assert count(hand(held), rules()) == points


@pytest.mark.parametrize(("chosen", "points"), [({"ace_points": 1}, 12), ({"ace_points": 11}, 32), ({}, 32)])
def test_an_ace_that_may_be_high_counts_what_the_ruleset_says_eleven_by_default(chosen, points):
    """Two aces and a jack: 1 + 1 + 10, or 11 + 11 + 10."""
    assert count(hand("AS AH JC"), rules(ace="either", **chosen)) == points


def test_each_adds_the_points_left_in_hand():
    """9C and 4D are 13; AC and QD are 11; the seat that is out adds nothing."""
    match = out("9C 4D", "AC QD")
    assert outcome(match) == ("out", 0, [0, 13, 11])
    assert lines(match) == [(1, "cards_left", 13, "each_adds"), (2, "cards_left", 11, "each_adds")]


def test_the_winner_takes_what_the_others_hold():
    """13 + 11 = 24."""
    match = out("9C 4D", "AC QD", scoring="winner_takes")
    assert outcome(match) == ("out", 0, [24, 0, 0])
    assert lines(match) == [(0, "cards_left", 24, "winner_takes")]


# --- Blocked rounds ------------------------------------------------------------


def test_in_a_blocked_round_each_adds_what_it_holds_and_nobody_wins():
    """9C 9, QD 10, AC and 3C 4."""
    match = blocked("9C", "QD", "AC 3C")
    assert outcome(match) == ("blocked", None, [9, 10, 4])
    assert last_round(match)["deadwood"] == [9, 10, 4]


def test_in_a_blocked_round_the_lowest_takes_each_others_count_less_its_own():
    """Seat 2 has 4: (9 - 4) + (10 - 4) = 11."""
    match = blocked("9C", "QD", "AC 3C", scoring="winner_takes")
    assert outcome(match) == ("blocked", 2, [0, 0, 11])
    assert lines(match) == [(2, "cards_left", 11, "winner_takes")]


def test_in_a_blocked_round_a_tie_for_the_lowest_gives_nobody_anything():
    match = blocked("4C", "QD", "AC 3C", scoring="winner_takes")
    assert outcome(match) == ("blocked", None, [0, 0, 0])
    assert lines(match) == []


def test_a_tie_that_is_not_for_the_lowest_changes_nothing():
    """Seat 2 has 4: (10 - 4) + (10 - 4) = 12."""
    assert outcome(blocked("TC", "QD", "AC 3C", scoring="winner_takes")) == ("blocked", 2, [0, 0, 12])


def test_a_blocked_round_is_never_doubled():
    """(9 - 4) = 5, and not 10; each adds its own, and 10 more for nobody."""
    assert outcome(blocked("9C", "AC 3C", scoring="winner_takes", rummy_bonus="double")) == ("blocked", 1, [0, 5])
    assert outcome(blocked("9C", "AC 3C", rummy_bonus="flat")) == ("blocked", None, [9, 4])


# --- The bonus for rummy -------------------------------------------------------


@pytest.mark.parametrize(
    ("scoring", "bonus", "scores"),
    [
        ("each_adds", "none", [0, 13, 11]),
        ("each_adds", "double", [0, 26, 22]),
        ("each_adds", "flat", [0, 23, 21]),
        ("winner_takes", "none", [24, 0, 0]),
        ("winner_takes", "double", [48, 0, 0]),
        ("winner_takes", "flat", [34, 0, 0]),
    ],
)
def test_going_rummy_doubles_or_adds_ten_to_what_each_loser_adds_or_the_winner_gains(scoring, bonus, scores):
    """13 and 11. Doubled 26 and 22, or 48; ten more for each 23 and 21; ten more for the winner 34."""
    match = out("9C 4D", "AC QD", laid=(), scoring=scoring, rummy_bonus=bonus)
    assert outcome(match) == ("rummy", 0, scores)


@pytest.mark.parametrize("scoring", ["each_adds", "winner_takes"])
@pytest.mark.parametrize("bonus", ["double", "flat"])
def test_an_ordinary_out_has_no_bonus(scoring, bonus):
    match = out("9C 4D", "AC QD", scoring=scoring, rummy_bonus=bonus)
    assert outcome(match)[2] == ([0, 13, 11] if scoring == "each_adds" else [24, 0, 0])


def test_the_bonus_is_a_line_of_its_own_so_that_the_lines_add_up():
    match = out("9C 4D", "AC QD", laid=(), rummy_bonus="flat")
    assert lines(match) == [
        (1, "cards_left", 13, "each_adds"),
        (2, "cards_left", 11, "each_adds"),
        (1, "bonus", 10, "rummy_bonus"),
        (2, "bonus", 10, "rummy_bonus"),
    ]
    match = out("9C 4D", "AC QD", laid=(), preset="pagat")
    assert lines(match) == [(0, "cards_left", 24, "winner_takes"), (0, "bonus", 24, "rummy_bonus")]


def test_aces_left_in_hand_count_eleven_where_they_may_be_high():
    """AC 11 and QD 10; with `ace_points` 1 it is 1 and 10."""
    assert outcome(out("AC QD", ace="either"))[2] == [0, 21]
    assert outcome(out("AC QD", ace="either", ace_points=1))[2] == [0, 11]


def test_a_seat_that_resigned_neither_adds_nor_pays():
    """Seat 1 holds 13 and has resigned: seat 2 adds its 11, or seat 0 takes just those."""
    for scoring, scores in (("each_adds", [0, 0, 11]), ("winner_takes", [11, 0, 0])):
        match = table("5S 6S", "9C 4D", "AC QD", stock="7S", laid=(OWN,), ruleset=rules(scoring=scoring))
        match = play(match, "1 resign", "0 draw stock", "0 meld 5S6S7S")
        assert outcome(match) == ("out", 0, scores)


def test_the_score_of_the_match_is_the_lines_of_all_rounds_added_up():
    score = rummy.score(out("9C 4D", "AC QD"))
    assert score == {
        "points": [0, 13, 11],
        "boxes": [0, 0, 0],
        "totals": [0, 13, 11],
        "margin": None,
        "winners": [],
        "over": False,
        "columns": None,
        "lines": [
            {"seat": 1, "round": 1, "part": "cards_left", "points": 13, "rule": "each_adds"},
            {"seat": 2, "round": 1, "part": "cards_left", "points": 11, "rule": "each_adds"},
        ],
    }
