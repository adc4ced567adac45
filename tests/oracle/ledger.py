"""The book of a run: what was compared, which deviations explained what, and what nothing explained."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from service.cards.card import NAMES
from service.cards.cardset import names
from tests.oracle.deviations import Gap, Items


class Difference(Exception):
    """What the two sides say at one step, where no known deviation accounts for it."""

    def __init__(self, what: str, here: object, there: object) -> None:
        super().__init__(f"{what}\n  here   {here}\n  there  {there}")


@dataclass
class Ledger:
    """Counts. kinds: how the rounds ended. deviations: the times each was met, an example of each beside it."""

    kinds: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    comparisons: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: "Ledger") -> None:
        """Add another book up into this one."""
        self.kinds += other.kinds
        self.deviations += other.deviations
        self.examples = {**other.examples, **self.examples}
        self.comparisons += other.comparisons
        self.differences += other.differences

    def equal(self, what: str, here: object, there: object) -> None:
        """Hold two sides against each other where no deviation is known. Raises Difference."""
        self.comparisons += 1
        if here != there:
            raise Difference(what, _readable(here), _readable(there))

    def reconcile(
        self, what: str, here: Items, there: Items, gaps: Iterable[tuple[str, Gap | None]], spot: Any
    ) -> None:
        """Hold two lists against each other: they must differ by exactly what the deviations that apply say.

        Raises Difference.
        """
        self.comparisons += 1
        said_here: set[Any] = set()
        said_there: set[Any] = set()
        for name, gap in gaps:
            if gap:
                said_here |= gap.here
                said_there |= gap.there
                self._met(name, what, spot)
        only_here, only_there = here - there, there - here
        if only_here != said_here or only_there != said_there:
            raise Difference(
                f"{what}, on one side only; expected {_of_items(said_here)} here, {_of_items(said_there)} there",
                _of_items(only_here),
                _of_items(only_there),
            )

    def fold(
        self, what: str, here: int, there: int, deviations: Iterable[Callable[[Any, int], int | None]], spot: Any
    ) -> None:
        """Hold two figures against each other: ours, changed by each deviation that applies, must be theirs.

        Raises Difference.
        """
        self.comparisons += 1
        expected = here
        for deviation in deviations:
            changed = deviation(spot, expected)
            if changed is not None:
                expected = changed
                self._met(deviation.__name__, what, spot)
        if expected != there:
            raise Difference(f"{what}, expected {expected} there", here, there)

    def _met(self, name: str, what: str, spot: Any) -> None:
        self.deviations[name] += 1
        self.examples.setdefault(name, f"{what}: {spot}")


def _readable(value: object) -> object:
    return _of_items(value) if isinstance(value, set | frozenset) else value


def _of_items(items: Iterable[Any]) -> str:
    return ", ".join(sorted(map(_item, items))) or "nothing"


def _item(item: Any) -> str:
    """An item in words: cards and sets of cards by their names."""
    if not isinstance(item, tuple):
        return str(item)
    kind, *rest = item
    cards = kind in {"throw", "knock", "lay off", "top"}
    masks = kind in {"meld", "hand"}
    words = [
        NAMES[each] if cards and isinstance(each, int) else " ".join(names(each)) if masks else str(each)
        for each in rest
    ]
    return " ".join([str(kind), *words])
