"""Whole matches of basic rummy, in every published ruleset and with house rules, keep the laws of `machine`."""

from collections import Counter
from functools import cache

import pytest

from service.rulebooks import rummy
from tests.unit.rulebooks.machine import play_matches
from tests.unit.rulebooks.rummy.player import RummyPlayer

PRESETS = [preset.name for preset in rummy.presets()]


@cache
def reached_in(preset: str) -> Counter[str]:
    """What was reached while a preset was played under the laws; each is played once."""
    return play_matches(RummyPlayer(), preset)


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_of_every_preset_keep_the_laws(preset):
    assert reached_in(preset)["phase draw"]


def test_the_matches_played_came_across_everything_that_can_happen():
    reached = sum(map(reached_in, PRESETS), Counter())
    missing = {what: (reached[what], least) for what, least in RummyPlayer.MUST_REACH.items() if reached[what] < least}
    assert not missing
