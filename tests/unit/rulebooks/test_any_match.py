"""Matches that hypothesis picks keep the laws and the secrets of both games; fixed ones elsewhere reach everything."""

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from service.rulebooks.registry import RULEBOOKS
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.machine import play_match
from tests.unit.rulebooks.permuted import play_and_compare
from tests.unit.rulebooks.rummy.player import RummyPlayer
from tests.unit.rulebooks.rummy.secrets import RummySecrets

GAMES = {"gin": (GinPlayer, GinSecrets), "rummy": (RummyPlayer, RummySecrets)}


few = settings(max_examples=6, deadline=None, derandomize=True, database=None, phases=[Phase.generate])


def preset_and_kind(data, game):
    preset = data.draw(st.sampled_from([preset.name for preset in RULEBOOKS[game].presets()]), label="preset")
    return preset, data.draw(st.sampled_from(list(GAMES[game][0].MATCHES)), label="kind")


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=st.integers(0, 2**64), data=st.data())
def test_any_match_keeps_the_laws(game, seed, data):
    player, _ = GAMES[game]
    assert play_match(player(), *preset_and_kind(data, game), Random(seed))


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=st.integers(0, 2**64), data=st.data())
def test_in_any_match_hidden_cards_change_nothing_that_a_reader_can_fetch(game, seed, data):
    player, secrets = GAMES[game]
    assert play_and_compare(player(), secrets(), *preset_and_kind(data, game), Random(seed))
