"""What a request costs, beside the same server doing nothing but the needed round trips. Paired rounds, in turns."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.limits import GAME, SNAPSHOT
from bench.measures import cpu_seconds
from bench.running import Service, running_service

CALLERS = 8
MOVES_BEFORE = 10
BARS = {"view / limit-1": (0.70, 0.85), "304 / limit-1": (0.76, 0.90), "move / limit-2": (0.60, 0.75)}
"""What the CPU ratio of a measure must hold, and should."""
SLICES = 4
"""So many times a side is at work in one paired round."""
WARMING_SECONDS = 0.4
"""How long both sides work in turns before they are measured."""
Act = Callable[[Connection], Awaitable[None]]
Side = tuple[Service, list[Act]]
Measure = tuple[str, Service, Any, Service, Act]
"""A name, and what is done on ours and on the other side; on ours with a match, unless both are the same."""


@dataclass(frozen=True)
class Cost:
    """What one kind of request took in one round.

    cpu: microseconds of workers and store for each, of which `store` are the store's. rate: a second.
    """

    cpu: float
    rate: float
    store: float


@dataclass
class Match:
    """A game of two humans who draw from the stock and throw until they must deal again."""

    id: str
    tokens: list[str]
    view: dict[str, Any]
    etag: str = ""

    @classmethod
    async def new(cls, connection: Connection) -> "Match":
        """A new game, dealt."""
        rules = {"preset": "standard", "target": 1000}
        body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}], "ruleset": rules}
        made = orjson.loads((await connection.call("POST", "/v1/games", body=body))[1])
        match = cls(made["game"]["id"], [held["token"] for held in made["tokens"]], made["game"])
        await match.move(connection)
        return match

    async def look(self, connection: Connection) -> None:
        """Ask for a view."""
        status, _ = await connection.call("GET", f"/v1/games/{self.id}", self.tokens[0])
        assert status == 200, status

    async def look_again(self, connection: Connection) -> None:
        """Ask for a view that has not changed."""
        tag = f'If-None-Match: "0-{self.view["version"]}-{self.etag}"\r\n'
        status, _ = await connection.call("GET", f"/v1/games/{self.id}", self.tokens[0], headers=tag)
        assert status == 304, status

    async def move(self, connection: Connection, headers: str = "") -> None:
        """Make the next move, of which it is known without looking that it is legal."""
        turn = self.view["turn"]
        seat = 0 if turn is None or turn["seat"] is None else turn["seat"]
        move = self._next(turn)
        path = f"/v1/games/{self.id}/moves"
        status, answer = await connection.call("POST", path, self.tokens[seat], move, headers)
        assert status == 200, (status, answer)
        self.view = orjson.loads(answer)

    def _next(self, turn: dict[str, Any] | None) -> dict[str, Any]:
        if turn is None or turn["seat"] is None:
            return {"type": "deal"}
        match turn["phase"]:
            case "opening" | "fiftieth":
                return {"type": "pass"}
            case "draw":
                return {"type": "draw", "source": "stock"}
        legal = [each["move"] for each in self.view["legal_moves"]]
        return next(move for move in legal if move["type"] == "discard")


async def round_of(service: Service, acts: list[Act], seconds: float) -> Cost:
    """Let callers act without a pause for some time."""
    pids = [*service.workers, service.store.pid]
    before, stored, began, count = cpu_seconds(pids), cpu_seconds(pids[-1:]), time.monotonic(), 0

    async def caller(act: Act) -> None:
        nonlocal count
        connection = await Connection.open(service)
        while time.monotonic() < began + seconds:
            await act(connection)
            count += 1
        connection.close()

    await asyncio.gather(*map(caller, acts))
    took = time.monotonic() - began
    all_cpu, its_cpu = cpu_seconds(pids) - before, cpu_seconds(pids[-1:]) - stored
    return Cost(all_cpu / count * 1e6, count / took, its_cpu / count * 1e6)


async def interleaved(one: Side, other: Side, seconds: float) -> tuple[Cost, Cost]:
    """One paired round: both sides in turns, so that what disturbs this machine for a moment meets both."""
    costs: tuple[list[Cost], list[Cost]] = [], []
    for number in range(SLICES):
        for which, (service, acts) in list(enumerate((one, other)))[:: 1 if number % 2 else -1]:
            costs[which].append(await round_of(service, acts, seconds / SLICES))
    return together(costs[0]), together(costs[1])


def together(costs: Sequence[Cost]) -> Cost:
    """What a request took on average in some slices of the same length."""
    requests = sum(cost.rate for cost in costs)
    cpu, store = (sum(getattr(cost, part) * cost.rate for cost in costs) / requests for part in ("cpu", "store"))
    return Cost(cpu, requests / len(costs), store)


def limit(path: str, method: str = "GET") -> Act:
    """A call of a limit application."""

    async def act(connection: Connection) -> None:
        status, _ = await connection.call(method, path, body={"type": "pass"} if method == "POST" else None)
        assert status == 200, status

    return act


async def dealt(service: Service) -> list[Match]:
    """A match for each caller, in the middle of its first round."""
    connection = await Connection.open(service)
    matches = [await Match.new(connection) for _ in range(CALLERS)]
    for match in matches:
        for _ in range(MOVES_BEFORE):
            await match.move(connection)
        match.etag = service.store.client.hget(f"{{{match.id[:2]}}}:game:{match.id}", "x").decode()
    connection.close()
    return matches


def compared(ours: Service, limits: Service, bare: Service | None) -> list[Measure]:
    """What is held against what."""
    one, two = limit("/limit-1"), limit("/limit-2", "POST")
    measures: list[Measure] = []
    for beside, theirs in (("", limits), (" in our Flask", bare)):
        if theirs is not None:
            theirs.store.client.hset(GAME, "s", SNAPSHOT)
            measures += [
                (f"view / limit-1{beside}", ours, Match.look, theirs, one),
                (f"304 / limit-1{beside}", ours, Match.look_again, theirs, one),
                (f"move / limit-2{beside}", ours, Match.move, theirs, two),
            ]
    return [*measures, ("limit-1 / hello", limits, one, limits, limit("/hello"))]


async def paired(measures: list[Measure], seconds: float) -> dict[str, tuple[Cost, Cost]]:
    """One paired round of each measure, with matches of its own, after both sides have warmed up."""
    costs: dict[str, tuple[Cost, Cost]] = {}
    for name, mine, act, theirs, other in measures:
        for length in (WARMING_SECONDS, seconds):
            acts = [act] * CALLERS if mine is theirs else [partial(act, match) for match in await dealt(mine)]
            costs[name] = await interleaved((mine, acts), (theirs, [other] * CALLERS), length)
    return costs


def medians(costs: list[tuple[Cost, Cost]]) -> dict[str, list[float]]:
    """What both sides took in the middle of some paired rounds."""
    sides = list(zip(*costs, strict=True))
    return {
        "microseconds": [statistics.median(cost.cpu for cost in side) for side in sides],
        "a second": [statistics.median(cost.rate for cost in side) for side in sides],
    }


def measure(full: bool) -> Part:
    """The cost of a view, of a 304 and of a move, with everything on, beside that of the limits.

    A ratio is one of CPU time or of rates: more than 1 would beat the limit. Each paired round has new services: two
    of the same code differ by some per cent for as long as they live.
    """
    rounds, seconds = (16, 0.8) if full else (8, 0.6)
    running = partial(running_service, workers=1, fsync="everysec")
    costs: dict[str, list[tuple[Cost, Cost]]] = {}
    for _ in range(rounds):
        with (
            running(UPCARD_LOG_LEVEL="info") as ours,
            running(app="bench.limits:app") as limits,
            running(app="bench.limits:bare") if full else nullcontext() as bare,
        ):
            for name, pair in asyncio.run(paired(compared(ours, limits, bare), seconds)).items():
                costs.setdefault(name, []).append(pair)
    figures: list[Figure] = []
    for name, pairs in costs.items():
        bar, aim = BARS.get(name, (None, None))
        figures.append(Figure.of(name, [them.cpu / us.cpu for us, them in pairs], bar=bar, aim=aim))
        figures.append(Figure.of(f"{name}, rate", [us.rate / them.rate for us, them in pairs], compared=False))
    return Part("http", figures, {name: medians(pairs) for name, pairs in costs.items()})
