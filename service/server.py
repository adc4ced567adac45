"""The configuration of gunicorn: `gunicorn -c python:service.server service.wsgi:app`.

The names below are gunicorn's own settings. Address and number of workers come from the command line.
"""

import gc
import importlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from logging import INFO, LogRecord, getLogger
from pathlib import Path
from types import FrameType
from typing import Any

import gevent
from gunicorn.glogging import Logger

from service.config import ConfigError, Settings
from service.ops.logging import access_line

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus_client keeps what the workers count; it looks when it is imported."""
OWN_FOLDER = "upcard-metrics-"
_made: list[Path] = []
"""The folder, while it is there and was made here."""
GARBAGE = 10_000
"""So many new objects that may hold others start a search for garbage."""
SHARED_MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes its own private files there


class JsonLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log, with one JSON line a request: no header, no query string, nothing that a caller hides."""

    def setup(self, cfg: Any) -> None:
        """Write what the service itself has to say where gunicorn writes what it says; gunicorn calls it."""
        super().setup(cfg)
        ours = getLogger("upcard")
        ours.handlers, ours.propagate = self.error_log.handlers, False
        ours.setLevel(self.error_log.level)

    def debug(self, msg: str, *args: Any, **options: Any) -> None:
        """Write an entry for those who look for a fault; of an exception only its kind: it may quote a request."""
        super().debug(msg, *(type(arg).__name__ if isinstance(arg, Exception) else arg for arg in args), **options)

    def access(self, resp: Any, req: Any, environ: Mapping[str, Any], request_time: timedelta) -> None:
        """Write the line of one answered request; gunicorn calls it.

        Straight to the handlers: a logger would first find out who called it, and in which thread. No lock is needed,
        since nothing gives way while a line is written.
        """
        del req  # its headers hold the token
        if self.access_log_enabled:
            line = access_line(str(resp.status), getattr(resp, "sent", 0), environ, request_time)
            record = LogRecord(self.access_log.name, INFO, "", 0, line, (), None)
            for handler in self.access_log.handlers:
                handler.emit(record)


def _log_level() -> str:
    try:
        return Settings.read(os.environ).log_level
    except ConfigError as error:
        sys.stderr.write(f"Error: {error}\n")
        raise SystemExit(2) from None


def on_starting(server: object) -> None:
    """Make the folder in which the workers count together, unless one is given; gunicorn calls it before it has any.

    The library that counts is loaded here, before locks are made cooperative in the workers: it takes one for each
    number, and never gives way while it holds it.
    """
    del server
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix=OWN_FOLDER, dir=worker_tmp_dir)
        _made.append(Path(os.environ[FOLDER]))
    importlib.import_module("prometheus_client")


def child_exit(server: object, worker: Any) -> None:
    """Take a worker that has ended out of the figures that tell of now; gunicorn calls it."""
    del server
    for file in Path(os.environ[FOLDER]).glob(f"gauge_live*_{worker.pid}.db"):
        file.unlink()


def on_exit(server: object) -> None:
    """Remove the folder if it was made here; gunicorn calls it."""
    del server
    while _made:
        shutil.rmtree(_made.pop())


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
    """Make a worker ready to serve and to leave; gunicorn calls it in a worker that has loaded the application.

    Those who wait for news are let go before the worker waits for its requests. What has been loaded by now stays for
    good: looking through it for garbage held up everybody for 10 ms. A request leaves no garbage but what a fault does,
    so what it makes is looked through less often than Python would.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE)
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
limit_request_line = 8190  # the most that gunicorn takes
# Shorter than graceful_timeout: a worker that is asked to end waits for its idle connections.
keepalive = 5

logger_class = JsonLogger
loglevel = _log_level()
accesslog = "-"
errorlog = "-"
