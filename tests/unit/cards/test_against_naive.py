"""Deadwood, throws and the chosen arrangement, each against a plain second implementation, on hands rich in melds."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.cards.arrangement import best_arrangement
from service.cards.card import card, name
from service.cards.cardset import cardset, names
from service.cards.deadwood import after_each_throw, best_throws, deadwood, deadwood_after_throw
from tests import naive

FEW_RANKS = [[rank + suit for suit in "SHDC" for rank in naive.RANKS[low : low + 5]] for low in range(9)]
TWO_SUITS = [[card for card in naive.DECK if card[1] in suits] for suits in ("SH", "DC", "SC")]
POOLS = [*FEW_RANKS, *FEW_RANKS, *TWO_SUITS, naive.DECK]
"""Cards to draw hands from: neighbours and equals, so that cards are wanted by two melds at once."""


def hands(least, most):
    return st.sampled_from(POOLS).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=least, max_size=most, unique=True)
    )


def mask(listed):
    return cardset(map(card, listed))


@settings(max_examples=1000, deadline=None)
@given(hands(0, 11))
def test_deadwood_is_what_trying_every_arrangement_finds(held):
    assert deadwood(mask(held)) == naive.deadwood(frozenset(held))


@settings(max_examples=300, deadline=None)
@given(hands(11, 11), st.integers(-1, 10))
def test_the_best_throws_are_what_trying_every_throw_finds(held, place):
    taken = None if place < 0 else held[place]
    least, best = best_throws(mask(held), None if taken is None else card(taken))
    assert (least, {name(each) for each in best}) == naive.best_throws(frozenset(held), taken)
    assert list(best) == sorted(best)


@settings(max_examples=500, deadline=None)
@given(hands(1, 11))
def test_the_deadwood_after_each_throw_is_that_of_the_other_cards(held):
    left = after_each_throw(mask(held))
    assert {name(each): count for each, count in left.items()} == {
        each: naive.deadwood(frozenset(held) - {each}) for each in held
    }
    assert list(left) == sorted(left)


@settings(max_examples=500, deadline=None)
@given(hands(1, 11))
def test_the_deadwood_after_a_throw_is_the_least_that_trying_every_throw_finds(held):
    assert deadwood_after_throw(mask(held)) == naive.best_throws(frozenset(held), None)[0]


@settings(max_examples=600, deadline=None)
@given(hands(10, 11))
def test_the_arrangement_chosen_is_the_first_of_all_by_the_rule(held):
    """With eleven cards the last is the throw: it is out of the opponent's reach, and in no meld."""
    kept, thrown = frozenset(held[:10]), frozenset(held[10:])
    chosen = best_arrangement(mask(kept), mask(thrown))
    _, melds = naive.choice(kept, thrown)
    assert [frozenset(names(meld)) for meld in chosen.melds] == list(melds)
    assert frozenset(names(chosen.unmelded)) == naive.left(kept, melds)
