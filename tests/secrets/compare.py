"""Compares what every reader can fetch of a game with what it could fetch of one with other secrets."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, cycle
from random import Random
from typing import Any, TypeAlias

from msgspec import structs

from service.play import views
from service.web.keys import hash_of, new_key
from tests.conftest import running_store
from tests.secrets.calls import Call, Reader, Scene, calls
from tests.secrets.house import Heard, House, listening
from tests.secrets.report import Leak, Report
from tests.secrets.states import GAMES, ID, TENANT, State, states_of_a_match
from tests.secrets.worlds import NOTHING, TOP, Worlds, after_move, shown_by
from tests.unit.rulebooks.machine import LIFETIMES

Doc = dict[str, Any]
PARTS = ("status", "headers", "body", "access", "logged", "counted")
ALL = 9
"""Readers: at most six seats, the backend, and an onlooker who may look and one who may not."""
Stop: TypeAlias = Callable[[Report], bool]


@dataclass
class Comparison:
    """Two databases of a store, with the application on each, and the report of what was compared on them.

    key: the API key of the backend whose games they are.
    """

    ours: House
    theirs: House
    key: str
    report: Report = field(default_factory=Report)

    def run(
        self,
        wanted: int,
        seed: int,
        *,
        games: Iterable[str] = GAMES,
        readers: int = ALL,
        stop: Stop = lambda report: False,
    ) -> Report:
        """Play matches and compare until hidden cards really differed so often, or until the report says to stop.

        readers: how many of them, drawn by lot, look at a state.
        """
        played, chance = Random(seed), Random(f"{seed}, the calls")
        with untraced():
            for state in chain.from_iterable(states_of_a_match(game, played) for game in cycle(games)):
                looking = list(self._readers(state))
                for reader in chance.sample(looking, min(readers, len(looking))):
                    self._compare(state, reader, chance)
                if self.report.states.total() >= wanted or stop(self.report):
                    break
        return self.report

    def _readers(self, state: State) -> Iterator[Reader]:
        for index, seat in enumerate(state.world.game.seats):
            if seat.kind == "human":
                role = "on turn" if index == state.world.on_turn else "not on turn"
                yield Reader(role, index, self._token(index))
        yield Reader("backend", None, self.key)
        yield Reader("spectator", None, "")
        yield Reader("none", None, "")

    def _token(self, seat: int) -> str:
        return self.ours.names.seat_token(ID, seat, 1, self.ours.names.secret_id())

    def _compare(self, state: State, reader: Reader, chance: Random) -> None:
        world = state.world
        if reader.role == "spectator":
            world = replace(world, game=structs.replace(world.game, spectators=True))
        worlds = Worlds(world, reader.seat, state.secrets, chance)
        scene = Scene(
            world,
            reader,
            self.ours.names.invite(ID, self.ours.names.secret_id()),
            state.moves if reader.seat is not None else state.moves[:1],
            self._meanwhile(state, reader, worlds, chance),
            chance,
        )
        differed = False
        for call in sorted(calls(scene), key=lambda call: call.shows):
            other = worlds.other(call.shows)
            expected = self.ours.hear(world, call, reader.credential)
            found = self.theirs.hear(other.world, call, reader.credential)
            for one, another in zip(expected, found, strict=True):
                self.report.leaks += _leaks(state, reader, call, one, another)
                if other.differs:
                    self.report.note(reader.role, call, one.status, one.size)
            differed |= other.differs
        self.report.states[state.game, state.phase, reader.role] += differed

    def _meanwhile(self, state: State, reader: Reader, worlds: Worlds, chance: Random) -> tuple[Doc, str] | None:
        """A move by the seat on turn, if it is not the reader's, that shows the reader no card.

        It is accepted with the mover's other cards too: by the fiftieth card, whoever takes it tells that a knock
        will follow.
        """
        world, seat = state.world, state.world.on_turn
        if seat is None or seat == reader.seat:
            return None
        legal = [each["move"] for each in views.game_view(world.game, seat, LIFETIMES)["legal_moves"]]
        quiet = [
            move
            for move in legal
            if state.secrets.tells_nothing(move, own=False)
            and shown_by(world, seat, move) in (NOTHING, TOP)
            and after_move(worlds.other(NOTHING).world, seat, move) is not None
        ]
        return (chance.choice(quiet), self._token(seat)) if quiet else None


def _leaks(state: State, reader: Reader, call: Call, one: Heard, another: Heard) -> Iterator[Leak]:
    """Where two answers differ, part by part."""
    for part in PARTS:
        expected, found = getattr(one, part), getattr(another, part)
        if expected != found:
            yield Leak(state.game, state.phase, reader.role, call, part, found, expected)


@contextmanager
def untraced() -> Iterator[None]:
    """Nobody follows the lines of a block: measuring coverage, it would take five times as long."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


@contextmanager
def compared() -> Iterator[Comparison]:
    """A store of its own for the length of a block, and the application on two of its databases."""
    key = new_key()
    with ExitStack() as running:
        store = running.enter_context(running_store())
        ear = running.enter_context(listening())
        houses = (House(f"{store.url}?db={number}", ((hash_of(key), TENANT),), ear) for number in (0, 1))
        yield Comparison(*houses, key)
