"""Deadwood: what a hand counts outside its melds, at best; and what it counts once a card is thrown.

A hand is at most three or four ranks held three times or more, and four suits. For every way to take sets from those
ranks, the runs of what is left are looked up suit by suit in tables of all 8,192 hands of one suit.
"""

from collections.abc import Callable

from service.cards.card import POINTS, Card
from service.cards.cardset import SUIT, CardSet, cards_in

_SPADES_AND_HEARTS = (1 << 26) - 1
_NOTHING_TO_THROW = 1000


def _hands_of_one_suit() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each set of cards of one suit, its least deadwood, melded in runs only; and what the best throw takes off it.

    The highest card is thrown, or deadwood, or it ends a run of three or more. A throw that breaks a run adds to the
    deadwood: it takes off less than nothing.
    """
    kept, one_thrown = [0] * (SUIT + 1), [_NOTHING_TO_THROW] * (SUIT + 1)
    for ranks in range(1, SUIT + 1):
        top = ranks.bit_length() - 1
        rest = ranks ^ 1 << top
        best, best_thrown = kept[rest] + POINTS[top], min(kept[rest], one_thrown[rest] + POINTS[top])
        length = 1
        while length <= top and rest >> (top - length) & 1:
            rest ^= 1 << (top - length)
            length += 1
            if length >= 3:
                best, best_thrown = min(best, kept[rest]), min(best_thrown, one_thrown[rest])
        kept[ranks], one_thrown[ranks] = best, best_thrown
    return tuple(kept), tuple(whole - left for whole, left in zip(kept, one_thrown, strict=True))


_RUNS_ONLY, _THROWN = _hands_of_one_suit()


def deadwood(hand: CardSet) -> int:
    """The least points that can be left in no meld; the hand may be of any size.

    >>> from service.cards.cardset import cardset, read_cards
    >>> deadwood(cardset(read_cards("JC 9D 8S 6D JS 8H TD 8D 7D JD")))
    16
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h, d, c = majors & SUIT, majors >> 13, minors & SUIT, minors >> 13
    triples = s & h & (d | c) | d & c & (s | h)
    if triples:
        return _least(_all_kept, (s, h, d, c), triples)
    return _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]


def deadwood_after_throw(hand: CardSet) -> int:
    """The least points that can be left in no meld once a card is thrown. hand: one card or more.

    A throw that takes a card from a set leaves a smaller set, or none: both are among the choices of sets.
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h, d, c = majors & SUIT, majors >> 13, minors & SUIT, minors >> 13
    triples = s & h & (d | c) | d & c & (s | h)
    if triples:
        return _least(_one_thrown, (s, h, d, c), triples)
    left = _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]
    return left - max(_THROWN[s], _THROWN[h], _THROWN[d], _THROWN[c])


def _all_kept(s: int, h: int, d: int, c: int) -> int:
    return _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]


def _one_thrown(s: int, h: int, d: int, c: int) -> int:
    left = _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]
    return left - max(_THROWN[s], _THROWN[h], _THROWN[d], _THROWN[c])


def _least(count: Callable[[int, int, int, int], int], suits: tuple[int, int, int, int], triples: int) -> int:
    """The least that is counted of four suits, over all choices of sets from the ranks of `triples`."""
    s, h, d, c = suits
    best = count(s, h, d, c)
    taken = triples  # and then every choice of some of these ranks
    while taken:
        left = ~taken
        best = min(best, count(s & left, h & left, d & left, c & left))
        taken = (taken - 1) & triples
    fours = s & h & d & c  # of which three may be a set, and one is kept for a run
    while fours:
        rank = fours & -fours
        fours ^= rank
        s0, h0, d0, c0 = s ^ rank, h ^ rank, d ^ rank, c ^ rank
        for one_kept in ((s, h0, d0, c0), (s0, h, d0, c0), (s0, h0, d, c0), (s0, h0, d0, c)):
            best = min(best, _least(count, one_kept, triples ^ rank))
    return best


def after_each_throw(hand: CardSet) -> dict[Card, int]:
    """The deadwood that each throw would leave, by the card thrown, in card order.

    Without a set in the hand, a throw changes what one suit counts, and no other.
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h, d, c = suits = majors & SUIT, majors >> 13, minors & SUIT, minors >> 13
    if s & h & (d | c) | d & c & (s | h):
        return {card: deadwood(hand ^ 1 << card) for card in cards_in(hand)}
    whole = _all_kept(s, h, d, c)
    left = {}
    for card in cards_in(hand):
        suit = suits[card // 13]
        left[card] = whole - _RUNS_ONLY[suit] + _RUNS_ONLY[suit ^ 1 << card % 13]
    return left


def throws(hand: CardSet, taken: Card | None = None) -> list[Card]:
    """The cards that may be thrown from a hand, in card order: all but the one just taken from the discard pile."""
    return [card for card in cards_in(hand) if card != taken]


def best_throws(hand: CardSet, taken: Card | None = None) -> tuple[int, tuple[Card, ...]]:
    """The least deadwood that one throw can leave, and every throw that leaves it, in card order.

    hand: at least one card that may be thrown. taken: the card just taken from the discard pile, which may not be.
    Each throw is tried: dropping the dearest card of the best arrangement of eleven misses knocks and gins.
    """
    left = after_each_throw(hand)
    cards = throws(hand, taken)
    least = min(left[card] for card in cards)
    return least, tuple(card for card in cards if left[card] == least)
