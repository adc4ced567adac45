"""What a request costs, beside the same server doing nothing but the needed round trips. Paired rounds, in turns.

python -m bench.http_cost [ROUNDS] [SECONDS]
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson

from bench.calls import Connection
from bench.limits import GAME, SNAPSHOT
from bench.measures import cpu_seconds
from bench.running import Service, running_service

CALLERS = 8
Act = Callable[[Connection], Awaitable[None]]


@dataclass(frozen=True)
class Cost:
    """What one kind of request took in one round. cpu: microseconds of workers and store for each. rate: a second."""

    cpu: float
    rate: float


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

    async def move(self, connection: Connection) -> None:
        """Make the next move, of which it is known without looking that it is legal."""
        turn = self.view["turn"]
        seat = 0 if turn is None or turn["seat"] is None else turn["seat"]
        move = self._next(turn)
        status, answer = await connection.call("POST", f"/v1/games/{self.id}/moves", self.tokens[seat], move)
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
    before, began, count = cpu_seconds(pids), time.monotonic(), 0

    async def caller(act: Act) -> None:
        nonlocal count
        connection = await Connection.open(service)
        while time.monotonic() < began + seconds:
            await act(connection)
            count += 1
        connection.close()

    await asyncio.gather(*map(caller, acts))
    took = time.monotonic() - began
    return Cost((cpu_seconds(pids) - before) / count * 1e6, count / took)


def limit(path: str, method: str = "GET") -> Act:
    """A call of a limit application."""

    async def act(connection: Connection) -> None:
        status, _ = await connection.call(method, path, body={"type": "pass"} if method == "POST" else None)
        assert status == 200, status

    return act


async def measured(ours: Service, limits: Service, rounds: int, seconds: float) -> dict[str, Any]:
    """The median ratio of each measure, with its spread: more than 1 would beat the limit."""
    limits.store.hset(GAME, "s", SNAPSHOT)
    connection = await Connection.open(ours)
    matches = [await Match.new(connection) for _ in range(CALLERS)]
    for match in matches:
        for _ in range(10):
            await match.move(connection)
        match.etag = ours.store.hget(f"{{{match.id[:2]}}}:game:{match.id}", "x").decode()
    pairs: dict[str, tuple[list[Act], list[Act]]] = {
        "view / limit-1": ([match.look for match in matches], [limit("/limit-1")] * CALLERS),
        "304 / limit-1": ([match.look_again for match in matches], [limit("/limit-1")] * CALLERS),
        "move / limit-2": ([match.move for match in matches], [limit("/limit-2", "POST")] * CALLERS),
    }
    cpu: dict[str, list[float]] = {}
    rate: dict[str, list[float]] = {}
    costs: dict[str, list[tuple[int, int]]] = {}
    for name, (mine, theirs) in pairs.items():
        await round_of(ours, mine, 0.5)
        await round_of(limits, theirs, 0.5)
        for _ in range(rounds):
            us, them = await round_of(ours, mine, seconds), await round_of(limits, theirs, seconds)
            cpu.setdefault(name, []).append(them.cpu / us.cpu)
            rate.setdefault(name, []).append(us.rate / them.rate)
            costs.setdefault(name, []).append((round(us.cpu), round(them.cpu)))
    return {
        name: {
            "cpu": summed(cpu[name]),
            "rate": summed(rate[name]),
            "microseconds": [statistics.median(each) for each in zip(*costs[name], strict=True)],
        }
        for name in cpu
    }


def summed(ratios: list[float]) -> list[float]:
    """The median of some ratios, the least and the greatest."""
    return [round(each, 3) for each in (statistics.median(ratios), min(ratios), max(ratios))]


def main() -> None:
    """Measure and print JSON."""
    rounds, seconds = (float(each) for each in (sys.argv[1:] + ["8", "2"][len(sys.argv) - 1 :]))
    with (
        running_service(workers=1, fsync="everysec", UPCARD_LOG_LEVEL="info") as ours,
        running_service(workers=1, fsync="everysec", app="bench.limits:app") as limits,
    ):
        print(json.dumps(asyncio.run(measured(ours, limits, int(rounds), seconds)), indent=1))


if __name__ == "__main__":
    main()
