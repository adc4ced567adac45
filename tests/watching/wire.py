"""Connections as they are: streams that break off in any way, and requests that nobody sends again behind our back."""

import asyncio
import json
import re
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from tests.watching.serving import Service

Doc = dict[str, Any]


class Ended(Exception):
    """The stream has ended as it should: after its last chunk."""


class Refused(Exception):
    """The answer is no stream. status: of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Event:
    """What a stream told. id: to resume after it. name: empty for what happened in the game."""

    id: str
    name: str
    data: Doc


@dataclass
class Stream:
    """An open event stream."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    told: bytearray = field(default_factory=bytearray)

    async def events(self) -> AsyncIterator[Event]:
        """Each event once all of it has come. Raises Ended, or what is wrong with the connection."""
        while True:
            while (end := self.told.find(b"\n\n")) >= 0:
                block = self.told[:end].decode()
                del self.told[: end + 2]
                if (event := _event(block)) is not None:
                    yield event
            self.told += await self._chunk()

    async def _chunk(self) -> bytes:
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        chunk = await self.reader.readexactly(size + 2)
        if not size:
            raise Ended
        return chunk[:-2]

    def close(self) -> None:
        """Close the connection as a client that has enough."""
        self.writer.transport.abort()

    def reset(self) -> None:
        """Break the connection off: the other side gets a reset."""
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


async def opened(service: Service, game: str, token: str | None = None, after: str | None = None) -> Stream:
    """A stream of a game's events. token: the credential, if any. after: the id of the last event that is known.

    Raises Refused, or what is wrong with the connection.
    """
    reader, writer = await asyncio.open_connection(service.host, service.port)
    with ExitStack() as unless_it_streams:
        unless_it_streams.callback(writer.transport.abort)
        writer.write(stream_request(game, token, after))
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head.split(None, 2)[1])
        if status != 200:
            raise Refused(status)
        assert b"text/event-stream" in head, head
        unless_it_streams.pop_all()
    return Stream(reader, writer)


def stream_request(game: str, token: str | None = None, after: str | None = None) -> bytes:
    """The request for a stream."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
    return request("GET", f"/v1/games/{game}/events", token, headers)


def request(method: str, path: str, token: str | None, headers: dict[str, str], body: bytes = b"") -> bytes:
    """A request as it is sent. token: the credential, if any."""
    sent = {"Host": "upcard"} | headers
    sent |= {"Authorization": f"Bearer {token}"} if token else {}
    sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))} if body else {}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Line:
    """A connection that is kept open from one request to the next."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def to(cls, service: Service) -> "Line":
        """A connection that has been answered once."""
        line = cls(*await asyncio.open_connection(service.host, service.port))
        assert (await line.ask("GET", "/healthz"))[0] == 200
        return line

    async def ask(
        self, method: str, path: str, token: str | None = None, body: bytes = b"", **headers: str
    ) -> tuple[int, bytes]:
        """The status and the body of the answer. headers: `_` stands for `-`."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        self.writer.write(request(method, path, token, named, body))
        status, _, answer = await self._answer()
        return status, answer

    async def etag(self, path: str, token: str) -> str:
        """The entity tag of what is there."""
        self.writer.write(request("GET", path, token, {}))
        _, head, _ = await self._answer()
        return re.search(r"(?i)\r\netag: (.*)\r\n", head)[1]

    def close(self) -> None:
        """Close the connection."""
        self.writer.transport.abort()

    async def _answer(self) -> tuple[int, str, bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
        return int(head.split(None, 2)[1]), head, await self.reader.readexactly(int(length[1]) if length else 0)


def _event(block: str) -> Event | None:
    """The event of a block of lines; None for comments and for what only sets the time to wait."""
    fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
    if "data" not in fields:
        return None
    return Event(fields.get("id", ""), fields.get("event", ""), json.loads(fields["data"]))
