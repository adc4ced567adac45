"""Score pads in three columns. Each is a match of its own: to 100, boxes of 25, a game bonus of 100; a seat that won no
round in a column lets the other's round scores in it count twice."""

import pytest

from tests.api.pads import added_up, assert_goes_on, assert_refused, assert_won, sent

MOST = {"preset": "hollywood", "columns_winner": "most"}
BARE = {"preset": "hollywood", "shutout": "none", "shutout_test": None, "box_bonus": 0, "game_bonus": 0}
"""Columns in which points are all there is."""


def columns(score, key):
    return [column[key] for column in score["columns"]]


def swapped(rounds):
    """The same rounds with the seats the other way round."""
    return [text if text in ("void", "tie") else f"{1 - int(text[0])}{text[1:]}" for text in rounds]


# --- Which columns a round counts in ---


def test_a_first_win_counts_in_one_column_a_second_in_two_and_further_ones_in_three(http):
    """10 + 20 + 5 + 6 | 20 + 5 + 6 | 5 + 6, and the other seat's 7 in the first alone.

    At the top each round counts once: 41 and 4 boxes : 7 and 1 box. The totals add up the columns: 41 + 31 + 11 = 83.
    """
    score = added_up(http, "hollywood", "0 knock 10", "0 knock 20", "1 knock 7", "0 knock 5", "0 knock 6")
    assert columns(score, "points") == [[41, 7], [31, 0], [11, 0]]
    assert columns(score, "boxes") == [[4, 1], [3, 0], [2, 0]]
    assert_goes_on(score, points=[41, 7], boxes=[4, 1], totals=[83, 7])


def test_rounds_that_nobody_won_count_in_no_column(http):
    """10 | nothing: the second seat's 20 is a first win too."""
    score = added_up(http, "hollywood", "void", "0 knock 10", "void", "1 knock 20")
    assert columns(score, "points") == [[10, 20], [0, 0], [0, 0]]
    assert [line["round"] for line in score["lines"]] == [2, 4]


def test_a_closed_column_is_paid_and_the_match_goes_on(http):
    """50 + 60 = 110, twice, + 2 x 25 + 100 = 370 | 60, still open | nothing; 370 + 60 = 430."""
    score = added_up(http, "hollywood", "0 knock 50", "0 knock 60")
    assert columns(score, "over") == [True, False, False]
    assert columns(score, "winners") == [[0], [], []]
    assert columns(score, "totals") == [[370, 0], [60, 0], [0, 0]]
    assert_goes_on(score, points=[110, 0], boxes=[2, 0], totals=[430, 0])


# --- Columns that close together ---


def test_one_round_closes_the_last_two_columns(http):
    """50 + 60 | 60 + 100 | 100: with every column a shutout,

    2 x 110 + 50 + 100 = 370 | 2 x 160 + 50 + 100 = 470 | 2 x 100 + 25 + 100 = 325; together 1165.
    """
    score = added_up(http, "hollywood", "0 knock 50", "0 knock 60", "0 gin 100")
    assert columns(score, "points") == [[110, 0], [160, 0], [100, 0]]
    assert columns(score, "totals") == [[370, 0], [470, 0], [325, 0]]
    assert_won(score, 0, points=[210, 0], boxes=[3, 0], totals=[1165, 0], margin=1165)


def test_one_round_closes_all_three_columns_and_one_of_them_is_a_shutout(http):
    """Seat 1 has 15 + 12 | 12 | nothing; seat 0 has 10 + 20 + 30 + 90 = 150 | 20 + 30 + 90 = 140 | 30 + 90 = 120.

    150 + 4 x 25 + 100 = 350 : 27 + 50 = 77 | 140 + 75 + 100 = 315 : 12 + 25 = 37 | 2 x 120 + 50 + 100 = 390 : 0.
    350 + 315 + 390 = 1055; 77 + 37 = 114; 941.
    """
    rounds = ("1 knock 15", "1 knock 12", "0 knock 10", "0 knock 20", "0 knock 30", "0 gin 90")
    before = added_up(http, "hollywood", *rounds[:-1])
    assert columns(before, "over") == [False, False, False]
    score = added_up(http, "hollywood", *rounds)
    assert columns(score, "totals") == [[350, 77], [315, 37], [390, 0]]
    assert columns(score, "margin") == [273, 278, 390]
    assert ["shutout" in [line["part"] for line in column["lines"]] for column in score["columns"]] == [
        False,
        False,
        True,
    ]
    assert_won(score, 0, points=[150, 27], boxes=[4, 2], totals=[1055, 114], margin=941)


def test_two_columns_of_three_are_shutouts(http):
    """Seat 1 has 15 in the first: 150 + 100 + 100 = 350 : 15 + 25 = 40.

    2 x 140 + 75 + 100 = 455 | 2 x 120 + 50 + 100 = 390; 350 + 455 + 390 = 1195; 1195 - 40 = 1155.
    """
    score = added_up(http, "hollywood", "1 knock 15", "0 knock 10", "0 knock 20", "0 knock 30", "0 gin 90")
    assert columns(score, "totals") == [[350, 40], [455, 0], [390, 0]]
    assert_won(score, 0, points=[150, 15], boxes=[4, 1], totals=[1195, 40], margin=1155)


# --- Seats that come late ---


def test_a_seat_that_comes_late_begins_in_the_leftmost_open_column(http):
    """Seat 0 closes the first with 100; then seat 1's 20 and 30 count in the second, and the 30 in the third too.

    2 x 100 + 25 + 100 = 325 : 0 | 40 + 70 = 110, + 50 + 100 = 260 : 20 + 30 + 50 = 100 | 70 + 30, + 50 + 100 = 250 :
    30 + 25 = 55; 325 + 260 + 250 = 835; 155; 680.
    """
    score = added_up(http, "hollywood", "0 gin 100", "1 knock 20", "0 knock 40", "1 knock 30", "0 gin 70", "0 knock 30")
    assert columns(score, "points") == [[100, 0], [110, 50], [100, 30]]
    assert columns(score, "boxes") == [[1, 0], [2, 2], [2, 1]]
    assert columns(score, "totals") == [[325, 0], [260, 100], [250, 55]]
    assert_won(score, 0, points=[240, 50], boxes=[4, 2], totals=[835, 155], margin=680)


@pytest.mark.parametrize("ruleset", ["hollywood", MOST], ids=["sum", "most"])
def test_a_seat_may_come_in_time_for_the_last_column_only(http, ruleset):
    """2 x 100 + 25 + 100 = 325 in each: two for seat 0 and the last for seat 1; 650 : 325; 325."""
    score = added_up(http, ruleset, "0 gin 100", "0 gin 100", "1 gin 100")
    assert columns(score, "winners") == [[0], [0], [1]]
    assert columns(score, "totals") == [[325, 0], [325, 0], [0, 325]]
    assert_won(score, 0, points=[200, 100], boxes=[2, 1], totals=[650, 325], margin=325)


def test_a_second_win_skips_columns_that_closed_in_between(http):
    """Seat 1 has 5 in the first; seat 0's 100 closes the first and the second; seat 1's 30 and 80 count in the third.

    150 + 50 + 100 = 300 : 5 + 25 = 30 | 2 x 100 + 25 + 100 = 325 : 0 | 0 : 2 x 110 + 50 + 100 = 370.
    625 : 400; 225.
    """
    score = added_up(http, "hollywood", "0 knock 50", "1 knock 5", "0 gin 100", "1 knock 30", "1 gin 80")
    assert columns(score, "points") == [[150, 5], [100, 0], [0, 110]]
    assert columns(score, "totals") == [[300, 30], [325, 0], [0, 370]]
    assert_won(score, 0, points=[150, 115], boxes=[2, 3], totals=[625, 400], margin=225)


# --- Who wins the columns ---

NARROW = ("1 knock 60", "1 knock 30", "0 gin 100", "1 knock 60", "0 gin 100", "1 gin 95")
"""Seat 0 wins two columns narrowly, and seat 1 the third by a shutout.

100 + 25 + 100 = 225 : 60 + 30 + 50 = 140 | 225 : 30 + 60 + 50 = 140 | 0 : 2 x (60 + 95) + 50 + 100 = 460.
450 : 740, a difference of 290.
"""


def test_by_the_sum_one_great_column_outweighs_two_narrow_ones(http):
    score = added_up(http, "hollywood", *NARROW)
    assert columns(score, "margin") == [85, 85, 460]
    assert columns(score, "winners") == [[0], [0], [1]]
    assert_won(score, 1, points=[200, 245], boxes=[2, 4], totals=[450, 740], margin=290)


def test_by_most_columns_two_narrow_ones_win_with_a_margin_below_zero(http):
    score = added_up(http, MOST, *NARROW)
    assert_won(score, 0, points=[200, 245], boxes=[2, 4], totals=[450, 740], margin=-290)


def test_the_seats_the_other_way_round_win_the_same(http):
    assert_won(
        added_up(http, MOST, *swapped(NARROW)),
        1,
        points=[245, 200],
        boxes=[4, 2],
        totals=[740, 450],
        margin=-290,
    )
    assert added_up(http, "hollywood", *swapped(NARROW))["winners"] == [0]


EVEN = ("1 knock 20", "1 knock 20", "0 gin 100", "1 knock 20", "0 gin 100", "1 gin 100")
"""100 : 20 + 20 | 100 : 20 + 20 | 0 : 20 + 100; 200 : 200."""


@pytest.mark.parametrize("winner_by", ["sum", "most"])
def test_equal_sums_are_won_by_the_seat_with_more_columns(http, winner_by):
    ruleset = BARE | {"columns_winner": winner_by}
    score = added_up(http, ruleset, *EVEN)
    assert columns(score, "points") == [[100, 40], [100, 40], [0, 120]]
    assert_won(score, 0, points=[200, 160], boxes=[2, 4], totals=[200, 200], margin=0)
    assert_won(added_up(http, ruleset, *swapped(EVEN)), 1, points=[160, 200], boxes=[4, 2], totals=[200, 200], margin=0)


def test_one_point_more_wins_by_the_sum_against_more_columns(http):
    """The last round for 101: 200 : 201, and the seat with one column wins; by most columns it does not."""
    rounds = (*EVEN[:-1], "1 gin 101")
    assert_won(added_up(http, BARE, *rounds), 1, points=[200, 161], boxes=[2, 4], totals=[200, 201], margin=1)
    most = BARE | {"columns_winner": "most"}
    assert_won(added_up(http, most, *rounds), 0, points=[200, 161], boxes=[2, 4], totals=[200, 201], margin=-1)


# --- With other rules ---


def test_boxes_paid_at_once_close_columns(http):
    """75 + 25 = 100 closes a column each time; at the top three rounds with their boxes are 300."""
    ruleset = BARE | {"box_bonus": 25, "box_timing": "per_round"}
    score = added_up(http, ruleset, *["0 knock 75"] * 3)
    assert columns(score, "totals") == [[100, 0]] * 3
    assert_won(score, 0, points=[300, 0], boxes=[3, 0], totals=[300, 0], margin=300)
    less = added_up(http, ruleset, "0 knock 74")
    assert columns(less, "over") == [False, False, False]


def test_three_columns_of_classic_have_a_shutout_bonus_each(http):
    """1 point in the first saves seat 1 there: 100 + 20 + 100 = 220 : 1 + 20 = 21.

    100 + 20 + 200 = 320 : 0 in each of the others; 860 : 21; 839.
    """
    ruleset = {"preset": "classic", "columns": 3, "columns_winner": "sum"}
    score = added_up(http, ruleset, "1 knock 1", *["0 gin 100"] * 3)
    assert columns(score, "totals") == [[220, 21], [320, 0], [320, 0]]
    assert_won(score, 0, points=[300, 1], boxes=[3, 1], totals=[860, 21], margin=839)


# --- Refusals ---


def test_with_two_columns_closed_rounds_are_accepted_and_with_three_refused(http):
    rounds = ["0 gin 100", "0 gin 100", "void", "1 knock 5", "1 gin 95"]
    assert added_up(http, "hollywood", *rounds)["over"] is True
    for after in ("void", "0 knock 5"):
        assert_refused(sent(http, "hollywood", *rounds, after), "game_over")


def test_the_winner_of_columns_is_named_for_three_of_them_only(http):
    assert assert_refused(sent(http, {"columns_winner": "sum"}), "ruleset_refused")["field"] == "columns_winner"
    assert assert_refused(sent(http, {"columns": 3}), "ruleset_refused")["field"] == "columns_winner"
