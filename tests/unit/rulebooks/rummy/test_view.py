"""What a seat sees: its own hand, the table and the pile's top; and nothing of the others' cards."""

import pytest

from service.cards.card import NAMES
from service.cards.cardset import names
from service.rulebooks import rummy
from service.rulebooks.errors import RuleViolation
from tests.unit.rulebooks.rummy.positions import POSITIONS
from tests.unit.rulebooks.rummy.tables import dealt, play, rules, table

LAYING = POSITIONS["melded and laid off"]


def accepted(match, seat, move):
    try:
        rummy.apply(match, seat, rummy.read_move(move))
    except RuleViolation:
        return False
    return True


def hands(match, seat):
    return rummy.view(match, seat)["round"]["hands"]


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_have():
    """5S 5 and 6S 6 and 7S 7: 18."""
    assert hands(LAYING, 0) == [
        {"seat": 0, "count": 3, "cards": ["5S", "6S", "7S"], "deadwood": 18},
        {"seat": 1, "count": 2},
        {"seat": 2, "count": 2},
    ]


def test_an_onlooker_sees_no_hand():
    assert hands(LAYING, None) == [{"seat": 0, "count": 3}, {"seat": 1, "count": 2}, {"seat": 2, "count": 2}]
    assert rummy.view(LAYING, None)["legal_moves"] == []


def test_seats_that_were_left_out_have_no_hand():
    assert [hand["seat"] for hand in hands(POSITIONS["dealt to some of the seats"], 3)] == [0, 3, 5]


def test_a_round_shows_its_table_its_piles_and_what_everybody_saw():
    round = rummy.view(LAYING, 1)["round"]
    shown = {key: value for key, value in round.items() if key not in ("hands", "stock_count")}
    assert shown == {
        "number": 1,
        "dealer": 2,
        "discard_top": "JD",
        "discard_count": 2,
        "taken": None,
        "public": [{"seat": 0, "took": "stock", "threw": None}],
        "table": [{"meld": 0, "seat": 1, "cards": ["KS", "KH", "KD", "KC"]}],
    }
    assert round["stock_count"] == 52 - 3 - 2 - 2 - 2 - 4


def test_a_card_from_the_pile_was_seen_by_all_and_one_from_the_stock_by_nobody():
    taken = rummy.view(POSITIONS["a card is taken"], None)["round"]
    assert (taken["public"][-1]["took"], taken["taken"]) == ("JD", "JD")
    assert rummy.view(POSITIONS["a card is drawn"], None)["round"]["public"][-1]["took"] == "stock"


@pytest.mark.parametrize("name", ["out", "rummy", "blocked", "the match is won", "all but one have resigned"])
def test_after_a_round_all_hands_are_open(name):
    match = POSITIONS[name]
    for seat in (*range(match.table), None):
        assert [hand["cards"] for hand in hands(match, seat)] == [names(hand) for hand in match.round.hands]


def test_after_a_match_that_was_given_up_the_hands_are_open_too():
    match = POSITIONS["given up during a round"]
    assert [hand["cards"] for hand in hands(match, None)] == [names(hand) for hand in match.round.hands]
    assert rummy.view(match, 0)["turn"] is None


def test_the_turn_tells_seat_and_phase():
    assert rummy.view(LAYING, 2)["turn"] == {"seat": 0, "phase": "play", "deadline": None}
    assert rummy.view(POSITIONS["blocked"], 2)["turn"] == {"seat": None, "phase": "round_over", "deadline": None}
    assert rummy.view(POSITIONS["the match is won"], 0)["turn"] is None


def test_before_the_first_deal_there_is_no_round_and_any_seat_may_deal():
    shown = rummy.view(POSITIONS["before the first deal"], 2)
    assert (shown["round"], shown["last_round"]) == (None, None)
    assert shown["legal_moves"] == [{"move": {"type": "deal"}}]


def test_the_result_tells_what_every_seat_of_the_table_held_and_scored():
    """Seats 0, 3 and 5 of six play; seat 3 goes out. The others hold 9C 4D: 13, and AC QD: 11."""
    match = table("9C 4D", "", "", "5S 6S", "", "AC QD", stock="7S", seats=(0, 3, 5), turn=3, laid=("3 2H 3H 4H",))
    match = play(match, "3 draw stock", "3 meld 5S6S7S")
    assert rummy.view(match, None)["last_round"] == {
        "number": 1,
        "dealer": 5,
        "kind": "out",
        "winner": 3,
        "scores": [13, 0, 0, 0, 0, 11],
        "deadwood": [13, 0, 0, 0, 0, 11],
        "spreads": [
            {"seat": 0, "melds": [], "deadwood_cards": ["4D", "9C"], "deadwood": 13},
            {"seat": 3, "melds": [], "deadwood_cards": [], "deadwood": 0},
            {"seat": 5, "melds": [], "deadwood_cards": ["QD", "AC"], "deadwood": 11},
        ],
        "lines": [
            {"seat": 0, "round": 1, "part": "cards_left", "points": 13, "rule": "each_adds"},
            {"seat": 5, "round": 1, "part": "cards_left", "points": 11, "rule": "each_adds"},
        ],
    }


def test_deadwood_counts_aces_as_the_ruleset_does():
    match = dealt(2, ruleset=rules(ace="either"))
    held = hands(match, 1)[1]
    assert held["cards"][0] == "AS"
    assert held["deadwood"] == 11 + 3 + 5 + 7 + 9 + 10 + 10 + 2 + 4 + 6


def test_every_move_listed_is_accepted_and_no_other_throw_is():
    for match in POSITIONS.values():
        now = rummy.turn(match)
        if now is None or now.seat is None:
            continue
        listed = [each["move"] for each in rummy.view(match, now.seat)["legal_moves"]]
        throws = [{"type": "discard", "card": card} for card in NAMES]
        tried = listed + [throw for throw in throws if throw not in listed]
        assert [move for move in tried if accepted(match, now.seat, move)] == listed
