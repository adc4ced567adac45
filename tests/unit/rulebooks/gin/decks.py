"""Decks of gin rummy that make things happen: melds, near-melds, ties, and draws that are of use."""

from random import Random

from service.cards.card import card
from tests import naive

MELDS = [sorted(meld) for meld in naive.ALL_MELDS]
"""In an order that does not change from run to run."""


def rich_deck(chance: Random) -> tuple[int, ...]:
    """A deck whose hands hold melds and near-melds, and whose stock begins with cards that the hands can use.

    One of four is made for ties: the second hand is the first in other suits, and the stock begins with high cards that
    nobody can use. In another, a hand can be laid out as three sets or as three runs. Sometimes the upcard is an ace.
    """
    make = chance.choice((_rich_hands, _rich_hands, _square_hands, _mirrored_hands))
    hands = make(chance)
    rest = [each for each in naive.DECK if each not in hands[0] and each not in hands[1]]
    chance.shuffle(rest)
    useful = [each for each in rest if any(_fits(each, hand) for hand in hands)]
    first = useful[: chance.choice((0, 2, 6, 12))]
    if make is _mirrored_hands:
        first = [each for each in rest if each not in useful and each[0] in "TJQK"]
    elif chance.randrange(6) == 0:
        first = [each for each in rest if each[0] == "A"][:1]
    for hand in hands:
        chance.shuffle(hand)
    dealt = [each for pair in zip(*hands, strict=True) for each in pair]
    return tuple(map(card, dealt + first + [each for each in rest if each not in first]))


def _rich_hands(chance: Random) -> list[list[str]]:
    lumps = chance.choice(((1, 2, 3, 3, 4, 5), (3, 3, 3, 4, 1)))
    first = _lumped(chance, lumps, set(naive.DECK))
    return [first, _lumped(chance, lumps, set(naive.DECK) - set(first))]


def _square_hands(chance: Random) -> list[list[str]]:
    """Three ranks in a row in three suits, and one card; the other hand is of any kind."""
    low, left_out = chance.randrange(11), chance.choice("SHDC")
    square = [rank + suit for rank in naive.RANKS[low : low + 3] for suit in "SHDC" if suit != left_out]
    rest = sorted(set(naive.DECK) - set(square))
    square.append(chance.choice(rest))
    hands = [square, _lumped(chance, (1, 2, 3, 3, 4), set(rest) - set(square))]
    return hands if chance.randrange(2) else hands[::-1]


def _mirrored_hands(chance: Random) -> list[list[str]]:
    first = _lumped(chance, (3, 3, 4, 1), {each for each in naive.DECK if each[1] in "SH"})
    return [first, [rank + {"S": "D", "H": "C"}[suit] for rank, suit in first]]


def _lumped(chance: Random, lumps: tuple[int, ...], of: set[str]) -> list[str]:
    """Ten cards, taken in lumps of so many cards of one meld."""
    hand: list[str] = []
    while len(hand) < 10:
        lump = list(chance.choice(MELDS))[: chance.choice(lumps)]
        if of.issuperset(lump) and len(hand) + len(lump) <= 10 and not set(lump) & set(hand):
            hand += lump
    return hand


def _fits(each: str, hand: list[str]) -> bool:
    eleven = frozenset((*hand, each))
    return any(each in meld and meld <= eleven for meld in naive.ALL_MELDS)
