"""Sending: every shot over a connection of its own, and whatever comes back until it is closed."""

import asyncio
import re
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.hostile.shots import Shot

AT_ONCE = 24
PATIENCE = 30.0
"""Seconds after which a connection that is neither answered nor closed counts as hanging."""
HANG_UP = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Answer:
    """One answer. headers: by name in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Outcome:
    """What became of a shot. left: bytes that are no answer. hung: nobody closed the connection in time."""

    shot: Shot
    answers: tuple[Answer, ...]
    left: bytes
    hung: bool
    seconds: float


async def fire(port: int, shots: Sequence[Shot]) -> list[Outcome]:
    """The outcome of each shot. Those that hold their connection do so beside the others."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(shot: Shot) -> Outcome:
        if shot.ending == "hold":
            return await _fired(port, shot)
        async with room:
            return await _fired(port, shot)

    return await asyncio.gather(*map(one, shots))


async def _fired(port: int, shot: Shot) -> Outcome:
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            await _exchange(reader, writer, shot, received)
        hung = False
    except TimeoutError:
        hung = True
    finally:
        writer.close()
    answers, left = read_answers(bytes(received), bodiless=shot.data.startswith(b"HEAD "))
    return Outcome(shot, answers, left, hung, time.monotonic() - began)


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, shot: Shot, received: bytearray
) -> None:
    """Send while what comes back is read, since many answers could fill what lies between."""
    sending = asyncio.create_task(_send(writer, shot))
    try:
        if shot.ending != "reset":
            while chunk := await reader.read(65_536):
                received += chunk
    except ConnectionError:
        pass
    finally:
        if shot.ending != "reset":
            sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _send(writer: asyncio.StreamWriter, shot: Shot) -> None:
    try:
        writer.write(shot.data)
        await writer.drain()
        if shot.ending == "finish":
            writer.write_eof()
        elif shot.ending == "reset":
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HANG_UP)
    except OSError:  # closed by the other side, which is an answer too
        pass


def read_answers(raw: bytes, *, bodiless: bool) -> tuple[tuple[Answer, ...], bytes]:
    """The answers in what was received, without those that only say to go on, and the bytes that are none."""
    found = []
    while match := re.match(rb"HTTP/1\.\d (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n", raw):
        headers = {}
        for line in match[2].decode("latin-1").splitlines():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status, raw = int(match[1]), raw[match.end() :]
        if status == 100:
            continue
        empty = bodiless or status in (204, 304)
        size = 0 if empty else int(headers.get("content-length", len(raw)))
        found.append(Answer(status, headers, raw[:size]))
        raw = raw[size:]
    return tuple(found), raw
