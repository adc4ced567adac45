"""Callers who follow games: by event streams, or by asking for a view and waiting until it changes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

from bench.calls import Connection
from bench.http_cost import Match
from bench.players import Pair
from bench.running import Service

SETTLING_SECONDS = 1.0
OPENERS = 16
"""How many connect at once."""
PATIENT = {"UPCARD_REDIS_TIMEOUT": "5"}
"""With this setting a disk that stalls for once makes calls late, and does not end a measurement."""
Game: TypeAlias = Match | Pair
Watch: TypeAlias = Callable[[Connection, Game, int], Awaitable[None]]


async def by_stream(connection: Connection, match: Game, seat: int) -> None:
    """Read the events of a game from now on."""
    path = f"/v1/games/{match.id}/events?after={match.view['version']}"
    async for _ in connection.stream(path, match.tokens[seat]):
        pass


async def by_long_poll(connection: Connection, match: Game, seat: int) -> None:
    """Ask for the view of a game, and then for each that differs."""
    while True:
        wait = f"Prefer: wait=30\r\nIf-None-Match: {connection.etag}\r\n" if connection.etag else ""
        status, _ = await connection.call("GET", f"/v1/games/{match.id}", match.tokens[seat], headers=wait)
        assert status in (200, 304), status


@asynccontextmanager
async def watched(service: Service, matches: Sequence[Game], watch: Watch, each: int = 1) -> AsyncIterator[None]:
    """Both seats of some games are watched while the block lasts, each so many times."""
    opening = asyncio.Semaphore(OPENERS)

    async def watcher(match: Game, seat: int) -> None:
        async with opening:
            connection = await Connection.open(service)
        try:
            await watch(connection, match, seat)
        finally:
            connection.close()

    tasks = [asyncio.create_task(watcher(match, seat)) for match in matches for seat in (0, 1) * each]
    while len(service.store.client.pubsub_channels()) < len(matches):
        await asyncio.sleep(0.05)
    await asyncio.sleep(SETTLING_SECONDS)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [how for how in ended if not isinstance(how, asyncio.CancelledError)]
        assert not failed, failed
