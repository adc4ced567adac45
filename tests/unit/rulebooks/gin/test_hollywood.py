"""Hollywood: three columns side by side, each a match of its own. Worked by hand."""

import pytest

from service.rulebooks.base import End
from service.rulebooks.gin.scoreboard import leader, reached_target, scoreboard
from tests.builders import rules, scored

HOLLYWOOD = rules("hollywood")
MOST = rules("hollywood", columns_winner="most")

LONG = [
    "0 knock 30",  # first column 30
    "0 knock 40",  # first 70, second 40
    "1 gin 50",  # first 70 : 50
    "0 knock 35",  # first 105, closed; second 75, third 35
    "1 knock 60",  # second 75 : 60
    "0 knock 30",  # second 105, closed; third 65
    "1 gin 45",  # third 65 : 45
    "1 knock 60",  # third 65 : 105, closed
]


def columns(rounds, ruleset=HOLLYWOOD, end=None):
    return scoreboard(ruleset, scored(*rounds), end).columns


def points(rounds):
    return [column.points for column in columns(rounds)]


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        (1, [(30, 0), (0, 0), (0, 0)]),
        (2, [(70, 0), (40, 0), (0, 0)]),
        (3, [(70, 50), (40, 0), (0, 0)]),
        (4, [(105, 50), (75, 0), (35, 0)]),
        (5, [(105, 50), (75, 60), (35, 0)]),
        (6, [(105, 50), (105, 60), (65, 0)]),
        (7, [(105, 50), (105, 60), (65, 45)]),
        (8, [(105, 50), (105, 60), (65, 105)]),
    ],
)
def test_a_win_goes_into_every_open_column_entered_and_the_next_one(played, expected):
    assert points(LONG[:played]) == expected


def test_a_column_closes_at_its_target_and_the_match_with_the_last():
    assert [[column.over for column in columns(LONG[:played])] for played in (3, 4, 6, 8)] == [
        [False, False, False],
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert reached_target(HOLLYWOOD, scored(*LONG[:7])) is None
    assert reached_target(HOLLYWOOD, scored(*LONG)) == End("target", 0)


def test_each_column_has_its_own_boxes_bonuses_and_margin():
    """105 + 3 x 25 + 100 = 280 : 50 + 25 = 75. 280 : 60 + 25 = 85. 65 + 50 = 115 : 105 + 50 + 100 = 255."""
    found = columns(LONG, end=End("target", 0))
    assert [column.totals for column in found] == [(280, 75), (280, 85), (115, 255)]
    assert [column.boxes for column in found] == [(3, 1), (3, 1), (2, 2)]
    assert [column.winners for column in found] == [(0,), (0,), (1,)]
    assert [column.margin for column in found] == [205, 195, 140]


def test_the_whole_adds_the_columns_up_and_counts_each_round_once():
    """675 : 415. 30 + 40 + 35 + 30 = 135 : 50 + 60 + 45 + 60 = 215 in eight rounds."""
    score = scoreboard(HOLLYWOOD, scored(*LONG), End("target", 0))
    assert (score.totals, score.margin, score.winners, score.over) == ((675, 415), 260, (0,), True)
    assert (score.points, score.boxes) == ((135, 215), (4, 4))


def test_one_round_may_close_all_three_columns():
    """190, 140 and 100 with 3, 2 and 1 boxes, each a shutout.

    380 + 75 + 100 = 555; 280 + 50 + 100 = 430; 200 + 25 + 100 = 325: 1310.
    """
    rounds = ["0 knock 50", "0 knock 40", "0 gin 100"]
    assert [column.over for column in columns(rounds[:2])] == [False, False, False]
    assert reached_target(HOLLYWOOD, scored(*rounds)) == End("target", 0)
    score = scoreboard(HOLLYWOOD, scored(*rounds), End("target", 0))
    assert [column.totals[0] for column in score.columns] == [555, 430, 325]
    assert (score.totals, score.margin) == ((1310, 0), 1310)


def test_a_column_is_a_shutout_by_the_rounds_in_that_column():
    """Seat 1 won a round, but only in the first column: 100 + 50 + 100; 125 x 2 + 50 + 100 in the others."""
    rounds = ["0 knock 50", "1 knock 10", "0 knock 50", "0 gin 75", "0 gin 50"]
    assert points(rounds) == [(100, 10), (125, 0), (125, 0)]
    found = columns(rounds, end=End("target", 0))
    assert [column.totals for column in found] == [(250, 35), (400, 0), (400, 0)]


def test_a_first_win_goes_into_the_leftmost_open_column():
    rounds = ["0 gin 100", "1 knock 20"]
    assert points(rounds) == [(100, 0), (0, 20), (0, 0)]
    assert points([*rounds, "1 knock 30"]) == [(100, 0), (0, 50), (0, 30)]
    assert points([*rounds, "0 knock 5"]) == [(100, 0), (5, 20), (0, 0)]


def test_a_closed_column_counts_no_more():
    assert points(["0 gin 100", "0 gin 100", "0 knock 40", "0 knock 50"]) == [(100, 0), (100, 0), (90, 0)]


def test_rounds_without_a_winner_are_in_no_column():
    assert points(["void", "0 knock 30", "tie"]) == [(30, 0), (0, 0), (0, 0)]
    assert scoreboard(HOLLYWOOD, scored("void", "0 knock 30"), None).columns[0].lines[0].round == 2


def test_before_the_end_nothing_is_won_but_closed_columns():
    score = scoreboard(HOLLYWOOD, scored("0 gin 100"), None)
    assert (score.over, score.winners, score.margin) == (False, (), None)
    assert [column.winners for column in score.columns] == [(0,), (), ()]


@pytest.mark.parametrize(
    ("last", "by_sum", "by_most", "margins"),
    [
        ("1 knock 60", 0, 0, 205 + 195 - 140),
        ("1 gin 320", 0, 0, 205 + 195 - 400),
        ("1 gin 400", 1, 0, 205 + 195 - 480),
    ],
)
def test_the_sum_of_the_margins_decides_or_the_columns_won(last, by_sum, by_most, margins):
    """Seat 0 wins two columns. In the third, seat 1 has 45 + x + 150 against 115.

    x = 60 loses by the sum; x = 320 makes the sums equal, and two columns beat one; x = 400 wins by the sum.
    """
    rounds = scored(*LONG[:7], last)
    assert reached_target(HOLLYWOOD, rounds) == End("target", by_sum)
    assert reached_target(MOST, rounds) == End("target", by_most)
    assert scoreboard(HOLLYWOOD, rounds, End("target", 0)).margin == margins


def test_either_seat_may_win_by_the_sum_or_by_most_columns():
    """Every round of the long match won by the other seat: two columns, and 675 against 415, are that seat's."""
    mirrored = scored(*(f"{1 - int(each[0])}{each[1:]}" for each in LONG))
    assert reached_target(HOLLYWOOD, mirrored) == End("target", 1)
    assert reached_target(MOST, mirrored) == End("target", 1)


def test_boxes_paid_round_by_round_count_in_every_column_of_the_round():
    """75 + 25 closes the first column."""
    paid = rules("hollywood", box_timing="per_round")
    found = columns(["0 knock 50", "0 knock 25"], paid)
    assert [column.points for column in found] == [(125, 0), (50, 0), (0, 0)]
    assert [column.over for column in found] == [True, False, False]
    assert scoreboard(paid, scored("0 knock 50", "0 knock 25"), None).points == (125, 0)


# --- Other ends ---


def test_at_the_round_limit_open_columns_go_to_the_higher_points():
    """30 x 2 + 25 + 100 = 185 in the first column; nobody has anything in the others."""
    rounds = scored("0 knock 30")
    assert leader(HOLLYWOOD, rounds) == leader(MOST, rounds) == 0
    score = scoreboard(HOLLYWOOD, rounds, End("round_limit", 0))
    assert [column.winners for column in score.columns] == [(0,), (), ()]
    assert [column.margin for column in score.columns] == [185, None, None]
    assert (score.totals, score.margin) == ((185, 0), 185)


def test_at_the_round_limit_equal_columns_have_no_winner():
    rounds = scored("0 knock 30", "1 knock 30")
    assert leader(HOLLYWOOD, rounds) is None
    assert leader(MOST, rounds) is None
    score = scoreboard(HOLLYWOOD, rounds, End("round_limit", None))
    assert (score.winners, score.margin, score.totals) == ((), None, (55, 55))


def test_resigning_gives_open_columns_no_bonus_and_leaves_closed_ones():
    """Seat 0 closed the first column: 100 x 2 + 25 + 100 = 325. Then it resigns with 20 and a box in the second."""
    score = scoreboard(HOLLYWOOD, scored("0 gin 100", "0 knock 20", "resigned"), End("resigned", 1))
    assert [column.winners for column in score.columns] == [(0,), (1,), (1,)]
    assert [column.totals for column in score.columns] == [(325, 0), (45, 0), (0, 0)]
    assert (score.totals, score.margin, score.winners) == ((370, 0), -370, (1,))
