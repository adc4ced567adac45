"""A proxy before the service that treats event streams as bad ones do."""

import random
import re
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from socketserver import StreamRequestHandler
from threading import Thread
from urllib.parse import urlsplit

Pieces = Iterator[bytes]
Treatment = Callable[[Pieces], Pieces]
"""What becomes of the answer that is a stream, piece by piece; the connection ends with the last piece."""


def passed(answer: Pieces) -> Pieces:
    """All of it, as it comes."""
    return answer


def refused(answer: Pieces) -> Pieces:
    """None of it: whoever asks is told that there is no such thing."""
    del answer
    yield b"HTTP/1.1 406 Not Acceptable\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\n\r\n"


def swallowed(answer: Pieces) -> Pieces:
    """Nothing as long as it lasts, as where answers are collected before they are passed on."""
    yield b"".join(answer)


def torn(seed: int) -> Treatment:
    """It comes in crumbs, and breaks off after some bytes; whoever is cut off may come back at once."""
    chance = random.Random(seed)

    def tear(answer: Pieces) -> Pieces:
        left = chance.randrange(2500, 4500)  # enough for a head and an event, so that a stream is worth while
        for piece in answer:
            rest = piece.replace(b"retry: 2000", b"retry: 0010")[:left]
            left -= len(rest)
            while rest:
                size = chance.randrange(1, 40)
                yield rest[:size]
                rest = rest[size:]
            if not left:
                return

    return tear


def forged(head: bytes) -> bytes:
    """A request that goes on after an event which the store has lost."""
    return re.sub(rb"(?im)^(last-event-id: \d+-).*\r$", rb"\1lost\r", head)


@dataclass
class Proxy:
    """A running proxy. seen: the heads of the requests it took, in order."""

    url: str
    seen: list[str] = field(default_factory=list)

    def streams(self) -> list[str]:
        return [head for head in self.seen if "text/event-stream" in head]

    def long_polls(self) -> list[str]:
        return [head for head in self.seen if re.search(r"^prefer: wait=[1-9]", head, re.IGNORECASE | re.MULTILINE)]


@contextmanager
def proxied(service: str, treatment: Treatment, change: Callable[[bytes], bytes] = bytes) -> Iterator[Proxy]:
    """A proxy before the service for the length of a block. It takes one request a connection, without a body.

    treatment: of streams. change: of the head of each request.
    """
    where = urlsplit(service)

    class Handler(StreamRequestHandler):
        disable_nagle_algorithm = True

        def handle(self) -> None:
            head = b"".join(iter(self.rfile.readline, b"\r\n"))
            if not head.endswith(b"\r\n"):
                return
            proxy.seen.append(head.decode())
            streams = b"text/event-stream" in head
            head = re.sub(rb"(?im)^connection:.*\r\n", b"", change(head)) + b"Connection: close\r\n\r\n"
            with socket.create_connection((where.hostname, where.port)) as upstream:
                upstream.sendall(head)
                pieces = self.coming(upstream)
                try:
                    for piece in treatment(pieces) if streams else pieces:
                        self.wfile.write(piece)
                except ConnectionError:
                    return

        def coming(self, upstream: socket.socket) -> Pieces:
            """What the service sends, until it ends or nobody is there to take it."""
            while True:
                ready, _, _ = select.select([upstream, self.connection], [], [])
                if self.connection in ready:
                    return
                piece = upstream.recv(65536)
                if not piece:
                    return
                yield piece

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        proxy = Proxy(f"http://127.0.0.1:{server.server_port}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()
