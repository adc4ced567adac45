"""Rulesets of gin rummy as flat data: every published variant is a set of values, and every value can be overridden."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from service.cards.card import POINTS, Card, rank
from service.rulebooks.fields import Values, check_applies, check_ranges


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that a match of gin rummy can be set to. Points are points; None means that the field does not apply."""

    preset: str
    opening: Literal["offer", "open"]
    both_pass_draw: Literal["stock_only", "either"]
    knock_limit: int | Literal["upcard"]
    oklahoma_ace: Literal["one", "gin_only"] | None
    oklahoma_spade_doubles: bool | None
    gin_bonus: int
    big_gin_bonus: int | None
    undercut_bonus: int
    undercut_on_tie: bool
    layoff: Literal["manual", "auto"]
    fiftieth_card: bool
    max_discard_draws: int
    next_dealer: Literal["alternate", "winner", "loser"]
    void_dealer: Literal["same", "alternate"]
    target: int
    box_bonus: int
    box_timing: Literal["end", "per_round"]
    gin_extra_boxes: int
    undercut_extra_boxes: int
    game_bonus: int
    shutout: Literal["none", "double_points", "double_total", "bonus"]
    shutout_bonus: int | None
    shutout_test: Literal["zero_points", "no_rounds_won"] | None
    columns: Literal[1, 3]
    columns_winner: Literal["sum", "most"] | None
    values: Mapping[str, Any] = field(repr=False, compare=False)
    """Every value by its field, without the preset."""
    differing: Mapping[str, Any] = field(repr=False, compare=False)
    """Those that differ from the preset's."""


_BOOL = Values((False, True))
_BONUS = Values(most=1000)
_BONUS_OR_NULL = Values(most=1000, nullable=True)

FIELDS: dict[str, Values] = {
    "opening": Values(("offer", "open")),
    "both_pass_draw": Values(("stock_only", "either")),
    "knock_limit": Values(("upcard",), most=10),
    "oklahoma_ace": Values(("one", "gin_only"), nullable=True),
    "oklahoma_spade_doubles": Values((False, True), nullable=True),
    "gin_bonus": _BONUS,
    "big_gin_bonus": _BONUS_OR_NULL,
    "undercut_bonus": _BONUS,
    "undercut_on_tie": _BOOL,
    "layoff": Values(("manual", "auto")),
    "fiftieth_card": _BOOL,
    "max_discard_draws": Values(least=1, most=500),
    "next_dealer": Values(("alternate", "winner", "loser")),
    "void_dealer": Values(("same", "alternate")),
    "target": Values(least=1, most=10_000),
    "box_bonus": _BONUS,
    "box_timing": Values(("end", "per_round")),
    "gin_extra_boxes": Values(most=10),
    "undercut_extra_boxes": Values(most=10),
    "game_bonus": _BONUS,
    "shutout": Values(("none", "double_points", "double_total", "bonus")),
    "shutout_bonus": _BONUS_OR_NULL,
    "shutout_test": Values(("zero_points", "no_rounds_won"), nullable=True),
    "columns": Values((1, 3)),
    "columns_winner": Values(("sum", "most"), nullable=True),
}


def checked(preset: str, published: Mapping[str, Any], overrides: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a preset's published values, some of them overridden.

    Raises RulesetRefused, naming the first field that is out of range or of sense.
    """
    values = {name: overrides.get(name, published[name]) for name in FIELDS}
    check_ranges(FIELDS, values)
    differing = {name: value for name, value in values.items() if value != published[name]}
    ruleset = Ruleset(preset, **values, values=values, differing=differing)
    upcard = ruleset.knock_limit == "upcard"
    for name, applies, when in (
        ("oklahoma_ace", upcard, "knock_limit is upcard"),
        ("oklahoma_spade_doubles", upcard, "knock_limit is upcard"),
        ("shutout_bonus", ruleset.shutout == "bonus", "shutout is bonus"),
        ("shutout_test", ruleset.shutout != "none", "shutout is not none"),
        ("columns_winner", ruleset.columns == 3, "columns is 3"),
    ):
        check_applies(values, name, applies, when)
    return ruleset


def knock_limit(rules: Ruleset, limit_card: Card | None) -> int:
    """The most deadwood a knock may have. limit_card: the card that set it, in Oklahoma.

    Source: pagat.com and Bicycle, "Oklahoma gin": pictures count 10; an ace means 1, or gin only.
    """
    if rules.knock_limit != "upcard":
        return rules.knock_limit
    assert limit_card is not None
    if rank(limit_card) == 0 and rules.oklahoma_ace == "gin_only":
        return 0
    return POINTS[limit_card]
