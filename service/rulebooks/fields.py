"""What the fields of a ruleset may hold, and how a value that makes no sense is refused; the same for every game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from service.rulebooks.errors import RulesetRefused

Ruleset = TypeVar("Ruleset")


@dataclass(frozen=True, slots=True)
class Values:
    """What a field may hold: one of some words or numbers, or a whole number in a range, or null."""

    words: tuple[str | int | bool, ...] = ()
    least: int = 0
    most: int = -1
    nullable: bool = False

    def allow(self, value: object) -> bool:
        """Whether a value is one of these; `true` is not the number 1."""
        if value is None:
            return self.nullable
        if any(value == word and type(value) is type(word) for word in self.words):
            return True
        return type(value) is int and self.least <= value <= self.most

    def __str__(self) -> str:
        parts = [str(word).lower() if isinstance(word, bool) else str(word) for word in self.words]
        if self.least <= self.most:
            parts.insert(0, f"a whole number from {self.least} to {self.most}")
        return " or ".join(parts + ["null"] * self.nullable)


def check_ranges(fields: Mapping[str, Values], values: Mapping[str, Any]) -> None:
    """Refuse a value that its field may not hold. Raises RulesetRefused."""
    for field, allowed in fields.items():
        if not allowed.allow(values[field]):
            raise RulesetRefused(field, f"must be {allowed}")


def check_applies(values: Mapping[str, Any], field: str, applies: bool, when: str) -> None:
    """Refuse a field that is null although it applies, or set although it does not. Raises RulesetRefused."""
    given = values[field] is not None
    if applies and not given:
        raise RulesetRefused(field, f"must be set when {when}")
    if given and not applies:
        raise RulesetRefused(field, f"must be null unless {when}")


def remembered(read_ruleset: Callable[[str, Mapping[str, Any]], Ruleset]) -> Callable[[Mapping[str, Any]], Ruleset]:
    """A reader of rulesets in their stored form that keeps those it was asked for last, since games share them.

    It raises what `read_ruleset` raises, and TypeError for a value that no ruleset can hold.
    """

    @lru_cache(maxsize=256, typed=True)
    def known(*fields_and_values: Any) -> Ruleset:
        count = len(fields_and_values) // 2
        doc = dict(zip(fields_and_values[:count], fields_and_values[count:], strict=True))
        return read_ruleset(doc.pop("preset"), doc)

    return lambda doc: known(*doc, *doc.values())
