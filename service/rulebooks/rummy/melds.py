"""The melds of basic rummy: those of the cards floor and, where the ace is high too, the runs that end in it."""

from service.cards.cardset import CardSet, cards_in
from service.cards.melds import MELDS, is_meld

ACE = 1
KING = 1 << 12

HIGH_RUNS: tuple[CardSet, ...] = tuple(
    (ACE | sum(KING >> down for down in range(length - 1))) << suit * 13 for suit in range(4) for length in range(3, 13)
)
"""Runs from some rank up to the king and the ace: Q-K-A and longer; the whole suit is a run with a low ace already."""

_HIGH_RUNS = frozenset(HIGH_RUNS)


def is_rummy_meld(mask: CardSet, high_ace: bool) -> bool:
    """Whether these cards, in any order, are one meld. high_ace: the ace may follow the king."""
    return is_meld(mask) or (high_ace and mask in _HIGH_RUNS)


def rummy_melds_in(hand: CardSet, high_ace: bool) -> list[CardSet]:
    """Every meld that can be made of a hand's cards, in card order."""
    known = MELDS + HIGH_RUNS if high_ace else MELDS
    return sorted((meld for meld in known if meld & hand == meld), key=cards_in)
