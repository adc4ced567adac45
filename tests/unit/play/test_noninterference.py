"""No reader learns anything of cards that it cannot know: not by views, legal moves, refusals, records or tags."""

from collections import Counter
from functools import cache

import pytest

from service.rulebooks.registry import RULEBOOKS
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.permuted import play_and_compare
from tests.unit.rulebooks.rummy.player import RummyPlayer
from tests.unit.rulebooks.rummy.secrets import RummySecrets

GAMES = {"gin": (GinPlayer, GinSecrets), "rummy": (RummyPlayer, RummySecrets)}
RULESETS = [(game, preset.name) for game in GAMES for preset in RULEBOOKS[game].presets()]
BETWEEN_ROUNDS = "round_over"
SITUATIONS = {
    "gin": (BETWEEN_ROUNDS, "opening", "draw", "discard", "spread", "fiftieth"),
    "rummy": (
        BETWEEN_ROUNDS,
        "draw",
        "play",
        *(f"{seats} seats" for seats in range(2, 7)),
        "a seat is open",
        "a seat has resigned",
        "the pile is turned over",
        "a card is taken",
        "melds are on the table",
    ),
}


@cache
def compared_in(game: str, preset: str) -> Counter[tuple[str, str]]:
    player, secrets = GAMES[game]
    kinds = [play_and_compare(player(), secrets(), preset, kind) for kind in player.MATCHES]
    return sum(kinds, Counter())


@pytest.mark.parametrize(("game", "preset"), RULESETS)
def test_hidden_cards_change_nothing_that_a_reader_can_fetch(game, preset):
    assert compared_in(game, preset)["draw", "onlooker"]


@pytest.mark.parametrize(("game", "situation"), [(game, each) for game in GAMES for each in SITUATIONS[game]])
def test_hidden_cards_really_differed_in_every_situation_and_for_every_reader(game, situation):
    compared = sum((compared_in(*ruleset) for ruleset in RULESETS if ruleset[0] == game), Counter())
    roles = ("not on turn", "onlooker") if situation == BETWEEN_ROUNDS else ("on turn", "not on turn", "onlooker")
    assert all(compared[situation, role] >= 20 for role in roles), compared
