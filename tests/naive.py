"""The sums of gin rummy a second time: card names, sets and every possibility tried, with nothing of the service used.

It is slow on purpose. Whatever the service answers cleverly must be what comes out here.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "SHDC" for rank in RANKS]
ORDER = {card: place for place, card in enumerate(DECK)}

Cards = frozenset[str]
Laid = tuple[Cards, ...]


def count(cards: Cards) -> int:
    """Ace one, pictures ten."""
    return sum({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0]) for card in cards)


@cache
def is_meld(cards: Cards) -> bool:
    """Three or four of a rank, or three or more of a suit in a row."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return True
    one_suit = len({card[1] for card in cards}) == 1
    return one_suit and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


ALL_MELDS = [
    meld
    for meld in (
        *(
            frozenset(rank + suit for suit in suits)
            for rank in RANKS
            for n in (3, 4)
            for suits in combinations("SHDC", n)
        ),
        *(
            frozenset(rank + suit for rank in RANKS[start:end])
            for suit in "SHDC"
            for start in range(13)
            for end in range(start + 3, 14)
        ),
    )
    if is_meld(meld)
]


def arrangements(hand: Cards) -> Iterator[Laid]:
    """Every way to lay a hand out: each card is in no meld, or in one of the melds of the hand."""
    yield from _arrangements(hand, [meld for meld in ALL_MELDS if meld <= hand])


def _arrangements(free: Cards, melds: list[Cards]) -> Iterator[Laid]:
    yield ()
    for place, meld in enumerate(melds):
        if meld <= free:
            for rest in _arrangements(free - meld, melds[place + 1 :]):
                yield (meld, *rest)


def left(hand: Cards, melds: Laid) -> Cards:
    """What is in no meld."""
    return hand - frozenset().union(*melds)


@cache
def deadwood(hand: Cards) -> int:
    """The least that can be left in no meld."""
    return min(count(left(hand, melds)) for melds in arrangements(hand))


def in_order(cards: Cards) -> list[int]:
    """Cards as places in card order, lowest first."""
    return sorted(ORDER[card] for card in cards)


def could_extend(melds: Laid, out_of_reach: Cards) -> Cards:
    """The cards elsewhere that make one of the melds longer."""
    return frozenset(
        card for card in DECK if card not in out_of_reach and any(is_meld(meld | {card}) for meld in melds)
    )


def choice(hand: Cards, thrown: Cards) -> tuple[tuple[int, int, int, list[list[int]]], Laid]:
    """The arrangement that rule 4 chooses, and what it is chosen by."""
    return min(
        (
            (
                count(left(hand, melds)),
                len(could_extend(melds, hand | thrown)),
                len(melds),
                sorted(in_order(meld) for meld in melds),
            ),
            tuple(sorted(melds, key=in_order)),
        )
        for melds in arrangements(hand)
    )


def best_throws(hand: Cards, taken: str | None) -> tuple[int, set[str]]:
    """The least deadwood after a throw, and the throws that leave it."""
    left_by = {card: deadwood(hand - {card}) for card in hand if card != taken}
    return min(left_by.values()), {card for card, points in left_by.items() if points == min(left_by.values())}


def after_layoffs(spread: Laid, hand: Cards) -> set[Cards]:
    """Every hand that is left after laying cards off one by one, in any order, as long as each fits."""
    reached: set[tuple[Laid, Cards]] = set()
    waiting = [(spread, hand)]
    while waiting:
        here = waiting.pop()
        if here in reached:
            continue
        reached.add(here)
        melds, held = here
        for card in held:
            for place, meld in enumerate(melds):
                if is_meld(meld | {card}):
                    waiting.append(((*melds[:place], meld | {card}, *melds[place + 1 :]), held - {card}))
    return {held for _, held in reached}
