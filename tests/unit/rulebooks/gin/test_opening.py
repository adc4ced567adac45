"""The deal and the offer of the upcard (rules 1 and 2)."""

import pytest

from service.cards.card import card, name
from service.cards.cardset import names
from service.rulebooks import gin
from service.rulebooks.errors import NotYourTurn, SourceNotOpen, WrongPhase
from tests.builders import about_to_throw, deal, dealt_match, deck, hand, legal, outcome, play_moves, rules

TAKE = {"type": "draw", "source": "discard"}
STOCK = {"type": "draw", "source": "stock"}
PASS = {"type": "pass"}
GIN_OF_TEN = "AS 2S 3S 4C 5C 6C 7D 8D 9D"


@pytest.mark.parametrize("dealer", [0, 1])
def test_cards_are_dealt_one_at_a_time_beginning_with_the_non_dealer(dealer):
    """Positions 0 2 4 ... 18 of the deck list go to the non-dealer, 1 3 ... 19 to the dealer, 20 is the upcard."""
    listed = tuple(reversed(range(52)))
    round = deal(gin.start(rules(), 2, dealer), listed, drawn_dealer=1 - dealer).round
    assert round.hands[1 - dealer] == sum(1 << each for each in listed[0:20:2])
    assert round.hands[dealer] == sum(1 << each for each in listed[1:20:2])
    assert round.discards == (listed[20],)
    assert round.stock == listed[21:]
    assert (len(round.stock), round.dealer, round.turn, round.number) == (31, dealer, 1 - dealer, 1)


def test_the_stock_is_drawn_in_the_order_of_the_deck():
    match = play_moves(dealt_match("", "", "KC", "TH QD 9C"), "0 pass", "1 pass")
    for drawn in ("0 draw stock|TH", "1 draw stock|QD", "0 draw stock|9C"):
        text, _, expected = drawn.partition("|")
        match = play_moves(match, text)
        seat = int(text[0])
        assert expected in names(match.round.hands[seat])
        match = play_moves(match, f"{seat} discard {expected}")


def test_the_non_dealer_is_offered_the_upcard_first():
    match = dealt_match()
    assert gin.turn(match).seat == 0
    assert gin.turn(match).phase == "opening"
    assert legal(match, 0) == [TAKE, PASS]
    assert legal(match, 1) == []


def test_then_the_dealer_is_offered_it():
    match = play_moves(dealt_match(), "0 pass")
    assert (gin.turn(match).seat, gin.turn(match).phase) == (1, "opening")
    assert legal(match, 1) == [TAKE, PASS]


@pytest.mark.parametrize(("moves", "taker"), [(["0 draw discard"], 0), (["0 pass", "1 draw discard"], 1)])
def test_either_seat_may_take_the_upcard_and_throws_another_card_next(moves, taker):
    match = play_moves(dealt_match(upcard="KC"), *moves)
    assert (gin.turn(match).seat, gin.turn(match).phase) == (taker, "discard")
    assert match.round.hands[taker].bit_count() == 11
    assert match.round.taken == card("KC")
    assert match.round.discards == ()
    assert len(match.round.stock) == 31


def test_after_the_dealer_took_the_upcard_and_threw_the_non_dealer_draws_from_either_pile():
    match = play_moves(dealt_match("", "QH", "KC"), "0 pass", "1 draw discard", "1 discard QH")
    assert (gin.turn(match).seat, gin.turn(match).phase) == (0, "draw")
    assert legal(match, 0) == [STOCK, TAKE]


def test_nobody_draws_from_the_stock_before_both_have_passed():
    for match, seat in ((dealt_match(), 0), (play_moves(dealt_match(), "0 pass"), 1)):
        with pytest.raises(SourceNotOpen) as refusal:
            play_moves(match, f"{seat} draw stock")
        assert refusal.value.source == "stock"


@pytest.mark.parametrize("text", ["discard AS", "knock AS", "big_gin", "spread"])
def test_nothing_else_is_possible_in_the_opening(text):
    with pytest.raises(WrongPhase) as refusal:
        play_moves(dealt_match(), f"0 {text}")
    assert (refusal.value.move, refusal.value.phase) == (text.split()[0], "opening")


def test_the_dealer_cannot_answer_before_the_non_dealer():
    with pytest.raises(NotYourTurn) as refusal:
        play_moves(dealt_match(), "1 pass")
    assert refusal.value.turn == 0


def test_after_two_passes_the_non_dealer_draws_from_the_stock_only():
    match = play_moves(dealt_match(upcard="KC"), "0 pass", "1 pass")
    for seat in (0, 1, None):
        assert gin.view(match, seat)["turn"] == {"seat": 0, "phase": "draw", "deadline": None}
    assert legal(match, 0) == [STOCK]
    with pytest.raises(SourceNotOpen) as refusal:
        play_moves(match, "0 draw discard")
    assert refusal.value.source == "discard"


def test_the_twice_refused_upcard_may_be_taken_by_the_house_rule():
    match = play_moves(dealt_match(upcard="KC", ruleset=rules(both_pass_draw="either")), "0 pass", "1 pass")
    assert legal(match, 0) == [STOCK, TAKE]
    assert play_moves(match, "0 draw discard").round.taken == card("KC")


def test_only_the_first_draw_after_two_passes_is_bound_to_the_stock():
    match = play_moves(dealt_match("", "", "KC", "TH"), "0 pass", "1 pass", "0 draw stock", "0 discard TH")
    assert legal(match, 1) == [STOCK, TAKE]
    assert play_moves(match, "1 draw discard").round.taken == card("TH")


def test_without_an_offer_the_non_dealer_begins_with_both_piles():
    match = dealt_match(upcard="KC", ruleset=rules("open"))
    assert (gin.turn(match).seat, gin.turn(match).phase) == (0, "draw")
    assert legal(match, 0) == [STOCK, TAKE]
    with pytest.raises(WrongPhase):
        play_moves(match, "0 pass")


def test_a_knock_is_legal_right_after_taking_the_upcard():
    """4S taken, KD thrown: 2S 3S 4S, 4C 5C 6C, 7D 8D 9D and AH are kept: deadwood 1."""
    match = about_to_throw("2S 3S 4C 5C 6C 7D 8D 9D AH KD", taken="4S")
    assert {"type": "knock", "discard": "KD"} in legal(match, 0)
    assert play_moves(match, "0 knock KD").round.laid.deadwood == 1


def test_gin_is_legal_right_after_taking_the_upcard():
    match = about_to_throw(f"{GIN_OF_TEN} KH", taken="TD", against="KS QS JC TC 8H 7H 5H 4H 2D AD")
    assert outcome(play_moves(match, "0 knock KH"))[0] == "gin"


def test_big_gin_is_legal_right_after_taking_the_upcard():
    match = about_to_throw(f"{GIN_OF_TEN} TD", taken="JD", against="KS QS JC TC 8H 7H 5H 4H 2D AD")
    assert outcome(play_moves(match, "0 big_gin"))[0] == "big_gin"


def test_the_builder_of_decks_deals_what_it_is_asked_for():
    """Held here because every case below leans on it."""
    listed = deck("KS KH", "QS", "JS", "TS 9S")
    assert sorted(listed) == list(range(52))
    assert {name(each) for each in listed[0:20:2]} >= {"KS", "KH"}
    assert "QS" in {name(each) for each in listed[1:20:2]}
    assert [name(each) for each in listed[20:23]] == ["JS", "TS", "9S"]
    assert hand("KS KH").bit_count() == 2
