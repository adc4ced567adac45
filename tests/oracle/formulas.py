"""What OpenSpiel is expected to work out, computed without it: the deviations state their differences with this."""

from functools import lru_cache

from service.cards.card import POINTS, Card
from service.cards.cardset import EMPTY, CardSet, cards_in, cardset, points
from service.cards.deadwood import deadwood
from service.cards.melds import is_set
from tests.oracle.cards import SWAPPED


@lru_cache(maxsize=20_000)
def shortcut(eleven: CardSet) -> int:
    """OpenSpiel's deadwood of eleven cards: the best arrangement of all eleven, less its dearest unmelded card.

    Of several best arrangements it keeps the first it meets, so the order in which it meets them decides.
    """
    unmelded = eleven ^ first_best_melds(eleven)
    dearest = max((POINTS[card] for card in cards_in(unmelded)), default=0)
    return points(unmelded) - dearest


def first_best_melds(hand: CardSet) -> CardSet:
    """The cards of the first choice of disjoint melds, in OpenSpiel's order, of those that take the most points."""
    melds = [(meld, points(meld)) for meld in melds_in_their_order(hand)]
    most, kept = 0, EMPTY

    def choose(start: int, free: CardSet, taken: int) -> None:
        nonlocal most, kept
        if taken > most:
            most, kept = taken, hand ^ free
        for index in range(start, len(melds)):
            meld, worth = melds[index]
            if meld & free == meld:
                choose(index + 1, free ^ meld, taken + worth)

    choose(0, hand, 0)
    return kept


_RUNS = [
    cardset(SWAPPED[each] for each in range(card, card + length))
    for length in (5, 4, 3)
    for card in range(52)
    if card % 13 + length <= 13
]
"""Runs of five, of four and of three, each by OpenSpiel's suits and rank."""


def melds_in_their_order(hand: CardSet) -> list[CardSet]:
    """The melds of at most five cards: for each four of a rank the four and two of its threes, the other threes by
    rank, then the runs."""
    ranks = [[SWAPPED[card] for card in range(rank, 52, 13) if hand >> SWAPPED[card] & 1] for rank in range(13)]
    fours = [[held, [held[0], held[1], held[3]], [held[0], held[2], held[3]]] for held in ranks if len(held) == 4]
    threes = [held[start : start + 3] for held in ranks for start in range(len(held) - 2)]
    sets = [cardset(meld) for meld in [meld for four in fours for meld in four] + threes]
    return sets + [run for run in _RUNS if run & hand == run]


def run_ends(run: CardSet) -> set[Card]:
    """The cards that stand next to a run: one below, one above, as far as there are any. One card is a run here."""
    low, high = (run & -run).bit_length() - 1, run.bit_length() - 1
    below = {low - 1} if low % 13 > 0 else set()
    above = {high + 1} if high % 13 < 12 else set()
    return below | above


def layoffs_offered(pieces: tuple[CardSet, ...], laid_off: tuple[Card, ...], hand: CardSet) -> set[Card]:
    """The cards OpenSpiel offers for laying off.

    It does not keep where a card was laid. A set of three takes its fourth card. A run is first grown by those cards
    laid off, wherever they went, that stand next to the run as it was laid; then it takes what stands next to that.
    """
    offered: set[Card] = set()
    for piece in pieces:
        if is_set(piece):
            offered |= {card for card in range(cards_in(piece)[0] % 13, 52, 13) if not piece >> card & 1}
        else:
            grown = piece | cardset(card for card in laid_off if card in run_ends(piece))
            offered |= run_ends(grown)
    return {card for card in offered if hand >> card & 1}


def within(hand: CardSet, throws: list[Card], limit: int) -> set[Card]:
    """The throws that leave at most so much deadwood."""
    return {card for card in throws if deadwood(hand ^ 1 << card) <= limit}
