"""What the service says of rounds that come from elsewhere: a knocker's hand and a defender's."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from tests.api.proof import CARD_ORDER
from tests.api.settling import (
    BLOCKED,
    BREAKING,
    GIN,
    OTHER,
    RUNS,
    assert_refused,
    hand,
    outcome,
    parts,
    points_of,
    sent,
    settled,
)

SPREADS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "vectors" / "spreads.jsonl").read_text().splitlines()
]


def deadwood_for(case):
    """Cards that are in neither hand of a stored case and make up the knocker's deadwood."""
    melded = [card for meld in case["melds"] for card in meld]
    free = [card for card in CARD_ORDER if card not in melded and card not in case["defender"]]
    choices = combinations(free, 10 - len(melded))
    return next(cards for cards in choices if sum(map(points_of, cards)) == case["knocker_deadwood"])


def test_every_stored_spread_is_settled_as_two_other_engines_settled_it(http):
    differing = []
    for case in SPREADS:
        melded = [card for meld in case["melds"] for card in meld]
        cards = " ".join([*melded, *deadwood_for(case)])
        melds = "|".join(" ".join(meld) for meld in case["melds"])
        ruleset = {"preset": "eaai", "undercut_bonus": case["undercut_bonus"]}
        result = settled(http, hand(cards, melds=melds), hand(" ".join(case["defender"])), ruleset)
        expected = tuple(case["result"][key] for key in ("kind", "winner", "points"))
        if outcome(result) != (*expected, [case["knocker_deadwood"], case["defender_deadwood"]]):
            differing.append(case)
    assert len(SPREADS) == 220
    assert differing == []


# --- Kinds of results ---


def test_a_knock_scores_the_difference(http):
    """47 - 5 = 42; nothing can be laid off."""
    result = settled(http, hand(RUNS), hand(OTHER))
    assert outcome(result) == ("knock", "knocker", 42, [5, 47])
    assert parts(result) == [("deadwood", 42, "knock")]
    assert (result["knocker"], result["layoffs"]) == ("knocker", [])
    assert [spread["seat"] for spread in result["spreads"]] == ["knocker", "defender"]


def test_an_undercut_scores_the_difference_and_its_bonus(http):
    """TS on the run, then 9S: the defender has nothing left: 2 - 0 + 25 = 27. TS on the tens would block 9S.

    The melds of an answer are in card order, and layoffs name them by that: aces, the run, tens.
    """
    result = settled(http, hand(BLOCKED[0], melds="JS QS KS|TC TD TH|AS AC AD"), hand(BLOCKED[1]))
    assert outcome(result) == ("undercut", "defender", 27, [2, 0])
    assert [meld[0] for meld in result["spreads"][0]["melds"]] == ["AS", "JS", "TH"]
    assert [(each["card"], each["meld"]) for each in result["layoffs"]] == [("TS", 1), ("9S", 1)]
    assert {each["seat"] for each in result["layoffs"]} == {"defender"}
    assert parts(result) == [("deadwood", 2, "undercut"), ("bonus", 25, "undercut_bonus")]


def test_the_best_answer_breaks_an_own_meld_where_that_pays(http):
    """9 against 10: 1 + 20 = 21. Melding first leaves 17."""
    result = settled(http, hand(BREAKING[0]), hand(BREAKING[1]), {"preset": "eaai", "undercut_bonus": 20})
    assert outcome(result) == ("undercut", "defender", 21, [10, 9])


def test_on_a_tie_the_defender_scores_the_bonus(http):
    """5 against 5: 25 + 0."""
    result = settled(http, hand(RUNS), hand("AC 2C 3C 4D 5D 6D 7H 8H 9H 5S", layoffs=""))
    assert outcome(result) == ("undercut", "defender", 25, [5, 5])


def test_a_tie_may_be_nobodys(http):
    ruleset = {"preset": "standard", "undercut_on_tie": False}
    result = settled(http, hand(RUNS), hand("AC 2C 3C 4D 5D 6D 7H 8H 9H 5S", layoffs=""), ruleset)
    assert outcome(result) == ("tie", None, 0, [5, 5])
    assert result["lines"] == []


def test_less_than_the_knocker_is_an_undercut_with_any_rule_for_ties(http):
    """4 against 5: 1 + 25."""
    ruleset = {"preset": "standard", "undercut_on_tie": False}
    result = settled(http, hand(RUNS), hand("AC 2C 3C 4D 5D 6D 7H 8H 9H 4H", layoffs=""), ruleset)
    assert outcome(result) == ("undercut", "defender", 26, [5, 4])


def test_on_gin_nothing_is_laid_off(http):
    """70 + 25 = 95; with 5S and JD laid off it would be 65, which is wrong."""
    result = settled(http, hand(GIN), hand("5S 7C JD KH KS 2H 3D 9H 8C 6H"))
    assert outcome(result) == ("gin", "knocker", 95, [0, 70])
    assert parts(result) == [("deadwood", 70, "gin"), ("bonus", 25, "gin_bonus")]
    assert result["layoffs"] == []


def test_gin_cannot_be_undercut(http):
    """0 against 0: the bonus alone."""
    result = settled(http, hand(GIN), hand("AC 2C 3C 6H 7H 8H 9H QS QD QH"))
    assert outcome(result) == ("gin", "knocker", 25, [0, 0])


def test_eleven_cards_are_big_gin(http):
    """TD and JD lengthen a run: 10 + 10 + 10 + 9 + 8 + 7 + 6 + 5 + 3 + 2 = 70, + 31 = 101."""
    result = settled(http, hand(f"{GIN} JD"), hand("5S 7C QH KH KS 2H 3D 9H 8C 6H"))
    assert outcome(result) == ("big_gin", "knocker", 101, [0, 70])
    assert parts(result) == [("deadwood", 70, "big_gin"), ("bonus", 31, "big_gin_bonus")]
    assert result["spreads"][0]["melds"] == [["2S", "3S", "4S"], ["7D", "8D", "9D", "TD", "JD"], ["4C", "5C", "6C"]]


@pytest.mark.parametrize(
    ("knocker", "defender", "bonuses", "points"),
    [
        (RUNS, "AC 2C 3C 4D 5D 6D 7H 8H 9H 4H", {"undercut_bonus": 7}, 8),
        (GIN, "5S 7C JD KH KS 2H 3D 9H 8C 6H", {"gin_bonus": 3}, 73),
        (f"{GIN} JD", "5S 7C QH KH KS 2H 3D 9H 8C 6H", {"big_gin_bonus": 11}, 81),
    ],
)
def test_the_bonuses_are_the_rulesets(http, knocker, defender, bonuses, points):
    """5 - 4 + 7 = 8; 70 + 3 = 73; 70 + 11 = 81."""
    answer = {"layoffs": ""} if knocker == RUNS else {}
    result = settled(http, hand(knocker), hand(defender, **answer), {"preset": "standard"} | bonuses)
    assert result["points"] == points


def test_cards_in_lower_case_are_read(http):
    assert settled(http, hand(RUNS.lower()), hand(OTHER.lower())) == settled(http, hand(RUNS), hand(OTHER))


# --- The knocker's melds ---


def test_a_run_named_out_of_order_is_a_run(http):
    result = settled(http, hand("TS 9S JS 4C 5C 6C 7D 8D 9D 5H", melds="TS 9S JS|6C 4C 5C|7D 9D 8D"), hand(OTHER))
    assert result["deadwood"][0] == 5


def test_melds_named_worse_than_the_best_count_as_they_are_named(http):
    """AS 2S 3S left out of the melds count 6, and AH 1: 7 in all."""
    result = settled(http, hand("AS 2S 3S 4C 5C 6C 7D 8D 9D AH", melds="4C 5C 6C|7D 8D 9D"), hand(OTHER))
    assert result["deadwood"][0] == 7
    assert result["spreads"][0]["deadwood_cards"] == ["AS", "2S", "3S", "AH"]


def test_gin_that_is_named_as_a_knock_is_a_knock(http):
    """2S 3S 4S are not named, and count 9; 5S has nothing to go on: 73 - 9 = 64."""
    knocker = hand(GIN, melds="4C 5C 6C|7D 8D 9D TD")
    result = settled(http, knocker, hand("5S QC QD KH KS 2H 3D 9H 8C 6H"))
    assert outcome(result) == ("knock", "knocker", 64, [9, 73])


NINE = "5S 6S 7S 5C 6C 7C 5D 6D 7D AS"


def test_the_engine_lays_sets_where_runs_would_invite_layoffs(http):
    """As sets the knocker's cards take 5H, 6H and 7H only; as runs they take every four and eight.

    Left to the engine: fours, eights and 5H 6H 7H are the defender's own melds: 3 - 1 = 2.
    Named as runs: 3S 4S 8S 4C 8C 4D 8D are laid off and 5H 6H 7H is a run: 0, an undercut of 1 + 25.
    """
    defender = "3S 4S 8S 4C 8C 4D 8D 5H 6H 7H"
    assert outcome(settled(http, hand(NINE), hand(defender))) == ("knock", "knocker", 2, [1, 3])
    runs = hand(NINE, melds="5S 6S 7S|5C 6C 7C|5D 6D 7D")
    assert outcome(settled(http, runs, hand(defender))) == ("undercut", "defender", 26, [1, 0])


def test_the_card_thrown_can_extend_nothing(http):
    """Four sevens and 8S 9S TS can grow by JS only; 7S to TS and three sevens by 6S and JS, unless 6S was thrown."""
    knocker, defender = "7S 7H 7D 7C 8S 9S TS 2H AD 4H", "KS QS KC QC JC QD JD TH 9H 2D"
    unknown = settled(http, hand(knocker), hand(defender))
    thrown = settled(http, hand(knocker, discard="6S"), hand(defender))
    assert unknown["spreads"][0]["melds"] == [["7S", "7H", "7D", "7C"], ["8S", "9S", "TS"]]
    assert thrown["spreads"][0]["melds"] == [["7S", "8S", "9S", "TS"], ["7H", "7D", "7C"]]


@pytest.mark.parametrize(
    ("melds", "code", "facts"),
    [
        ("AS 2S 3S|4C 5C 7C", "card_not_in_hand", {"card": "7C"}),
        ("AS 2S", "invalid_meld", {"cards": ["AS", "2S"]}),
        ("AS 2S 3S|4C 5C 9D", "invalid_meld", {"cards": ["4C", "5C", "9D"]}),
        ("AS AS 2S", "invalid_meld", {"cards": ["AS", "AS", "2S"]}),
        ("AS 2S 3S|3S 2S AS", "melds_overlap", {"card": "3S"}),
        ("", "deadwood_over_limit", {"deadwood": 50, "limit": 10}),
        ("AS 2S 3S|4C 5C 6C", "deadwood_over_limit", {"deadwood": 29, "limit": 10}),
    ],
)
def test_melds_that_a_knocker_may_not_name_are_refused(http, melds, code, facts):
    """All of 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 5 = 50; without 7D 8D 9D melded 24 + 5 = 29."""
    assert_refused(sent(http, hand(RUNS, melds=melds), hand(OTHER)), code, **facts)


def test_the_ace_does_not_go_round_the_corner(http):
    refused = sent(http, hand("KS AS 2S 4C 5C 6C 7D 8D 9D 5H", melds="KS AS 2S"), hand(OTHER.replace("KS", "KH")))
    assert_refused(refused, "invalid_meld", cards=["KS", "AS", "2S"])


def test_a_hand_over_the_limit_is_no_knock(http):
    """OTHER counts 47, and RUNS 5 where only gin wins."""
    assert_refused(sent(http, hand(OTHER), hand(RUNS)), "deadwood_over_limit", deadwood=47, limit=10)
    assert_refused(sent(http, hand(RUNS), hand(OTHER), "straight"), "deadwood_over_limit", deadwood=5, limit=0)
    assert_refused(
        sent(http, hand(RUNS), hand(OTHER), {"preset": "standard", "knock_limit": 4}),
        "deadwood_over_limit",
        deadwood=5,
        limit=4,
    )


def test_eleven_cards_with_deadwood_are_no_big_gin(http):
    assert_refused(sent(http, hand(f"{GIN} KC"), hand(OTHER)), "deadwood_over_limit", deadwood=10, limit=0)
    fewer = hand(f"{GIN} JD", melds="2S 3S 4S|4C 5C 6C|7D 8D 9D TD")
    assert_refused(sent(http, fewer, hand(OTHER)), "deadwood_over_limit", deadwood=10, limit=0)


@pytest.mark.parametrize("preset", ["classic", "palace", "eaai", "rubl"])
def test_big_gin_is_refused_where_it_is_not_played(http, preset):
    assert_refused(sent(http, hand(f"{GIN} JD"), hand(OTHER), preset), "big_gin_not_played")


# --- Oklahoma ---


def test_the_card_that_set_the_limit_is_needed_in_oklahoma_and_nowhere_else(http):
    assert_refused(sent(http, hand(RUNS), hand(OTHER), "oklahoma"), "request_refused", field="/limit_card")
    assert_refused(
        sent(http, hand(RUNS), hand(OTHER), "oklahoma", limit_card=None), "request_refused", field="/limit_card"
    )
    assert_refused(sent(http, hand(RUNS), hand(OTHER), limit_card="KD"), "request_refused", field="/limit_card")
    assert sent(http, hand(RUNS), hand(OTHER), limit_card=None).status_code == 200


@pytest.mark.parametrize(("card", "limit"), [("4D", 4), ("2C", 2), ("AH", 1)])
def test_a_knock_over_the_limit_of_the_card_is_refused(http, card, limit):
    refused = sent(http, hand(RUNS), hand(OTHER), "oklahoma", limit_card=card)
    assert_refused(refused, "deadwood_over_limit", deadwood=5, limit=limit)


@pytest.mark.parametrize("card", ["5D", "9C", "TH", "JD", "QH", "KC"])
def test_a_knock_within_the_limit_of_the_card_counts_once(http, card):
    result = settled(http, hand(RUNS), hand(OTHER), "oklahoma", limit_card=card)
    assert outcome(result) == ("knock", "knocker", 42, [5, 47])


def test_an_ace_means_one_or_gin_only(http):
    """Three runs and AH."""
    knocker = hand(RUNS.replace("5H", "AH"))
    assert settled(http, knocker, hand(OTHER), "oklahoma", limit_card="AC")["deadwood"][0] == 1
    refused = sent(http, knocker, hand(OTHER), "oklahoma_bicycle", limit_card="AC")
    assert_refused(refused, "deadwood_over_limit", deadwood=1, limit=0)
    assert settled(http, hand(GIN), hand(OTHER), "oklahoma_bicycle", limit_card="AC")["kind"] == "gin"


def test_a_spade_doubles_knock_gin_and_undercut_with_their_bonuses(http):
    """(47 - 5) x 2 = 84; (70 + 20) x 2 = 180; (5 - 4 + 10) x 2 = 22."""
    result = settled(http, hand(RUNS), hand(OTHER), "oklahoma", limit_card="9S")
    assert parts(result) == [("deadwood", 42, "knock"), ("doubling", 42, "oklahoma_spade_doubles")]
    result = settled(http, hand(GIN), hand("5S 7C JD KH KS 2H 3D 9H 8C 6H"), "oklahoma", limit_card="9S")
    assert outcome(result) == ("gin", "knocker", 180, [0, 70])
    defender = hand("AC 2C 3C 4D 5D 6D 7H 8H 9H 4H", layoffs="")
    result = settled(http, hand(RUNS), defender, "oklahoma", limit_card="KS")
    assert outcome(result) == ("undercut", "defender", 22, [5, 4])


def test_a_spade_doubles_nothing_where_the_ruleset_does_not_say_so(http):
    ruleset = {"preset": "oklahoma", "oklahoma_spade_doubles": False}
    assert settled(http, hand(RUNS), hand(OTHER), ruleset, limit_card="9S")["points"] == 42


# --- Cards and shapes ---


@pytest.mark.parametrize(
    ("knocker", "defender", "card"),
    [
        (hand(RUNS), hand(OTHER.replace("AD", "5H")), "5H"),
        (hand(RUNS.replace("5H", "AS")), hand(OTHER), "AS"),
        (hand(RUNS), hand(OTHER.replace("AD", "KS")), "KS"),
        (hand(RUNS, discard="AD"), hand(OTHER), "AD"),
        (hand(RUNS, discard="5H"), hand(OTHER), "5H"),
    ],
    ids=["in both hands", "twice with the knocker", "twice with the defender", "thrown and held", "thrown and kept"],
)
def test_a_card_that_is_there_twice_is_refused(http, knocker, defender, card):
    assert_refused(sent(http, knocker, defender), "melds_overlap", card=card)


@pytest.mark.parametrize(
    ("knocker", "defender", "others", "pointer"),
    [
        (hand("AS 2S 3S 4C 5C 6C 7D 8D 9D"), hand(OTHER), {}, "/knocker/cards"),
        (hand(f"{GIN} JD QD"), hand(OTHER), {}, "/knocker/cards"),
        (hand(f"{GIN} JD", discard="KC"), hand(OTHER), {}, "/knocker/discard"),
        (hand(RUNS), hand(f"{OTHER} 3D"), {}, "/defender/cards"),
        (hand(RUNS), hand("KS QS JC TC 8H 7H 6H 4H 2D"), {}, "/defender/cards"),
        (hand(RUNS.replace("5H", "5X")), hand(OTHER), {}, "/knocker/cards/9"),
        (hand(RUNS), hand(OTHER, layoffs="4H>9") | {"discard": "4H"}, {}, "/defender/discard"),
        (hand(RUNS) | {"layoffs": []}, hand(OTHER), {}, "/knocker/layoffs"),
        (hand(RUNS), hand(OTHER), {"limit_card": "joker"}, "/limit_card"),
        (hand(RUNS), hand(OTHER) | {"layoffs": [{"card": "4H", "meld": -1}]}, {}, "/defender/layoffs/0/meld"),
        (hand(RUNS), hand(OTHER), {"taken": "4H"}, "/taken"),
    ],
)
def test_a_request_of_the_wrong_shape_is_pointed_at(http, knocker, defender, others, pointer):
    answer = sent(http, knocker, defender, **others)
    assert_refused(answer, "invalid_request")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
