"""Matches added up: each worked by hand."""

import pytest

from service.rulebooks.base import End
from service.rulebooks.gin.scoreboard import leader, reached_target, scoreboard
from tests.builders import parts, rules, scored

TARGET = ("target", 0)


def board(rounds, ruleset=None, end=TARGET):
    return scoreboard(ruleset or rules(), scored(*rounds), None if end is None else End(*end))


def end_lines(score):
    return [(line.seat, line.part, line.points, line.rule) for line in score.lines if line.round is None]


def test_nothing_played_is_nothing_scored():
    score = board([], end=None)
    assert (score.points, score.boxes, score.totals, score.lines) == ((0, 0), (0, 0), (0, 0), ())
    assert (score.over, score.winners, score.margin, score.columns) == (False, (), None, None)


def test_before_the_end_the_totals_are_without_boxes_and_bonuses():
    score = board(["0 knock 30", "1 undercut 27", "0 gin 40"], end=None)
    assert (score.points, score.boxes, score.totals) == ((70, 27), (2, 1), (70, 27))
    assert (score.over, score.winners, score.margin) == (False, (), None)


def test_voids_and_ties_count_for_nobody():
    score = board(["void", "0 knock 30", "tie", "void"], end=None)
    assert (score.points, score.boxes) == ((30, 0), (1, 0))


def test_the_winner_adds_boxes_and_the_game_bonus_and_the_loser_the_own_boxes():
    """105 + 2 x 25 + 100 = 255; 20 + 25 = 45; margin 210."""
    score = board(["1 knock 20", "0 gin 60", "0 knock 45"])
    assert (score.points, score.boxes, score.totals, score.margin) == ((105, 20), (2, 1), (255, 45), 210)
    assert (score.over, score.winners) == (True, (0,))
    assert end_lines(score) == [
        (0, "boxes", 50, "box_bonus"),
        (1, "boxes", 25, "box_bonus"),
        (0, "game_bonus", 100, "game_bonus"),
    ]


def test_the_margin_may_be_negative():
    """Seat 1 has 9 x 11 = 99 and 9 boxes, 324; seat 0 has 100, one box and the game bonus, 225."""
    score = board([*["1 knock 11"] * 9, "0 gin 100"])
    assert (score.totals, score.margin, score.winners) == ((225, 324), -99, (0,))


def test_the_lines_of_a_seat_add_up_to_its_total():
    for ruleset in (rules(), rules("classic"), rules("palace"), rules("rubl"), rules("hollywood")):
        score = board(["0 knock 30", "0 gin 60", "0 undercut 45", "0 gin 60"], ruleset)
        assert score.totals == tuple(
            sum(points for who, _, points in parts(score.lines) if who == seat) for seat in (0, 1)
        )


# --- Shutouts ---


@pytest.mark.parametrize(
    ("rounds", "totals", "margin"),
    [
        (["0 knock 30", "0 gin 60", "0 knock 15"], (385, 0), 385),
        (["0 knock 30", "void", "0 gin 80"], (370, 0), 370),
        (["1 knock 5", "0 gin 110"], (235, 30), 205),
        (["1 undercut 0", "0 gin 110"], (235, 25), 210),
    ],
)
def test_double_points_counts_the_winners_round_scores_twice(rounds, totals, margin):
    """105 x 2 + 75 + 100 = 385. 110 x 2 + 50 + 100 = 370. A round won, even for 0, is none: 110 + 25 + 100 = 235."""
    score = board(rounds)
    assert (score.totals, score.margin) == (totals, margin)


@pytest.mark.parametrize(
    ("rounds", "totals"),
    [
        (["0 knock 30", "0 gin 80"], (350, 0)),
        (["1 undercut 0", "0 knock 30", "0 gin 80"], (350, 20)),
        (["1 knock 5", "0 knock 30", "0 gin 80"], (250, 25)),
    ],
)
def test_the_shutout_bonus_comes_instead_of_the_game_bonus(rounds, totals):
    """110 + 40 + 200 = 350; a round won for 0 leaves the loser without points, and is one; 110 + 40 + 100 = 250."""
    score = board(rounds, rules("classic"))
    assert score.totals == totals
    assert score.margin == totals[0] - totals[1]
    assert [line[1] for line in end_lines(score) if line[0] == 0] == [
        "boxes",
        "shutout" if totals[0] == 350 else "game_bonus",
    ]


@pytest.mark.parametrize(
    ("rounds", "totals"),
    [
        (["0 knock 30", "0 gin 80"], (520, 0)),
        (["void", "0 gin 100"], (450, 0)),
        (["1 knock 5", "0 knock 30", "0 gin 80"], (260, 30)),
    ],
)
def test_double_total_counts_everything_twice(rounds, totals):
    """(110 + 50 + 100) x 2 = 520; (100 + 25 + 100) x 2 = 450; without a shutout 110 + 50 + 100 = 260."""
    assert board(rounds, rules("rubl")).totals == totals


@pytest.mark.parametrize("seat", [0, 1])
def test_double_total_counts_boxes_paid_round_by_round_twice_as_well(seat):
    """100 + 25, + 100, x 2 = 450."""
    score = board([f"{seat} gin 100"], rules("rubl", box_timing="per_round"), end=("target", seat))
    assert (score.points[seat], score.totals[seat], score.margin) == (125, 450, 450)


def test_double_points_leaves_boxes_paid_round_by_round_alone():
    """100 x 2 + 25 + 100."""
    assert board(["0 gin 100"], rules(box_timing="per_round")).totals == (325, 0)


def test_without_a_shutout_rule_a_shutout_is_worth_nothing():
    """500 + 25 + 100."""
    assert board(["0 gin 500"], rules("plus")).totals == (625, 0)


@pytest.mark.parametrize(("test", "total"), [("zero_points", 335), ("no_rounds_won", 230)])
def test_a_round_won_for_nothing_tells_the_two_tests_apart(test, total):
    """105 + 105 + 25 + 100 = 335 with the shutout, 230 without."""
    assert board(["1 undercut 0", "0 gin 105"], rules(shutout_test=test)).totals == (total, 25)


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("standard", [("game_bonus", 100, "game_bonus"), ("shutout", 100, "shutout")]),
        ("classic", [("shutout", 200, "shutout_bonus")]),
        ("rubl", [("game_bonus", 100, "game_bonus"), ("shutout", 225, "shutout")]),
    ],
)
def test_a_shutout_is_a_line_that_names_its_rule(preset, expected):
    """100 once more; 200 instead of the game bonus; 100 + 25 + 100 once more."""
    assert [line[1:] for line in end_lines(board(["0 gin 100"], rules(preset))) if line[1] != "boxes"] == expected


def test_a_shutout_bonus_of_0_still_takes_the_place_of_the_game_bonus():
    assert board(["0 gin 100"], rules("classic", shutout_bonus=0)).totals == (120, 0)


# --- Boxes ---


def test_boxes_may_be_paid_round_by_round_and_are_not_paid_again():
    """50 + 10, 40 + 10: 110 reaches 100 and is the total."""
    score = board(["0 knock 50", "0 gin 40"], rules("palace"))
    assert (score.points, score.boxes, score.totals) == ((110, 0), (2, 0), (110, 0))
    assert parts(score.lines) == [
        (0, "deadwood", 50),
        (0, "boxes", 10),
        (0, "deadwood", 40),
        (0, "boxes", 10),
    ]


def test_boxes_paid_round_by_round_are_lines_of_their_rounds():
    """Gin has three boxes and a knock one, of 20 each."""
    score = board(["0 gin 50", "void", "1 knock 40"], rules("oklahoma", box_timing="per_round"), end=None)
    assert [(line.seat, line.round, line.points, line.rule) for line in score.lines] == [
        (0, 1, 50, "gin"),
        (0, 1, 60, "box_bonus"),
        (1, 3, 40, "knock"),
        (1, 3, 20, "box_bonus"),
    ]


def test_a_box_paid_with_the_round_may_end_the_match():
    ruleset = rules("palace")
    assert reached_target(ruleset, scored("0 knock 50", "0 knock 29")) is None
    assert reached_target(ruleset, scored("0 knock 50", "0 knock 30")) == End("target", 0)
    assert reached_target(rules(), scored("0 knock 50", "0 knock 49")) is None


def test_extra_boxes_count_on_top():
    """Gin 3 and knock 1, undercut 2: 160 + 4 x 20 + 100 = 340 against 30 + 40 = 70."""
    score = board(["0 gin 100", "1 undercut 30", "0 knock 60"], rules("oklahoma"))
    assert (score.boxes, score.totals, score.margin) == ((4, 2), (340, 70), 270)


def test_a_ruleset_without_boxes_and_bonuses_has_the_points_as_totals():
    score = board(["1 knock 20", "0 gin 100"], rules("eaai"))
    assert (score.totals, score.margin, end_lines(score)) == ((100, 20), 80, [])


# --- Other ends ---


@pytest.mark.parametrize("seat", [0, 1])
def test_the_target_is_reached_by_points_and_whoever_gets_there_wins(seat):
    assert reached_target(rules(), scored(f"{seat} knock 99")) is None
    assert reached_target(rules(), scored(f"{seat} knock 60", f"{seat} knock 40")) == End("target", seat)
    assert reached_target(rules(), scored(f"{1 - seat} knock 90", f"{seat} undercut 127")) == End("target", seat)


@pytest.mark.parametrize("preset", ["standard", "palace"])
def test_at_the_round_limit_the_higher_points_win(preset):
    ruleset = rules(preset)
    assert leader(ruleset, scored("0 knock 10", "1 knock 12")) == 1
    assert leader(ruleset, scored("0 knock 13", "1 knock 12")) == 0
    assert leader(ruleset, scored("0 knock 12", "1 knock 12")) is None
    assert leader(ruleset, scored("void")) is None


def test_at_the_round_limit_the_bonuses_are_as_at_the_target():
    """10 x 2 + 25 + 100 = 145: nobody else won a round."""
    score = board(["0 knock 10", "void"], end=("round_limit", 0))
    assert (score.totals, score.margin, score.winners, score.over) == ((145, 0), 145, (0,), True)


def test_equal_points_at_the_round_limit_have_no_winner():
    """10 and a box each."""
    score = board(["0 knock 10", "1 knock 10"], end=("round_limit", None))
    assert (score.totals, score.margin, score.winners, score.over) == ((35, 35), None, (), True)


def test_resigning_leaves_points_and_boxes_without_game_bonus_or_shutout():
    """Seat 0 resigned with 40 and a box: seat 1 wins with nothing."""
    score = board(["0 knock 40", "resigned"], end=("resigned", 1))
    assert (score.totals, score.margin, score.winners) == ((65, 0), -65, (1,))
    score = board(["0 knock 40", "resigned"], rules("classic"), end=("resigned", 0))
    assert (score.totals, score.margin, score.winners) == ((60, 0), 60, (0,))


def test_a_match_abandoned_has_no_winner():
    score = board(["0 knock 40"], end=("abandoned", None))
    assert (score.totals, score.margin, score.winners, score.over) == ((65, 0), None, (), True)
