"""Sets of cards as 52-bit masks: bit n is card n, so a hand is one whole number.

>>> names(cardset([card("7D"), card("AS")]))
['AS', '7D']
"""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from service.cards.card import DECK_SIZE, NAMES, POINTS, Card, card

CardSet: TypeAlias = int

EMPTY: CardSet = 0
FULL_DECK: CardSet = (1 << DECK_SIZE) - 1
_SUIT = (1 << 13) - 1


def cardset(cards: Iterable[Card]) -> CardSet:
    """The set of these cards; a card named twice is in it once."""
    mask = EMPTY
    for each in cards:
        mask |= 1 << each
    return mask


def cards_in(mask: CardSet) -> list[Card]:
    """The cards of a set, in card order."""
    return [
        *_in_suit(0, mask & _SUIT),
        *_in_suit(1, mask >> 13 & _SUIT),
        *_in_suit(2, mask >> 26 & _SUIT),
        *_in_suit(3, mask >> 39),
    ]


@cache
def _in_suit(suit: int, ranks: int) -> tuple[Card, ...]:
    """The cards of one suit, by a mask of 13 bits."""
    return tuple(13 * suit + rank for rank in range(13) if ranks >> rank & 1)


def holds(mask: CardSet, card: Card) -> bool:
    """Whether the set has this card."""
    return bool(mask >> card & 1)


def names(mask: CardSet) -> list[str]:
    """The two-character names of a set's cards, in card order."""
    return [NAMES[each] for each in cards_in(mask)]


def points(mask: CardSet) -> int:
    """What the cards of a set count together, each by itself."""
    return sum(POINTS[each] for each in cards_in(mask))


def read_cards(text: str) -> list[Card]:
    """The cards written in a text, in the order given; spaces between them are optional.

    Raises UnreadableCard.

    >>> read_cards("7DAS") == read_cards("7D AS")
    True
    """
    packed = text.replace(" ", "")
    return [card(packed[start : start + 2]) for start in range(0, len(packed), 2)]
