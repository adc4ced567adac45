"""Score pads: Oklahoma to 150, boxes of 20; gin has two extra ones and an undercut one; a shutout is 200, not 100."""

from tests.api.pads import added_up, assert_goes_on, assert_won


def test_gin_has_three_boxes_an_undercut_two_and_a_knock_one(http):
    score = added_up(http, "oklahoma", "0 gin 30", "1 undercut 20", "0 knock 5")
    assert_goes_on(score, points=[35, 20], boxes=[4, 2], totals=[35, 20])


def test_the_extra_boxes_are_paid_at_the_end(http):
    """90 + 60 = 150, + (3 + 1) x 20 + 100 = 330; 34 + 2 x 20 = 74; 256."""
    score = added_up(http, "oklahoma", "0 gin 90", "1 undercut 34", "0 knock 60")
    assert_won(score, 0, points=[150, 34], boxes=[4, 2], totals=[330, 74], margin=256)


def test_a_shutout_with_six_boxes(http):
    """80 + 30 + 40 = 150, + (3 + 2 + 1) x 20 + 200 = 470 : 0."""
    score = added_up(http, "oklahoma", "1 gin 80", "1 undercut 30", "1 knock 40")
    assert_won(score, 1, points=[0, 150], boxes=[0, 6], totals=[0, 470], margin=470)


def test_two_boxes_for_a_losers_undercut(http):
    """150 + 3 x 20 + 100 = 310; 20 + 2 x 20 = 60; 250."""
    score = added_up(http, "oklahoma", "0 undercut 20", "1 gin 150")
    assert_won(score, 1, points=[20, 150], boxes=[2, 3], totals=[60, 310], margin=250)


def test_big_gin_has_the_boxes_of_gin(http):
    """151 + 3 x 20 + 200 = 411 : 0, where the ruleset has big gin."""
    score = added_up(http, {"preset": "oklahoma", "big_gin_bonus": 31}, "0 big_gin 151")
    assert_won(score, 0, points=[151, 0], boxes=[3, 0], totals=[411, 0], margin=411)


def test_a_hundred_and_forty_nine_is_not_enough(http):
    score = added_up(http, "oklahoma", "0 gin 100", "0 knock 49")
    assert_goes_on(score, points=[149, 0], boxes=[4, 0], totals=[149, 0])


def test_many_boxes_leave_the_winner_behind(http):
    """150 + 20 + 100 = 270; 3 x 45 = 135, + 9 x 20 = 315; -45."""
    score = added_up(http, "oklahoma", *["1 gin 45"] * 3, "0 knock 150")
    assert_won(score, 0, points=[150, 135], boxes=[1, 9], totals=[270, 315], margin=-45)


def test_extra_boxes_paid_at_once_bring_a_seat_to_the_target(http):
    """90 + 3 x 20 = 150, + 200 = 350 : 0."""
    score = added_up(http, {"preset": "oklahoma", "box_timing": "per_round"}, "0 gin 90")
    assert_won(score, 0, points=[150, 0], boxes=[3, 0], totals=[350, 0], margin=350)


def test_without_extra_boxes_gin_and_undercut_have_one_each(http):
    """oklahoma_bicycle, to 100: 60 + 40 = 100, + 2 x 20 + 100 = 240; 20 + 20 = 40; 200."""
    score = added_up(http, "oklahoma_bicycle", "0 gin 60", "1 undercut 20", "0 gin 40")
    assert_won(score, 0, points=[100, 20], boxes=[2, 1], totals=[240, 40], margin=200)


def test_extra_boxes_can_be_added_to_any_ruleset(http):
    """standard with four extra for gin and three for an undercut: 100 + 5 x 25 + 100 = 325; 30 + 4 x 25 = 130; 195."""
    ruleset = {"preset": "standard", "gin_extra_boxes": 4, "undercut_extra_boxes": 3}
    score = added_up(http, ruleset, "1 undercut 30", "0 gin 100")
    assert_won(score, 0, points=[100, 30], boxes=[5, 4], totals=[325, 130], margin=195)
