"""The published variants of gin rummy.

A preset that has been released keeps its values for ever, because games store its name.
"""

from collections.abc import Mapping
from typing import Any

from service.rulebooks.base import Doc, Preset
from service.rulebooks.errors import RulesetRefused
from service.rulebooks.gin.ruleset import FIELDS, Ruleset, checked
from service.rulebooks.gin.text import describe

_STANDARD: Doc = {
    "opening": "offer",
    "both_pass_draw": "stock_only",
    "knock_limit": 10,
    "oklahoma_ace": None,
    "oklahoma_spade_doubles": None,
    "gin_bonus": 25,
    "big_gin_bonus": 31,
    "undercut_bonus": 25,
    "undercut_on_tie": True,
    "layoff": "manual",
    "fiftieth_card": False,
    "max_discard_draws": 50,
    "next_dealer": "alternate",
    "void_dealer": "same",
    "target": 100,
    "box_bonus": 25,
    "box_timing": "end",
    "gin_extra_boxes": 0,
    "undercut_extra_boxes": 0,
    "game_bonus": 100,
    "shutout": "double_points",
    "shutout_bonus": None,
    "shutout_test": "no_rounds_won",
    "columns": 1,
    "columns_winner": None,
}
_NO_SHUTOUT: Doc = {"shutout": "none", "shutout_test": None}
_CLASSIC: Doc = _STANDARD | {
    "gin_bonus": 20,
    "big_gin_bonus": None,
    "undercut_bonus": 10,
    "next_dealer": "winner",
    "box_bonus": 20,
    "shutout": "bonus",
    "shutout_bonus": 200,
    "shutout_test": "zero_points",
}
_OKLAHOMA: Doc = {"knock_limit": "upcard", "oklahoma_ace": "one", "oklahoma_spade_doubles": True}
_PALACE: Doc = {
    "big_gin_bonus": None,
    "undercut_bonus": 20,
    "box_bonus": 10,
    "box_timing": "per_round",
    "game_bonus": 0,
}

_PUBLISHED: tuple[tuple[str, str, Doc], ...] = (
    ("standard", "Wikipedia, Gin rummy", _STANDARD),
    ("classic", "pagat.com and Bicycle, Gin rummy", _CLASSIC),
    (
        "oklahoma",
        "pagat.com, freegambling and rummyrulebook on Oklahoma gin",
        _CLASSIC | _OKLAHOMA | {"target": 150, "gin_extra_boxes": 2, "undercut_extra_boxes": 1},
    ),
    ("oklahoma_bicycle", "Bicycle, Oklahoma gin", _CLASSIC | _OKLAHOMA | {"oklahoma_ace": "gin_only", "target": 100}),
    ("straight", "Wikipedia, straight gin", _STANDARD | {"knock_limit": 0}),
    ("plus", "Wikipedia, Gin rummy, played to 500 without a shutout", _STANDARD | _NO_SHUTOUT | {"target": 500}),
    ("palace", "a widely played app", _STANDARD | _NO_SHUTOUT | _PALACE),
    (
        "eaai",
        "the EAAI gin rummy challenge",
        _STANDARD | _NO_SHUTOUT | {"big_gin_bonus": None, "box_bonus": 0, "game_bonus": 0},
    ),
    (
        "rubl",
        "rubl.com",
        _STANDARD | {"big_gin_bonus": None, "undercut_bonus": 20, "fiftieth_card": True, "shutout": "double_total"},
    ),
    ("open", "Wikipedia, Gin rummy, without the offer of the upcard", _STANDARD | {"opening": "open"}),
    ("tournament", "Wikipedia, Gin rummy, played to 250", _STANDARD | {"target": 250}),
    ("hollywood", "Wikipedia, Hollywood gin", _STANDARD | {"columns": 3, "columns_winner": "sum"}),
)
_RULESETS = {name: checked(name, values, {}) for name, _, values in _PUBLISHED}
_PRESETS = tuple(Preset(name, source, describe(_RULESETS[name]), values) for name, source, values in _PUBLISHED)


def presets() -> tuple[Preset, ...]:
    """The published rulesets, the default first."""
    return _PRESETS


def read_ruleset(preset: str, overrides: Mapping[str, Any]) -> Ruleset:
    """A preset with some values changed.

    Raises RulesetRefused for an unknown preset or field, a value out of range, or values that make no sense together.
    """
    base = _RULESETS.get(preset)
    if base is None:
        raise RulesetRefused("preset", f"must be one of {', '.join(_RULESETS)}")
    if not overrides:
        return base
    for field in overrides:
        if field not in FIELDS:
            raise RulesetRefused(field, "is not a field of a gin rummy ruleset")
    return checked(preset, base.values, overrides)


def write_ruleset(ruleset: Ruleset) -> Doc:
    """The preset's name and the values that differ from it."""
    return {"preset": ruleset.preset, **ruleset.differing}


def show_ruleset(ruleset: Ruleset) -> Doc:
    """The preset's name and every value."""
    return {"preset": ruleset.preset, **ruleset.values}
