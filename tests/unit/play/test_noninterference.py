"""No reader learns anything of cards that it cannot know: not by views, legal moves, refusals, records or tags."""

from collections import Counter
from functools import cache

import pytest

from service.rulebooks import gin
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.permuted import play_and_compare

PRESETS = [preset.name for preset in gin.presets()]
PHASES = ("round_over", "opening", "draw", "discard", "spread", "fiftieth")


@cache
def compared_in(preset: str) -> Counter[tuple[str, str]]:
    kinds = [play_and_compare(GinPlayer(), GinSecrets(), preset, kind) for kind in GinPlayer.MATCHES]
    return sum(kinds, Counter())


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_cards_change_nothing_that_a_reader_can_fetch(preset):
    assert compared_in(preset)["draw", "onlooker"]


@pytest.mark.parametrize("phase", PHASES)
def test_hidden_cards_really_differed_in_every_phase_and_for_every_reader(phase):
    compared = sum(map(compared_in, PRESETS), Counter())
    roles = ("not on turn", "onlooker") if phase == "round_over" else ("on turn", "not on turn", "onlooker")
    assert all(compared[phase, role] >= 20 for role in roles), compared
