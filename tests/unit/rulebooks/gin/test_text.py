"""Rulesets in words: what the sentences say follows the values."""

import re

import pytest

from service.rulebooks import gin
from service.rulebooks.gin.ruleset import FIELDS
from service.rulebooks.gin.text import describe
from tests.builders import rules

SAYS = [
    ({}, "The upcard is offered to the non-dealer, then to the dealer.", "may draw from either pile"),
    ({}, "If both pass, the non-dealer draws from the stock.", "draws from either pile"),
    ({"both_pass_draw": "either"}, "If both pass, the non-dealer draws from either pile.", "draws from the stock."),
    ({"opening": "open"}, "The non-dealer begins and may draw from either pile.", "offered"),
    ({"knock_limit": 7}, "may knock with 7 points of deadwood or fewer.", "gin only"),
    ({"knock_limit": 0}, "A round is won by gin only.", "may knock with"),
    ({"big_gin_bonus": 40}, "big gin 40", "null"),
    ({"big_gin_bonus": None}, "Gin scores the defender's deadwood and 25.", "big gin"),
    ({"layoff": "auto"}, "the engine lays off and melds for the defender", "the defender melds, and lays off"),
    ({"layoff": "manual"}, "the defender melds, and lays off on the knocker's melds.", "the engine"),
    ({"undercut_bonus": 7}, "An undercut scores the difference and 7; a tie is one.", "nobody scores on a tie"),
    ({"undercut_on_tie": False}, "nobody scores on a tie.", "a tie is one"),
    ({"fiftieth_card": True}, "the last discard may be taken to knock; else the round is void.", "one more"),
    ({"max_discard_draws": 30}, "once both together have taken 30 discards.", "50"),
    ({"next_dealer": "winner"}, "The winner deals next", "alternates"),
    ({"next_dealer": "loser"}, "The loser deals next", "alternates"),
    ({"void_dealer": "same"}, "the same seat deals again.", "the other seat deals"),
    ({"void_dealer": "alternate"}, "the other seat deals.", "the same seat deals again"),
    ({"target": 321}, "The match is played to 321 points.", "columns"),
    ({"columns": 3, "columns_winner": "sum"}, "each to 100; the sum of their margins wins.", "most columns"),
    ({"columns": 3, "columns_winner": "most"}, "each to 100; most columns wins.", "the sum"),
    ({"box_bonus": 7}, "Each round won brings a box of 7, paid at the end.", "at once"),
    ({"box_timing": "per_round"}, "paid at once.", "paid at the end"),
    ({"box_bonus": 0}, "Winning brings 100.", "box"),
    (
        {"gin_extra_boxes": 2, "undercut_extra_boxes": 1},
        "There are 2 more for gin. There is one more for an",
        "more for big",
    ),
    ({"gin_extra_boxes": 1}, "There is one more for gin.", "more for an undercut"),
    ({"game_bonus": 0}, "The match is played to 100 points.", "Winning brings"),
    ({"shutout": "none", "shutout_test": None}, "Winning brings 100.", "If the loser"),
    ({}, "If the loser won no round, the winner's round scores count twice.", "no points"),
    ({"shutout": "double_total"}, "the winner's whole total counts twice.", "round scores count twice"),
    ({"shutout": "bonus", "shutout_bonus": 222}, "the winner has 222 instead of the bonus for the match.", "twice"),
    ({"shutout_test": "zero_points"}, "If the loser scored no points", "won no round"),
]


@pytest.mark.parametrize(("overrides", "says", "does_not_say"), SAYS, ids=lambda value: str(value)[:40])
def test_the_text_says_what_is_played_and_nothing_else(overrides, says, does_not_say):
    text = describe(rules(**overrides))
    assert says in text
    assert does_not_say not in text


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("oklahoma", "pictures 10, and an ace allows 1."),
        ("oklahoma_bicycle", "pictures 10, and an ace allows gin only."),
        ("oklahoma", "is a spade, the points of the round count double."),
    ],
)
def test_oklahoma_is_told(preset, says):
    assert says in describe(rules(preset))


def test_without_doubling_no_spade_is_spoken_of():
    assert "spade" not in describe(rules("oklahoma", oklahoma_spade_doubles=False))


@pytest.mark.parametrize("preset", gin.presets(), ids=lambda preset: preset.name)
def test_every_preset_is_published_with_its_own_text(preset):
    assert preset.text == describe(rules(preset.name))


def test_every_field_has_a_meaning_and_a_source():
    assert set(gin.MEANING) == set(gin.FIELDS)
    for meaning, source in gin.MEANING.values():
        assert meaning.endswith(".")
        assert source


# --- Every value is in the text ---

BOUND = {
    "oklahoma_ace": ("knock_limit", "upcard", "one"),
    "oklahoma_spade_doubles": ("knock_limit", "upcard", True),
    "shutout_bonus": ("shutout", "bonus", 175),
    "shutout_test": ("shutout", ("double_points", "double_total", "bonus"), "zero_points"),
    "columns_winner": ("columns", 3, "sum"),
}
"""Fields that apply only beside some values of another, and a value that they may have then."""
SILENT = {
    "both_pass_draw": {"opening": "open"},
    "box_timing": {"box_bonus": 0},
    "gin_extra_boxes": {"box_bonus": 0},
    "undercut_extra_boxes": {"box_bonus": 0},
}
"""Fields of which there is nothing to say beside this value of another: nobody passes, or boxes bring nothing."""
PRESETS = [preset.name for preset in gin.presets()]


def sensible(values):
    """The values with those that depend on others set or nulled as they must be."""
    found = dict(values)
    for field, (other, when, value) in BOUND.items():
        applies = found[other] in when if isinstance(when, tuple) else found[other] == when
        if not applies:
            found[field] = None
        elif found[field] is None:
            found[field] = value
    return found


def applies(field, values):
    """Whether a field may be changed by itself in these values, and means something there."""
    silent = any(values[other] == value for other, value in SILENT.get(field, {}).items())
    return not silent and not (field in BOUND and values[field] is None)


def others(field, value):
    """All other values of a field that has few, and two of a field that is a number."""
    choices = FIELDS[field]
    found = [*choices.words]
    if choices.most >= 0:
        found += [choices.least, choices.least + 1, choices.most - 1]
    if choices.nullable and field not in BOUND:
        found.append(None)
    return [each for each in found if (type(each), each) != (type(value), value)]


CHANGES = [
    (preset, field, other)
    for preset in PRESETS
    for field, value in rules(preset).values.items()
    if applies(field, rules(preset).values)
    for other in others(field, value)
]


@pytest.mark.parametrize(("preset", "field", "other"), CHANGES)
def test_another_value_makes_another_text(preset, field, other):
    changed = sensible(rules(preset).values | {field: other})
    assert describe(rules(preset, **changed)) != describe(rules(preset))


def test_every_field_is_changed_in_some_preset():
    assert {field for _, field, _ in CHANGES} == set(FIELDS)


@pytest.mark.parametrize(("field", "beside"), SILENT.items())
def test_what_makes_no_difference_is_not_spoken_of(field, beside):
    quiet = rules(**beside)
    assert {describe(rules(**beside, **{field: other})) for other in others(field, None)} == {describe(quiet)}


def test_the_texts_of_the_presets_differ():
    assert len({preset.text for preset in gin.presets()}) == len(PRESETS)


# --- No number is missing, and none is made up ---

NUMBERS = re.compile(r"\d+")
UPCARD_NUMBERS = {10, 1}
"""What pictures, and perhaps an ace, mean as the card that sets the knock limit."""


def numbers_of(ruleset):
    """The numbers of a ruleset that its text must tell; 0 and what is said in words are not among them."""
    untold = {"gin_extra_boxes", "undercut_extra_boxes", "box_bonus"} if ruleset.box_bonus == 0 else set()
    return {
        field: value
        for field, value in ruleset.values.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0 and field not in {*untold, "columns"}
    }


def said(text):
    return {int(number) for number in NUMBERS.findall(text)}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_text_of_a_preset_tells_all_its_numbers_and_no_others(preset):
    ruleset = rules(preset)
    text = describe(ruleset)
    told = numbers_of(ruleset)
    in_words = {value for field, value in told.items() if field.endswith("extra_boxes") and value == 1}
    assert text.count("one more") == len(
        [field for field in told if field.endswith("extra_boxes") and told[field] == 1]
    )
    assert set(told.values()) - in_words <= said(text)
    upcard = UPCARD_NUMBERS if ruleset.knock_limit == "upcard" else set()
    assert said(text) <= set(told.values()) | upcard


ODD = {
    "knock_limit": 3,
    "gin_bonus": 101,
    "big_gin_bonus": 103,
    "undercut_bonus": 107,
    "max_discard_draws": 109,
    "target": 113,
    "box_bonus": 127,
    "gin_extra_boxes": 7,
    "undercut_extra_boxes": 9,
    "game_bonus": 131,
    "shutout_bonus": 137,
}


@pytest.mark.parametrize("columns", [{}, {"columns": 3, "columns_winner": "most"}], ids=["one", "three"])
def test_each_number_is_told_once_and_stands_by_its_own_field(columns):
    """Every number is another one, so none can stand in for its neighbour."""
    text = describe(rules("classic", **ODD, **columns))
    assert sorted(int(number) for number in NUMBERS.findall(text)) == sorted(ODD.values())
    for words in (
        "with 3 points",
        "and 101, big gin 103.",
        "difference and 107;",
        "taken 109 discards",
        "to 113",
        "a box of 127",
        "are 7 more for gin",
        "are 9 more for an undercut",
        "brings 131",
        "has 137 instead",
    ):
        assert words in text
