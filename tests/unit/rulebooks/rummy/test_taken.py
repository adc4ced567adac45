"""A card taken from the discard pile stays in the hand this turn, or goes to the table."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.errors import DiscardJustTaken
from service.rulebooks.rummy.errors import TakenCardLeft
from tests.unit.rulebooks.rummy.tables import last_round, legal, phase, play, rules, table

KINGS = ("1 KS KH KD",)


def taken(held, card, **others):
    return play(table(held, "AH", "AD", pile=f"2C {card}", **others), "0 draw discard")


def test_a_card_taken_may_not_be_thrown_in_the_same_turn():
    match = taken("5S JD", "9H")
    with pytest.raises(DiscardJustTaken) as refusal:
        play(match, "0 discard 9H")
    assert refusal.value.card == "9H"
    assert legal(match, 0) == ["discard 5S", "discard JD"]


def test_it_may_be_thrown_in_a_later_turn():
    match = play(taken("5S JD", "9H", stock="3C 4C 6D"), "0 discard JD", "1 draw stock", "1 discard 3C")
    match = play(match, "2 draw stock", "2 discard 4C", "0 draw stock")
    assert "discard 9H" in legal(match, 0)


def test_the_card_just_thrown_can_be_taken_by_the_next_seat_who_keeps_it():
    match = play(taken("5S JD", "9H"), "0 discard JD", "1 draw discard")
    assert legal(match, 1) == ["discard AH"]


def test_it_may_be_melded_or_laid_off_at_once():
    assert "meld 9S9H9D" in legal(taken("9S 9D 5S", "9H"), 0)
    assert "lay KC>0" in legal(taken("9D 5S", "KC", laid=KINGS), 0)


def test_once_it_is_laid_off_the_other_cards_may_be_thrown():
    """KC is on the table then, and 9D is the last card: seat 0 goes out with it."""
    match = play(taken("9D", "KC", laid=KINGS), "0 lay KC>0", "0 discard 9D")
    assert last_round(match)["kind"] == "rummy"


def test_a_meld_that_would_leave_only_the_card_taken_is_refused():
    """After 5S 6S 7S only JD would be left, which fits nothing and may not be thrown: the turn could not end."""
    match = taken("5S 6S 7S", "JD")
    with pytest.raises(TakenCardLeft) as refusal:
        play(match, "0 meld 5S6S7S")
    assert refusal.value.card == "JD"
    assert legal(match, 0) == ["discard 5S", "discard 6S", "discard 7S"]


def test_a_layoff_that_would_leave_only_the_card_taken_is_refused():
    match = taken("KC", "JD", laid=KINGS)
    with pytest.raises(TakenCardLeft) as refusal:
        play(match, "0 lay KC>0")
    assert refusal.value.card == "JD"
    assert legal(match, 0) == ["discard KC"]


def test_a_layoff_that_leaves_one_more_card_is_not_refused():
    match = play(taken("KC 5S", "JD", laid=KINGS), "0 lay KC>0")
    assert legal(match, 0) == ["discard 5S"]


def test_it_may_be_the_only_card_left_if_it_can_be_laid_off_next():
    """8S fits the run just melded, KC the kings: seat 0 lays it off and is out."""
    match = taken("5S 6S 7S", "8S")
    assert "meld 5S6S7S" in legal(match, 0)
    match = play(match, "0 meld 5S6S7S")
    assert (phase(match), legal(match, 0)) == ((0, "play"), ["lay 8S>0"])
    assert last_round(play(match, "0 lay 8S>0"))["winner"] == 0
    match = play(taken("5S 6S 7S", "KC", laid=KINGS), "0 meld 5S6S7S")
    assert legal(match, 0) == ["lay KC>0"]


def test_a_layoff_may_make_room_for_the_card_taken():
    """4S does not fit 6S 7S 8S; once 5S is laid on it, 4S does."""
    match = play(taken("5S", "4S", laid=("1 6S 7S 8S",)), "0 lay 5S>0")
    assert legal(match, 0) == ["lay 4S>0"]


def test_if_the_last_card_must_be_discarded_it_may_not_be_the_only_one_left():
    """8S could be laid off, and then there would be no last card to throw."""
    match = taken("5S 6S 7S", "8S", ruleset=rules(discard_to_go_out=True))
    with pytest.raises(TakenCardLeft):
        play(match, "0 meld 5S6S7S")
    assert legal(match, 0) == ["meld 6S7S8S", "discard 5S", "discard 6S", "discard 7S"]


def test_if_an_own_meld_is_needed_first_a_layoff_cannot_leave_it_to_be_laid_off():
    """Nobody without a meld lays off at all; with one, the card taken can go next."""
    strict = rules(layoff_after_meld=True)
    match = taken("KC", "8S", laid=(*KINGS, "0 5S 6S 7S"), ruleset=strict)
    assert legal(match, 0) == ["lay 8S>1", "lay KC>0", "discard KC"]
    assert legal(play(match, "0 lay KC>0"), 0) == ["lay 8S>1"]
    match = taken("5S 6S 7S", "KC", laid=KINGS, ruleset=strict)
    assert legal(play(match, "0 meld 5S6S7S"), 0) == ["lay KC>0"]


def test_the_whole_table_sees_which_card_was_taken_until_the_turn_ends():
    match = taken("5S JD", "9H")
    assert rummy.view(match, None)["round"]["taken"] == "9H"
    assert rummy.view(play(match, "0 discard JD"), None)["round"]["taken"] is None
