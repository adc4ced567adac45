"""Rulesets of basic rummy as flat data, and the published ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from service.rulebooks.base import Doc, Preset
from service.rulebooks.errors import RulesetRefused
from service.rulebooks.fields import Values, check_applies, check_ranges
from service.rulebooks.rummy.text import describe


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that a match of basic rummy can be set to. ace_points: None where the ace is low, and counts 1."""

    preset: str
    melds_per_turn: Literal["one", "any"]
    layoff_after_meld: bool
    discard_to_go_out: bool
    stock_empty: Literal["turn_over", "block"]
    stock_passes_max: int
    scoring: Literal["each_adds", "winner_takes"]
    rummy_bonus: Literal["none", "double", "flat"]
    ace: Literal["low", "either"]
    ace_points: Literal[1, 11] | None
    target: int
    values: Mapping[str, Any] = field(init=False, repr=False, compare=False)
    """Every value by its field, without the preset."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", {name: getattr(self, name) for name in FIELDS})


FIELDS: dict[str, Values] = {
    "melds_per_turn": Values(("one", "any")),
    "layoff_after_meld": Values((False, True)),
    "discard_to_go_out": Values((False, True)),
    "stock_empty": Values(("turn_over", "block")),
    "stock_passes_max": Values(least=0, most=10),
    "scoring": Values(("each_adds", "winner_takes")),
    "rummy_bonus": Values(("none", "double", "flat")),
    "ace": Values(("low", "either")),
    "ace_points": Values((1, 11), nullable=True),
    "target": Values(least=1, most=10_000),
}

_STANDARD: Doc = {
    "melds_per_turn": "one",
    "layoff_after_meld": False,
    "discard_to_go_out": False,
    "stock_empty": "turn_over",
    "stock_passes_max": 3,
    "scoring": "each_adds",
    "rummy_bonus": "none",
    "ace": "low",
    "ace_points": None,
    "target": 100,
}
_PAGAT: Doc = {"scoring": "winner_takes", "rummy_bonus": "double"}
_PUBLISHED: tuple[tuple[str, str, Doc], ...] = (
    ("standard", "pagat.com, Rummy, with every player's count against them", _STANDARD),
    ("pagat", "pagat.com, Rummy", _STANDARD | _PAGAT),
    ("bicycle", "Bicycle, Rummy", _STANDARD | _PAGAT | {"melds_per_turn": "any"}),
    ("block", "pagat.com, Rummy, without turning the discard pile over", _STANDARD | {"stock_empty": "block"}),
)
DEFAULT_ACE_POINTS = 11


def _checked(preset: str, values: Mapping[str, Any]) -> Ruleset:
    check_ranges(FIELDS, values)
    check_applies(values, "ace_points", values["ace"] == "either", "ace is either")
    return Ruleset(preset, **{name: values[name] for name in FIELDS})


_RULESETS = {name: _checked(name, values) for name, _, values in _PUBLISHED}
_PRESETS = tuple(Preset(name, source, describe(values), values) for name, source, values in _PUBLISHED)


def presets() -> tuple[Preset, ...]:
    """The published rulesets, the default first."""
    return _PRESETS


def read_ruleset(preset: str, overrides: Mapping[str, Any]) -> Ruleset:
    """A preset with some values changed; an ace that is `either` counts 11 unless `ace_points` says otherwise.

    Raises RulesetRefused for an unknown preset or field, a value out of range, or values that make no sense together.
    """
    base = _RULESETS.get(preset)
    if base is None:
        raise RulesetRefused("preset", f"must be one of {', '.join(_RULESETS)}")
    for name in overrides:
        if name not in FIELDS:
            raise RulesetRefused(name, "is not a field of a ruleset of basic rummy")
    values = {**base.values, **overrides}
    if values["ace"] == "either" and "ace_points" not in overrides:
        values["ace_points"] = DEFAULT_ACE_POINTS
    return _checked(preset, values)


def write_ruleset(ruleset: Ruleset) -> Doc:
    """The preset's name and the values that differ from it."""
    base = _RULESETS[ruleset.preset].values
    differing = {name: value for name, value in ruleset.values.items() if value != base[name]}
    return {"preset": ruleset.preset, **differing}


def show_ruleset(ruleset: Ruleset) -> Doc:
    """The preset's name and every value."""
    return {"preset": ruleset.preset, **ruleset.values}
