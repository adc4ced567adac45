"""Rulesets: the published values, what each field may hold, and what makes no sense together."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.errors import RulesetRefused
from service.rulebooks.rummy.ruleset import FIELDS
from tests.unit.rulebooks.rummy.tables import rules

STANDARD = {
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
PRESETS = {
    "standard": STANDARD,
    "pagat": STANDARD | {"scoring": "winner_takes", "rummy_bonus": "double"},
    "bicycle": STANDARD | {"scoring": "winner_takes", "rummy_bonus": "double", "melds_per_turn": "any"},
    "block": STANDARD | {"stock_empty": "block"},
}

ACCEPTED = [
    *({"melds_per_turn": word} for word in ("one", "any")),
    *({"layoff_after_meld": word} for word in (False, True)),
    *({"discard_to_go_out": word} for word in (False, True)),
    *({"stock_empty": word} for word in ("turn_over", "block")),
    *({"stock_passes_max": number} for number in (0, 10)),
    *({"scoring": word} for word in ("each_adds", "winner_takes")),
    *({"rummy_bonus": word} for word in ("none", "double", "flat")),
    *({"ace": word} for word in ("low", "either")),
    *({"ace": "either", "ace_points": number} for number in (1, 11)),
    {"ace": "low", "ace_points": None},
    *({"target": number} for number in (1, 10_000)),
]

REFUSED = {
    "melds_per_turn": ("two", 1, None),
    "layoff_after_meld": (None, 1, "true"),
    "discard_to_go_out": (None, 0, "false"),
    "stock_empty": ("shuffle", None, True),
    "stock_passes_max": (-1, 11, None, "3", 3.0, True),
    "scoring": ("all_add", None),
    "rummy_bonus": ("ten", None, 10),
    "ace": ("high", None, 1),
    "ace_points": (0, 10, 15, "11", True),
    "target": (0, -1, 10_001, None, True, "100", []),
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_its_published_values(name):
    assert rummy.show_ruleset(rules(name)) == {"preset": name, **PRESETS[name]}


def test_the_presets_are_published_with_their_values_and_sources_the_default_first():
    published = rummy.presets()
    assert [preset.name for preset in published] == list(PRESETS)
    for preset in published:
        assert preset.values == PRESETS[preset.name]
        assert preset.source
        assert preset.text


@pytest.mark.parametrize("overrides", ACCEPTED, ids=str)
def test_values_at_the_ends_of_their_ranges_are_accepted(overrides):
    shown = rummy.show_ruleset(rules(**overrides))
    assert {field: shown[field] for field in overrides} == overrides


def test_every_field_is_tried_with_every_word_it_has_and_with_wrong_values():
    assert set(REFUSED) == set(FIELDS) == set(STANDARD)
    tried = {(field, value) for overrides in ACCEPTED for field, value in overrides.items()}
    assert {(field, word) for field, values in FIELDS.items() for word in values.words} <= tried


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in REFUSED.items() for value in values])
def test_a_value_out_of_range_is_refused_and_its_field_named(field, value):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**({"ace": "either"} if field == "ace_points" else {}) | {field: value})
    assert refusal.value.field == field
    assert refusal.value.reason.startswith("must be ")


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("melds_per_turn", "must be one or any"),
        ("layoff_after_meld", "must be false or true"),
        ("stock_passes_max", "must be a whole number from 0 to 10"),
        ("ace_points", "must be 1 or 11 or null"),
        ("target", "must be a whole number from 1 to 10000"),
    ],
)
def test_the_refusal_says_what_would_be_accepted(field, reason):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**{field: "nonsense"})
    assert (refusal.value.field, refusal.value.reason) == (field, reason)


def test_an_ace_that_may_be_high_counts_eleven_unless_the_client_says_otherwise():
    assert rummy.show_ruleset(rules(ace="either"))["ace_points"] == 11
    assert rummy.show_ruleset(rules(ace="either", ace_points=1))["ace_points"] == 1


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        ({"ace_points": 11}, "must be null unless ace is either"),
        ({"ace": "low", "ace_points": 1}, "must be null unless ace is either"),
        ({"ace": "either", "ace_points": None}, "must be set when ace is either"),
    ],
)
def test_what_an_ace_counts_is_said_exactly_where_it_may_be_high(overrides, reason):
    with pytest.raises(RulesetRefused) as refusal:
        rules(**overrides)
    assert (refusal.value.field, refusal.value.reason) == ("ace_points", reason)


def test_an_unknown_preset_is_refused_with_the_names_there_are():
    with pytest.raises(RulesetRefused) as refusal:
        rules("canasta")
    assert (refusal.value.field, refusal.value.reason) == (
        "preset",
        "must be one of standard, pagat, bicycle, block",
    )


@pytest.mark.parametrize("field", ["gin_bonus", "preset", ""])
def test_an_unknown_field_is_refused_by_its_name(field):
    with pytest.raises(RulesetRefused) as refusal:
        rummy.read_ruleset("standard", {"target": 20, field: 1})
    assert refusal.value.field == field


def test_a_ruleset_is_written_as_its_preset_and_what_differs_from_it():
    assert rummy.write_ruleset(rules("pagat")) == {"preset": "pagat"}
    assert rummy.write_ruleset(rules("pagat", target=50, rummy_bonus="double")) == {"preset": "pagat", "target": 50}
    assert rummy.write_ruleset(rules(ace="either")) == {"preset": "standard", "ace": "either", "ace_points": 11}


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_written_reads_back_as_the_same_ruleset(name):
    for overrides in ({}, {"target": 42}, {"ace": "either"}, {"ace": "either", "ace_points": 1}):
        written = rummy.write_ruleset(rules(name, **overrides))
        assert rummy.read_ruleset(written.pop("preset"), written) == rules(name, **overrides)


def test_a_match_knows_its_ruleset():
    assert rummy.ruleset(rummy.start(rules("block"), 2, None)) == rules("block")
