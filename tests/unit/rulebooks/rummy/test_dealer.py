"""Who deals: the first is named or drawn, and then the deal goes round clockwise."""

import pytest

from service.rulebooks import rummy
from tests.unit.rulebooks.rummy.tables import UNSHUFFLED, outcome, play, rules, throw_every_draw

ENDLESS = rules("block", target=10_000)
"""A round ends when everybody has thrown what was drawn and the stock is empty."""


def first_deal(seats, first_dealer, drawn=0, table=None):
    match = rummy.start(ENDLESS, table or len(seats), first_dealer)
    return rummy.deal(match, UNSHUFFLED, seats, drawn)


def next_deal(match, *resigning):
    """The next round dealt, after the one in play was blocked and then some seats resigned."""
    match = throw_every_draw(match, len(match.round.stock))
    assert outcome(match)[:2] == ("blocked", None)
    match = play(match, *(f"{seat} resign" for seat in resigning))
    return rummy.deal(match, UNSHUFFLED, rummy.playing(match), 0)


def dealers(match, rounds):
    found = [match.round.dealer]
    while len(found) < rounds:
        match = next_deal(match)
        found.append(match.round.dealer)
    return found


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_first_dealer_is_the_one_named(dealer):
    for drawn in (0, 1, 2):
        assert first_deal((0, 1, 2), dealer, drawn).round.dealer == dealer


@pytest.mark.parametrize("drawn", [0, 1, 2])
def test_the_first_dealer_is_drawn_if_nobody_was_named(drawn):
    assert first_deal((0, 1, 2), None, drawn).round.dealer == drawn


@pytest.mark.parametrize(
    ("named", "seats", "dealer"),
    [(1, (0, 2), 2), (5, (0, 2), 0), (3, (1, 2, 4), 4), (5, (1, 2, 4), 1), (2, (0, 2), 2)],
)
def test_a_named_dealer_whose_seat_stayed_open_passes_the_deal_to_the_left(named, seats, dealer):
    round = first_deal(seats, named, table=6).round
    assert round.dealer == dealer


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_deal_goes_round_clockwise_whoever_wins(seats):
    match = first_deal(tuple(range(seats)), seats - 1)
    assert dealers(match, 2 * seats) == [seats - 1, *range(seats), *range(seats)][: 2 * seats]


def test_the_deal_skips_seats_that_were_left_out():
    assert dealers(first_deal((1, 3, 4), 3, table=6), 5) == [3, 4, 1, 3, 4]


def test_the_deal_skips_a_seat_that_resigned():
    """Seat 0 deals, then seat 1 would; it has resigned, so seat 2 deals, then 3, then 0 again."""
    match = next_deal(first_deal((0, 1, 2, 3), 0), 1)
    assert dealers(match, 4) == [2, 3, 0, 2]


def test_when_the_dealer_resigned_the_seat_to_its_left_deals_next():
    match = play(first_deal((0, 1, 2), 2), "2 resign")
    assert dealers(match, 4) == [2, 0, 1, 0]


def test_a_named_first_dealer_who_resigned_before_the_first_deal_passes_it_on():
    match = rummy.resign(rummy.start(ENDLESS, 3, 1), 1, (0, 1, 2)).state
    assert rummy.playing(match) == (0, 2)
    assert rummy.deal(match, UNSHUFFLED, (0, 2), 0).round.dealer == 2
