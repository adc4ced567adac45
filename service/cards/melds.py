"""The 329 melds: 65 sets (three or four cards of one rank) and 264 runs (three or more of a suit in order, ace low)."""

from itertools import combinations

from service.cards.card import DECK_SIZE
from service.cards.cardset import EMPTY, CardSet, cards_in

SETS: tuple[CardSet, ...] = tuple(
    sum(1 << suit * 13 + rank for suit in suits)
    for rank in range(13)
    for size in (3, 4)
    for suits in combinations(range(4), size)
)
RUNS: tuple[CardSet, ...] = tuple(
    ((1 << length) - 1) << suit * 13 + start
    for suit in range(4)
    for length in range(3, 14)
    for start in range(14 - length)
)
MELDS: tuple[CardSet, ...] = SETS + RUNS

_MELDS = frozenset(MELDS)
_SETS = frozenset(SETS)


def is_meld(mask: CardSet) -> bool:
    """Whether these cards, in any order, are one meld."""
    return mask in _MELDS


def is_set(meld: CardSet) -> bool:
    """Whether a meld is a set; otherwise it is a run."""
    return meld in _SETS


def _one_step(meld: CardSet) -> CardSet:
    with_another = (meld | 1 << card for card in range(DECK_SIZE))
    return sum(longer ^ meld for longer in with_another if longer in _MELDS)


EXTENSIONS: dict[CardSet, CardSet] = {meld: _one_step(meld) for meld in MELDS}
"""For each meld, the cards of which any one makes it a longer meld."""


def _melds_by_lowest_card() -> tuple[tuple[CardSet, ...], ...]:
    by_lowest: list[list[CardSet]] = [[] for _ in range(DECK_SIZE)]
    for meld in MELDS:
        by_lowest[(meld & -meld).bit_length() - 1].append(meld)
    return tuple(map(tuple, by_lowest))


_BY_LOWEST = _melds_by_lowest_card()


def melds_in(hand: CardSet) -> list[CardSet]:
    """Every meld that can be made of a hand's cards, grouped by their lowest card in card order."""
    return [meld for low in cards_in(hand) for meld in _BY_LOWEST[low] if meld & hand == meld]


def joined(melds: tuple[CardSet, ...]) -> CardSet:
    """All the cards of some melds."""
    mask = EMPTY
    for meld in melds:
        mask |= meld
    return mask
