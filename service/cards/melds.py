"""The 329 melds: 65 sets (three or four cards of one rank) and 264 runs (three or more of a suit in order, ace low)."""

from collections.abc import Iterable
from itertools import combinations

from service.cards.card import DECK_SIZE
from service.cards.cardset import EMPTY, SUIT, CardSet, names, suit_by_suit

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
_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_SETS_IN = {held: tuple(meld for meld in SETS if meld & held == meld) for held in SETS}


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


NAMES_OF: dict[CardSet, tuple[str, ...]] = {meld: tuple(names(meld)) for meld in MELDS}
"""For each meld, the names of its cards in card order."""


def melds_in(hand: CardSet) -> list[CardSet]:
    """Every meld that can be made of a hand's cards: the runs suit by suit, then the sets from the aces on."""
    melds = _runs_in(hand)
    s, h, d, c = hand & SUIT, hand >> 13 & SUIT, hand >> 26 & SUIT, hand >> 39
    triples = (s & h | d & c) & (s | h) & (d | c)
    while triples:
        rank = triples & -triples
        triples ^= rank
        melds += _SETS_IN[hand & rank * _ACES]
    return melds


@suit_by_suit
def _runs_in(mask: CardSet) -> tuple[CardSet, ...]:
    return tuple(run for run in RUNS if run & mask == run)


def joined(melds: Iterable[CardSet]) -> CardSet:
    """All the cards of some melds."""
    mask = EMPTY
    for meld in melds:
        mask |= meld
    return mask
