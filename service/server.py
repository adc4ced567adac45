"""The configuration of gunicorn: `gunicorn -c python:service.server service.wsgi:app`.

The names below are gunicorn's own settings. Address and number of workers come from the command line.
"""

import os
import re
import signal
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import FrameType
from typing import Any

import gevent
import orjson
from gunicorn.glogging import Logger

from service.config import ConfigError, Settings

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes its own private files there


PLAIN = re.compile(r"v[0-9]|[a-z]{1,16}([._-][a-z]{1,16}){0,3}|[0-9]{1,9}|[0-9a-f]{24}|")
"""The parts of a path that the log shows: words, numbers, game ids. No token, key, invite or card is one of them."""


class JsonLogger(Logger):  # type: ignore[misc]
    """gunicorn's log, with one JSON line a request: no header, no query string, nothing that a caller hides."""

    def debug(self, msg: str, *args: Any, **options: Any) -> None:
        """Write an entry for those who look for a fault; of an exception only its kind: it may quote a request."""
        super().debug(msg, *(type(arg).__name__ if isinstance(arg, Exception) else arg for arg in args), **options)

    def access(self, resp: Any, req: Any, environ: Mapping[str, Any], request_time: timedelta) -> None:
        """Write the line of one answered request; gunicorn calls it."""
        del req  # its headers hold the token
        if self.access_log_enabled:
            self.access_log.info("%s", access_line(str(resp.status), getattr(resp, "sent", 0), environ, request_time))


def access_line(status: str, sent: int, environ: Mapping[str, Any], took: timedelta) -> str:
    """The access log's line for one request. status: as in "201 CREATED"."""
    line = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "pid": os.getpid(),
        "remote": environ.get("REMOTE_ADDR", ""),
        "method": environ.get("REQUEST_METHOD", ""),
        "path": shown_path(environ.get("PATH_INFO", "")),
        "status": int(status.split(maxsplit=1)[0]),
        "bytes": sent,
        "ms": round(took.total_seconds() * 1000, 1),
    }
    return orjson.dumps(line).decode()


def shown_path(path: str) -> str:
    """A path as the log shows it: what does not look like a part of ours is `*`, since it may be a token."""
    return "/".join(part if PLAIN.fullmatch(part) else "*" for part in path.split("/"))


def _log_level() -> str:
    try:
        return Settings.read(os.environ).log_level
    except ConfigError as error:
        sys.stderr.write(f"Error: {error}\n")
        raise SystemExit(2) from None


def pre_request(worker: object, request: object) -> None:
    """Let the other greenlets run; gunicorn calls it before each request.

    A connection whose next request is already in the buffer would otherwise never give way to the others.
    """
    del worker, request
    gevent.sleep(0)


def post_fork(server: object, worker: object) -> None:
    """Let a worker that still boots end at once when it is told to; gunicorn calls it in the new worker.

    Until it has handlers of its own it has the parent's, which would swallow the signal: the parent then waits
    graceful_timeout seconds for it.
    """
    del server, worker
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def post_worker_init(worker: Any) -> None:
    """Let those who wait for news go before the worker waits for its requests; gunicorn calls it in a ready worker."""
    ended = signal.getsignal(signal.SIGTERM)
    assert callable(ended)

    def drained(number: int, frame: FrameType | None) -> None:
        gevent.spawn(worker.wsgi.extensions["drain"])  # a handler must not wait for a lock
        ended(number, frame)

    signal.signal(signal.SIGTERM, drained)
    signal.siginterrupt(signal.SIGTERM, False)


worker_class = "service.connections.Worker"
worker_connections = 10_000
preload_app = False
control_socket_disable = True
# The heartbeat of a worker must never wait for a disk.
worker_tmp_dir = SHARED_MEMORY if sys.platform == "linux" and os.access(SHARED_MEMORY, os.W_OK) else None
# Whom to believe about the caller says UPCARD_TRUSTED_PROXIES. gunicorn would believe SCRIPT_NAME from this machine.
forwarded_allow_ips = ""
# Recycling a worker would cut its event streams.
max_requests = 0
timeout = 30
graceful_timeout = 20
# Shorter than graceful_timeout: a worker that is asked to end waits for its idle connections.
keepalive = 5

logger_class = JsonLogger
loglevel = _log_level()
accesslog = "-"
errorlog = "-"
