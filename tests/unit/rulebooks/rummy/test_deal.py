"""The deal: how many cards, to whom, in which order, and who begins (first two lines of the table)."""

import pytest

from service.cards.card import NAMES
from service.cards.cardset import names
from service.rulebooks import rummy
from service.rulebooks.errors import GameOver, WrongPhase
from tests.unit.rulebooks.rummy.tables import UNSHUFFLED, dealt, phase, play, rules

HANDS = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
STOCK = {2: 31, 3: 30, 4: 23, 5: 21, 6: 15}


def dealt_to(seats, dealer, table=6, deck=UNSHUFFLED):
    return rummy.deal(rummy.start(rules(), table, dealer), deck, seats, 0).round


@pytest.mark.parametrize("seats", HANDS)
def test_two_are_dealt_ten_cards_three_or_four_seven_and_more_six(seats):
    """52 less the hands and the upcard: 31 with two, 30 with three, 23 with four, 21 with five, 15 with six."""
    round = dealt(seats).round
    assert [hand.bit_count() for hand in round.hands] == [HANDS[seats]] * seats
    assert len(round.stock) == STOCK[seats]
    assert len(round.discards) == 1


@pytest.mark.parametrize(("seats", "dealer"), [(seats, dealer) for seats in HANDS for dealer in range(seats)])
def test_the_cards_go_round_one_at_a_time_from_the_dealers_left(seats, dealer):
    """Deck position i goes to seat (dealer + 1 + i) mod n."""
    round = dealt(seats, dealer).round
    for place in range(HANDS[seats] * seats):
        assert round.hands[(dealer + 1 + place) % seats] >> place & 1
    assert round.discards == (HANDS[seats] * seats,)
    assert round.stock == UNSHUFFLED[HANDS[seats] * seats + 1 :]


def test_three_at_a_table_by_hand():
    """Seat 1 deals: seat 2 has cards 0, 3, 6, ..., 18 of the deck, seat 0 cards 1, 4, ..., seat 1 cards 2, 5, ..."""
    round = dealt(3, dealer=1).round
    assert names(round.hands[2]) == ["AS", "4S", "7S", "TS", "KS", "3H", "6H"]
    assert names(round.hands[0]) == ["2S", "5S", "8S", "JS", "AH", "4H", "7H"]
    assert names(round.hands[1]) == ["3S", "6S", "9S", "QS", "2H", "5H", "8H"]
    assert [NAMES[each] for each in (round.discards[0], *round.stock[:2])] == ["9H", "TH", "JH"]


@pytest.mark.parametrize(("seats", "dealer", "first"), [(2, 0, 1), (2, 1, 0), (3, 2, 0), (4, 1, 2), (6, 5, 0)])
def test_the_seat_to_the_dealers_left_begins_with_a_draw_and_nobody_is_offered_the_upcard(seats, dealer, first):
    assert phase(dealt(seats, dealer)) == (first, "draw")


def test_seats_left_out_are_dealt_nothing_and_the_others_keep_their_numbers():
    """Seats 1, 3 and 4 of six play, so it is seven cards each; seat 4 deals and seat 1 is first."""
    round = dealt_to((1, 3, 4), dealer=4)
    assert [hand.bit_count() for hand in round.hands] == [0, 7, 0, 7, 7, 0]
    assert names(round.hands[1])[:3] == ["AS", "4S", "7S"]
    assert names(round.hands[3])[:3] == ["2S", "5S", "8S"]
    assert names(round.hands[4])[:3] == ["3S", "6S", "9S"]
    assert (round.turn, round.seats) == (1, (1, 3, 4))


def test_two_who_play_at_a_table_of_six_have_ten_cards():
    assert [hand.bit_count() for hand in dealt_to((2, 5), dealer=2).hands] == [0, 0, 10, 0, 0, 10]


def test_the_seats_are_those_of_the_first_deal():
    match = rummy.start(rules(), 3, 0)
    assert rummy.playing(match) is None
    assert rummy.playing(rummy.deal(match, UNSHUFFLED, (0, 2), 0)) == (0, 2)


def test_nothing_is_dealt_during_a_round_or_after_the_match():
    match = dealt()
    with pytest.raises(WrongPhase) as refusal:
        rummy.deal(match, UNSHUFFLED, (0, 1), 0)
    assert (refusal.value.move, refusal.value.phase) == ("deal", "draw")
    with pytest.raises(GameOver):
        rummy.deal(play(match, "1 resign"), UNSHUFFLED, (0, 1), 0)


def test_before_the_first_deal_any_player_may_deal_and_nobody_can_move():
    match = rummy.start(rules(), 2, None)
    assert phase(match) == (None, "round_over")
    assert rummy.round_number(match) == 0
    assert rummy.view(match, 1)["legal_moves"] == [{"move": {"type": "deal"}}]
    with pytest.raises(WrongPhase) as refusal:
        play(match, "0 draw stock")
    assert (refusal.value.move, refusal.value.phase) == ("draw", "round_over")
