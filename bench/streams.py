"""Thousands of idle event streams beside games in play: how soon moves are seen, what a stream takes, what it costs.

python -m bench.streams [STREAMS] [GAMES] [SECONDS]
"""

import asyncio
import json
import random
import statistics
import sys
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import orjson

from bench.calls import Connection
from bench.measures import cpu_seconds, quantile, resident_bytes
from bench.running import Service, running_service

THINK_SECONDS = 4.0
"""Between two moves of a game, on average."""
OPENERS = 16
"""How many streams are opened at once."""
PLAIN = 8
"""How many callers ask for views one after the other, to see how many a second are answered."""
PLAIN_SECONDS = 3.0


@dataclass
class Table:
    """A game of two humans."""

    id: str
    tokens: list[str]
    sent: dict[int, float] = field(default_factory=dict)
    acknowledged: dict[int, float] = field(default_factory=dict)
    seen: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))


async def table(connection: Connection) -> Table:
    """A new game, dealt."""
    body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}]}
    _, answer = await connection.call("POST", "/v1/games", body=body)
    made = orjson.loads(answer)
    new = Table(made["game"]["id"], [held["token"] for held in made["tokens"]])
    await connection.call("POST", f"/v1/games/{new.id}/moves", new.tokens[0], {"type": "deal"})
    return new


async def watch(service: Service, game: Table, seat: int, opened: asyncio.Semaphore, ready: list[int]) -> None:
    """Follow a game until the end, noting when each version is seen."""
    async with opened:
        connection = await Connection.open(service)
        lines = connection.stream(f"/v1/games/{game.id}/events?after=2", game.tokens[seat])
        assert (await anext(lines)).strip()
        ready.append(seat)
    try:
        async for line in lines:
            if line.startswith(b"id: "):
                game.seen[int(line[4:].partition(b"-")[0])].append(time.monotonic())
    finally:
        connection.close()


async def play(service: Service, game: Table, until: float, chance: random.Random) -> None:
    """Make legal moves with some time between them, for which no connection is kept."""
    await asyncio.sleep(chance.uniform(0, THINK_SECONDS))
    while time.monotonic() < until:
        connection = await Connection.open(service)
        _, answer = await connection.call("GET", f"/v1/games/{game.id}", game.tokens[0])
        turn = orjson.loads(answer)["turn"]
        if turn is None:
            break
        token = game.tokens[turn["seat"] or 0]
        _, answer = await connection.call("GET", f"/v1/games/{game.id}", token)
        view = orjson.loads(answer)
        move = chance.choice(view["legal_moves"])["move"]
        game.sent[view["version"] + 1] = time.monotonic()
        status, _ = await connection.call("POST", f"/v1/games/{game.id}/moves", token, move)
        assert status == 200, status
        game.acknowledged[view["version"] + 1] = time.monotonic()
        connection.close()
        await asyncio.sleep(chance.expovariate(1 / THINK_SECONDS))


async def plain(service: Service, games: list[Table]) -> tuple[float, float]:
    """Views a second that are answered to callers without a pause, and the workers' CPU microseconds for each."""
    before, began, count = cpu_seconds(service.workers), time.monotonic(), 0

    async def ask(index: int) -> None:
        nonlocal count
        connection = await Connection.open(service)
        game = games[index % len(games)]
        while time.monotonic() < began + PLAIN_SECONDS:
            status, _ = await connection.call("GET", f"/v1/games/{game.id}", game.tokens[0])
            assert status == 200, status
            count += 1
        connection.close()

    await asyncio.gather(*(ask(index) for index in range(PLAIN)))
    return count / (time.monotonic() - began), (cpu_seconds(service.workers) - before) / count * 1e6


async def opened(service: Service, games: list[Table], streams: int) -> list[asyncio.Task[None]]:
    """So many streams, spread over the seats of some games, once all of them are open."""
    gate, ready = asyncio.Semaphore(OPENERS), list[int]()
    tasks = [
        asyncio.create_task(watch(service, games[number // 2 % len(games)], number % 2, gate, ready))
        for number in range(streams)
    ]
    while len(ready) < streams:
        await asyncio.sleep(0.05)
        for task in tasks:
            if task.done():
                await task
    return tasks


async def closed(tasks: list[asyncio.Task[None]]) -> None:
    """Hang up on all streams."""
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await asyncio.sleep(1)


async def measured(service: Service, streams: int, games: int, seconds: float) -> dict[str, Any]:
    """All figures. The rates with and without streams are measured in turns."""
    connection = await Connection.open(service)
    idle = [await table(connection) for _ in range(streams // 2)]
    busy = [await table(connection) for _ in range(games)]
    rates: list[float] = []
    costs: list[float] = []
    bytes_each = 0.0
    watchers: list[asyncio.Task[None]] = []
    await plain(service, busy)
    for _ in range(4):
        await closed(watchers)
        without, cost_without = await plain(service, busy)
        before = resident_bytes(service.workers)
        watchers = await opened(service, idle, streams)
        bytes_each = bytes_each or (resident_bytes(service.workers) - before) / streams
        beside, cost_beside = await plain(service, busy)
        rates.append(beside / without)
        costs.append(cost_without / cost_beside)
    seeing = await opened(service, busy, 2 * games)
    until, chance = time.monotonic() + seconds, random.Random(7)
    await asyncio.gather(*(play(service, game, until, chance) for game in busy))
    await asyncio.sleep(1)
    await closed(watchers + seeing)
    from_sent = [at - game.sent[v] for game in busy for v in game.sent for at in game.seen[v]]
    from_answer = [at - game.acknowledged[v] for game in busy for v in game.sent for at in game.seen[v]]
    moves = sum(len(game.sent) for game in busy)
    return {
        "streams": streams,
        "games_in_play": games,
        "moves": moves,
        "events_expected": 2 * moves,
        "events_seen": len(from_sent),
        "ms_from_request_p50": round(quantile(from_sent, 0.5) * 1000, 1),
        "ms_from_request_p99": round(quantile(from_sent, 0.99) * 1000, 1),
        "ms_after_answer_p50": round(quantile(from_answer, 0.5) * 1000, 1),
        "ms_after_answer_p99": round(quantile(from_answer, 0.99) * 1000, 1),
        "kib_a_stream": round(bytes_each / 1024, 1),
        "rate_beside_streams": round(statistics.median(rates), 3),
        "rate_pairs": [round(rate, 3) for rate in rates],
        "cpu_speed_beside_streams": round(statistics.median(costs), 3),
    }


def main() -> None:
    """Measure and print one line of JSON."""
    streams, games, seconds = (int(each) for each in (sys.argv[1:] + ["5000", "200", "30"][len(sys.argv) - 1 :]))
    with running_service() as service:
        print(json.dumps(asyncio.run(measured(service, streams, games, seconds)), indent=1))


if __name__ == "__main__":
    main()
