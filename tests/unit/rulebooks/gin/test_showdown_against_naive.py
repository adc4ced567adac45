"""The defender's optimum against every layoff tried one by one, in every order, with the best melds of what is left."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from service.cards.arrangement import Arrangement
from service.cards.card import card, name
from service.cards.cardset import cardset, names
from service.rulebooks.gin.showdown import best_answer
from tests import naive

WINDOWS = [[rank + suit for suit in "SHDC" for rank in naive.RANKS[low : low + 7]] for low in range(7)]


@st.composite
def knocks(draw):
    """One to three melds of a few neighbouring ranks, and a defender's ten cards from the same ranks."""
    window = draw(st.sampled_from(WINDOWS))
    melds = []
    free = set(window)
    for meld in draw(st.lists(st.sampled_from(within(window)), min_size=1, max_size=5, unique=True)):
        if meld <= free and len(melds) < 3 and sum(map(len, melds)) + len(meld) <= 10:
            melds.append(meld)
            free -= meld
    defender = draw(st.lists(st.sampled_from(sorted(free)), min_size=10, max_size=10, unique=True))
    return tuple(sorted(melds, key=naive.in_order)), frozenset(defender)


def within(window):
    cards = frozenset(window)
    return [meld for meld in naive.ALL_MELDS if meld <= cards and len(meld) <= 5]


def mask(listed):
    return cardset(map(card, listed))


@settings(max_examples=400, deadline=None)
@given(knocks())
def test_the_optimum_is_the_best_of_all_layoffs(case):
    """Least deadwood, then fewest layoffs, then the arrangement of rule 4 among all hands that reach it."""
    spread, defender = case
    answer = best_answer(Arrangement(tuple(map(mask, spread)), 0), mask(defender))
    reached = naive.after_layoffs(spread, defender)
    least, fewest = min((naive.deadwood(held), len(defender - held)) for held in reached)
    assert (answer.laid.deadwood, len(answer.layoffs)) == (least, fewest)

    cheapest = [held for held in reached if (naive.deadwood(held), len(defender - held)) == (least, fewest)]
    _, melds = min(naive.choice(held, defender - held) for held in cheapest)
    assert [frozenset(names(meld)) for meld in answer.laid.melds] == list(melds)


@settings(max_examples=200, deadline=None)
@given(knocks())
def test_the_layoffs_of_the_optimum_fit_one_after_the_other_and_no_card_is_lost(case):
    spread, defender = case
    answer = best_answer(Arrangement(tuple(map(mask, spread)), 0), mask(defender))
    melds, held = list(spread), set(defender)
    for layoff in answer.layoffs:
        melds[layoff.meld] |= {name(layoff.card)}
        assert naive.is_meld(melds[layoff.meld])
        held.remove(name(layoff.card))
    assert set(names(answer.laid.unmelded | sum(answer.laid.melds))) == held


@settings(max_examples=200, deadline=None)
@given(knocks())
def test_the_optimum_is_never_worse_than_melding_first_and_laying_off_afterwards(case):
    spread, defender = case
    _, melds = naive.choice(defender, frozenset())
    rest = naive.left(defender, melds)
    melds_first = min(naive.count(held) for held in naive.after_layoffs(spread, rest))
    assume(melds_first)
    assert best_answer(Arrangement(tuple(map(mask, spread)), 0), mask(defender)).laid.deadwood <= melds_first
