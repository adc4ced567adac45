"""Score pads: what a shutout brings, and when it is one."""

from tests.api.pads import added_up, assert_won, parts

NO_SHUTOUT = {"preset": "standard", "shutout": "none", "shutout_test": None}
WORTHLESS = {"preset": "standard", "undercut_bonus": 0}
"""An undercut on a tie is then a round won for 0 points."""

# --- None ---


def test_without_shutouts_a_loser_without_points_costs_nothing_more(http):
    """eaai: 60 + 45 = 105 : 0."""
    score = added_up(http, "eaai", "0 gin 60", "0 gin 45")
    assert_won(score, 0, points=[105, 0], boxes=[2, 0], totals=[105, 0], margin=105)


def test_without_shutouts_boxes_and_game_bonus_are_all_there_is(http):
    """70 + 30 = 100, + 2 x 25 + 100 = 250 : 0."""
    score = added_up(http, NO_SHUTOUT, "1 gin 70", "1 knock 30")
    assert_won(score, 1, points=[0, 100], boxes=[0, 2], totals=[0, 250], margin=250)
    assert parts(score, 1) == [("boxes", 50), ("game_bonus", 100)]


def test_without_shutouts_five_hundred_to_nothing_is_not_doubled(http):
    """plus: 300 + 200 = 500, + 2 x 25 + 100 = 650 : 0."""
    score = added_up(http, "plus", "1 big_gin 300", "1 gin 200")
    assert_won(score, 1, points=[0, 500], boxes=[0, 2], totals=[0, 650], margin=650)


# --- Round scores count twice, when the loser has won no round ---


def test_round_scores_count_twice_and_boxes_and_game_bonus_once(http):
    """standard: 60 + 45 = 105, twice 210, + 2 x 25 + 100 = 360 : 0."""
    score = added_up(http, "standard", "0 gin 60", "0 knock 45")
    assert_won(score, 0, points=[105, 0], boxes=[2, 0], totals=[360, 0], margin=360)
    assert parts(score, 0) == [("boxes", 50), ("game_bonus", 100), ("shutout", 105)]


def test_big_gin_in_a_shutout_counts_twice_too(http):
    """straight: 55 + 61 = 116, twice 232, + 2 x 25 + 100 = 382; the void round saves nobody."""
    score = added_up(http, "straight", "1 gin 55", "void", "1 big_gin 61")
    assert_won(score, 1, points=[0, 116], boxes=[0, 2], totals=[0, 382], margin=382)


def test_one_round_won_for_one_point_is_no_shutout(http):
    """100 + 25 + 100 = 225; 1 + 25 = 26; 199."""
    score = added_up(http, "standard", "1 knock 1", "0 gin 100")
    assert_won(score, 0, points=[100, 1], boxes=[1, 1], totals=[225, 26], margin=199)


def test_a_round_won_for_nothing_is_won(http):
    """An undercut of 0 + 0 points: no shutout. 100 + 25 + 100 = 225; 0 + 25 = 25; 200."""
    score = added_up(http, WORTHLESS, "1 undercut 0", "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 1], totals=[225, 25], margin=200)


def test_by_points_a_round_won_for_nothing_does_not_save_the_loser(http):
    """The same rounds, tested by points: 100, twice 200, + 25 + 100 = 325; 0 + 25 = 25; 300."""
    score = added_up(http, WORTHLESS | {"shutout_test": "zero_points"}, "1 undercut 0", "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 1], totals=[325, 25], margin=300)


# --- The whole total counts twice ---


def test_the_whole_total_counts_twice(http):
    """rubl: 60 + 45 = 105, + 2 x 25 + 100 = 255, twice 510 : 0."""
    score = added_up(http, "rubl", "0 gin 60", "0 knock 45")
    assert_won(score, 0, points=[105, 0], boxes=[2, 0], totals=[510, 0], margin=510)
    assert parts(score, 0) == [("boxes", 50), ("game_bonus", 100), ("shutout", 255)]


def test_one_great_round_is_a_shutout_of_twice_its_total(http):
    """rubl: 100 + 25 + 100 = 225, twice 450 : 0."""
    score = added_up(http, "rubl", "1 gin 100")
    assert_won(score, 1, points=[0, 100], boxes=[0, 1], totals=[0, 450], margin=450)


def test_a_total_is_doubled_with_the_boxes_that_were_paid_round_by_round(http):
    """40 + 25 + 30 + 25 = 120, + 100 = 220, twice 440 : 0."""
    score = added_up(http, {"preset": "rubl", "box_timing": "per_round"}, "0 knock 40", "0 knock 30")
    assert_won(score, 0, points=[120, 0], boxes=[2, 0], totals=[440, 0], margin=440)


def test_no_total_is_doubled_against_a_seat_that_has_won_a_round(http):
    """rubl: 100 + 25 + 100 = 225; 9 + 25 = 34; 191."""
    score = added_up(http, "rubl", "1 knock 9", "0 gin 100")
    assert_won(score, 0, points=[100, 9], boxes=[1, 1], totals=[225, 34], margin=191)


# --- A bonus instead of the game bonus, when the loser has scored nothing ---


def test_the_shutout_bonus_stands_in_for_the_game_bonus(http):
    """classic: 60 + 45 = 105, + 2 x 20 + 200 = 345 : 0; nothing is doubled."""
    score = added_up(http, "classic", "0 gin 60", "0 knock 45")
    assert_won(score, 0, points=[105, 0], boxes=[2, 0], totals=[345, 0], margin=345)
    assert parts(score, 0) == [("boxes", 40), ("shutout", 200)]


def test_one_point_saves_the_loser_from_the_shutout_bonus(http):
    """classic: 100 + 20 + 100 = 220; 1 + 20 = 21; 199."""
    score = added_up(http, "classic", "0 knock 1", "1 gin 100")
    assert_won(score, 1, points=[1, 100], boxes=[1, 1], totals=[21, 220], margin=199)


def test_a_loser_with_a_box_and_no_points_is_shut_out_by_points(http):
    """classic, an undercut for 0: 100 + 20 + 200 = 320; 0 + 20 = 20; 300."""
    score = added_up(http, {"preset": "classic", "undercut_bonus": 0}, "1 undercut 0", "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 1], totals=[320, 20], margin=300)


def test_a_loser_with_a_box_and_no_points_is_not_shut_out_by_rounds(http):
    """The same, tested by rounds: 100 + 20 + 100 = 220; 0 + 20 = 20; 200."""
    ruleset = {"preset": "classic", "undercut_bonus": 0, "shutout_test": "no_rounds_won"}
    score = added_up(http, ruleset, "1 undercut 0", "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 1], totals=[220, 20], margin=200)


def test_boxes_paid_round_by_round_are_no_round_scores(http):
    """The loser has a box of 20 and has scored 0: shut out. 100 + 20 + 200 = 320; 20; 300."""
    ruleset = {"preset": "classic", "undercut_bonus": 0, "box_timing": "per_round"}
    score = added_up(http, ruleset, "1 undercut 0", "0 gin 100")
    assert_won(score, 0, points=[120, 20], boxes=[1, 1], totals=[320, 20], margin=300)


def test_a_shutout_bonus_of_nothing_still_replaces_the_game_bonus(http):
    """100 + 20 + 0 = 120 : 0."""
    score = added_up(http, {"preset": "classic", "shutout_bonus": 0}, "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 0], totals=[120, 0], margin=120)
