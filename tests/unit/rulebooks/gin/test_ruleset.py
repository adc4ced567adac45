"""Rulesets: every field checked by its range and by its sense beside the others, each refusal naming the field."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import RulesetRefused
from service.rulebooks.gin.ruleset import FIELDS
from tests.builders import rules

OKLAHOMA = {"knock_limit": "upcard", "oklahoma_ace": "one", "oklahoma_spade_doubles": False}
BONUS = {"shutout": "bonus", "shutout_bonus": 200}
THREE = {"columns": 3, "columns_winner": "sum"}
NO_SHUTOUT = {"shutout": "none", "shutout_test": None}

ACCEPTED = [
    *({"opening": word} for word in ("offer", "open")),
    *({"both_pass_draw": word} for word in ("stock_only", "either")),
    *({"knock_limit": number} for number in range(11)),
    *(OKLAHOMA | {"oklahoma_ace": word} for word in ("one", "gin_only")),
    *(OKLAHOMA | {"oklahoma_spade_doubles": word} for word in (True, False)),
    *({"gin_bonus": number} for number in (0, 1, 1000)),
    *({"big_gin_bonus": number} for number in (None, 0, 1000)),
    *({"undercut_bonus": number} for number in (0, 1000)),
    *({"undercut_on_tie": word} for word in (True, False)),
    *({"layoff": word} for word in ("manual", "auto")),
    *({"fiftieth_card": word} for word in (True, False)),
    *({"max_discard_draws": number} for number in (1, 500)),
    *({"next_dealer": word} for word in ("alternate", "winner", "loser")),
    *({"void_dealer": word} for word in ("same", "alternate")),
    *({"target": number} for number in (1, 10_000)),
    *({"box_bonus": number} for number in (0, 1000)),
    *({"box_timing": word} for word in ("end", "per_round")),
    *({"gin_extra_boxes": number} for number in (0, 10)),
    *({"undercut_extra_boxes": number} for number in (0, 10)),
    *({"game_bonus": number} for number in (0, 1000)),
    *({"shutout": word} for word in ("double_points", "double_total")),
    NO_SHUTOUT,
    *(BONUS | {"shutout_bonus": number} for number in (0, 1000)),
    *({"shutout_test": word} for word in ("zero_points", "no_rounds_won")),
    {"columns": 1},
    *(THREE | {"columns_winner": word} for word in ("sum", "most")),
]

REFUSED = {
    "opening": ("closed", None, True),
    "both_pass_draw": ("neither", None),
    "knock_limit": (-1, 11, "10", None, True, 10.0, "UPCARD"),
    "oklahoma_ace": ("eleven", 1, True),
    "oklahoma_spade_doubles": (1, 0, "true"),
    "gin_bonus": (-1, 1001, None, "25", 25.0, True),
    "big_gin_bonus": (-1, 1001, "31", False),
    "undercut_bonus": (-1, 1001, None),
    "undercut_on_tie": (None, 1, 0, "true"),
    "layoff": ("none", None),
    "fiftieth_card": (None, 1),
    "max_discard_draws": (0, 501, None, True),
    "next_dealer": ("same", None),
    "void_dealer": ("winner", None),
    "target": (0, -1, 10_001, None, True, [], {}),
    "box_bonus": (-1, 1001, None),
    "box_timing": ("never", None),
    "gin_extra_boxes": (-1, 11, None),
    "undercut_extra_boxes": (-1, 11, None),
    "game_bonus": (-1, 1001, None),
    "shutout": ("double", None),
    "shutout_bonus": (-1, 1001, "200"),
    "shutout_test": ("no_points", 0),
    "columns": (0, 2, 4, None, True, 1.0, "3"),
    "columns_winner": ("margin", 1),
}


@pytest.mark.parametrize("overrides", ACCEPTED, ids=str)
def test_values_at_the_ends_of_their_ranges_are_accepted(overrides):
    ruleset = rules(**overrides)
    assert {field: getattr(ruleset, field) for field in overrides} == overrides


def test_every_field_is_tried_with_every_word_it_has_and_with_wrong_values():
    assert set(REFUSED) == set(FIELDS)
    tried = {(field, value) for overrides in ACCEPTED for field, value in overrides.items()}
    assert [
        (field, word) for field, values in FIELDS.items() for word in values.words if (field, word) not in tried
    ] == []
    assert {field for field, _ in tried} == set(FIELDS)


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in REFUSED.items() for value in values])
def test_a_value_out_of_range_is_refused_and_its_field_named(field, value):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**{field: value})
    assert refusal.value.field == field
    assert refusal.value.reason.startswith("must be ")


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("opening", "must be offer or open"),
        ("knock_limit", "must be a whole number from 0 to 10 or upcard"),
        ("big_gin_bonus", "must be a whole number from 0 to 1000 or null"),
        ("undercut_on_tie", "must be false or true"),
        ("max_discard_draws", "must be a whole number from 1 to 500"),
        ("columns", "must be 1 or 3"),
        ("shutout_test", "must be zero_points or no_rounds_won or null"),
    ],
)
def test_the_refusal_says_what_would_be_accepted(field, reason):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**{field: "nonsense"})
    assert (refusal.value.field, refusal.value.reason) == (field, reason)


@pytest.mark.parametrize(
    ("overrides", "field", "reason"),
    [
        ({"knock_limit": "upcard"}, "oklahoma_ace", "must be set when knock_limit is upcard"),
        (
            {"knock_limit": "upcard", "oklahoma_ace": "one"},
            "oklahoma_spade_doubles",
            "must be set when knock_limit is upcard",
        ),
        ({"oklahoma_ace": "one"}, "oklahoma_ace", "must be null unless knock_limit is upcard"),
        ({"oklahoma_spade_doubles": False}, "oklahoma_spade_doubles", "must be null unless knock_limit is upcard"),
        ({"shutout": "bonus"}, "shutout_bonus", "must be set when shutout is bonus"),
        ({"shutout_bonus": 200}, "shutout_bonus", "must be null unless shutout is bonus"),
        ({"shutout": "none"}, "shutout_test", "must be null unless shutout is not none"),
        ({"shutout_test": None}, "shutout_test", "must be set when shutout is not none"),
        ({"columns": 3}, "columns_winner", "must be set when columns is 3"),
        ({"columns_winner": "sum"}, "columns_winner", "must be null unless columns is 3"),
    ],
)
def test_values_that_make_no_sense_together_are_refused(overrides, field, reason):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**overrides)
    assert (refusal.value.field, refusal.value.reason) == (field, reason)


@pytest.mark.parametrize("field", ["ginbonus", "preset", "name", ""])
def test_an_unknown_field_is_refused_by_its_name(field):
    with pytest.raises(RulesetRefused) as refusal:
        gin.read_ruleset("standard", {"gin_bonus": 20, field: 1})
    assert refusal.value.field == field
