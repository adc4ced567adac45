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
Act = Callable[[Connection], Awaitable[None]]
Side = tuple[Service, list[Act]]


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
    pids = [*service.workers, service.store_pid]
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
        match.etag = service.store.hget(f"{{{match.id[:2]}}}:game:{match.id}", "x").decode()
    connection.close()
    return matches


async def measured(ours: Service, limits: Service, bare: Service | None, rounds: int, seconds: float) -> Part:
    """Each measure as a ratio of CPU time and of rates: more than 1 would beat the limit.

    Every round begins with new matches, so that a long bench does not end with long matches.
    """
    limits.store.hset(GAME, "s", SNAPSHOT)
    one, two = limit("/limit-1"), limit("/limit-2", "POST")
    pairs = [
        ("view / limit-1", ours, Match.look, limits, one),
        ("304 / limit-1", ours, Match.look_again, limits, one),
        ("move / limit-2", ours, Match.move, limits, two),
        ("limit-1 / hello", limits, one, limits, limit("/hello")),
    ]
    if bare is not None:
        bare.store.hset(GAME, "s", SNAPSHOT)
        pairs += [
            ("view / limit-1 in our Flask", ours, Match.look, bare, one),
            ("304 / limit-1 in our Flask", ours, Match.look_again, bare, one),
            ("move / limit-2 in our Flask", ours, Match.move, bare, two),
        ]
    figures: list[Figure] = []
    details: dict[str, Any] = {}
    for name, mine, act, theirs, other in pairs:
        costs: list[tuple[Cost, Cost]] = []
        for _ in range(rounds + 1):
            acts = [partial(act, match) for match in await dealt(ours)] if mine is ours else [act] * CALLERS
            costs.append(await interleaved((mine, acts), (theirs, [other] * CALLERS), seconds))
        del costs[0]  # it warmed both up
        bar, aim = BARS.get(name, (None, None))
        figures.append(Figure.of(name, [them.cpu / us.cpu for us, them in costs], bar=bar, aim=aim))
        figures.append(Figure.of(f"{name}, rate", [us.rate / them.rate for us, them in costs], compared=False))
        details[name] = {
            "microseconds": [statistics.median(cost.cpu for cost in side) for side in zip(*costs, strict=True)],
            "a second": [statistics.median(cost.rate for cost in side) for side in zip(*costs, strict=True)],
        }
    return Part("http", figures, details)


def measure(full: bool) -> Part:
    """The cost of a view, of a 304 and of a move, with everything on, beside that of the limits."""
    running = partial(running_service, workers=1, fsync="everysec")
    with (
        running(UPCARD_LOG_LEVEL="info") as ours,
        running(app="bench.limits:app") as limits,
        running(app="bench.limits:bare") if full else nullcontext() as bare,
    ):
        return asyncio.run(measured(ours, limits, bare, *((16, 1.0) if full else (8, 0.6))))
