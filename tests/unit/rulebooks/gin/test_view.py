"""Views: what a seat sees, what an onlooker sees, and what neither does."""

import pytest

from service.rulebooks import gin
from tests.builders import about_to_throw, deal, dealt_match, knocked, last_round, play_moves, rules

HELD = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"
AGAINST = "KS QS JC TC 8H 7H 6H 4H 2D AD"
KNOCK = (HELD, AGAINST)


def hands(match, seat):
    return gin.view(match, seat)["round"]["hands"]


def closed(match, seat, owner):
    return hands(match, seat)[owner] == {"seat": owner, "count": match.round.hands[owner].bit_count()}


def test_before_the_first_deal_there_is_no_round_to_see():
    assert gin.view(gin.start(rules(), 2, None), 0) == {
        "turn": {"seat": None, "phase": "round_over", "deadline": None},
        "round": None,
        "legal_moves": [{"move": {"type": "deal"}}],
        "last_round": None,
        "score": {
            "points": [0, 0],
            "boxes": [0, 0],
            "totals": [0, 0],
            "margin": None,
            "winners": [],
            "over": False,
            "columns": None,
            "lines": [],
        },
    }


def test_a_round_shows_counts_and_the_top_of_the_pile_and_the_own_hand():
    match = dealt_match(HELD, AGAINST, "QH")
    assert gin.view(match, 0)["round"] == {
        "number": 1,
        "dealer": 1,
        "knock_limit": 10,
        "limit_card": None,
        "stock_count": 31,
        "discard_top": "QH",
        "discard_count": 1,
        "taken": None,
        "public": [],
        "hands": [
            {
                "seat": 0,
                "count": 10,
                "cards": ["AS", "2S", "3S", "5H", "7D", "8D", "9D", "4C", "5C", "6C"],
                "melds": [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
                "deadwood": 5,
            },
            {"seat": 1, "count": 10},
        ],
        "spread": None,
    }


def test_the_seat_that_is_not_on_turn_sees_its_own_hand_and_not_the_others():
    match = about_to_throw(HELD, drawn="KH", against=AGAINST)
    assert closed(match, 1, owner=0)
    assert hands(match, 1)[1]["cards"] == ["QS", "KS", "4H", "6H", "7H", "8H", "AD", "2D", "TC", "JC"]


def test_an_onlooker_sees_no_hand_and_has_no_move():
    match = about_to_throw(HELD, drawn="KH", against=AGAINST)
    assert closed(match, None, owner=0)
    assert closed(match, None, owner=1)
    assert gin.view(match, None)["legal_moves"] == []


def test_the_own_eleven_cards_are_laid_out_with_the_deadwood_of_all():
    """5H and KH: 15."""
    own = hands(about_to_throw(HELD, drawn="KH", against=AGAINST), 0)[0]
    assert (own["count"], own["deadwood"]) == (11, 15)


def test_the_card_taken_is_seen_by_all_and_a_card_drawn_from_the_stock_by_nobody():
    taken, drawn = about_to_throw(HELD, taken="KH"), about_to_throw(HELD, drawn="KH")
    for seat in (0, 1, None):
        assert gin.view(taken, seat)["round"]["taken"] == "KH"
        assert gin.view(taken, seat)["round"]["public"] == [{"seat": 0, "took": "KH", "threw": None}]
        assert gin.view(drawn, seat)["round"]["taken"] is None
        assert gin.view(drawn, seat)["round"]["public"][-1] == {"seat": 0, "took": "stock", "threw": None}


def test_passes_takes_and_throws_are_listed_in_order():
    match = play_moves(about_to_throw(HELD, drawn="KH", against=AGAINST), "0 discard KH", "1 draw discard")
    match = play_moves(match, "1 discard AD", "0 draw stock")
    assert gin.view(match, None)["round"]["public"] == [
        {"seat": 0, "took": None, "threw": None},
        {"seat": 1, "took": None, "threw": None},
        {"seat": 0, "took": "stock", "threw": "KH"},
        {"seat": 1, "took": "KH", "threw": "AD"},
        {"seat": 0, "took": "stock", "threw": None},
    ]


def test_with_the_upcard_taken_the_pile_is_empty():
    seen = gin.view(about_to_throw(HELD, taken="KH"), 1)["round"]
    assert (seen["discard_top"], seen["discard_count"]) == (None, 0)


def test_only_the_top_of_the_discard_pile_is_shown():
    match = play_moves(about_to_throw(HELD, drawn="KH", against=AGAINST), "0 discard KH")
    seen = gin.view(match, 1)["round"]
    assert (seen["discard_top"], seen["discard_count"], seen["stock_count"]) == ("KH", 2, 30)


# --- While the defender is to spread ---


@pytest.mark.parametrize("seat", [0, None])
def test_the_defenders_hand_is_hidden_from_the_knocker_and_from_onlookers(seat):
    match = knocked(*KNOCK)
    assert closed(match, seat, owner=1)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_knockers_melds_and_deadwood_are_shown_to_all(seat):
    assert gin.view(knocked(*KNOCK), seat)["round"]["spread"] == {
        "seat": 0,
        "melds": [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
        "deadwood_cards": ["5H"],
        "deadwood": 5,
    }


# --- After the round ---


@pytest.mark.parametrize("seat", [0, 1, None])
def test_after_the_round_both_hands_are_open_to_all_as_they_were_laid(seat):
    """6H 7H 8H are melded; 10 + 10 + 10 + 10 + 4 + 2 + 1 = 47 are left, and nothing can be laid off."""
    match = play_moves(knocked(*KNOCK), "1 spread")
    first, second = hands(match, seat)
    assert (first["melds"], first["deadwood"]) == ([["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]], 5)
    assert (second["melds"], second["deadwood"]) == ([["6H", "7H", "8H"]], 47)
    assert (first["count"], second["count"]) == (10, 10)


def test_cards_laid_off_count_no_more_and_are_still_shown_as_held():
    """KS QS go on 9S TS JS and 6H 7H 8H are melded: 4 + 1 + 2 + 10 + 10 = 27 are left."""
    match = play_moves(knocked("9S TS JS 4C 5C 6C 7D 8D 9D 5H", AGAINST), "1 spread | QS>0 KS>0")
    second = hands(match, None)[1]
    assert second["count"] == 10
    assert {"QS", "KS"} <= set(second["cards"])
    assert second["deadwood"] == 27
    assert last_round(match)["spreads"][1]["deadwood_cards"] == ["4H", "AD", "2D", "TC", "JC"]


def test_the_result_tells_all_that_happened():
    match = play_moves(knocked("9S TS JS 4C 5C 6C 7D 8D 9D 5H", AGAINST), "1 spread | QS>0 KS>0")
    assert last_round(match) == {
        "number": 1,
        "dealer": 1,
        "kind": "knock",
        "winner": 0,
        "points": 22,
        "deadwood": [5, 27],
        "knocker": 0,
        "spreads": [
            {
                "seat": 0,
                "melds": [["9S", "TS", "JS"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
                "deadwood_cards": ["5H"],
                "deadwood": 5,
            },
            {
                "seat": 1,
                "melds": [["6H", "7H", "8H"]],
                "deadwood_cards": ["4H", "AD", "2D", "TC", "JC"],
                "deadwood": 27,
            },
        ],
        "layoffs": [{"seat": 1, "card": "QS", "meld": 0}, {"seat": 1, "card": "KS", "meld": 0}],
        "lines": [{"seat": 0, "round": 1, "part": "deadwood", "points": 22, "rule": "knock"}],
    }


def test_in_the_next_round_hands_are_closed_again():
    match = play_moves(knocked(*KNOCK), "1 spread")
    match = deal(match, [*reversed(range(52))], 0)
    assert closed(match, 0, owner=1)
    assert closed(match, None, owner=0)
    assert gin.view(match, None)["last_round"]["kind"] == "knock"


def test_three_columns_are_shown_as_scoreboards_of_their_own():
    match = play_moves(knocked(*KNOCK, ruleset=rules("hollywood")), "1 spread")
    score = gin.score(match)
    assert [column["points"] for column in score["columns"]] == [[42, 0], [0, 0], [0, 0]]
    assert [column["columns"] for column in score["columns"]] == [None, None, None]
    assert score["totals"] == [42, 0]
