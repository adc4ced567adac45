"""Rulesets in words: what the sentences say follows the values."""

import pytest

from service.rulebooks import rummy
from service.rulebooks.rummy.ruleset import FIELDS
from service.rulebooks.rummy.text import MEANING, describe
from tests.unit.rulebooks.rummy.tables import rules

SAYS = [
    ({}, "A turn is a draw, at most one meld, layoffs on anybody's melds, and a discard.", "in any order"),
    ({"melds_per_turn": "any"}, "melds and layoffs on anybody's melds in any order, and a discard.", "at most one"),
    ({}, "A round is won by melding, laying off or discarding the last card.", "must be discarded"),
    ({"discard_to_go_out": True}, "The last card must be discarded.", "is won by"),
    ({"layoff_after_meld": True}, "Only those with a meld of their own on the table may lay off.", "canasta"),
    ({}, "A turn is", "Only those"),
    ({}, "The ace is low and counts 1.", "high"),
    ({"ace": "either"}, "The ace is low or high in runs and counts 11.", "is low and"),
    ({"ace": "either", "ace_points": 1}, "The ace is low or high in runs and counts 1.", "11"),
    (
        {},
        "the discard pile but its top is turned over, unshuffled, up to 3 times; then",
        "the stock is empty, the round",
    ),
    ({"stock_passes_max": 7}, "up to 7 times", "up to 3"),
    ({"stock_passes_max": 1}, "is turned over, unshuffled, once; then the round is blocked.", "up to"),
    ({"stock_passes_max": 0}, "When the stock is empty, the round is blocked.", "turned over"),
    ({"target": 1}, "when somebody has 1 point, and the lowest", "1 points"),
    ({"target": 1, "scoring": "winner_takes"}, "The match is played to 1 point.", "1 points"),
    ({"stock_empty": "block"}, "When the stock is empty, the round is blocked.", "turned over"),
    ({}, "Each adds the points left in hand.", "scores what the others hold"),
    ({"scoring": "winner_takes"}, "Who goes out scores what the others hold;", "Each adds"),
    ({"scoring": "winner_takes"}, "in a blocked round the lowest hand scores the differences.", "lowest total"),
    ({}, "Each adds", "All cards in one turn"),
    ({"rummy_bonus": "double"}, "All cards in one turn, with nothing laid before, count double.", "10 more"),
    ({"rummy_bonus": "flat"}, "with nothing laid before, bring each loser 10 more.", "double"),
    ({"rummy_bonus": "flat", "scoring": "winner_takes"}, "bring the winner 10 more.", "each loser"),
    ({"target": 321}, "The match ends when somebody has 321 points, and the lowest total wins.", "is played to"),
    ({"target": 321, "scoring": "winner_takes"}, "The match is played to 321 points.", "lowest total"),
]


@pytest.mark.parametrize(("overrides", "says", "does_not_say"), SAYS, ids=lambda value: str(value)[:40])
def test_the_text_says_what_is_played_and_nothing_else(overrides, says, does_not_say):
    text = describe(rummy.show_ruleset(rules(**overrides)))
    assert says in text
    assert does_not_say not in text


@pytest.mark.parametrize("preset", rummy.presets(), ids=lambda preset: preset.name)
def test_every_preset_is_published_with_its_own_text(preset):
    assert preset.text == describe(preset.values)
    assert sum(other.text == preset.text for other in rummy.presets()) == 1


def test_every_field_has_its_meaning_and_its_source():
    assert list(MEANING) == list(FIELDS)
    for meaning, source in MEANING.values():
        assert meaning.endswith(".")
        assert source
