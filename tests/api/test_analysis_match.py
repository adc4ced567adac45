"""Score pads: how a match runs on, ends and is refused. Standard: to 100, boxes of 25 and a game bonus of 100."""

import pytest

from tests.api.pads import added_up, assert_goes_on, assert_refused, assert_won, parts, sent

# --- Running on ---


def test_an_empty_pad_is_a_match_that_has_not_begun(http):
    assert_goes_on(added_up(http, "standard"), points=[0, 0], boxes=[0, 0], totals=[0, 0])


def test_without_a_ruleset_the_standard_one_counts(http):
    answer = http.post("/v1/analysis/match", json={"rounds": [{"kind": "gin", "winner": 0, "points": 100}]})
    assert answer.json() == added_up(http, "standard", "0 gin 100")


def test_before_the_end_a_total_is_the_points_alone(http):
    """16 + 40 = 56 and two boxes; 27 and one box. No box is paid yet."""
    score = added_up(http, "standard", "0 knock 16", "1 undercut 27", "0 gin 40")
    assert_goes_on(score, points=[56, 27], boxes=[2, 1], totals=[56, 27])


def test_each_round_is_a_line_with_its_number_and_kind(http):
    score = added_up(http, "standard", "0 knock 16", "void", "1 big_gin 60")
    assert score["lines"] == [
        {"seat": 0, "round": 1, "part": "round", "points": 16, "rule": "knock"},
        {"seat": 1, "round": 3, "part": "round", "points": 60, "rule": "big_gin"},
    ]


def test_one_point_short_of_the_target_the_match_goes_on(http):
    """70 + 29 = 99, and a target of 100."""
    score = added_up(http, "standard", "1 knock 70", "1 undercut 29")
    assert_goes_on(score, points=[0, 99], boxes=[0, 2], totals=[0, 99])


# --- Game bonus ---


def test_the_winner_has_the_game_bonus_of_the_ruleset(http):
    """100 + 25 + 40 = 165; 5 + 25 = 30; 165 - 30 = 135."""
    score = added_up(http, {"preset": "standard", "game_bonus": 40}, "1 knock 5", "0 gin 100")
    assert_won(score, 0, points=[100, 5], boxes=[1, 1], totals=[165, 30], margin=135)
    assert parts(score, 0) == [("boxes", 25), ("game_bonus", 40)]
    assert parts(score, 1) == [("boxes", 25)]


def test_a_ruleset_without_bonuses_is_won_by_points_alone(http):
    """eaai: no boxes, no game bonus. 60 + 45 = 105 : 30; 75."""
    score = added_up(http, "eaai", "0 gin 60", "1 knock 30", "0 gin 45")
    assert_won(score, 0, points=[105, 30], boxes=[2, 1], totals=[105, 30], margin=75)
    assert parts(score, 0) == parts(score, 1) == []


def test_a_match_to_five_hundred_is_won_there(http):
    """plus: 200 + 310 = 510, + 2 x 25 + 100 = 660; 150 + 25 = 175; 485."""
    score = added_up(http, "plus", "0 gin 200", "1 gin 150", "0 big_gin 310")
    assert_won(score, 0, points=[510, 150], boxes=[2, 1], totals=[660, 175], margin=485)
    assert_goes_on(
        added_up(http, "plus", "0 gin 200", "1 gin 150", "0 big_gin 299"),
        points=[499, 150],
        boxes=[2, 1],
        totals=[499, 150],
    )


# --- An undercut can win ---


def test_an_undercut_wins_the_match_for_the_seat_that_did_not_knock(http):
    """A has 50 + 45 = 95 and B 60 + 30 = 90; B knocks with 9 against 2: 7 + 25 = 32 for A, who has 127.

    127 + 3 x 25 + 100 = 302; 90 + 2 x 25 = 140; 162.
    """
    score = added_up(http, "standard", "0 gin 50", "1 gin 60", "0 knock 45", "1 knock 30", "0 undercut 32")
    assert_won(score, 0, points=[127, 90], boxes=[3, 2], totals=[302, 140], margin=162)


def test_an_undercut_reaches_the_target_exactly(http):
    """70 + 30 = 100, + 2 x 25 + 100 = 250; 80 + 25 = 105; 145."""
    score = added_up(http, "standard", "1 knock 70", "0 knock 80", "1 undercut 30")
    assert_won(score, 1, points=[80, 100], boxes=[1, 2], totals=[105, 250], margin=145)


def test_an_undercut_wins_where_there_are_no_boxes(http):
    """eaai: 50 + 51 = 101 : 60; 41."""
    score = added_up(http, "eaai", "0 gin 60", "1 knock 50", "1 undercut 51")
    assert_won(score, 1, points=[60, 101], boxes=[1, 2], totals=[60, 101], margin=41)


# --- A margin below zero ---


def test_the_winner_may_have_the_lower_total_where_there_is_no_game_bonus(http):
    """eaai with boxes of 25: 100 + 25 = 125; 5 x 10 + 5 x 25 = 175; 125 - 175 = -50."""
    score = added_up(http, {"preset": "eaai", "box_bonus": 25}, *["1 knock 10"] * 5, "0 gin 100")
    assert_won(score, 0, points=[100, 50], boxes=[1, 5], totals=[125, 175], margin=-50)


def test_high_boxes_outweigh_the_game_bonus(http):
    """Boxes of 100: 100 + 100 + 100 = 300; 4 x 20 + 4 x 100 = 480; -180."""
    score = added_up(http, {"preset": "standard", "box_bonus": 100}, *["1 knock 20"] * 4, "0 gin 100")
    assert_won(score, 0, points=[100, 80], boxes=[1, 4], totals=[300, 480], margin=-180)


def test_many_small_rounds_outweigh_one_great_one(http):
    """classic: 100 + 20 + 100 = 220; 9 x 10 + 9 x 20 = 270; the second seat wins with -50."""
    score = added_up(http, "classic", *["0 knock 10"] * 9, "1 gin 100")
    assert_won(score, 1, points=[90, 100], boxes=[9, 1], totals=[270, 220], margin=-50)


# --- Rounds that nobody won ---


def test_void_rounds_and_ties_bring_no_points_and_no_box(http):
    """20 and one box, whatever lies around it."""
    ruleset = {"preset": "standard", "undercut_on_tie": False}
    score = added_up(http, ruleset, "void", "0 knock 20", "tie", "void")
    assert_goes_on(score, points=[20, 0], boxes=[1, 0], totals=[20, 0])
    assert [(line["round"], line["points"]) for line in score["lines"]] == [(2, 20)]


def test_void_rounds_alone_add_up_to_nothing(http):
    assert_goes_on(added_up(http, "classic", *["void"] * 30), points=[0, 0], boxes=[0, 0], totals=[0, 0])


def test_a_tie_saves_nobody_from_a_shutout(http):
    """100, twice, + 25 + 100 = 325 against a seat that has won no round, only tied one."""
    ruleset = {"preset": "standard", "undercut_on_tie": False}
    score = added_up(http, ruleset, "tie", "void", "0 gin 100")
    assert_won(score, 0, points=[100, 0], boxes=[1, 0], totals=[325, 0], margin=325)


# --- Refusals ---


@pytest.mark.parametrize("after", ["void", "tie", "1 knock 5", "0 gin 30"])
def test_a_round_after_the_end_is_refused(http, after):
    assert_refused(sent(http, "standard", "1 knock 40", "0 gin 100", after), "game_over")


def test_the_round_that_ends_the_match_is_accepted_and_only_the_next_refused(http):
    assert sent(http, "standard", "0 gin 99", "1 knock 5", "0 knock 1").json()["over"] is True
    assert_refused(sent(http, "standard", "0 gin 99", "1 knock 5", "0 knock 1", "1 knock 5"), "game_over")


@pytest.mark.parametrize("preset", ["classic", "oklahoma", "palace", "eaai", "rubl"])
def test_big_gin_is_refused_where_it_is_not_played(http, preset):
    assert_refused(sent(http, preset, "0 knock 5", "1 big_gin 60"), "big_gin_not_played")


@pytest.mark.parametrize("preset", ["standard", "straight", "plus", "hollywood"])
def test_big_gin_counts_where_it_is_played(http, preset):
    assert added_up(http, preset, "1 big_gin 60")["points"] == [0, 60]


@pytest.mark.parametrize(
    ("fault", "pointer"),
    [
        ({"winner": None}, "/rounds/1/winner"),
        ({"winner": 2}, "/rounds/1/winner"),
        ({"winner": True}, "/rounds/1/winner"),
        ({"kind": "void"}, "/rounds/1/winner"),
        ({"kind": "tie", "winner": None}, "/rounds/1/points"),
        ({"kind": "resigned"}, "/rounds/1/kind"),
        ({"points": -1}, "/rounds/1/points"),
        ({"points": 10_001}, "/rounds/1/points"),
        ({"points": 7.5}, "/rounds/1/points"),
        ({"boxes": 1}, "/rounds/1/boxes"),
    ],
)
def test_a_round_of_the_wrong_shape_is_pointed_at(http, fault, pointer):
    good = {"kind": "knock", "winner": 0, "points": 7}
    answer = http.post("/v1/analysis/match", json={"rounds": [good, good | fault]})
    assert [error["pointer"] for error in assert_refused(answer, "invalid_request")["errors"]] == [pointer]


def test_a_pad_without_rounds_is_refused(http):
    refused = assert_refused(http.post("/v1/analysis/match", json={"ruleset": "standard"}), "invalid_request")
    assert [error["pointer"] for error in refused["errors"]] == ["/rounds"]


def test_a_ruleset_that_makes_no_sense_is_refused_by_its_field(http):
    refused = assert_refused(sent(http, {"preset": "standard", "shutout": "none"}), "ruleset_refused")
    assert refused["field"] == "shutout_test"
    assert assert_refused(sent(http, "nonsense"), "ruleset_refused")["field"] == "preset"
