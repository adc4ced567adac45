"""Is every card as likely in every place of the deck? The chi-square of many shuffles, and shuffles that fail it.

python -m tests.fairness 200000
"""

import hashlib
import sys
from collections.abc import Callable, Iterable

from service.cards.card import DECK_SIZE
from service.cards.shuffle import PURPOSE_DEAL, below, shuffled_deck, words

NO_SEEDS = ("", "")
FREEDOM = (DECK_SIZE - 1) ** 2
Z_999 = 3.2905
"""Within so many standard deviations lie 99.9 % of all draws."""


def seed_number(number: int) -> bytes:
    """One seed after the other, the same in every run."""
    return hashlib.sha256(number.to_bytes(4, "big")).digest()


def fair(number: int) -> Iterable[int]:
    """The shuffle of the service."""
    return shuffled_deck(seed_number(number), 1, NO_SEEDS)


def swapping_with_any(number: int) -> Iterable[int]:
    """The classic wrong shuffle: every card is swapped with any other."""
    return _swapped(number, range(DECK_SIZE - 1, -1, -1), lambda top: DECK_SIZE)


def never_staying(number: int) -> Iterable[int]:
    """Off by one: no card is ever swapped with itself, so none can stay where it was."""
    return _swapped(number, range(DECK_SIZE - 1, 0, -1), lambda top: top)


def _swapped(number: int, tops: Iterable[int], bound: Callable[[int], int]) -> Iterable[int]:
    numbers = words(seed_number(number), 1, PURPOSE_DEAL, NO_SEEDS)
    deck = list(range(DECK_SIZE))
    for top in tops:
        other = below(bound(top), numbers)
        deck[top], deck[other] = deck[other], deck[top]
    return deck


def chi_square(shuffle: Callable[[int], Iterable[int]], shuffles: int) -> float:
    """How far the cards are from being as likely in every place: about 2601 for a fair shuffle."""
    seen = [[0] * DECK_SIZE for _ in range(DECK_SIZE)]
    for number in range(shuffles):
        for place, card in enumerate(shuffle(number)):
            seen[place][card] += 1
    expected = shuffles / DECK_SIZE
    return sum((times - expected) ** 2 / expected for row in seen for times in row)


def band() -> tuple[float, float]:
    """Where 99.9 % of fair shuffles have their chi-square (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * FREEDOM)
    low, high = (FREEDOM * (1 - spread + z * spread**0.5) ** 3 for z in (-Z_999, Z_999))
    return low, high


def main() -> int:
    """Report on the service's shuffle and on two wrong ones; 0 if only the first lies in the band."""
    shuffles = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    low, high = band()
    print(f"{shuffles} shuffles each, {FREEDOM} degrees of freedom, 99.9 % band {low:.0f} to {high:.0f}")
    inside = {}
    for shuffle in (fair, swapping_with_any, never_staying):
        found = chi_square(shuffle, shuffles)
        inside[shuffle.__name__] = low <= found <= high
        print(f"  {shuffle.__name__:18} {found:12.0f}  {'inside' if inside[shuffle.__name__] else 'outside'}")
    return 0 if list(inside.values()) == [True, False, False] else 1


if __name__ == "__main__":
    sys.exit(main())
