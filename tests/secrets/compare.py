"""Plays games, and compares what every reader can fetch of them with what he could fetch of games with other secrets."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle
from random import Random
from typing import Any, TypeAlias

from service.play import views
from service.play.game import Seat
from service.rulebooks.base import DEAL
from service.rulebooks.registry import RULEBOOKS
from service.web.keys import hash_of, new_key
from tests.conftest import running_store
from tests.secrets.calls import Call, Reader, Scene, calls
from tests.secrets.house import Heard, House, listening
from tests.secrets.worlds import NOTHING, TOP, Worlds, shown_by
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.machine import LIFETIMES, MOST_MOVES, Player, chosen, opened
from tests.unit.rulebooks.permuted import OPEN, Secrets, World
from tests.unit.rulebooks.rummy.player import RummyPlayer
from tests.unit.rulebooks.rummy.secrets import RummySecrets

Doc = dict[str, Any]
GAMES: dict[str, tuple[type[Player], type[Secrets]]] = {
    "gin": (GinPlayer, GinSecrets),
    "rummy": (RummyPlayer, RummySecrets),
}
ID = "7f" + "00" * 11
TENANT = "shop"
ROLES = ("on turn", "not on turn", "backend", "spectator", "none")
"""The seats, the backend whose game it is, and an onlooker where the game wants onlookers and where it does not."""
WAITING, FINISHED = "waiting", "finished"
MOST_SHOWN = 5


@dataclass(frozen=True)
class Leak:
    """An answer that depends on what its reader cannot know. part: of what is let out."""

    game: str
    phase: str
    role: str
    call: Call
    part: str
    found: object
    expected: object

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.phase}, {self.role}: {self.part} of {self.call.name} {self.call.body.decode()}\n"
            f"    {self.expected!r:.2000}\n    {self.found!r:.2000}"
        )


@dataclass
class Report:
    """What was compared. states: by game, phase and role; only those in which hidden cards really differed."""

    states: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    size: int = 0
    leaks: list[Leak] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(
            (
                f"{self.states.total():,} states with other secrets, {self.answers.total():,} answers compared, "
                f"{self.size:,} bytes",
                "",
                *self._by_phase(),
                "",
                *self._by_operation(),
                "",
                f"by status: {_listed(self.statuses)}",
                f"carried out, by what they show: {_listed(self.shown)}",
                "",
                f"{len(self.leaks):,} answers that differ",
                *map(str, self.leaks[:MOST_SHOWN]),
            )
        )

    def _by_phase(self) -> Iterator[str]:
        yield f"{'states':21}" + "".join(f"{role:>12}" for role in ROLES)
        for game, phase in sorted({(game, phase) for game, phase, _ in self.states}):
            counts = (self.states[game, phase, role] for role in ROLES)
            yield f"{game:6}{phase:15}" + "".join(f"{count:>12,}" for count in counts)

    def _by_operation(self) -> Iterator[str]:
        yield f"{'answers':28}" + "".join(f"{role:>12}" for role in ROLES)
        for name in sorted({name for name, _ in self.answers}):
            yield f"{name:28}" + "".join(f"{self.answers[name, role]:>12,}" for role in ROLES)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))


Stop: TypeAlias = Callable[[Report], bool]


@dataclass
class Comparison:
    """Two databases of a store, with the application on each, and the report of what was compared on them."""

    ours: House
    theirs: House
    key: str
    report: Report = field(default_factory=Report)

    def run(self, wanted: int, seed: int, games: Iterable[str] = GAMES, stop: Stop = lambda report: False) -> Report:
        """Play matches and compare until hidden cards really differed so often, or until the report says to stop."""
        played, chance = Random(seed), Random(f"{seed}, the calls")
        for game in cycle(games):
            player, secrets = GAMES[game]
            for world, phase, moves in states_of_a_match(player(), secrets(), game, played):
                self._compare_all(world, phase, moves, secrets(), chance)
                if self.report.states.total() >= wanted or stop(self.report):
                    return self.report
        return self.report

    def _compare_all(self, world: World, phase: str, moves: list[Doc], secrets: Secrets, chance: Random) -> None:
        on_turn = world.on_turn
        for index, seat in enumerate(world.game.seats):
            if seat.kind == "human":
                role = "on turn" if index == on_turn else "not on turn"
                self._compare(world, phase, Reader(role, index, self._token(index)), moves, secrets, chance)
        self._compare(world, phase, Reader("backend", None, self.key), moves[:1], secrets, chance)
        self._compare(world, phase, Reader("none", None, ""), moves[:1], secrets, chance)
        watched = replace(world, game=replace(world.game, spectators=True))
        self._compare(watched, phase, Reader("spectator", None, ""), moves[:1], secrets, chance)

    def _token(self, seat: int) -> str:
        return self.ours.names.seat_token(ID, seat, 1, self.ours.names.secret_id())

    def _compare(
        self, world: World, phase: str, reader: Reader, moves: list[Doc], secrets: Secrets, chance: Random
    ) -> None:
        worlds = Worlds(world, reader.seat, secrets, chance)
        invite = self.ours.names.invite(ID, self.ours.names.secret_id())
        meanwhile = self._meanwhile(world, reader, secrets, chance)
        counted = False
        for call in sorted(calls(Scene(world, reader, invite, moves, meanwhile, chance)), key=lambda call: call.shows):
            other = worlds.other(call.shows)
            expected = self.ours.hear(world, call, reader.credential)
            found = self.theirs.hear(other.world, call, reader.credential)
            for one, another in zip(expected, found, strict=True):
                self.report.leaks += [
                    Leak(world.game.kind, phase, reader.role, call, *each) for each in _differing(one, another)
                ]
                if other.differs:
                    self.report.answers[call.name, reader.role] += 1
                    self.report.statuses[one.status[:3]] += 1
                    self.report.shown[call.shows] += one.status.startswith("20")
                    self.report.size += one.size
            counted |= other.differs
        self.report.states[world.game.kind, phase, reader.role] += counted

    def _meanwhile(self, world: World, reader: Reader, secrets: Secrets, chance: Random) -> tuple[Doc, str] | None:
        """A move by the seat on turn, if it is not the reader's, that shows the reader no card."""
        seat = world.on_turn
        if seat in (None, reader.seat):
            return None
        legal = [each["move"] for each in views.game_view(world.game, seat, LIFETIMES)["legal_moves"]]
        quiet = [
            move
            for move in legal
            if secrets.tells_nothing(move, own=False) and shown_by(world, seat, move) in (NOTHING, TOP)
        ]
        return (chance.choice(quiet), self._token(seat)) if quiet else None


def _differing(one: Heard, another: Heard) -> Iterator[tuple[str, object, object]]:
    """Where two answers differ: the part, and what it is in each."""
    for part in ("status", "headers", "body", "access", "logged"):
        if getattr(one, part) != getattr(another, part):
            yield part, getattr(another, part), getattr(one, part)


def states_of_a_match(
    player: Player, secrets: Secrets, game: str, chance: Random
) -> Iterator[tuple[World, str, list[Doc]]]:
    """A match: now and then a state of it, its phase, and moves of all kinds; before the first deal and at its end too.

    Every seat is a human's, since a computer player's answer depends on its own hidden cards, as it should.
    """
    preset = chance.choice([preset.name for preset in RULEBOOKS[game].presets()])
    kind = chance.choice(list(player.MATCHES))
    table = opened(player, preset, kind, chance)
    made = replace(table.game, id=ID, tenant=TENANT)
    world = World(made, tuple(table.entries))
    yield _with_an_open_seat(world), WAITING, [{"type": DEAL}, {"type": "draw", "source": "stock"}]
    for _ in range(MOST_MOVES):
        if world.phase is None or world.finished == len(world.game.decks or ()):
            break
        taken = [index for index, each in enumerate(world.game.seats) if each.kind == "human"]
        may_deal = [seat for seat in taken if views.game_view(world.game, seat, LIFETIMES)["legal_moves"]]
        seat = chance.choice(may_deal) if world.on_turn is None else world.on_turn
        view = views.game_view(world.game, seat, LIFETIMES)
        if chance.random() < secrets.how_often(view):
            yield world, world.phase, _moves(view, player, chance)
        move = chosen(player, view, player.MATCHES[kind][1], chance)
        world = world.after(seat, move | {"client_seed": "mine"} if move["type"] == DEAL else move)
    if world.phase is None:
        yield world, FINISHED, [{"type": DEAL}, {"type": "draw", "source": "stock"}]


def _with_an_open_seat(world: World) -> World:
    """The game before anybody has taken its last seat."""
    created, *later = world.entries
    last = len(world.game.seats) - 1
    seats = [*created.data["seats"][:-1], {}]
    opened_up = replace(created, data=created.data | {"seats": seats})
    return World(world.game.with_seat(last, Seat()), (opened_up, *later))


def _moves(view: Doc, player: Player, chance: Random) -> list[Doc]:
    """Moves of all kinds, in any order: listed ones, some without optional fields, and guesses with optional fields."""
    plain = chance.sample(player.plain_moves(view), 2)
    if view["turn"] is None or view["turn"]["seat"] is None:
        return [{"type": DEAL}, *plain]
    legal = [each["move"] for each in view["legal_moves"]]
    by_type = {move["type"]: move for move in chance.sample(legal, len(legal))}
    found = [*by_type.values(), *plain, *player.named_moves(view, chance)[:2]]
    return chance.sample(found, len(found))


@contextmanager
def compared() -> Iterator[Comparison]:
    """A store of its own for the length of a block, and the application on two of its databases."""
    key = new_key()
    with ExitStack() as running:
        store = running.enter_context(running_store())
        ear = running.enter_context(listening())
        houses = (House(f"{store.url}?db={number}", ((hash_of(key), TENANT),), ear) for number in (0, 1))
        yield Comparison(*houses, key)
