"""Deadwood: what a hand counts outside its melds, at best; and which throws of a hand reach the least.

A hand is at most three or four ranks held three times or more, and four suits. For every way to take sets from those
ranks, the runs of what is left are looked up suit by suit in a table of all 8,192 hands of one suit.
"""

from service.cards.card import POINTS, Card
from service.cards.cardset import CardSet, cards_in

_SUIT = (1 << 13) - 1


def _deadwood_of_one_suit() -> tuple[int, ...]:
    """The least deadwood of each set of cards of one suit, melded in runs only.

    The highest card is either deadwood, or it ends a run of three or more.
    """
    table = [0] * (_SUIT + 1)
    for ranks in range(1, _SUIT + 1):
        top = ranks.bit_length() - 1
        rest = ranks ^ 1 << top
        best = table[rest] + POINTS[top]
        length = 1
        while length <= top and rest >> (top - length) & 1:
            rest ^= 1 << (top - length)
            length += 1
            if length >= 3:
                best = min(best, table[rest])
        table[ranks] = best
    return tuple(table)


_RUNS_ONLY = _deadwood_of_one_suit()


def deadwood(hand: CardSet) -> int:
    """The least points that can be left in no meld; the hand may be of any size.

    >>> from service.cards.cardset import cardset, read_cards
    >>> deadwood(cardset(read_cards("JC 9D 8S 6D JS 8H TD 8D 7D JD")))
    16
    """
    return _least(hand & _SUIT, hand >> 13 & _SUIT, hand >> 26 & _SUIT, hand >> 39, _SUIT)


def _least(s: int, h: int, d: int, c: int, ranks: int) -> int:
    """The least deadwood of four suits, with sets taken only from `ranks`."""
    best = _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]
    triples = ((s & h & (d | c)) | (d & c & (s | h))) & ranks
    while triples:
        bit = triples & -triples
        triples ^= bit
        others = ~bit
        # Sets of higher ranks only, from here on: each choice of sets is then met once.
        options: tuple[tuple[int, int, int, int], ...]
        if s & bit and h & bit and d & bit and c & bit:
            options = (
                (s & others, h & others, d & others, c & others),
                (s, h & others, d & others, c & others),
                (s & others, h, d & others, c & others),
                (s & others, h & others, d, c & others),
                (s & others, h & others, d & others, c),
            )
        else:
            options = ((s & others, h & others, d & others, c & others),)
        for option in options:
            best = min(best, _least(*option, triples))
        if best == 0:
            return 0
    return best


def throws(hand: CardSet, taken: Card | None = None) -> list[Card]:
    """The cards that may be thrown from a hand, in card order: all but the one just taken from the discard pile."""
    return [card for card in cards_in(hand) if card != taken]


def best_throws(hand: CardSet, taken: Card | None = None) -> tuple[int, tuple[Card, ...]]:
    """The least deadwood that one throw can leave, and every throw that leaves it, in card order.

    hand: at least one card that may be thrown. taken: the card just taken from the discard pile, which may not be.
    Each throw is tried: dropping the dearest card of the best arrangement of eleven misses knocks and gins.
    """
    left = {card: deadwood(hand ^ 1 << card) for card in throws(hand, taken)}
    least = min(left.values())
    return least, tuple(card for card, count in left.items() if count == least)
