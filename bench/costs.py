"""What each kind of call takes of the workers, and what of the store: the parameters of docs/capacity.md."""

import asyncio
import os
import secrets
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from itertools import cycle
from typing import Any

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.http_cost import CALLERS, Act, Cost, Match, round_of
from bench.measures import cpu_seconds, resident_bytes
from bench.running import Service, running_service
from bench.watchers import PATIENT, by_long_poll, by_stream, watched

EACH = 4
"""How many games every caller has."""
WATCHERS = 6
"""How many watch a game, so that they stand out beside its moves."""
HEARTBEAT = 1.0
ENTRY_BYTES = 1_300
"""About what a move appends to the store's file."""
Do = Callable[[Match, Connection], Awaitable[None]]


def callers(matches: list[Match], do: Do) -> list[Act]:
    """Callers who do something with each of their own games in turn."""

    def caller(own: list[Match]) -> Act:
        turns = cycle(own)

        async def act(connection: Connection) -> None:
            await do(next(turns), connection)

        return act

    return [caller(matches[first::CALLERS]) for first in range(CALLERS)]


async def keyed_move(match: Match, connection: Connection) -> None:
    """A move with an idempotency key."""
    await match.move(connection, f"Idempotency-Key: {secrets.token_hex(16)}\r\n")


async def create(_: Match, connection: Connection) -> None:
    """A game that nobody plays."""
    status, _answer = await connection.call("POST", "/v1/games", body={"game": "gin"})
    assert status == 201, status


async def dealt(service: Service) -> list[Match]:
    """Some games for each caller, a few moves old."""
    connection = await Connection.open(service)
    matches = [await Match.new(connection) for _ in range(CALLERS * EACH)]
    for match in matches:
        for _ in range(10):
            await match.move(connection)
        match.etag = service.store.client.hget(f"{{{match.id[:2]}}}:game:{match.id}", "x").decode()
    return matches


async def calls(service: Service, rounds: int, seconds: float) -> dict[str, list[Cost]]:
    """What each kind of call took in each round. The kinds take turns."""
    looked_at, played = await dealt(service), await dealt(service)
    kinds: dict[str, list[Act]] = {
        "view": callers(looked_at, Match.look),
        "not modified": callers(looked_at, Match.look_again),
        "move": callers(played, Match.move),
        "move with a key": callers(played, keyed_move),
        "create": callers(played, create),
    }
    costs = defaultdict(list)
    for _ in range(rounds):
        for kind, acts in kinds.items():
            costs[kind].append(await round_of(service, acts, seconds))
    return costs


async def news(service: Service, moves: list[Cost], rounds: int, seconds: float) -> dict[str, list[Cost]]:
    """What it takes to tell one watcher of one move: what a move costs more where it is watched, for each who does."""
    cpu, store = statistics.median(cost.cpu for cost in moves), statistics.median(cost.store for cost in moves)
    costs = {}
    for kind, watch in (("event", by_stream), ("long poll", by_long_poll)):
        matches = await dealt(service)
        async with watched(service, matches, watch, WATCHERS // 2):
            with_news = [await round_of(service, callers(matches, Match.move), seconds) for _ in range(rounds)]
        costs[kind] = [
            Cost((cost.cpu - cpu) / WATCHERS, cost.rate, (cost.store - store) / WATCHERS) for cost in with_news
        ]
    return costs


async def idle(service: Service, games: int, seconds: float) -> dict[str, float]:
    """What streams take where nothing happens: memory, and microseconds for each heartbeat."""
    connection = await Connection.open(service)
    matches = [await Match.new(connection) for _ in range(games)]
    before = resident_bytes(service.workers)
    async with watched(service, matches, by_stream):
        held = resident_bytes(service.workers) - before
        workers, store = cpu_seconds(service.workers), cpu_seconds([service.store.pid])
        await asyncio.sleep(seconds)
        workers, store = cpu_seconds(service.workers) - workers, cpu_seconds([service.store.pid]) - store
    beats = 2 * games * seconds / HEARTBEAT
    return {
        "KiB of a worker a stream": held / 2 / games / 1024,
        "heartbeat: workers": workers / beats * 1e6,
        "heartbeat: store": store / beats * 1e6,
    }


async def sizes(service: Service) -> dict[str, float]:
    """What a move appends to the store's file, and what a view sends."""
    matches, connection, sent = await dealt(service), await Connection.open(service), 0
    before = service.store.client.info("persistence")["aof_current_size"]
    for match in matches:
        await match.move(connection)
    written = service.store.client.info("persistence")["aof_current_size"] - before
    for match in matches:
        _, view = await connection.call("GET", f"/v1/games/{match.id}", match.tokens[0])
        sent += len(view)
    return {"file bytes a move": written / len(matches), "bytes of a view": sent / len(matches)}


def sync_milliseconds(times: int) -> list[float]:
    """How long the disk of the temporary folder takes to make a move durable."""
    with tempfile.TemporaryFile(prefix="upcard-bench-") as file:

        def sync() -> float:
            began = time.perf_counter()
            os.write(file.fileno(), bytes(ENTRY_BYTES))
            os.fdatasync(file.fileno())
            return (time.perf_counter() - began) * 1000

        return [sync() for _ in range(times)]


def measure(full: bool) -> Part:
    """Every kind of call, with one worker and a store that syncs each write, as the promise of no lost move needs."""
    rounds, seconds, games, beats = (12, 2.0, 1000, 30) if full else (5, 0.5, 150, 4)
    with running_service(workers=1, UPCARD_HEARTBEAT=str(HEARTBEAT), **PATIENT) as service:
        single = asyncio.run(idle(service, games, beats))
    with running_service(workers=1, **PATIENT) as service:
        costs = asyncio.run(calls(service, rounds, seconds))
        costs |= asyncio.run(news(service, costs["move"], rounds, seconds))
        single |= asyncio.run(sizes(service))
    machine: dict[str, Any] = {"most": True, "compared": False}
    figures = [
        figure
        for kind, each in costs.items()
        for figure in (
            Figure.of(f"{kind}: workers", [cost.cpu - cost.store for cost in each], unit="µs", **machine),
            Figure.of(f"{kind}: store", [cost.store for cost in each], unit="µs", **machine),
        )
    ]
    figures += [Figure.of(name, [value], **machine) for name, value in single.items()]
    figures.append(Figure.of("one sync of the disk", sync_milliseconds(200), unit="ms", **machine))
    return Part("costs", figures, {})
