"""How a worker treats connections: it waits for none without end, and refuses what is not HTTP in the service's words.

gunicorn finds the class by its name in `server`. Nothing of the web floor is imported here, since a worker makes
sockets and locks cooperative only after this module has been loaded.
"""

import errno
import importlib
import os
import socket
from contextlib import suppress
from typing import Any

import gevent
import orjson
from gunicorn import util
from gunicorn.http.errors import (
    ConfigurationProblem,
    InvalidResponseHeader,
    InvalidResponseHeaderName,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
)
from gunicorn.workers.ggevent import GeventWorker

from service.ops.logging import shortened

BODY_SECONDS = 10
"""A body must have come in whole by then. The head has `keepalive` seconds."""
ANSWER_SECONDS = 30
"""An answer must have been taken by then."""
LEAVE_SECONDS = 2
"""So long is taken, after the last answer, what the caller still sends."""
OUR_FAULTS = (ConfigurationProblem, InvalidResponseHeader, InvalidResponseHeaderName)

Refusal = tuple[int, str, str, str]
"""Status, title, code, detail."""
NOT_HTTP: Refusal = (400, "Bad Request", "malformed_request", "The request is not HTTP that can be read.")
BROKEN: Refusal = (500, "Internal Server Error", "internal_error", "The service failed; nothing has changed.")
TOO_LARGE: dict[type[Exception], Refusal] = {
    LimitRequestLine: (414, "URI Too Long", "uri_too_long", "The address of the request is too long."),
    LimitRequestHeaders: (
        431,
        "Request Header Fields Too Large",
        "headers_too_large",
        "The headers of the request are too many or too long.",
    ),
}


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's gevent worker, for callers who mean no good."""

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Serve one request, unless its sender stops sending or stops taking the answer; gunicorn calls it."""
        req.body.reader = WholeBody(req.body.reader)
        sock.settimeout(ANSWER_SECONDS)
        try:
            super().handle_request(listener_name, req, sock, addr)
            if req.body.failed:
                raise StopIteration  # nobody knows where the next request begins
        except StopIteration:
            take_leave(sock)
            raise
        except TimeoutError:  # gunicorn would call it a fault; whoever takes nothing is gone
            raise ConnectionResetError(errno.ECONNRESET, "the answer was not taken") from None

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what the application never saw; gunicorn calls it.

        The log is told what kind of fault it was. The message would quote the request, and with it a token. It names
        the id of the answer, as the access log does for others.
        """
        del req
        request_id = os.urandom(8).hex()
        if isinstance(exc, ParseException) and not isinstance(exc, OUR_FAULTS):
            refusal = TOO_LARGE.get(type(exc), NOT_HTTP)
            network = shortened(str((addr or ("",))[0]))
            self.log.warning("Refused what is not HTTP from %s: %s (%s)", network, type(exc).__name__, request_id)
        else:
            refusal = BROKEN
            self.log.error("A request broke the server (%s)", request_id, exc_info=exc)
        _count(refusal)
        with suppress(OSError):
            util.write_nonblock(client, rendered(refusal, request_id))
            take_leave(client)


class WholeBody:
    """gunicorn's reader of a body, from which a body comes in whole and in time, or an OSError.

    That is the error which the application takes for a caller who hung up. gunicorn's own for a malformed chunk is
    none, and a body that ends before its Content-Length it would hand on as if it were whole.
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def read(self, size: int) -> bytes:
        """The next bytes of the body, `size` of them unless it ends before; empty at its end. Raises OSError."""
        left = getattr(self._reader, "length", None)
        expected = min(size, left or 0)
        if left is not None and self._reader.unreader.buf.tell() >= expected:
            held: bytes = self._reader.read(size)  # it came with the head, or nothing is left: no need to wait
            return held
        try:
            with gevent.Timeout(BODY_SECONDS, TimeoutError):
                found: bytes = self._reader.read(size)
        except ParseException as fault:
            raise ConnectionAbortedError(type(fault).__name__) from None
        if len(found) < expected:
            raise ConnectionAbortedError("the body ended early")
        return found


def take_leave(client: Any) -> None:
    """End the sending, and take what still comes for a moment.

    Closed at once, with something unread, the connection would be reset, and the answer on its way could be lost.
    """
    with suppress(OSError), gevent.Timeout(LEAVE_SECONDS, False):
        client.shutdown(socket.SHUT_WR)
        while client.recv(65_536):
            pass


def _count(refusal: Refusal) -> None:
    """Count a refusal. The library that counts looks for its folder when it is loaded: after this module."""
    importlib.import_module("service.ops.metrics").refused(refusal[2])


def rendered(refusal: Refusal, request_id: str) -> bytes:
    """A whole answer that refuses a request and closes the connection."""
    status, title, code, detail = refusal
    body = orjson.dumps(
        {"type": f"urn:upcard:problem:{code}", "title": title, "status": status, "detail": detail, "code": code}
    )
    head = (
        f"HTTP/1.1 {status} {title}",
        "Content-Type: application/problem+json",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        f"X-Request-Id: {request_id}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body
