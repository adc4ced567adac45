"""A turn: draw one card, throw one card (rule 3), and what is refused without a trace."""

import pytest

from service.cards.card import card
from service.cards.cardset import names
from service.rulebooks import gin
from service.rulebooks.errors import CardNotInHand, DiscardJustTaken, NotYourTurn, RuleViolation, WrongPhase
from tests.builders import about_to_throw, dealt_match, legal, play_moves

ELEVEN = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"


def drawing():
    """Seat 1 is to draw: QH has been thrown, and TH is on top of the stock."""
    return play_moves(dealt_match("QH", "", "KC", "9H TH"), "0 pass", "1 pass", "0 draw stock", "0 discard QH")


def test_a_card_drawn_from_the_stock_is_held_and_the_turn_goes_on():
    match = play_moves(drawing(), "1 draw stock")
    assert (gin.turn(match).seat, gin.turn(match).phase) == (1, "discard")
    assert "TH" in names(match.round.hands[1])
    assert match.round.taken is None
    assert match.round.stock == drawing().round.stock[1:]


def test_a_card_taken_from_the_discard_pile_is_held_and_gone_from_the_pile():
    match = play_moves(drawing(), "1 draw discard")
    assert "QH" in names(match.round.hands[1])
    assert match.round.taken == card("QH")
    assert match.round.discards == (card("KC"),)
    assert match.round.stock == drawing().round.stock


def test_a_discard_is_on_top_of_the_pile_and_ends_the_turn():
    match = play_moves(drawing(), "1 draw stock", "1 discard TH")
    assert match.round.discards == (card("KC"), card("QH"), card("TH"))
    assert match.round.hands[1] == drawing().round.hands[1]
    assert (gin.turn(match).seat, gin.turn(match).phase) == (0, "draw")


def test_a_card_drawn_from_the_stock_may_be_thrown_at_once():
    match = about_to_throw(ELEVEN, drawn="KH")
    assert {"type": "discard", "card": "KH"} in legal(match, 0)
    assert play_moves(match, "0 discard KH").round.discards[-1] == card("KH")


def test_a_card_drawn_from_the_stock_may_be_thrown_in_a_knock():
    """5H is left: deadwood 5."""
    match = play_moves(about_to_throw(ELEVEN, drawn="KH"), "0 knock KH")
    assert match.round.laid.deadwood == 5


@pytest.mark.parametrize("text", ["discard KH", "knock KH", "knock KH AS2S3S 4C5C6C 7D8D9D"])
def test_a_card_taken_from_the_discard_pile_may_not_be_thrown_in_the_same_turn(text):
    match = about_to_throw(ELEVEN, taken="KH")
    with pytest.raises(DiscardJustTaken) as refusal:
        play_moves(match, f"0 {text}")
    assert refusal.value.card == "KH"
    assert not [move for move in legal(match, 0) if "KH" in move.values()]


def test_another_card_may_be_thrown_in_a_knock_that_keeps_the_card_taken():
    """5H thrown, KH kept: deadwood 10, at the limit of 10."""
    match = about_to_throw(ELEVEN, taken="KH")
    assert {"type": "knock", "discard": "5H"} in legal(match, 0)
    assert play_moves(match, "0 knock 5H").round.laid.deadwood == 10


def test_the_card_taken_may_be_thrown_in_a_later_turn():
    match = play_moves(
        about_to_throw(ELEVEN, taken="KH"), "0 discard 5H", "1 draw stock", "1 discard AH", "0 draw stock"
    )
    assert play_moves(match, "0 discard KH").round.discards[-1] == card("KH")


def test_a_card_that_the_other_seat_just_threw_can_be_taken_and_then_not_thrown_back():
    match = play_moves(drawing(), "1 draw discard")
    with pytest.raises(DiscardJustTaken):
        play_moves(match, "1 discard QH")


@pytest.mark.parametrize("text", ["discard KS", "knock KS"])
def test_a_card_that_is_not_held_cannot_be_thrown(text):
    with pytest.raises(CardNotInHand) as refusal:
        play_moves(about_to_throw(ELEVEN, drawn="KH"), f"0 {text}")
    assert refusal.value.card == "KS"


@pytest.mark.parametrize("text", ["draw stock", "draw discard", "pass", "spread"])
def test_a_second_draw_in_one_turn_is_refused(text):
    match = about_to_throw(ELEVEN, drawn="KH")
    with pytest.raises(WrongPhase) as refusal:
        play_moves(match, f"0 {text}")
    assert (refusal.value.move, refusal.value.phase) == (text.split()[0], "discard")
    assert match.round.hands[0].bit_count() == 11


@pytest.mark.parametrize("text", ["discard AS", "knock AS", "big_gin", "spread", "pass"])
def test_a_throw_before_the_draw_is_refused(text):
    with pytest.raises(WrongPhase) as refusal:
        play_moves(drawing(), f"1 {text}")
    assert (refusal.value.move, refusal.value.phase) == (text.split()[0], "draw")


@pytest.mark.parametrize("text", ["draw stock", "discard AS", "knock AS", "big_gin", "pass", "spread"])
def test_the_seat_that_is_not_on_turn_cannot_move(text):
    for match in (dealt_match(), drawing(), about_to_throw(ELEVEN, drawn="KH")):
        turn = gin.turn(match).seat
        with pytest.raises(NotYourTurn) as refusal:
            play_moves(match, f"{1 - turn} {text}")
        assert refusal.value.turn == turn


def test_the_moves_to_throw_are_every_discard_and_every_knock_within_the_limit_with_their_deadwood():
    """Three runs, 5H and KH: throwing KH leaves 5, throwing 5H leaves 10, throwing a card of a run leaves more than 15.

    Without AS, 2S 3S are left: 2 + 3 + 5 + 10 = 20; without 2S, 1 + 3 + 15 = 19; without 3S, 18. Without 4C, 26; 5C,
    25; 6C, 24. Without 7D, 32; 8D, 31; 9D, 30.
    """
    listed = gin.view(about_to_throw(ELEVEN, drawn="KH"), 0)["legal_moves"]
    discards = {each["move"]["card"]: each["deadwood"] for each in listed if each["move"]["type"] == "discard"}
    runs = {"AS": 20, "2S": 19, "3S": 18, "4C": 26, "5C": 25, "6C": 24, "7D": 32, "8D": 31, "9D": 30}
    assert discards == runs | {"5H": 10, "KH": 5}
    assert [each for each in listed if each["move"]["type"] != "discard"] == [
        {"move": {"type": "knock", "discard": "5H"}, "deadwood": 10, "gin": False},
        {"move": {"type": "knock", "discard": "KH"}, "deadwood": 5, "gin": False},
    ]


def test_a_refused_move_leaves_the_match_as_it_was():
    match = about_to_throw(ELEVEN, taken="KH")
    before = gin.dump(match)
    for text in ("1 pass", "0 draw stock", "0 discard KH", "0 discard KS", "0 knock AS", "0 big_gin", "0 spread"):
        with pytest.raises(RuleViolation):
            play_moves(match, text)
        assert gin.dump(match) == before


def test_an_event_tells_the_seat_and_the_move_as_it_was_resolved():
    match = about_to_throw(ELEVEN, drawn="KH", against="KS QS JC TC 8H 7H 6H 4H 2D AD")
    event = gin.apply(match, 0, gin.read_move({"type": "knock", "discard": "KH"})).event
    assert (event.seat, event.result) == (0, None)
    assert event.move == {
        "type": "knock",
        "discard": "KH",
        "melds": [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]],
    }
