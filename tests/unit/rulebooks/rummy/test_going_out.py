"""Going out: by meld, layoff or discard of the last card; with `discard_to_go_out` by a discard only."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.errors import WrongPhase
from service.rulebooks.rummy.errors import LastCardMustBeDiscarded
from tests.unit.rulebooks.rummy.tables import last_round, legal, outcome, phase, play, rules, table

KINGS = "1 KS KH KD"
OWN = "0 2H 3H 4H"
MUST_DISCARD = rules(discard_to_go_out=True)


def drawn(held, card, *laid, **others):
    return play(table(held, "AH", "AD QD", pile="2C", stock=card, laid=laid, **others), "0 draw stock")


def test_by_melding_the_last_cards():
    """Seat 1 has an ace left, seat 2 an ace and a queen: 1 and 11."""
    match = play(drawn("5S 6S", "7S", OWN), "0 meld 5S6S7S")
    assert outcome(match) == ("out", 0, [0, 1, 11])
    assert match.round.hands[0] == 0


def test_by_laying_the_last_card_off():
    match = play(drawn("5H", "KC", OWN, KINGS), "0 lay 5H>0", "0 lay KC>1")
    assert outcome(match) == ("out", 0, [0, 1, 11])


def test_by_discarding_the_last_card():
    match = play(drawn("5H", "9C", OWN), "0 lay 5H>0", "0 discard 9C")
    assert outcome(match) == ("out", 0, [0, 1, 11])
    assert rummy.view(match, None)["round"]["discard_top"] == "9C"


def test_the_round_is_over_at_once_and_all_hands_are_open():
    match = play(drawn("5S 6S", "7S", OWN), "0 meld 5S6S7S")
    assert phase(match) == (None, "round_over")
    shown = rummy.view(match, None)["round"]["hands"]
    assert [hand["cards"] for hand in shown] == [[], ["AH"], ["AD", "QD"]]
    with pytest.raises(WrongPhase) as refusal:
        play(match, "1 draw stock")
    assert (refusal.value.move, refusal.value.phase) == ("draw", "round_over")
    assert legal(match, 1) == ["deal"]


@pytest.mark.parametrize(
    ("match", "text"),
    [
        (drawn("5S 6S", "7S", OWN, ruleset=MUST_DISCARD), "meld 5S6S7S"),
        (play(drawn("5H", "KC", OWN, KINGS, ruleset=MUST_DISCARD), "0 lay 5H>0"), "lay KC>1"),
    ],
    ids=["meld", "layoff"],
)
def test_where_the_last_card_must_be_discarded_neither_meld_nor_layoff_may_take_it(match, text):
    with pytest.raises(LastCardMustBeDiscarded):
        play(match, f"0 {text}")
    assert text not in legal(match, 0)
    assert len(legal(match, 0)) >= 1


def test_where_the_last_card_must_be_discarded_a_discard_ends_the_round():
    match = drawn("5H", "KC", OWN, KINGS, ruleset=MUST_DISCARD)
    assert outcome(play(match, "0 lay 5H>0", "0 discard KC")) == ("out", 0, [0, 1, 11])
    assert outcome(play(match, "0 lay KC>1", "0 discard 5H")) == ("out", 0, [0, 1, 11])


def test_going_out_in_one_turn_with_nothing_laid_before_is_rummy():
    assert last_round(play(drawn("5S 6S", "7S"), "0 meld 5S6S7S"))["kind"] == "rummy"
    assert last_round(play(drawn("5S 6S 7S", "9C"), "0 meld 5S6S7S", "0 discard 9C"))["kind"] == "rummy"
    assert last_round(play(drawn("KC", "9C", KINGS), "0 lay KC>0", "0 discard 9C"))["kind"] == "rummy"


def test_a_layoff_in_an_earlier_turn_makes_it_an_ordinary_out():
    match = table("KC 5S 6S 9C", "AH 8C", "AD", pile="2C", stock="TD 2S 3S 7S", laid=(KINGS,))
    match = play(match, "0 draw stock", "0 lay KC>0", "0 discard TD", "1 draw stock", "1 discard 2S")
    match = play(match, "2 draw stock", "2 discard 3S", "0 draw stock", "0 meld 5S6S7S", "0 discard 9C")
    assert last_round(match)["kind"] == "out"


def test_a_hand_that_only_drew_and_threw_before_can_still_go_rummy():
    match = table("5S 6S 9C", "AH 8C", "AD", pile="2C", stock="TD 2S 3S 7S")
    match = play(match, "0 draw stock", "0 discard TD", "1 draw stock", "1 discard 2S")
    match = play(match, "2 draw stock", "2 discard 3S", "0 draw stock", "0 meld 5S6S7S", "0 discard 9C")
    assert last_round(match)["kind"] == "rummy"


def test_the_result_is_in_the_event_of_the_move_that_ended_the_round():
    match = drawn("5S 6S", "7S", OWN)
    step = rummy.apply(match, 0, rummy.read_move({"type": "meld", "cards": ["5S", "6S", "7S"]}))
    assert step.event.result == last_round(step.state)
    assert step.event.result["spreads"] == [
        {"seat": 0, "melds": [], "deadwood_cards": [], "deadwood": 0},
        {"seat": 1, "melds": [], "deadwood_cards": ["AH"], "deadwood": 1},
        {"seat": 2, "melds": [], "deadwood_cards": ["AD", "QD"], "deadwood": 11},
    ]
