"""Sets of cards as 52-bit masks: bit n is card n, so a hand is one whole number.

>>> names(cardset(read_cards("7D AS")))
['AS', '7D']
"""

from collections.abc import Callable, Iterable
from functools import cache, wraps
from operator import add
from typing import TypeAlias, TypeVar

from service.cards.card import DECK_SIZE, NAMES, POINTS, RANKS, SPELLINGS, SUITS, Card, UnreadableCard

CardSet: TypeAlias = int
T = TypeVar("T")

EMPTY: CardSet = 0
FULL_DECK: CardSet = (1 << DECK_SIZE) - 1
SUIT: CardSet = (1 << 13) - 1
"""All spades; shifted by 13, 26 or 39, another suit."""

_HEARTS, _DIAMONDS, _CLUBS = SUIT << 13, SUIT << 26, SUIT << 39
_bit_of = [1 << card for card in range(DECK_SIZE)].__getitem__
_NO_CARD = 255


def cardset(cards: Iterable[Card]) -> CardSet:
    """The set of these cards.

    cards: no card twice. If one is, other cards come out, but always fewer than were given.
    """
    return sum(map(_bit_of, cards))


def suit_by_suit(of_one_suit: Callable[[CardSet], tuple[T, ...]]) -> Callable[[CardSet], list[T]]:
    """A function of any set, made from one that is given the cards of one suit only; the suits follow each other.

    What it gave is kept, at most some 5 MB: there are 32,765 sets of one suit, and the small ones come again and again.
    """
    kept = cache(of_one_suit)

    @wraps(of_one_suit)
    def of_any_set(mask: CardSet) -> list[T]:
        return [*kept(mask & SUIT), *kept(mask & _HEARTS), *kept(mask & _DIAMONDS), *kept(mask & _CLUBS)]

    return of_any_set


@suit_by_suit
def cards_in(mask: CardSet) -> tuple[Card, ...]:
    """The cards of a set, in card order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)


@suit_by_suit
def names(mask: CardSet) -> tuple[str, ...]:
    """The two-character names of a set's cards, in card order."""
    return tuple(map(NAMES.__getitem__, cards_in(mask)))


def holds(mask: CardSet, card: Card) -> bool:
    """Whether the set has this card."""
    return bool(mask >> card & 1)


def _points_of_one_suit() -> tuple[int, ...]:
    """What each set of ranks counts: every rank doubles the table, without itself and with it."""
    table = [0]
    for rank_points in POINTS[:13]:
        table += [points + rank_points for points in table]
    return tuple(table)


_POINTS = _points_of_one_suit()


def points(mask: CardSet) -> int:
    """What the cards of a set count together, each by itself."""
    return _POINTS[mask & SUIT] + _POINTS[mask >> 13 & SUIT] + _POINTS[mask >> 26 & SUIT] + _POINTS[mask >> 39]


def _bytes_read(letters: str, step: int) -> bytes:
    """What each byte says: the place of its letter times a step, or no card."""
    table = bytearray([_NO_CARD] * 256)
    for place, letter in enumerate(letters):
        table[ord(letter)] = table[ord(letter.lower())] = place * step
    return bytes(table)


_RANK_OF, _SUIT_OF = _bytes_read(RANKS, 1), _bytes_read(SUITS, len(RANKS))


def read_cards(text: str) -> list[Card]:
    """The cards written in a text, in the order given; spaces between them are optional.

    Raises UnreadableCard.

    >>> read_cards("7DAS") == read_cards("7D AS")
    True
    """
    packed = text.replace(" ", "")
    raw = packed.encode(errors="replace")
    ranks, suits = raw[::2].translate(_RANK_OF), raw[1::2].translate(_SUIT_OF)
    if len(ranks) != len(suits) or _NO_CARD in ranks or _NO_CARD in suits:
        pairs = (packed[start : start + 2] for start in range(0, len(packed), 2))
        raise UnreadableCard(next(pair for pair in pairs if pair not in SPELLINGS))
    return list(map(add, ranks, suits))


def read_set(text: str) -> CardSet:
    """The set of the cards written in a text. Raises UnreadableCard, or ValueError for a card written twice."""
    cards = read_cards(text)
    mask = cardset(cards)
    if mask.bit_count() < len(cards):
        raise ValueError("a card is written twice")
    return mask
