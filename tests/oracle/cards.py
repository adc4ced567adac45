"""Cards and melds of the two engines, mapped to each other.

Both number a card by suit and rank, ace low; the suits stand in the order S H D C here and S C D H there. OpenSpiel
knows a meld by a number, and no meld of more than five cards.
"""

from random import Random

import pyspiel

from service.cards.card import Card
from service.cards.cardset import CardSet, cards_in, cardset
from service.cards.melds import is_set

SPIEL = pyspiel.gin_rummy
UTILS = SPIEL.GinRummyUtils(13, 4, 10)

LONGEST_THERE = 5
"""The most cards of a meld there; a longer run is laid in pieces."""

_SUIT = (0, 3, 2, 1)
SWAPPED: tuple[Card, ...] = tuple(_SUIT[card // 13] * 13 + card % 13 for card in range(52))
"""The number of a card in the other engine; the same table serves both ways."""

MELD_OF: dict[int, CardSet] = {
    SPIEL.MELD_ACTION_BASE + number: cardset(SWAPPED[card] for card in meld)
    for number, meld in UTILS.int_to_meld.items()
}
"""The meld that an action of OpenSpiel lays."""
ACTION_OF = {meld: action for action, meld in MELD_OF.items()}


def from_there(cards: list[int]) -> CardSet:
    """Cards of OpenSpiel as a set of ours."""
    return cardset(SWAPPED[card] for card in cards)


def to_there(cards: CardSet) -> list[int]:
    """A set of cards as OpenSpiel's, in our card order."""
    return [SWAPPED[card] for card in cards_in(cards)]


def minimum_there(hand: CardSet) -> int:
    """OpenSpiel's least deadwood of ten cards or fewer, or its shortcut for eleven."""
    least: int = UTILS.min_deadwood(to_there(hand))
    return least


def pieces(melds: tuple[CardSet, ...], chance: Random) -> tuple[CardSet, ...]:
    """The melds as OpenSpiel can lay them: a run of more than five is cut, somewhere, into runs of three to five."""
    return tuple(piece for meld in melds for piece in _pieces(meld, chance))


def _pieces(meld: CardSet, chance: Random) -> tuple[CardSet, ...]:
    if meld.bit_count() <= LONGEST_THERE or is_set(meld):
        return (meld,)
    cards = cards_in(meld)
    size = chance.choice([size for size in (3, 4, 5) if len(cards) - size >= 3])
    return (cardset(cards[:size]), *_pieces(cardset(cards[size:]), chance))
