"""What the service says of hands that come from elsewhere."""

import json
from pathlib import Path

import pytest

HANDS = [json.loads(line) for line in (Path(__file__).parents[1] / "vectors" / "hands.jsonl").read_text().splitlines()]
THREE_RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D"
SUITS = {suit: place for place, suit in enumerate("SHDC")}
RANKS = {rank: place for place, rank in enumerate("A23456789TJQK", 1)}


def sent(http, cards, **others):
    """The answer to a hand, written `AS 2S`."""
    return http.post("/v1/analysis/hand", json={"hand": cards.split()} | others)


def analysed(http, cards, **others):
    answer = sent(http, cards, **others)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert_laid_out(cards.split(), found)
    return found


def assert_laid_out(cards, found):
    """Melds and deadwood cards are the hand, each meld is one, and the deadwood is what the rest counts."""
    shown = [card for meld in found["melds"] for card in meld] + found["deadwood_cards"]
    assert sorted(shown) == sorted(cards)
    assert sum(min(RANKS[card[0]], 10) for card in found["deadwood_cards"]) == found["deadwood"]
    for meld in found["melds"]:
        ranks = sorted(RANKS[card[0]] for card in meld)
        suits = {card[1] for card in meld}
        is_set = len(set(ranks)) == 1 and len(suits) == len(meld)
        is_run = len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(meld)))
        assert len(meld) >= 3
        assert is_set or is_run


def in_card_order(cards):
    return sorted(cards, key=lambda card: (SUITS[card[1]], RANKS[card[0]]))


def test_every_stored_hand_is_found_as_two_other_engines_found_it(http):
    differing = []
    for case in HANDS:
        found = analysed(http, " ".join(case["hand"]))
        expected = {key: value for key, value in case.items() if key != "hand"}
        if "best_throws" in expected:
            expected["best_throws"] = in_card_order(expected["best_throws"])
            expected["gin"] = case["deadwood_after_best_throw"] == 0
            expected["knock"] = case["deadwood_after_best_throw"] <= 10
            expected["big_gin"] = case["deadwood"] == 0
        if {key: found.get(key) for key in expected} != expected:
            differing.append(case["hand"])
    assert len(HANDS) == 330
    assert differing == []


def test_a_card_taken_is_never_among_the_best_throws(http):
    """Each best throw of each stored hand, were it the card just taken, is kept; and what is left is no better."""
    drawn = [case for case in HANDS if "best_throws" in case]
    for case in drawn:
        cards = " ".join(case["hand"])
        taken = case["best_throws"][0]
        found = analysed(http, cards, taken=taken)
        others = [card for card in case["best_throws"] if card != taken]
        assert taken not in found["best_throws"]
        assert found["best_throws"]
        assert found["deadwood_after_best_throw"] >= case["deadwood_after_best_throw"]
        if others:
            assert found["best_throws"] == in_card_order(others)
        else:
            assert found["deadwood_after_best_throw"] > case["deadwood_after_best_throw"]
    assert len(drawn) == 125


def test_up_to_ten_cards_are_told_no_throw(http):
    assert analysed(http, f"{THREE_RUNS} 5H") == {
        "deadwood": 5,
        "melds": [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
        "deadwood_cards": ["5H"],
    }


@pytest.mark.parametrize(("card", "deadwood"), [("AS", 1), ("7H", 7), ("TD", 10), ("JC", 10), ("QS", 10), ("KH", 10)])
def test_a_single_card_is_deadwood(http, card, deadwood):
    assert analysed(http, card) == {"deadwood": deadwood, "melds": [], "deadwood_cards": [card]}


def test_two_cards_are_never_a_meld_and_three_can_be(http):
    assert analysed(http, "7S 8S")["deadwood"] == 15
    assert analysed(http, "9S 7S 8S")["melds"] == [["7S", "8S", "9S"]]


def test_the_ace_is_low_only(http):
    """3 + 10 + 10 + 1 = 24 with the king, where A 2 3 would be a run."""
    assert analysed(http, "AS 2S 3S")["deadwood"] == 0
    assert analysed(http, "QS KS AS 3S")["deadwood"] == 24
    assert analysed(http, "KS AS 2S")["deadwood"] == 13


@pytest.mark.parametrize(
    ("cards", "deadwood"),
    [
        ("JC 9D 8S 6D JS 8H TD 8D 7D JD", 16),
        ("6H QH QC 5H KD KH 7H KC 4H QD", 0),
        ("KC 3S 3C 9C KH 3H 9H 3D 9D KD", 0),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH", 0),
    ],
)
def test_hands_in_which_melds_compete(http, cards, deadwood):
    assert analysed(http, cards)["deadwood"] == deadwood


def test_cards_in_lower_case_are_read(http):
    assert analysed(http, "9S TS JS")["melds"] == sent(http, "js 9s Ts").json()["melds"]


# --- Eleven cards ---


def test_the_best_eleven_less_their_dearest_card_is_not_the_best_throw(http):
    """The eleven come to 5 at best; throwing 6H leaves gin, though it is in a meld of theirs."""
    found = analysed(http, "4S 5S 4C 5C 2D 3D 4D 5D 4H 5H 6H", knock_limit=0)
    assert (found["deadwood"], found["deadwood_after_best_throw"], found["best_throws"]) == (5, 0, ["6H"])
    assert (found["knock"], found["gin"], found["big_gin"]) == (True, True, False)


def test_all_throws_that_leave_the_least_are_named_in_card_order(http):
    """Three runs, KH and KD: either king leaves 10."""
    found = analysed(http, f"KD {THREE_RUNS} KH")
    assert (found["deadwood_after_best_throw"], found["best_throws"]) == (10, ["KH", "KD"])
    assert analysed(http, f"KD {THREE_RUNS} KH", taken="KH")["best_throws"] == ["KD"]


def test_the_card_taken_must_be_kept_even_if_it_costs_the_knock(http):
    """Three runs, 5H and KH: 5 without the king, 10 without the five."""
    drawn = analysed(http, f"{THREE_RUNS} 5H KH", knock_limit=9)
    assert (drawn["deadwood_after_best_throw"], drawn["best_throws"], drawn["knock"]) == (5, ["KH"], True)
    taken = analysed(http, f"{THREE_RUNS} 5H KH", knock_limit=9, taken="kh")
    assert (taken["deadwood_after_best_throw"], taken["best_throws"], taken["knock"]) == (10, ["5H"], False)


@pytest.mark.parametrize(("limit", "knock"), [({}, True), (10, True), (5, True), (4, False), (0, False)])
def test_the_knock_limit_decides_whether_to_knock(http, limit, knock):
    """5 is left; without a limit named it is 10."""
    given = limit if limit == {} else {"knock_limit": limit}
    found = analysed(http, f"{THREE_RUNS} 5H KH", **given)
    assert (found["knock"], found["gin"]) == (knock, False)


def test_big_gin_is_eleven_cards_melded_the_taken_one_too(http):
    found = analysed(http, f"{THREE_RUNS} TD JD", knock_limit=0, taken="JD")
    assert (found["deadwood"], found["big_gin"], found["gin"], found["knock"]) == (0, True, True, True)
    assert found["best_throws"] == ["7D"]


def test_with_two_sets_of_four_any_card_of_them_may_go_for_gin(http):
    found = analysed(http, "2S 3S 4S 7H 7D 7C 7S QC QD QH QS")
    assert (found["big_gin"], found["gin"]) == (True, True)
    assert found["best_throws"] == ["7S", "QS", "7H", "QH", "7D", "QD", "7C", "QC"]


# --- Refusals ---


@pytest.mark.parametrize(
    ("cards", "others", "code", "facts"),
    [
        ("KH QH KH", {}, "melds_overlap", {"card": "KH"}),
        ("kh QH KH", {}, "melds_overlap", {"card": "KH"}),
        (f"{THREE_RUNS} 5H KH", {"taken": "KD"}, "card_not_in_hand", {"card": "KD"}),
        ("KH", {"taken": "AS"}, "card_not_in_hand", {"card": "AS"}),
    ],
)
def test_cards_that_are_no_hand_are_refused(http, cards, others, code, facts):
    answer = sent(http, cards, **others)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert answer.json().items() >= facts.items()


@pytest.mark.parametrize(
    ("cards", "others", "pointer"),
    [
        ("", {}, "/hand"),
        (f"{THREE_RUNS} TD JD QD", {}, "/hand"),
        ("KH 1S", {}, "/hand/1"),
        ("10H", {}, "/hand/0"),
        ("KH", {"taken": "joker"}, "/taken"),
        ("KH", {"knock_limit": 11}, "/knock_limit"),
        ("KH", {"knock_limit": -1}, "/knock_limit"),
        ("KH", {"knock_limit": "upcard"}, "/knock_limit"),
        ("KH", {"knock_limit": True}, "/knock_limit"),
        ("KH", {"ruleset": "standard"}, "/ruleset"),
    ],
)
def test_a_request_of_the_wrong_shape_is_pointed_at(http, cards, others, pointer):
    answer = sent(http, cards, **others)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


def test_nothing_is_asked_of_the_caller_and_nothing_kept(http):
    answer = sent(http, "KH", taken=None)
    assert answer.headers["Cache-Control"] == "no-store"
    assert http.get("/v1/analysis/hand").status_code == 405
