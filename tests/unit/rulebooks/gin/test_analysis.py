"""What the engine says of hands, rounds and score pads from elsewhere."""

import json
from pathlib import Path

import pytest

from service.cards.card import card
from service.cards.cardset import cardset, names
from service.rulebooks.errors import CardNotInHand, GameOver, InvalidMeld, LayoffDoesNotFit, MeldsOverlap
from service.rulebooks.gin import analysis
from service.rulebooks.gin.analysis import DefenderHand, KnockerHand, PadRound
from service.rulebooks.gin.errors import BigGinNotPlayed, DeadwoodOverLimit, NoSpreadFollows
from tests.builders import cards, layoffs, named, rules

HANDS = Path(__file__).parents[3] / "vectors" / "hands.jsonl"
RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"
GIN = "2S 3S 4S 4C 5C 6C 7D 8D 9D TD"
OTHER = "KS QS JC TC 8H 7H 6H 4H 2D AD"
"""A run of hearts, and 10 + 10 + 10 + 10 + 4 + 2 + 1 = 47."""
BREAKING = ("KS KC KD 5S 6S 7S 9C TC JC JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H")


def hand(text, taken=None, limit=10):
    return analysis.hand(cards(text), None if taken is None else card(taken), limit)


def round(knocker, defender, ruleset=None, limit_card=None, **named_by):
    own = {key: named_by[key] for key in ("discard", "melds") if key in named_by}
    other = {key.removeprefix("own_"): value for key, value in named_by.items() if key in ("own_melds", "layoffs")}
    return analysis.round(
        ruleset or rules(),
        None if limit_card is None else card(limit_card),
        KnockerHand(cards(knocker), **own),
        DefenderHand(cards(defender), **other),
    )


# --- Hands ---


def test_a_hand_of_up_to_ten_cards_is_counted_as_it_is():
    assert hand("7S 8S 9S 7H KC") == {
        "deadwood": 17,
        "melds": [["7S", "8S", "9S"]],
        "deadwood_cards": ["7H", "KC"],
    }


def test_a_hand_of_eleven_cards_is_told_how_the_round_may_end():
    assert hand(f"{RUNS} KH") == {
        "deadwood": 15,
        "melds": [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
        "deadwood_cards": ["5H", "KH"],
        "deadwood_after_best_throw": 5,
        "best_throws": ["KH"],
        "knock": True,
        "gin": False,
        "big_gin": False,
    }


@pytest.mark.parametrize(("limit", "knock"), [(10, True), (5, True), (4, False)])
def test_the_limit_decides_whether_a_knock_is_possible(limit, knock):
    assert hand(f"{RUNS} KH", limit=limit)["knock"] is knock


def test_the_card_taken_is_not_thrown():
    found = hand(f"{RUNS} KH", taken="KH")
    assert (found["deadwood_after_best_throw"], found["best_throws"]) == (10, ["5H"])


def test_gin_and_big_gin_are_told():
    assert (hand(f"{GIN} KH")["gin"], hand(f"{GIN} KH")["big_gin"]) == (True, False)
    assert (hand(f"{GIN} JD")["gin"], hand(f"{GIN} JD")["big_gin"]) == (True, True)


def test_a_card_twice_or_a_card_taken_and_not_held_is_refused():
    with pytest.raises(MeldsOverlap) as refusal:
        hand("KH KH")
    assert refusal.value.card == "KH"
    with pytest.raises(CardNotInHand) as missing:
        hand("KH QH", taken="JH")
    assert missing.value.card == "JH"


def test_the_stored_hands_are_analysed_as_two_other_engines_found():
    wrong = []
    for case in (json.loads(line) for line in HANDS.read_text().splitlines()):
        found = hand(" ".join(case["hand"]))
        expected = {key: value for key, value in case.items() if key != "hand"}
        if "best_throws" in expected:
            expected["best_throws"] = names(cardset(map(card, expected["best_throws"])))
        if {key: found[key] for key in expected} != expected:
            wrong.append(case)
    assert wrong == []


# --- Rounds ---


def test_a_round_is_told_with_roles_instead_of_seats():
    """9 against 10 by the optimum: undercut, 1 and 25."""
    found = round(*BREAKING)
    assert {key: found[key] for key in ("kind", "winner", "knocker", "points", "deadwood")} == {
        "kind": "undercut",
        "winner": "defender",
        "knocker": "knocker",
        "points": 26,
        "deadwood": [10, 9],
    }
    assert [spread["seat"] for spread in found["spreads"]] == ["knocker", "defender"]
    assert {layoff["seat"] for layoff in found["layoffs"]} == {"defender"}
    assert found["lines"] == [
        {"seat": "defender", "round": None, "part": "deadwood", "points": 1, "rule": "undercut"},
        {"seat": "defender", "round": None, "part": "bonus", "points": 25, "rule": "undercut_bonus"},
    ]


def test_the_defenders_answer_may_be_named():
    """Twos and eights without a layoff: 17 against 10."""
    found = round(*BREAKING, own_melds=named("2S 2C 2D 2H", "8S 8C 8D"))
    assert (found["kind"], found["winner"], found["points"]) == ("knock", "knocker", 7)
    found = round(*BREAKING, layoffs=())
    assert (found["kind"], found["points"]) == ("knock", 7)


def test_the_knockers_melds_may_be_named():
    """With AS 2S 3S unmelded and AH the deadwood is 7, with 4C 5C 6C unmelded 16."""
    held = "AS 2S 3S 4C 5C 6C 7D 8D 9D AH"
    assert round(held, OTHER, melds=named("4C 5C 6C", "7D 8D 9D"))["deadwood"][0] == 7
    with pytest.raises(DeadwoodOverLimit):
        round(held, OTHER, melds=named("AS 2S 3S", "7D 8D 9D"))


def test_a_tie_may_have_no_winner():
    found = round(
        RUNS,
        "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S",
        rules(undercut_on_tie=False),
        own_melds=named("AC 2C 3C", "4D 5D 6D", "7H 8H 9H"),
    )
    assert (found["kind"], found["winner"], found["points"], found["lines"]) == ("tie", None, 0, [])


def test_gin_and_big_gin_are_priced():
    """70 and 25; 70 and 31."""
    other = "5S 7C JD KH KS 2H 3D 9H 8C 6H"
    assert (round(GIN, other)["kind"], round(GIN, other)["points"]) == ("gin", 95)
    big = round(f"{GIN} JD", other.replace("JD", "QH"))
    assert (big["kind"], big["points"]) == ("big_gin", 101)


def test_the_throw_is_out_of_the_defenders_reach():
    """With 6S thrown the run 7S-TS is laid, and JS alone extends it."""
    found = round("7S 7H 7D 7C 8S 9S TS 2H AD 4H", "KS QS KC QC JC QD JD TH 9H 2D", discard=card("6S"))
    assert found["spreads"][0]["melds"] == [["7S", "8S", "9S", "TS"], ["7H", "7D", "7C"]]


@pytest.mark.parametrize(("limit_card", "points"), [("6H", 42), ("5S", 84)])
def test_oklahoma_takes_the_card_that_set_the_limit(limit_card, points):
    """47 - 5 = 42, and twice as much for a spade."""
    assert round(RUNS, OTHER, rules("oklahoma"), limit_card)["points"] == points


def test_oklahoma_refuses_a_knock_over_the_limit_of_its_card():
    with pytest.raises(DeadwoodOverLimit) as refusal:
        round(RUNS, OTHER, rules("oklahoma"), "4D")
    assert (refusal.value.deadwood, refusal.value.limit) == (5, 4)


NO_ANSWER = [
    (GIN, rules(), "gin"),
    (f"{GIN} JD", rules(), "big gin"),
    (RUNS, rules(layoff="auto"), "the engine lays off"),
]


@pytest.mark.parametrize(("knocker", "ruleset", "why"), NO_ANSWER, ids=[why for *_, why in NO_ANSWER])
def test_no_answer_can_be_named_where_the_rules_have_none(knocker, ruleset, why):
    for answer in ({"own_melds": ()}, {"layoffs": ()}):
        with pytest.raises(NoSpreadFollows):
            round(knocker, OTHER, ruleset, **answer)


@pytest.mark.parametrize(
    ("knocker", "defender", "extra", "kind"),
    [
        (RUNS, OTHER.replace("AD", "5H"), {}, MeldsOverlap),
        (RUNS, OTHER, {"discard": card("AD")}, MeldsOverlap),
        (RUNS, OTHER, {"melds": named("AS 2S")}, InvalidMeld),
        (RUNS, OTHER, {"layoffs": layoffs("KS>0")}, LayoffDoesNotFit),
        ("KS QD JC TC 8H 7H 6H 4H 2D AD", "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", {}, DeadwoodOverLimit),
    ],
)
def test_a_round_that_cannot_have_been_is_refused(knocker, defender, extra, kind):
    with pytest.raises(kind):
        round(knocker, defender, **extra)


def test_eleven_cards_are_big_gin_or_refused():
    other = OTHER
    with pytest.raises(DeadwoodOverLimit):
        round(f"{GIN} KC", other)
    with pytest.raises(BigGinNotPlayed):
        round(f"{GIN} JD", other, rules("classic"))


# --- Score pads ---


def test_a_score_pad_is_added_up_like_a_match():
    """20 + 25 : 105 + 50 + 100."""
    found = analysis.match(rules(), [PadRound("knock", 1, 20), PadRound("gin", 0, 60), PadRound("undercut", 0, 45)])
    assert (found["points"], found["totals"], found["margin"]) == ([105, 20], [255, 45], 210)
    assert (found["over"], found["winners"]) == (True, [0])


def test_a_score_pad_may_be_of_a_match_that_goes_on():
    found = analysis.match(rules(), [PadRound("void", None, 0), PadRound("knock", 1, 20)])
    assert (found["totals"], found["over"]) == ([0, 20], False)
    assert found["lines"] == [{"seat": 1, "round": 2, "part": "round", "points": 20, "rule": "knock"}]
    assert analysis.match(rules(), [])["totals"] == [0, 0]


def test_a_round_after_the_end_is_refused():
    with pytest.raises(GameOver):
        analysis.match(rules(), [PadRound("gin", 0, 100), PadRound("void", None, 0)])


def test_big_gin_on_a_pad_needs_a_ruleset_that_has_it():
    assert analysis.match(rules(), [PadRound("big_gin", 0, 60)])["points"] == [60, 0]
    with pytest.raises(BigGinNotPlayed):
        analysis.match(rules("classic"), [PadRound("big_gin", 0, 60)])
