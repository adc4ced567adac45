"""The published rulesets, typed from the rule book line by line."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import RulesetRefused
from tests.builders import rules

NAMES = ("standard", "classic", "oklahoma", "straight", "plus", "palace", "eaai", "rubl")

TABLE = """
opening                 offer         offer     offer     offer         offer      offer      offer offer
both_pass_draw          stock_only    =         =         =             =          =          =     =
knock_limit             10            10        upcard    0             10         10         10    10
oklahoma_ace            null          null      one       null          null       null       null  null
oklahoma_spade_doubles  null          null      true      null          null       null       null  null
gin_bonus               25            20        20        25            25         25         25    25
big_gin_bonus           31            null      null      31            31         null       null  null
undercut_bonus          25            10        10        25            25         20         25    20
undercut_on_tie         true          =         =         =             =          =          =     =
layoff                  manual        =         =         =             =          =          =     =
fiftieth_card           false         false     false     false         false      false      false true
max_discard_draws       50            =         =         =             =          =          =     =
next_dealer             alternate     winner    winner    alternate     alternate  alternate  alternate alternate
void_dealer             same          =         =         =             =          =          =     =
target                  100           100       150       100           500        100        100   100
box_bonus               25            20        20        25            25         10         0     25
box_timing              end           end       end       end           end        per_round  end   end
gin_extra_boxes         0             0         2         0             0          0          0     0
undercut_extra_boxes    0             0         1         0             0          0          0     0
game_bonus              100           100       100       100           100        0          0     100
shutout                 double_points bonus     bonus     double_points none       none       none  double_total
shutout_bonus           null          200       200       null          null       null       null  null
shutout_test            no_rounds_won zero_points zero_points no_rounds_won null    null       null  no_rounds_won
columns                 1             1         1         1             1          1          1     1
columns_winner          null          =         =         =             =          =          =     =
"""
WORDS = {"true": True, "false": False, "null": None}


def typed(word):
    return WORDS[word] if word in WORDS else int(word) if word.isdigit() else word


def column(name):
    rows = [line.split() for line in TABLE.split("\n") if line]
    place = NAMES.index(name) + 1
    return {row[0]: typed(row[1] if row[place] == "=" else row[place]) for row in rows}


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_has_exactly_the_published_values(name):
    assert gin.show_ruleset(rules(name)) == {"preset": name, **column(name)}


@pytest.mark.parametrize(
    ("name", "like", "but"),
    [
        ("open", "standard", {"opening": "open"}),
        (
            "oklahoma_bicycle",
            "classic",
            {"knock_limit": "upcard", "oklahoma_ace": "gin_only", "oklahoma_spade_doubles": True, "target": 100},
        ),
        ("tournament", "standard", {"target": 250}),
        ("hollywood", "standard", {"columns": 3, "columns_winner": "sum"}),
    ],
)
def test_a_further_preset_is_another_with_some_values_changed(name, like, but):
    assert gin.show_ruleset(rules(name)) == {"preset": name, **column(like), **but}


def test_the_presets_are_published_with_their_values_and_sources_the_default_first():
    published = gin.presets()
    assert [preset.name for preset in published] == [
        *("standard", "classic", "oklahoma", "oklahoma_bicycle", "straight", "plus", "palace", "eaai", "rubl"),
        *("open", "tournament", "hollywood"),
    ]
    for preset in published:
        assert {"preset": preset.name, **preset.values} == gin.show_ruleset(rules(preset.name))
        assert preset.source


def test_an_unknown_preset_is_refused_with_the_names_there_are():
    with pytest.raises(RulesetRefused) as refusal:
        gin.read_ruleset("canasta", {})
    assert refusal.value.field == "preset"
    assert "standard, classic, oklahoma" in refusal.value.reason


def test_an_override_changes_its_field_and_nothing_else():
    changed = gin.show_ruleset(rules("classic", gin_bonus=25))
    assert changed == gin.show_ruleset(rules("classic")) | {"gin_bonus": 25}


def test_a_ruleset_is_written_as_its_preset_and_what_differs_from_it():
    assert gin.write_ruleset(rules("rubl")) == {"preset": "rubl"}
    assert gin.write_ruleset(rules("rubl", gin_bonus=20, target=100)) == {"preset": "rubl", "gin_bonus": 20}


@pytest.mark.parametrize("name", [preset.name for preset in gin.presets()])
def test_what_is_written_reads_back_as_the_same_ruleset(name):
    for overrides in ({}, {"target": 42, "undercut_on_tie": False, "big_gin_bonus": None}):
        written = gin.write_ruleset(rules(name, **overrides))
        assert gin.read_ruleset(written.pop("preset"), written) == rules(name, **overrides)
