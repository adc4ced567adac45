"""Oklahoma and Hollywood as they are played over HTTP, from given decks."""

import pytest

from tests.api.pads import assert_agrees
from tests.api.playing import choose, deck, on_turn
from tests.conftest import new_game

THREE_RUNS = "2S 3S 4S 4C 5C 6C 7D 8D 9D"
KNOCK, GIN = f"{THREE_RUNS} 5D", f"{THREE_RUNS} TD"
"""A deadwood of 5, and gin."""
DEFENDER = "KD KC QS QD JS 9S 8H 5H 3H AD"
"""No meld and nothing to lay off: 10 + 10 + 10 + 10 + 10 + 9 + 8 + 5 + 3 + 1 = 76."""
UNDERCUTTER = "QS QD QH JS JH JD 9S 9H 9C AD"
"""Three sets, and a deadwood of 1."""


def table(http, ruleset, *decks):
    """Ann in seat 0, who acts first in the first round, and Ben, who deals it."""
    return new_game(http, ruleset=ruleset, first_dealer=1, spectators=True, sandbox={"decks": list(decks)})


def drawn(http, ruleset, held, upcard, against=DEFENDER):
    """Both have passed the upcard, and Ann has drawn QC from the stock."""
    ann, ben = table(http, ruleset, deck(held, against, upcard=upcard, stock="QC"))
    ben.play({"type": "deal"})
    ann.play({"type": "pass"})
    ben.play({"type": "pass"})
    ann.play({"type": "draw", "source": "stock"})
    return ann, ben


def knocked(http, ruleset, held, upcard, against=DEFENDER):
    """The view after Ann has knocked with QC, and Ben has answered as well as possible where there is an answer."""
    ann, ben = drawn(http, ruleset, held, upcard, against)
    view = ann.play({"type": "knock", "discard": "QC"})
    return ben.play({"type": "spread"}) if view["turn"] and view["turn"]["phase"] == "spread" else view


def knocks(player):
    return [each for each in player.view()["legal_moves"] if each["move"]["type"] == "knock"]


def lines(result):
    return [(line["part"], line["points"]) for line in result["lines"]]


# --- Oklahoma ---


@pytest.mark.parametrize(("upcard", "limit"), [("4H", 4), ("9S", 9), ("TD", 10), ("JC", 10), ("QH", 10), ("KS", 10)])
def test_the_first_upcard_sets_the_limit_for_everybody_to_see(http, upcard, limit):
    ann, ben = table(http, "oklahoma", deck(upcard=upcard))
    ben.play({"type": "deal"})
    for view in (ann.view(), ben.view(), http.get(f"/v1/games/{ann.game}").json()):
        assert (view["round"]["limit_card"], view["round"]["knock_limit"]) == (upcard, limit)


def test_the_card_that_set_the_limit_stays_visible_all_round(http):
    """Ann takes 4H, so that it lies nowhere any more; it is told to the end of the round, and after it."""
    players = table(http, "oklahoma", deck(upcard="4H"))
    players[1].play({"type": "deal"})
    view = players[0].play({"type": "draw", "source": "discard"})
    assert (view["round"]["taken"], view["round"]["discard_top"]) == ("4H", None)
    for _ in range(200):
        for headers in (players[0].headers, players[1].headers, {}):
            shown = http.get(f"/v1/games/{players[0].game}", headers=headers).json()["round"]
            assert (shown["limit_card"], shown["knock_limit"]) == ("4H", 4)
        if view["turn"] is None or view["turn"]["phase"] == "round_over":
            return
        mover = on_turn(players)
        view = mover.play(choose(mover.view()))
    raise AssertionError("the round did not end")


def test_the_next_round_has_a_limit_of_its_own(http):
    ruleset = {"preset": "oklahoma", "target": 10_000}
    ann, ben = table(http, ruleset, deck(KNOCK, DEFENDER, upcard="6H", stock="QC"), deck(upcard="3C"))
    ben.play({"type": "deal"})
    ann.play({"type": "pass"})
    ben.play({"type": "pass"})
    ann.play({"type": "draw", "source": "stock"})
    ann.play({"type": "knock", "discard": "QC"})
    ben.play({"type": "spread"})
    shown = ann.play({"type": "deal"})["round"]
    assert (shown["number"], shown["limit_card"], shown["knock_limit"]) == (2, "3C", 3)


def test_without_oklahoma_no_card_is_told(http):
    _, ben = table(http, "classic", deck(upcard="4H"))
    shown = ben.play({"type": "deal"})["round"]
    assert (shown["limit_card"], shown["knock_limit"]) == (None, 10)


@pytest.mark.parametrize(("upcard", "limit"), [("4H", 4), ("AH", 1)])
def test_a_knock_over_the_limit_is_refused_with_both_numbers_and_changes_nothing(http, upcard, limit):
    ann, _ = drawn(http, "oklahoma", KNOCK, upcard)
    before = ann.view()
    assert knocks(ann) == []
    refused = ann.post({"type": "knock", "discard": "QC"})
    assert (refused.status_code, refused.json()["code"]) == (409, "deadwood_over_limit")
    assert (refused.json()["deadwood"], refused.json()["limit"]) == (5, limit)
    assert ann.view() == before


def test_a_knock_within_the_limit_scores_once(http):
    """76 - 5 = 71."""
    result = knocked(http, "oklahoma", KNOCK, "6H")["last_round"]
    assert (result["kind"], result["winner"], lines(result)) == ("knock", 0, [("deadwood", 71)])


def test_with_an_ace_one_point_is_a_knock(http):
    ann, _ = drawn(http, "oklahoma", f"{THREE_RUNS} AC", "AH")
    assert ann.view()["round"]["knock_limit"] == 1
    assert [(each["move"]["discard"], each["deadwood"], each["gin"]) for each in knocks(ann)] == [("QC", 1, False)]


def test_with_an_ace_that_allows_gin_only_one_point_is_too_many_and_gin_is_legal(http):
    ann, _ = drawn(http, "oklahoma_bicycle", f"{THREE_RUNS} AC", "AH")
    assert (ann.view()["round"]["knock_limit"], knocks(ann)) == (0, [])
    refused = ann.post({"type": "knock", "discard": "QC"}).json()
    assert (refused["code"], refused["deadwood"], refused["limit"]) == ("deadwood_over_limit", 1, 0)
    ann, _ = drawn(http, "oklahoma_bicycle", GIN, "AH")
    assert [(each["move"]["discard"], each["gin"]) for each in knocks(ann)] == [("QC", True)]
    assert ann.play({"type": "knock", "discard": "QC"})["last_round"]["kind"] == "gin"


@pytest.mark.parametrize(
    ("held", "against", "kind", "expected"),
    [
        (KNOCK, DEFENDER, "knock", [("deadwood", 71), ("doubling", 71)]),
        (GIN, DEFENDER, "gin", [("deadwood", 76), ("bonus", 20), ("doubling", 96)]),
        (KNOCK, UNDERCUTTER, "undercut", [("deadwood", 4), ("bonus", 10), ("doubling", 14)]),
    ],
)
def test_a_spade_doubles_the_round_and_not_its_boxes(http, held, against, kind, expected):
    """(76 - 5) x 2 = 142; (76 + 20) x 2 = 192; (5 - 1 + 10) x 2 = 28. Boxes: one; one and two; one and one."""
    points_and_boxes = {"knock": (142, [1, 0]), "gin": (192, [3, 0]), "undercut": (28, [0, 2])}[kind]
    view = knocked(http, {"preset": "oklahoma", "target": 10_000}, held, "KS", against)
    result, score = view["last_round"], view["score"]
    assert (result["kind"], lines(result)) == (kind, expected)
    assert (result["points"], score["boxes"]) == points_and_boxes
    assert score["points"][result["winner"]] == result["points"]
    assert_agrees(score)


def test_a_doubled_gin_can_win_the_match_at_once(http):
    """192 of 150, three boxes of 20, and 200 for a shutout instead of the game bonus: 452 : 0."""
    view = knocked(http, "oklahoma", GIN, "KS")
    assert view["status"] == "finished"
    assert (view["score"]["totals"], view["score"]["margin"], view["score"]["winners"]) == ([452, 0], 452, [0])


@pytest.mark.parametrize(
    ("ruleset", "upcard"), [("oklahoma", "KH"), ({"preset": "oklahoma", "oklahoma_spade_doubles": False}, "KS")]
)
def test_other_suits_and_other_rulesets_double_nothing(http, ruleset, upcard):
    assert lines(knocked(http, ruleset, KNOCK, upcard)["last_round"]) == [("deadwood", 71)]


# --- Hollywood ---

HOLDS = deck("AS 2S 3S 4S 5H 6H 7H 9C 9D KC", "KS QH JD TC 8C 6D 5C 3C 2D 2H", upcard="9H")
"""The non-dealer takes 9H, throws KC and has gin.

The other seat has no meld: 10 + 10 + 10 + 10 + 8 + 6 + 5 + 3 + 2 + 2 = 66; + 25 = 91.
"""


def gin_after_gin(players, rounds):
    """Both win in turn, Ann first, since the deal alternates: the view after each round."""
    for number in range(rounds):
        winner, other = players[number % 2], players[1 - number % 2]
        other.play({"type": "deal"})
        winner.play({"type": "draw", "source": "discard"})
        view = winner.play({"type": "knock", "discard": "KC"})
        assert (view["last_round"]["kind"], view["last_round"]["winner"]) == ("gin", winner.seat)
        yield view


def test_the_columns_are_in_the_score_from_the_first_deal_on(http):
    ann, ben = table(http, "hollywood", HOLDS)
    score = ben.play({"type": "deal"})["score"]
    assert len(score["columns"]) == 3
    assert [column["points"] for column in score["columns"]] == [[0, 0]] * 3
    assert all(column["columns"] is None for column in score["columns"])
    assert http.get(f"/v1/games/{ann.game}/score").json() == score


def test_other_rulesets_have_no_columns(http):
    _, ben = table(http, "standard", HOLDS)
    assert ben.play({"type": "deal"})["score"]["columns"] is None


def test_every_round_is_entered_in_its_columns(http):
    """91 each time. First wins count in the first column; Ann's second closes it and opens the second column.

    Then Ben's second finds the first closed, and goes into the second; and so on to the right.
    """
    players = table(http, {"preset": "hollywood", "layoff": "auto"}, *[HOLDS] * 7)
    expected = [
        ([[91, 0], [0, 0], [0, 0]], [False, False, False]),
        ([[91, 91], [0, 0], [0, 0]], [False, False, False]),
        ([[182, 91], [91, 0], [0, 0]], [True, False, False]),
        ([[182, 91], [91, 91], [0, 0]], [True, False, False]),
        ([[182, 91], [182, 91], [91, 0]], [True, True, False]),
        ([[182, 91], [182, 91], [91, 91]], [True, True, False]),
        ([[182, 91], [182, 91], [182, 91]], [True, True, True]),
    ]
    for view, (points, over) in zip(gin_after_gin(players, 7), expected, strict=True):
        score = view["score"]
        assert [column["points"] for column in score["columns"]] == points
        assert [column["over"] for column in score["columns"]] == over
        assert score["over"] == (view["status"] == "finished") == all(over)
        assert_agrees(score)
        for headers in (players[0].headers, players[1].headers, {}):
            assert http.get(f"/v1/games/{players[0].game}/score", headers=headers).json() == score


def test_the_columns_of_a_finished_match_are_added_up(http):
    """Each column: 182 + 2 x 25 + 100 = 332 : 91 + 25 = 116. Three of them: 996 : 348; 648."""
    players = table(http, "hollywood", *[HOLDS] * 7)
    *_, view = gin_after_gin(players, 7)
    score = view["score"]
    assert (view["status"], view["turn"]) == ("finished", None)
    assert [column["totals"] for column in score["columns"]] == [[332, 116]] * 3
    assert [column["winners"] for column in score["columns"]] == [[0]] * 3
    assert (score["points"], score["boxes"]) == ([364, 273], [4, 3])
    assert (score["totals"], score["margin"], score["winners"]) == ([996, 348], 648, [0])
    record = http.get(f"/v1/games/{players[0].game}/record").json()
    assert (record["end"], record["score"]) == ({"kind": "target", "seat": 0}, score)
    assert players[0].post({"type": "deal"}).json()["code"] == "game_over"
