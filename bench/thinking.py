"""Whether computer players who think hold up the others: views on schedule, with and without their games beside them.

The views are 200 a second, sent when they are due whether or not the last is answered, and a view's latency counts from
when it was due. Beside them people play against computers, in a process of their own: half of the tables are of gin,
half of rummy with five computers, which answer one after the other within the person's request. In turns with it people
move as often at tables without computers, to tell what is due to the thinking, and what to the moves as such.
"""

import asyncio
import multiprocessing
import os
import random
import selectors
import statistics
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from typing import Any

import orjson

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.measures import cpu_seconds, quantile
from bench.running import Service, running_service
from service.bots.base import POLICIES
from service.rulebooks.base import DEAL
from service.rulebooks.registry import RULEBOOKS

VIEWS_A_SECOND = 200
VIEWERS = 32
"""The connections of those who look; each looks at a game of its own."""
TABLES = 16
MOVES_A_SECOND = 100.0
"""Moves of people at all tables together: as of 400 people who take 4 seconds for each."""
LEAD_SECONDS = 0.1
OPPONENTS = {"gin": 1, "rummy": 5}
SIDES = ("alone", "people", "computers")
"""What goes on beside the views: nothing, or moves against other people, or against computers."""
LIKED = ("big_gin", "knock", "meld", "lay_off", "draw", "discard", "spread", "pass", "deal")
"""The types of moves, those first that a person prefers."""
UNSEEN = {"draw": {"type": "draw", "source": "stock"}, "spread": {"type": "spread"}}
"""What may be done in a phase, as is known without a look at the hand; where it is not listed, pass."""


@dataclass
class Table:
    """One match after the other, against computers or between people. took: the seconds of each move.

    answered: how many moves of computers each was answered with.
    """

    game: str
    computers: bool
    view: dict[str, Any] = field(default_factory=lambda: {"status": "finished"})
    tokens: dict[int, str] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)

    async def move(self, connection: Connection) -> None:
        """Make the next move of a person."""
        if self.view["status"] != "playing":
            await self._sit_down(connection)
        token, move = self.tokens[self.view["turn"]["seat"] or 0], self._next()
        path, began = f"/v1/games/{self.view['id']}/moves", time.monotonic()
        status, answer = await connection.call("POST", path, token, move)
        self.took.append(time.monotonic() - began)
        assert status == 200, (status, answer)
        before, self.view = self.view, orjson.loads(answer)
        self.answered.append(self.view["version"] - before["version"] - 1 if self.computers else 0)

    def _next(self) -> dict[str, Any]:
        legal = self.view["legal_moves"]
        if not legal:
            return UNSEEN.get(self.view["turn"]["phase"], {"type": "pass"})
        return min(legal, key=lambda each: (LIKED.index(each["move"]["type"]), each.get("deadwood") or 0))["move"]

    async def _sit_down(self, connection: Connection) -> None:
        others = {"bot": "easy"} if self.computers else {"name": "Ben"}
        body = {"game": self.game, "seats": [{"name": "Ann"}, *[others] * OPPONENTS[self.game]]}
        made = orjson.loads((await connection.call("POST", "/v1/games", body=body))[1])
        self.view, self.tokens = made["game"], {held["seat"]: held["token"] for held in made["tokens"]}
        if not self.view["legal_moves"]:  # who holds several seats is shown the game from outside
            self.view["legal_moves"] = [{"move": {"type": DEAL}}]


def people(service: Service, pipe: Pipe) -> None:
    """A process that is told again and again for how long people play, and against whom; nobody ends it.

    It tells how long each move took, and with how many moves of computers it was answered.
    """
    games, chance = list(OPPONENTS), random.Random(7)
    tables = {side: [Table(games[n % 2], side == "computers") for n in range(TABLES)] for side in SIDES[1:]}
    while (told := pipe.recv()) is not None:
        side, seconds = told
        pipe.send(asyncio.run(_played(service, tables[side], chance, time.monotonic() + seconds)))


async def _played(
    service: Service, tables: list[Table], chance: random.Random, until: float
) -> tuple[list[float], list[int]]:
    async def play(table: Table) -> None:
        table.took, table.answered = [], []
        connection, due = await Connection.open(service), time.monotonic()
        while (due := due + chance.expovariate(MOVES_A_SECOND / TABLES)) < until:
            await asyncio.sleep(due - time.monotonic())
            await table.move(connection)
        connection.close()

    await asyncio.gather(*map(play, tables))
    return [each for table in tables for each in table.took], [each for table in tables for each in table.answered]


@dataclass(frozen=True)
class Looked:
    """Views for some time. waits: seconds from when each was due to its answer. late: seconds until it was sent.

    cores: how many processor cores each party kept busy.
    """

    waits: list[float]
    late: list[float]
    cores: dict[str, float]


async def look(
    service: Service, games: Sequence[tuple[str, str]], seconds: float, parties: Mapping[str, int]
) -> Looked:
    """Look at some games on schedule. games: ids and tokens. parties: processes by name."""
    idle = deque([await Connection.open(service) for _ in range(VIEWERS)])
    waits, late, sent = list[float](), list[float](), list[asyncio.Task[None]]()

    async def view(number: int, due: float) -> None:
        connection = idle.popleft() if idle else await Connection.open(service)
        late.append(time.monotonic() - due)
        game, token = games[number % len(games)]
        status, _ = await connection.call("GET", f"/v1/games/{game}", token)
        waits.append(time.monotonic() - due)
        assert status == 200, status
        idle.append(connection)

    before, began = [cpu_seconds([pid]) for pid in parties.values()], time.monotonic()
    for number in range(int(VIEWS_A_SECOND * seconds)):
        due = began + number / VIEWS_A_SECOND
        await asyncio.sleep(due - time.monotonic())
        sent.append(asyncio.create_task(view(number, due)))
    await asyncio.gather(*sent)
    took = time.monotonic() - began
    used = [cpu_seconds([pid]) - had for had, pid in zip(before, parties.values(), strict=True)]
    for connection in idle:
        connection.close()
    return Looked(waits, late, {name: each / took for name, each in zip(parties, used, strict=True)})


async def looked_at(service: Service) -> list[tuple[str, str]]:
    """Games of two people, dealt: ids and tokens."""
    connection, games = await Connection.open(service), list[tuple[str, str]]()
    for _ in range(VIEWERS):
        body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}]}
        made = orjson.loads((await connection.call("POST", "/v1/games", body=body))[1])
        game, token = made["game"]["id"], made["tokens"][0]["token"]
        await connection.call("POST", f"/v1/games/{game}/moves", token, {"type": DEAL})
        games.append((game, token))
    connection.close()
    return games


def thought(game: str, seconds: float) -> dict[str, list[float]]:
    """CPU milliseconds of computers at a table of their own: of each move, and of all that answer one of seat 0."""
    book, choose, chance = RULEBOOKS[game], POLICIES[game]["easy"], random.Random(7)
    seats, until = range(OPPONENTS[game] + 1), time.monotonic() + seconds
    moves, answers = list[float](), list[float]()
    ruleset = book.read_ruleset(book.presets()[0].name, {})
    while time.monotonic() < until:
        state, answer = book.start(ruleset, len(seats), 0), 0.0
        while (turn := book.turn(state)) is not None:
            if turn.seat is None:
                state = book.deal(state, chance.sample(range(52), 52), seats, 0)
                continue
            began = time.thread_time()
            seen = {"ruleset": book.show_ruleset(ruleset), **book.view(state, turn.seat)}
            state = book.apply(state, turn.seat, book.read_move(choose(seen))).state
            took = (time.thread_time() - began) * 1000
            if turn.seat:
                moves.append(took)
                answer += took
            elif answer:
                answers.append(answer)
                answer = 0.0
    return {"a move": moves, "an answer": answers}


def told(milliseconds: Sequence[float]) -> dict[str, float]:
    """Their quantiles."""
    parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: round(quantile(milliseconds, part), 3) for name, part in parts.items()}


@dataclass
class Beside:
    """All rounds with one thing beside the views. seconds: of moves. took, answered: of each move."""

    looked: list[Looked] = field(default_factory=list)
    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)

    def p99s(self) -> list[float]:
        """Of the views, round by round."""
        return [quantile(each.waits, 0.99) for each in self.looked]

    def doc(self) -> dict[str, Any]:
        """All of it, as JSON; the times are of all rounds together."""
        cores = {name: statistics.median(each.cores[name] for each in self.looked) for name in self.looked[0].cores}
        doc: dict[str, Any] = {
            "view ms": told([wait * 1000 for each in self.looked for wait in each.waits]),
            "view sent late ms": told([late * 1000 for each in self.looked for late in each.late]),
            "cores busy": {name: round(busy, 3) for name, busy in cores.items()},
        }
        if self.took:
            doc["moves a second"] = round(len(self.took) / self.seconds, 1)
            doc["computers' moves a second"] = round(sum(self.answered) / self.seconds, 1)
            doc["move ms"] = told([each * 1000 for each in self.took])
        return doc


def measured(service: Service, player: int, pipe: Pipe, rounds: int, seconds: float) -> Part:
    """The ratios of the 99th percentiles, round by round, and what else was going on. player: the other process."""
    parties = {f"worker {number}": pid for number, pid in enumerate(service.workers, start=1)}
    parties |= {"store": service.store.pid, "looking": os.getpid(), "playing": player}
    sides = {side: Beside() for side in SIDES}
    # select waits to the microsecond, epoll only to the millisecond: too coarse for a schedule.
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selectors.SelectSelector())) as runner:
        games = runner.run(looked_at(service))
        runner.run(look(service, games, LEAD_SECONDS, parties))
        for side in SIDES * rounds:
            beside = sides[side]
            if side != "alone":
                pipe.send((side, seconds + 2 * LEAD_SECONDS))
                time.sleep(LEAD_SECONDS)
            beside.looked.append(runner.run(look(service, games, seconds, parties)))
            if side != "alone":
                took, answered = pipe.recv()
                beside.seconds += seconds + 2 * LEAD_SECONDS
                beside.took += took
                beside.answered += answered
    alone, people, computers = (sides[side].p99s() for side in SIDES)
    figures = [
        Figure.of("view p99, computers / alone", _ratios(computers, alone), bar=3, aim=1.5, most=True),
        Figure.of("view p99, computers / people", _ratios(computers, people), most=True, compared=False),
    ]
    thinking = {game: {name: told(ms) for name, ms in thought(game, 0.5).items()} for game in OPPONENTS}
    details = {"views a second": VIEWS_A_SECOND, "tables": TABLES, "CPU ms of computers": thinking}
    return Part("thinking", figures, details | {side: beside.doc() for side, beside in sides.items()})


def _ratios(these: list[float], those: list[float]) -> list[float]:
    return [this / that for this, that in zip(these, those, strict=True)]


def measure(full: bool) -> Part:
    """The latency of views with computer players thinking beside them."""
    with running_service() as service:
        ours, theirs = multiprocessing.Pipe()
        child = multiprocessing.get_context("fork").Process(target=people, args=(service, theirs), daemon=True)
        child.start()
        assert child.pid is not None
        try:
            return measured(service, child.pid, ours, *((8, 8.0) if full else (8, 1.0)))
        finally:
            ours.send(None)
            child.join()
