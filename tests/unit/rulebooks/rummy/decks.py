"""Decks of basic rummy that make things happen: melds, near-melds, useful draws, and hands that count alike."""

from random import Random

from service.cards.card import card
from tests import naive
from tests.unit.rulebooks.rummy.naive_checker import HIGH_RUNS, size

MELDS = [*map(sorted, naive.ALL_MELDS), *map(sorted, HIGH_RUNS)]
"""In an order that does not change from run to run."""


def rich_deck(chance: Random, seats: int) -> tuple[int, ...]:
    """A deck whose hands hold melds and near-melds, and whose stock begins with cards that the hands can use.

    Some hands are melds altogether. Two seats, or four, may get the same low cards in other suits each: where all throw
    the dearest card, the hands go on counting alike.
    """
    if seats in (2, 4) and chance.randrange(2):
        return _dealt(_mirrored_hands(seats), _low_cards_last(chance, seats))
    lumps = chance.choice(((1, 2, 3, 3, 4), (3, 3, 4), (3, 4, 6, 7), (1, 1, 2)))
    hands: list[list[str]] = []
    rest = set(naive.DECK)
    for _ in range(seats):
        hands.append(_lumped(chance, lumps, rest, size(seats)))
        rest -= set(hands[-1])
    stock = [each for each in naive.DECK if each in rest]
    chance.shuffle(stock)
    useful = [each for each in stock if any(_fits(each, hand) for hand in hands)]
    first = useful[: chance.choice((0, 2, 6, 12))]
    return _dealt(hands, first + [each for each in stock if each not in first])


def _dealt(hands: list[list[str]], stock: list[str]) -> tuple[int, ...]:
    dealt = [each for turn in zip(*hands, strict=True) for each in turn]
    return tuple(map(card, dealt + stock))


def _mirrored_hands(seats: int) -> list[list[str]]:
    suits = {2: ("SH", "DC"), 4: ("S", "H", "D", "C")}[seats]
    return [[rank + suit for suit in own for rank in naive.RANKS[: size(seats) // len(own)]] for own in suits]


def _low_cards_last(chance: Random, seats: int) -> list[str]:
    dealt = {each for hand in _mirrored_hands(seats) for each in hand}
    rest = [each for each in naive.DECK if each not in dealt]
    chance.shuffle(rest)
    return rest


def _lumped(chance: Random, lumps: tuple[int, ...], of: set[str], count: int) -> list[str]:
    """A hand, taken in lumps of so many cards of one meld as long as there are any, then card by card."""
    hand: list[str] = []
    for _ in range(40):
        lump = list(chance.choice(MELDS))[: chance.choice(lumps)]
        if of.issuperset(lump) and len(hand) + len(lump) <= count and not set(lump) & set(hand):
            hand += lump
    rest = [each for each in naive.DECK if each in of and each not in hand]
    return hand + chance.sample(rest, count - len(hand))


def _fits(each: str, hand: list[str]) -> bool:
    held = frozenset((*hand, each))
    return any(each in meld and held.issuperset(meld) for meld in MELDS)
