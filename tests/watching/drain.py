"""A server that is told to stop: streams and waits end cleanly and at once, requests in flight are carried out."""

import asyncio
import json
import signal
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass

from tests.watching.playing import Table, client, new_table
from tests.watching.serving import API_KEY, Service
from tests.watching.wire import Ended, Line, Stream, opened

GAMES = 10
AT_ONCE = 50
"""So many connections are opened at once."""


@dataclass(frozen=True)
class Drained:
    """How everything ended.

    streams, waits: how many, by how they ended. readiness: what an open connection is told of it. in_flight: the
    status of a move that the store answers only after the signal. refused: whether new connections are, at last.
    let_go, exited: seconds from the signal until the last stream and wait had ended, and until the process had.
    """

    streams: Counter[str]
    waits: Counter[str]
    readiness: tuple[int, str]
    in_flight: int
    refused: bool
    code: int
    let_go: float
    exited: float

    @property
    def clean(self) -> bool:
        """Whether everything ended as it should."""
        ends = (set(self.streams), set(self.waits), self.readiness, self.in_flight, self.refused, self.code)
        return ends == ({"clean"}, {"304"}, (503, "draining"), 200, True, 0)

    def __str__(self) -> str:
        return (
            f"streams {dict(self.streams)}, waits {dict(self.waits)}, readiness {self.readiness}, "
            f"move in flight {self.in_flight}; all let go after {self.let_go:.1f} s; "
            f"exit {self.code} after {self.exited:.1f} s"
        )


async def drained(service: Service, *, streams: int, waits: int) -> Drained:
    """Open streams and waits over some games, tell the server to stop, and see what becomes of them."""
    async with client(service) as http:
        tables = [await new_table(http, number) for number in range(GAMES)]
    gate = asyncio.Semaphore(AT_ONCE)
    watching = (_watched(service, tables[number % GAMES], number, gate) for number in range(streams))
    following = [asyncio.create_task(_end_of(stream)) for stream in await asyncio.gather(*watching)]
    waiting = await _all_waiting(service, [tables[number % GAMES] for number in range(waits)])
    kept, mover, table = await Line.to(service), await Line.to(service), tables[0]
    with service.store.frozen():
        move = json.dumps({"type": "deal"}).encode()
        moving = asyncio.create_task(mover.ask("POST", f"/v1/games/{table.id}/moves", table.tokens[0], move))
        await asyncio.sleep(0)  # now it is sent
        began = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        ends = Counter(await asyncio.gather(*following))
        answers = Counter(await asyncio.gather(*waiting))
        let_go = time.monotonic() - began
        status, body = await kept.ask("GET", "/readyz")
        assert not moving.done()
    in_flight, _ = await moving
    kept.close()
    mover.close()
    refused = await _refused(service)
    code = await asyncio.to_thread(service.process.wait, 40)
    exited = time.monotonic() - began
    return Drained(ends, answers, (status, json.loads(body)["status"]), in_flight, refused, code, let_go, exited)


async def _watched(service: Service, table: Table, number: int, gate: asyncio.Semaphore) -> Stream:
    """A stream that has told the first event, and so waits for the next."""
    async with gate:
        stream = await opened(service, table.id, [table.tokens[0], None, API_KEY][number % 3])
        async for event in stream.events():
            assert event.data["version"] == 1
            return stream
    raise AssertionError("no event came")


async def _end_of(stream: Stream) -> str:
    try:
        async for event in stream.events():
            return f"an event of version {event.data['version']}"
    except Ended:
        return "clean"
    except asyncio.IncompleteReadError:
        return "cut short"
    except ConnectionResetError:
        return "reset"
    finally:
        stream.close()
    raise AssertionError("a stream ends with an error")


async def _all_waiting(service: Service, tables: list[Table]) -> list["asyncio.Task[str]"]:
    """Long polls that have looked at their game, each once, and wait now."""
    lines = [await Line.to(service) for _ in tables]
    tags = []
    for line, table in zip(lines, tables, strict=True):
        tags.append(await line.etag(f"/v1/games/{table.id}", table.tokens[0]))
    before = _looks(service)
    waiting = [
        asyncio.create_task(_wait(line, table, tag)) for line, table, tag in zip(lines, tables, tags, strict=True)
    ]
    until = time.monotonic() + 10
    while _looks(service) < before + len(tables):
        assert time.monotonic() < until
        await asyncio.sleep(0.01)
    return waiting


async def _wait(line: Line, table: Table, tag: str) -> str:
    path = f"/v1/games/{table.id}"
    with closing(line):
        status, _ = await line.ask("GET", path, table.tokens[0], If_None_Match=tag, Prefer="wait=30")
    return str(status)


def _looks(service: Service) -> int:
    """How often the version of a game has been asked for."""
    calls: int = service.store.client.info("commandstats")["cmdstat_hmget"]["calls"]
    return calls


async def _refused(service: Service, seconds: float = 10) -> bool:
    """Whether new connections are refused, at last."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            _, writer = await asyncio.open_connection(service.host, service.port)
        except ConnectionError:
            return True
        writer.transport.abort()
        await asyncio.sleep(0.05)
    return False
