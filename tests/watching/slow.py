"""Readers that are slow or stuck cost nobody else anything: no time, no events, and no memory for what they miss."""

import asyncio
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from service.storage.keys import game_key, log_key
from tests.watching.playing import Table, client, new_table
from tests.watching.serving import Service
from tests.watching.wire import Stream, opened, stream_request

SEGMENT = 536
"""The bytes of a packet, and a small one: the kernel makes its buffers by it."""
BUFFER = 2048
BYTE_SECONDS = 1.0
DROWSY = 5
"""So many readers take a byte a second."""
READERS = 5
"""So many streams of each game are read as they should be."""
PATIENCE_SECONDS = 20.0
"""How long after the last move a stream may take to see it."""


@dataclass(frozen=True)
class Slowed:
    """What slow readers cost the others.

    backlog: the bytes that each stuck reader has not been sent, at least. growth: of the workers' memory, in bytes.
    late: the longest that a stream was told of a move after the move was acknowledged, in seconds. starved: streams
    that were not told everything. answer: the longest that an answer to anybody took, in seconds. asked: how many.
    """

    stuck: int
    moves: int
    backlog: int
    growth: int
    late: float
    starved: int
    answer: float
    asked: int
    recovered: bool

    @property
    def nothing(self) -> bool:
        """Whether the others did not notice, and the workers kept little of what stuck readers miss."""
        noticed = self.late > 2 or self.answer > 2 or self.starved > 0
        return not noticed and self.growth < self.stuck * self.backlog / 2 and self.recovered

    def __str__(self) -> str:
        return (
            f"{self.stuck} stuck readers, each {self.backlog / 1e6:.1f} MB behind; the workers grew by "
            f"{self.growth / 1e6:.1f} MB; {self.moves} moves, told after {self.late:.3f} s at the latest, "
            f"{self.starved} streams starved; {self.asked} answers, the slowest after {self.answer:.3f} s; "
            f"a stuck reader that reads on gets all of it: {self.recovered}"
        )


async def slowed(service: Service, *, stuck: int, versions: int, moves: int) -> Slowed:
    """Let readers get stuck in a game of many versions, play it and two others on, and time what everybody else gets.

    moves: in each game.
    """
    async with client(service) as http:
        tables = [await new_table(http, number) for number in range(3)]
        await asyncio.gather(*(table.play(40) for table in tables))
        _lengthen(service, tables[0], versions)
        reading = [await Reading.of(service, table) for table in tables for _ in range(READERS)]
        before = service.memory()
        readers = [_unread(service, tables[0]) for _ in range(stuck + DROWSY)]
        await _until_told(service, readers)
        async with _drowsing(readers[stuck:]), _asking(tables) as answers, _reading(reading):
            acknowledged = await asyncio.gather(*(_play(table, moves) for table in tables))
            late, starved = await _lateness(
                reading, {table.id: at for table, at in zip(tables, acknowledged, strict=True)}
            )
        growth = service.memory() - before
        held = max(_unsent(service)[reader.getsockname()[1]] for reader in readers) + 2 * BUFFER
        happened = await tables[0].events()
        recovered = await asyncio.to_thread(_reads_on, readers[0], len(happened))
    for reader in readers:
        reader.close()
    return Slowed(
        stuck=stuck,
        moves=moves * len(tables),
        backlog=sum(len(orjson.dumps(event)) for event in happened) - held,
        growth=growth,
        late=late,
        starved=starved,
        answer=max(answers),
        asked=len(answers),
        recovered=recovered,
    )


@dataclass
class Reading:
    """A stream that is read as it should be, from now on. told: when each version was told."""

    table: Table
    stream: Stream
    told: dict[int, float] = field(default_factory=dict)

    @classmethod
    async def of(cls, service: Service, table: Table) -> "Reading":
        stamp = service.store.client.hget(game_key(table.id), "x").decode()
        return cls(table, await opened(service, table.id, after=f"{table.version}-{stamp}"))

    async def read(self) -> None:
        async for event in self.stream.events():
            self.told[event.data["version"]] = time.monotonic()


def _lengthen(service: Service, table: Table, versions: int) -> None:
    """Write the log of a game again and again, until it has so many versions at least."""
    store, log, game = service.store.client, log_key(table.id), game_key(table.id)
    entries = store.lrange(log, 1, -1)
    while store.llen(log) < versions:
        store.rpush(log, *entries)
        store.hincrby(game, "b", sum(map(len, entries)))
    table.version = store.llen(log)
    store.hset(game, "v", table.version)


def _unread(service: Service, table: Table) -> socket.socket:
    """A stream from the first event on that nobody reads yet."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
    reader.settimeout(10)
    reader.connect((service.host, service.port))
    reader.sendall(stream_request(table.id))
    return reader


async def _until_told(service: Service, readers: list[socket.socket]) -> None:
    """Wait until the service has written to every reader more than it takes."""
    until = time.monotonic() + 30
    ports = {reader.getsockname()[1] for reader in readers}
    while not all(_unsent(service).get(port) for port in ports):
        assert time.monotonic() < until, f"not all of {len(ports)} readers were told: {_unsent(service)}"
        await asyncio.sleep(0.05)


def _unsent(service: Service) -> dict[int, int]:
    """The bytes that wait in the kernel for each client of the service, by the client's port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here = f":{service.port:04X}"
    return {int(row[2][-4:], 16): int(row[4][:8], 16) for row in rows if row[1].endswith(here)}


async def _play(table: Table, moves: int) -> dict[int, float]:
    """When each version was acknowledged."""
    acknowledged: dict[int, float] = {}

    def done() -> None:
        acknowledged[table.version] = time.monotonic()

    await table.play(moves, done)
    return acknowledged


async def _lateness(reading: list[Reading], acknowledged: dict[str, dict[int, float]]) -> tuple[float, int]:
    """How much later than the mover a stream was told of a version at the latest, and how many were not told all."""
    until = time.monotonic() + PATIENCE_SECONDS
    while starved := sum(not acknowledged[each.table.id].keys() <= each.told.keys() for each in reading):
        if time.monotonic() > until:
            break
        await asyncio.sleep(0.05)
    late = max(
        each.told[version] - at
        for each in reading
        for version, at in acknowledged[each.table.id].items()
        if version in each.told
    )
    return late, starved


@asynccontextmanager
async def _reading(reading: list[Reading]) -> AsyncIterator[None]:
    """Read while the block lasts."""
    tasks = [asyncio.create_task(each.read()) for each in reading]
    yield
    for task, each in zip(tasks, reading, strict=True):
        task.cancel()
        each.stream.close()


@asynccontextmanager
async def _drowsing(readers: list[socket.socket]) -> AsyncIterator[None]:
    """Read a byte a second while the block lasts."""

    async def drowse() -> None:
        while True:
            await asyncio.sleep(BYTE_SECONDS)
            assert all(len(reader.recv(1)) == 1 for reader in readers)

    drowsing = asyncio.create_task(drowse())
    yield
    assert not drowsing.done()
    drowsing.cancel()


@asynccontextmanager
async def _asking(tables: list[Table]) -> AsyncIterator[list[float]]:
    """Ask for views while the block lasts: how long each answer took, in seconds."""
    took: list[float] = []

    async def ask() -> None:
        while True:
            for table in tables:
                began = time.monotonic()
                await table.view(0)
                took.append(time.monotonic() - began)
            await asyncio.sleep(0.01)

    asking = asyncio.create_task(ask())
    yield took
    asking.cancel()


def _reads_on(reader: socket.socket, versions: int) -> bool:
    """Whether a stuck reader that reads on is told every version, in order."""
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    told = b""
    while f"id: {versions}-".encode() not in told[-4096:]:
        told += reader.recv(65536)
    return [int(number) for number in re.findall(rb"id: (\d+)-", told)] == list(range(1, versions + 1))
