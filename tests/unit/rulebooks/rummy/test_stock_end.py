"""An empty stock, and rounds that nobody can finish: turning over, blocking, and too many takes in a row."""

import pytest

from service.cards.card import NAMES
from service.cards.cardset import names
from service.rulebooks import rummy
from service.rulebooks.errors import SourceNotOpen
from tests.builders import cards
from tests.unit.rulebooks.rummy.tables import legal, outcome, phase, play, rules, table, throw_every_draw

REST = 1
"""In these rounds the seat that is not on turn holds all the cards that are not named: 52 less those."""


def before_the_last_card(pile="2C 3C 4C", **others):
    """Seat 0 is to draw the last card of the stock, 9D."""
    return table("AS", "", pile=pile, stock="9D", rest=REST, **others)


def test_when_the_last_card_was_drawn_the_turn_goes_on_as_usual():
    match = play(before_the_last_card(), "0 draw stock")
    assert phase(match) == (0, "play")
    assert match.round.stock == ()


def test_the_pile_but_its_top_becomes_the_stock_at_the_start_of_the_next_turn():
    """The pile is 2C 3C 4C 9D, 9D on top. Turned over unshuffled, 2C is drawn first, then 3C, then 4C."""
    match = play(before_the_last_card(), "0 draw stock", "0 discard 9D")
    assert phase(match) == (1, "draw")
    assert match.round.stock == cards("2C 3C 4C")
    assert match.round.discards == cards("9D")
    assert match.round.turned == 1
    match = play(match, "1 draw stock")
    assert match.round.stock == cards("3C 4C")


def test_the_top_card_that_stays_can_be_taken():
    match = play(before_the_last_card(), "0 draw stock", "0 discard 9D")
    assert legal(match, 1) == ["draw stock", "draw discard"]
    match = play(match, "1 draw discard")
    assert (match.round.discards, match.round.stock) == ((), cards("2C 3C 4C"))


def test_an_empty_pile_cannot_be_drawn_from():
    """It is empty only when a seat takes its one card and resigns before it throws."""
    match = play(table("AS", "AH", "AD", pile="9D"), "0 draw discard", "0 resign")
    assert (phase(match), legal(match, 1)) == ((1, "draw"), ["draw stock"])
    assert rummy.view(match, 1)["round"]["discard_top"] is None
    with pytest.raises(SourceNotOpen) as refusal:
        play(match, "1 draw discard")
    assert refusal.value.source == "discard"


def test_a_pile_of_one_card_blocks_the_round_before_the_draw():
    """Seat 0 drew the last card of the stock over an empty pile; what it throws is the pile's only card."""
    match = play(table("AS", "", stock="9D", rest=REST), "0 draw stock", "0 discard 9D")
    assert outcome(match)[:2] == ("blocked", None)
    assert (match.round.turn, match.round.phase) == (None, "round_over")


def test_an_empty_stock_and_an_empty_pile_block_the_round_too():
    match = table("AS KC", "AH", "", stock="9D", rest=2, laid=("1 KS KH KD",))
    match = play(match, "0 draw stock", "0 lay KC>0", "0 resign")
    assert outcome(match)[:2] == ("blocked", None)


@pytest.mark.parametrize("passes", [0, 1, 2, 3, 10])
def test_the_pile_is_turned_over_so_many_times_and_then_the_round_is_blocked(passes):
    """A pile of 3 and the stock's last card: each pass is 3 cards, each thrown again. 1 + 3 x passes turns in all."""
    match = throw_every_draw(before_the_last_card(ruleset=rules(stock_passes_max=passes)), 3 * passes)
    assert match.round.phase == "draw"
    assert len(match.round.stock) == 1
    match = throw_every_draw(match, 1)
    assert (outcome(match)[0], match.round.turned) == ("blocked", passes)


def test_by_the_standard_rules_the_pile_is_turned_over_three_times():
    """1 + 3 + 3 + 3 turns, and the tenth ends the round."""
    assert throw_every_draw(before_the_last_card(), 9).round.phase == "draw"
    assert outcome(throw_every_draw(before_the_last_card(), 10))[0] == "blocked"


def test_the_same_cards_come_again_in_the_same_order():
    match = throw_every_draw(before_the_last_card(), 1)
    seen = []
    for _ in range(6):
        seen.append(NAMES[match.round.stock[0]])
        match = throw_every_draw(match, 1)
    assert seen == ["2C", "3C", "4C", "9D", "2C", "3C"]


def test_where_the_ruleset_says_block_an_empty_stock_ends_the_round_at_once():
    match = before_the_last_card(ruleset=rules("block"))
    assert outcome(play(match, "0 draw stock", "0 discard 9D"))[:2] == ("blocked", None)


def test_going_out_with_the_last_card_of_the_stock_is_no_block():
    match = table("AS", "", pile="2C 3C", stock="2S", rest=REST, laid=("0 3S 4S 5S",), ruleset=rules("block"))
    match = play(match, "0 draw stock", "0 lay 2S>0", "0 discard AS")
    assert outcome(match)[:2] == ("out", 0)


# --- Takes in a row ------------------------------------------------------------


def after_takes(takes, **others):
    """So many turns in a row have begun with a take from the pile. Seat 0 is to draw; 9D lies on top."""
    return table("KC QC 5S 6S 7S", "JC TC", pile="2C 9D", stock="8D", takes=takes, laid=("1 KS KH KD",), **others)


def test_the_turn_of_the_fiftieth_take_in_a_row_blocks_the_round_with_its_discard():
    """KC 10, QC 10, 5S 6S 7S 18 and 9D 9, less QC thrown: 37; JC and TC 20."""
    match = play(after_takes(49), "0 draw discard")
    assert phase(match) == (0, "play")
    assert outcome(play(match, "0 discard QC")) == ("blocked", None, [37, 20])


def test_the_forty_ninth_does_not():
    match = play(after_takes(48), "0 draw discard", "0 discard QC")
    assert (phase(match), match.round.takes) == ((1, "draw"), 49)
    assert outcome(play(match, "1 draw discard", "1 discard JC"))[0] == "blocked"


@pytest.mark.parametrize(
    "moves",
    [
        ("0 draw stock",),
        ("0 draw discard", "0 meld 5S6S7S"),
        ("0 draw discard", "0 lay KC>0"),
    ],
    ids=["a draw from the stock", "a meld", "a layoff"],
)
def test_the_count_begins_again_with_any_other_move_of_cards(moves):
    match = play(after_takes(49), *moves, "0 discard QC")
    assert (phase(match), match.round.takes) == ((1, "draw"), 0)


def test_fifty_takes_in_a_row_really_come_to_pass():
    """Two seats keep taking what the other threw and throwing what they held."""
    match = table("KC QC", "JC TC", pile="2C 9D", stock="8D")
    for turn in range(50):
        seat = turn % 2
        assert phase(match) == (seat, "draw")
        held = names(match.round.hands[seat])[0]
        match = play(match, f"{seat} draw discard", f"{seat} discard {held}")
    assert outcome(match)[0] == "blocked"


def test_going_out_in_the_turn_of_the_fiftieth_take_stands():
    match = play(table("KC QC", "JC", pile="9D", takes=49, laid=("1 KS KH KD", "0 TD JD QD")), "0 draw discard")
    match = play(match, "0 lay 9D>1", "0 lay KC>0", "0 discard QC")
    assert outcome(match) == ("out", 0, [0, 10])


def test_the_fiftieth_take_of_a_seat_that_then_resigns_blocks_the_round_for_the_others():
    """AH 1 and AD 1 are left; the hand of the seat that resigned counts no more."""
    match = play(table("KC QC", "AH", "AD", pile="2C 9D", takes=49), "0 draw discard", "0 resign")
    assert outcome(match) == ("blocked", None, [0, 1, 1])
