"""A lean HTTP client for load: one connection, one call at a time, and event streams read line by line."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Self

import orjson

from bench.running import Service


class Connection:
    """A connection that is kept; the service answers with a length, but for streams. etag: of the last view."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.etag = ""
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, service: Service) -> Self:
        """Connect to a service."""
        return cls(*await asyncio.open_connection(service.host, service.port))

    async def call(
        self, method: str, path: str, token: str = "", body: Any = None, headers: str = ""
    ) -> tuple[int, bytes]:
        """Send one request: the status and the body of the answer."""
        self._send(method, path, token, body, headers)
        status, length = await self._head()
        return status, await self._reader.readexactly(length)

    async def stream(self, path: str, token: str) -> AsyncIterator[bytes]:
        """The lines of an event stream."""
        self._send("GET", path, token, None, "Accept: text/event-stream\r\n")
        status, _ = await self._head()
        assert status == 200, status
        while line := await self._reader.readline():
            yield line

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    def _send(self, method: str, path: str, token: str, body: Any, headers: str) -> None:
        sent = b"" if body is None else orjson.dumps(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\n{headers}"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
        self._writer.write(head.encode() + b"\r\n" + sent)

    async def _head(self) -> tuple[int, int]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        status, length = int(head[9:12]), 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif name.lower() == b"etag":
                self.etag = value.strip().decode()
        return status, length
