"""Arrangements: a hand laid out as melds and deadwood, and the one arrangement that serves its owner best."""

from collections.abc import Iterator

from msgspec import Struct

from service.cards.cardset import EMPTY, CardSet, cards_in, points
from service.cards.deadwood import deadwood
from service.cards.melds import EXTENSIONS, NAMES_OF, joined, melds_in


class Arrangement(Struct, frozen=True):
    """Disjoint melds, and the cards in none of them."""

    melds: tuple[CardSet, ...]
    unmelded: CardSet

    @property
    def deadwood(self) -> int:
        """The points of the cards in no meld."""
        return points(self.unmelded)

    def meld_names(self) -> list[list[str]]:
        """The melds as lists of card names."""
        return [list(NAMES_OF[meld]) for meld in self.melds]


def arrange(hand: CardSet, melds: tuple[CardSet, ...]) -> Arrangement:
    """A hand laid out as these melds, which must be disjoint and in the hand; melds come out in order."""
    return Arrangement(tuple(sorted(melds, key=_lowest)), hand ^ joined(melds))


def _lowest(meld: CardSet) -> CardSet:
    """The lowest card of a meld, by which melds without a common card are in card order."""
    return meld & -meld


def best_arrangement(hand: CardSet, thrown: CardSet = EMPTY) -> Arrangement:
    """The arrangement that leaves the least deadwood and, of those, gives the opponent the least to lay off.

    hand: the cards to lay out. thrown: cards that are out of the opponent's reach besides, such as the throw of a
    knock. Ties go to the fewest distinct cards outside both that could extend a meld in one step, then to the fewest
    melds, then to the lowest arrangement in card order. Nothing about another hand is used.
    """
    melds = melds_in(hand)
    if not melds:
        return Arrangement((), hand)
    if sum(map(int.bit_count, melds)) == joined(melds).bit_count():
        return arrange(hand, tuple(melds))  # no card is in two of them, so each takes its points off the deadwood
    to_meld = points(hand) - deadwood(hand)
    arrangements = [arrange(hand, chosen) for chosen in _choices(melds, 0, hand, to_meld)]
    if len(arrangements) == 1:
        return arrangements[0]
    out_of_reach = hand | thrown
    return min(
        arrangements,
        key=lambda laid: (
            extending_cards(laid.melds, out_of_reach).bit_count(),
            len(laid.melds),
            [cards_in(meld) for meld in laid.melds],
        ),
    )


def extending_cards(melds: tuple[CardSet, ...], out_of_reach: CardSet) -> CardSet:
    """The cards not out of reach of which any one could be added to one of the melds."""
    return joined([EXTENSIONS[meld] for meld in melds]) & ~out_of_reach


def _choices(melds: list[CardSet], start: int, free: CardSet, to_meld: int) -> Iterator[tuple[CardSet, ...]]:
    """Every choice among melds[start:] within the free cards that takes exactly `to_meld` points off the deadwood."""
    if to_meld == 0:
        yield ()
        return
    for index in range(start, len(melds)):
        meld = melds[index]
        if meld & free == meld and (worth := points(meld)) <= to_meld:
            for rest in _choices(melds, index + 1, free ^ meld, to_meld - worth):
                yield (meld, *rest)
