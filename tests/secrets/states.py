"""States of matches that are played by all manners of play."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from service.play import views
from service.play.game import Seat
from service.rulebooks.base import DEAL
from service.rulebooks.registry import RULEBOOKS
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.machine import LIFETIMES, MOST_MOVES, Player, chosen, opened
from tests.unit.rulebooks.permuted import Secrets, World
from tests.unit.rulebooks.rummy.player import RummyPlayer
from tests.unit.rulebooks.rummy.secrets import RummySecrets

Doc = dict[str, Any]
GAMES: dict[str, tuple[type[Player], type[Secrets]]] = {
    "gin": (GinPlayer, GinSecrets),
    "rummy": (RummyPlayer, RummySecrets),
}
ID = "7f" + "00" * 11
TENANT = "shop"
WAITING, FINISHED = "waiting", "finished"
SELDOMEST = 0.12
"""How often a state is looked at that comes again and again."""
OUT_OF_PLAY: tuple[Doc, ...] = ({"type": DEAL}, {"type": "draw", "source": "stock"})
"""Moves to try where no round is in play."""


@dataclass(frozen=True)
class State:
    """A state of a match, its phase, moves of all kinds to try in it, and what is secret in it."""

    world: World
    phase: str
    moves: tuple[Doc, ...]
    secrets: Secrets

    @property
    def game(self) -> str:
        """The name of the game that is played."""
        return self.world.game.kind


def states_of_a_match(game: str, chance: Random) -> Iterator[State]:
    """A match: before its last seat is taken, now and then as it is played, and at its end.

    Every seat is a human's, since a computer player's answer depends on its own hidden cards, as it should.
    """
    player, secrets = (kind() for kind in GAMES[game])
    preset = chance.choice([preset.name for preset in RULEBOOKS[game].presets()])
    kind = chance.choice(list(player.MATCHES))
    table = opened(player, preset, kind, chance)
    world = World(replace(table.game, id=ID, tenant=TENANT), tuple(table.entries))
    yield State(_with_an_open_seat(world), WAITING, OUT_OF_PLAY, secrets)
    for _ in range(MOST_MOVES):
        if world.phase is None or world.finished == len(world.game.decks or ()):
            break
        seat = world.on_turn
        if seat is None:
            seat = chance.choice([each for each in table.taken if _view(world, each)["legal_moves"]])
        view = _view(world, seat)
        if chance.random() < max(secrets.how_often(view), SELDOMEST):
            yield State(world, world.phase, _moves(view, player, chance), secrets)
        move = chosen(player, view, player.MATCHES[kind][1], chance)
        world = world.after(seat, move | {"client_seed": "mine"} if move["type"] == DEAL else move)
    if world.phase is None:
        yield State(world, FINISHED, OUT_OF_PLAY, secrets)


def _view(world: World, seat: int) -> Doc:
    return views.game_view(world.game, seat, LIFETIMES)


def _with_an_open_seat(world: World) -> World:
    """The game before anybody has taken its last seat."""
    created, *later = world.entries
    last = len(world.game.seats) - 1
    seats = [*created.data["seats"][:-1], {}]
    opened_up = replace(created, data=created.data | {"seats": seats})
    return World(world.game.with_seat(last, Seat()), (opened_up, *later))


def _moves(view: Doc, player: Player, chance: Random) -> tuple[Doc, ...]:
    """Moves of all kinds, in any order: listed ones, some without optional fields, and guesses with optional fields."""
    plain = chance.sample(player.plain_moves(view), 2)
    if view["turn"] is None or view["turn"]["seat"] is None:
        return ({"type": DEAL}, *plain)
    legal = [each["move"] for each in view["legal_moves"]]
    by_type = {move["type"]: move for move in chance.sample(legal, len(legal))}
    found = [*by_type.values(), *plain, *player.named_moves(view, chance)[:2]]
    return tuple(chance.sample(found, len(found)))
