"""Rulesets in words: what the sentences say follows the values."""

import pytest

from service.rulebooks import gin
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
