"""Deadwood: what a hand counts outside its melds, at best; and what it counts once a card is thrown.

A hand is four suits, and at most three ranks that are held three times or more. For every way to take sets from those
ranks, the runs of what is left are looked up suit by suit in tables of all 8,192 hands of one suit. This is the inner
loop of everything, so it avoids calls where they would cost as much as the work.
"""

from service.cards.card import POINTS, Card
from service.cards.cardset import SUIT, CardSet, cards_in

_SPADES_AND_HEARTS = (1 << 26) - 1
_NOTHING_TO_THROW = 1000
_OF_EACH_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The aces; times a set of ranks, the cards of these ranks."""


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

    >>> from service.cards.cardset import read_set
    >>> deadwood(read_set("JC 9D 8S 6D JS 8H TD 8D 7D JD"))
    16
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h = majors & SUIT, majors >> 13
    d, c = minors & SUIT, minors >> 13
    triples = (s & h | d & c) & (s | h) & (d | c)
    if triples:
        return _with_sets(s, h, d, c, triples)
    return _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]


def _with_sets(s: int, h: int, d: int, c: int, triples: int) -> int:
    """The least deadwood of four suits over all ways to take sets of the ranks of `triples`, none at all among them."""
    best = _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]
    taken = triples  # and then, counting down, every other choice of some of these ranks
    while taken:
        rest = ~taken
        left = _RUNS_ONLY[s & rest] + _RUNS_ONLY[h & rest] + _RUNS_ONLY[d & rest] + _RUNS_ONLY[c & rest]
        best = left if left < best else best
        taken = (taken - 1) & triples
    for one_kept in _threes_taken(s, h, d, c, triples):
        best = min(best, _with_sets(*one_kept))
    return best


def deadwood_after_throw(hand: CardSet) -> int:
    """The least points that can be left in no meld once a card is thrown. hand: one card or more.

    Sets are taken as for `deadwood`: a throw from a set leaves a smaller one or none, which are among the ways.
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h = majors & SUIT, majors >> 13
    d, c = minors & SUIT, minors >> 13
    triples = (s & h | d & c) & (s | h) & (d | c)
    return _with_sets_after_throw(s, h, d, c, triples) if triples else _one_thrown(s, h, d, c)


def _with_sets_after_throw(s: int, h: int, d: int, c: int, triples: int) -> int:
    best = _one_thrown(s, h, d, c)
    taken = triples  # and then, counting down, every other choice of some of these ranks
    while taken:
        rest = ~taken
        left = _one_thrown(s & rest, h & rest, d & rest, c & rest)
        best = left if left < best else best
        taken = (taken - 1) & triples
    for one_kept in _threes_taken(s, h, d, c, triples):
        best = min(best, _with_sets_after_throw(*one_kept))
    return best


def _one_thrown(s: int, h: int, d: int, c: int) -> int:
    """The least deadwood of four suits in runs only, with the card thrown that takes most off it."""
    of_majors = _THROWN[s] if _THROWN[s] > _THROWN[h] else _THROWN[h]
    of_minors = _THROWN[d] if _THROWN[d] > _THROWN[c] else _THROWN[c]
    most = of_majors if of_majors > of_minors else of_minors
    return _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c] - most


def _threes_taken(s: int, h: int, d: int, c: int, triples: int) -> list[tuple[int, int, int, int, int]]:
    """What is left if three of four cards of a rank are a set: the suits, and the other ranks that sets may be of."""
    left = []
    fours = s & h & d & c
    while fours:
        rank = fours & -fours
        fours ^= rank
        s0, h0, d0, c0, others = s ^ rank, h ^ rank, d ^ rank, c ^ rank, triples ^ rank
        left += [(s, h0, d0, c0, others), (s0, h, d0, c0, others), (s0, h0, d, c0, others), (s0, h0, d0, c, others)]
    return left


def after_each_throw(hand: CardSet) -> dict[Card, int]:
    """The deadwood that each throw would leave, by the card thrown, in card order.

    Without a set in the hand, a throw changes what one suit counts, and no other. With one, a throw of a card that can
    be in no meld takes off what the card counts, and the other throws are tried.
    """
    majors, minors = hand & _SPADES_AND_HEARTS, hand >> 26
    s, h, d, c = suits = majors & SUIT, majors >> 13, minors & SUIT, minors >> 13
    triples = (s & h | d & c) & (s | h) & (d | c)
    left = {}
    if triples:
        whole, meldable = deadwood(hand), _in_rows(hand) | triples * _OF_EACH_SUIT
        for card in cards_in(hand):
            left[card] = deadwood(hand ^ 1 << card) if meldable >> card & 1 else whole - POINTS[card]
        return left
    whole = _RUNS_ONLY[s] + _RUNS_ONLY[h] + _RUNS_ONLY[d] + _RUNS_ONLY[c]
    for card in cards_in(hand):
        suit = suits[card // 13]
        left[card] = whole - _RUNS_ONLY[suit] + _RUNS_ONLY[suit ^ 1 << card % 13]
    return left


def _in_rows(hand: CardSet) -> CardSet:
    """The cards of each three in a row, so of every run; some rows go from the king of a suit to the next ace."""
    lowest = hand & hand >> 1 & hand >> 2
    return lowest | lowest << 1 | lowest << 2


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
