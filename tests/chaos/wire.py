"""The wire between the service and its store: a port of its own, and ways in which a network fails."""

import asyncio
import threading
from contextlib import suppress
from pathlib import Path

WHOLE = "whole"
CUT = "cut"
"""Every connection is reset, and each new one too."""
BLACK_HOLE = "black hole"
"""Nothing arrives any more, and nobody is told. A connection that was used then stays lost for ever."""
DEAF = "answers lost"
"""Commits arrive and are made, but their connection is reset before the answer."""

COMMITTED = b"*1\r\n$2\r\nok\r\n"
CHUNK = 1 << 16


class Wire:
    """Carries bytes between a port of 127.0.0.1 and a unix socket, in a thread of its own; it is there in a block."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._near: set[asyncio.StreamWriter] = set()
        self._state = WHOLE
        self.port = 0

    @property
    def state(self) -> str:
        """What becomes of what is sent."""
        return self._state

    @state.setter
    def state(self, state: str) -> None:
        self._state = state
        if state == CUT:
            self._loop.call_soon_threadsafe(self._reset)

    def __enter__(self) -> "Wire":
        self._thread.start()
        server = asyncio.run_coroutine_threadsafe(self._listening(), self._loop).result(10)
        self.port = server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._ended(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _listening(self) -> asyncio.Server:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        return self._server

    async def _ended(self) -> None:
        self._server.close()
        self._reset()
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        if carrying:
            await asyncio.wait(carrying, timeout=5)

    def _reset(self) -> None:
        for near in self._near:
            near.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        self._near.add(near)
        try:
            with suppress(OSError):
                await self._joined(reader, near)
        finally:
            self._near.discard(near)
            near.transport.abort()

    async def _joined(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self.state == CUT:
            return
        answers, far = await asyncio.open_unix_connection(self._socket)
        lost = asyncio.Event()
        there = asyncio.create_task(self._there(reader, far, lost))
        try:
            with suppress(OSError):
                await self._back(answers, near, lost)
        finally:
            near.close()
            await there
            far.transport.abort()

    async def _there(self, reader: asyncio.StreamReader, far: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        """Commands. What was sent before a connection is closed still arrives, as it does in a kernel's buffers."""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.state == BLACK_HOLE:
                    lost.set()
                if not lost.is_set():
                    far.write(data)
                    await far.drain()
        with suppress(OSError):
            far.write_eof()

    async def _back(self, answers: asyncio.StreamReader, near: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        while data := await answers.read(CHUNK):
            if self.state == DEAF and data == COMMITTED:
                near.transport.abort()
                return
            if self.state == BLACK_HOLE:
                lost.set()
            if not lost.is_set():
                near.write(data)
                await near.drain()
