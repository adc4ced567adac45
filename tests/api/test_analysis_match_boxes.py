"""Score pads: boxes that are paid at the end of the match, and boxes that are paid as they are won."""

from tests.api.pads import added_up, assert_goes_on, assert_refused, assert_won, parts, sent

AT_ONCE = {"preset": "standard", "box_timing": "per_round"}

# --- At the end ---


def test_at_the_end_both_seats_are_paid_their_boxes(http):
    """standard: 30 + 80 = 110, + 2 x 25 + 100 = 260; 20 + 25 = 45; 215."""
    score = added_up(http, "standard", "0 knock 30", "1 knock 20", "0 gin 80")
    assert_won(score, 0, points=[110, 20], boxes=[2, 1], totals=[260, 45], margin=215)
    assert (parts(score, 0)[0], parts(score, 1)) == (("boxes", 50), [("boxes", 25)])


def test_boxes_paid_at_the_end_bring_nobody_to_the_target(http):
    """50 + 49 = 99 with two boxes of 25 to come: the match goes on."""
    score = added_up(http, "standard", "0 knock 50", "0 knock 49")
    assert_goes_on(score, points=[99, 0], boxes=[2, 0], totals=[99, 0])


def test_boxes_of_twenty(http):
    """classic: 40 + 60 = 100, + 2 x 20 + 100 = 240; 15 + 20 = 35; 205."""
    score = added_up(http, "classic", "1 gin 40", "0 undercut 15", "1 gin 60")
    assert_won(score, 1, points=[15, 100], boxes=[1, 2], totals=[35, 240], margin=205)


def test_three_boxes_to_one(http):
    """tournament: 120 + 110 + 20 = 250, + 3 x 25 + 100 = 425; 100 + 25 = 125; 300."""
    score = added_up(http, "tournament", "0 gin 120", "1 gin 100", "0 gin 110", "0 knock 20")
    assert_won(score, 0, points=[250, 100], boxes=[3, 1], totals=[425, 125], margin=300)


def test_a_round_won_for_nothing_is_a_box_of_its_own(http):
    """70 + 30 = 100, + 2 x 25 + 100 = 250; 0 + 25 = 25; 225."""
    ruleset = {"preset": "standard", "undercut_bonus": 0}
    score = added_up(http, ruleset, "0 gin 70", "1 undercut 0", "0 knock 30")
    assert_won(score, 0, points=[100, 0], boxes=[2, 1], totals=[250, 25], margin=225)


# --- As they are won ---


def test_a_box_is_paid_with_its_round(http):
    """palace: 12 + 10 = 22."""
    score = added_up(http, "palace", "0 knock 12")
    assert_goes_on(score, points=[22, 0], boxes=[1, 0], totals=[22, 0])
    assert [(line["round"], line["part"], line["points"]) for line in score["lines"]] == [
        (1, "round", 12),
        (1, "boxes", 10),
    ]


def test_a_box_ends_the_match_where_the_round_alone_would_not(http):
    """palace: 45 + 10 + 35 = 90, and the second box makes 100."""
    score = added_up(http, "palace", "0 knock 45", "0 knock 35")
    assert_won(score, 0, points=[100, 0], boxes=[2, 0], totals=[100, 0], margin=100)


def test_one_point_less_and_the_box_does_not_end_the_match(http):
    """palace: 45 + 10 + 34 + 10 = 99."""
    score = added_up(http, "palace", "0 knock 45", "0 knock 34")
    assert_goes_on(score, points=[99, 0], boxes=[2, 0], totals=[99, 0])


def test_after_a_match_that_a_box_ended_no_round_is_accepted(http):
    assert_refused(sent(http, "palace", "0 knock 45", "0 knock 35", "1 knock 5"), "game_over")


def test_boxes_paid_as_they_are_won_are_not_paid_again_at_the_end(http):
    """palace: 70 + 10 + 15 + 10 = 105; 20 + 10 = 30; 75."""
    score = added_up(http, "palace", "1 gin 70", "0 knock 20", "1 knock 15")
    assert_won(score, 1, points=[30, 105], boxes=[1, 2], totals=[30, 105], margin=75)
    assert parts(score, 0) == parts(score, 1) == []


def test_the_game_bonus_comes_on_top_of_boxes_paid_before(http):
    """30 + 25 + 30 + 25 = 110, + 100 = 210; 9 + 25 = 34; 176."""
    score = added_up(http, AT_ONCE, "0 knock 30", "1 knock 9", "0 knock 30")
    assert_won(score, 0, points=[110, 34], boxes=[2, 1], totals=[210, 34], margin=176)


def test_in_a_shutout_the_round_scores_count_twice_and_boxes_paid_before_once(http):
    """40 + 25 + 20 + 25 = 110; 40 + 20 = 60 again; + 100: 270 : 0."""
    score = added_up(http, AT_ONCE, "0 knock 40", "0 knock 20")
    assert_won(score, 0, points=[110, 0], boxes=[2, 0], totals=[270, 0], margin=270)
    assert parts(score, 0) == [("game_bonus", 100), ("shutout", 60)]


def test_extra_boxes_end_the_match_too(http):
    """palace with two extra boxes for gin: 70 + 3 x 10 = 100."""
    score = added_up(http, {"preset": "palace", "gin_extra_boxes": 2}, "0 gin 70")
    assert_won(score, 0, points=[100, 0], boxes=[3, 0], totals=[100, 0], margin=100)


def test_the_box_of_a_round_won_for_nothing_can_end_the_match(http):
    """palace to 10 with undercuts of 0: 0 + 10 = 10."""
    ruleset = {"preset": "palace", "undercut_bonus": 0, "target": 10}
    score = added_up(http, ruleset, "1 undercut 0")
    assert_won(score, 1, points=[0, 10], boxes=[0, 1], totals=[0, 10], margin=10)


def test_a_box_of_nothing_is_counted_and_not_paid(http):
    """palace with boxes of 0: 60 + 45 = 105 : 20; 85."""
    score = added_up(http, {"preset": "palace", "box_bonus": 0}, "0 gin 60", "1 knock 20", "0 knock 45")
    assert_won(score, 0, points=[105, 20], boxes=[2, 1], totals=[105, 20], margin=85)
