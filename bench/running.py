"""The real service, started for a measurement: gunicorn with its own configuration, on a store of its own."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from service.storage.embedded import FRUGAL, find_server

ROOT = Path(__file__).parents[1]
SECRET = "a-secret-for-measurements-of-40-characters"
UNLIMITED = {
    "UPCARD_RATE_CREATE": "0",
    "UPCARD_RATE_JOIN": "0",
    "UPCARD_RATE_ANALYSIS": "0",
    "UPCARD_RATE_CALLS": "1000000",
    "UPCARD_OPEN_GAMES_ADDRESS": "0",
    "UPCARD_CALLER_WAITERS": "1000000",
}
STARTING_SECONDS = 30


@dataclass(frozen=True)
class Store:
    """A running store and a client of it."""

    client: Redis
    pid: int
    url: str


@dataclass(frozen=True)
class Service:
    """A running service. master: gunicorn's own process."""

    host: str
    port: int
    master: int
    store: Store

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        children = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return [int(pid) for pid in children.split()]


@contextmanager
def running_store(fsync: str = "always") -> Iterator[Store]:
    """A store that keeps what it is given, as the embedded one does, in a folder of its own."""
    durable = ("no", "everysec") if fsync == "no" else ("yes", fsync)
    with tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder:
        path = Path(folder) / "store.sock"
        command = [str(find_server()), "--port", "0", "--unixsocket", str(path), "--dir", folder, "--save", ""]
        command += ["--appendonly", durable[0], "--appendfsync", durable[1]]
        command += [word for option in FRUGAL.items() for word in option]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client = Redis.from_url(f"unix://{path}")
        try:
            _await(client.ping, RedisConnectionError)
            yield Store(client, child.pid, f"unix://{path}")
        finally:
            client.close()
            child.send_signal(signal.SIGKILL)
            child.wait()


@contextmanager
def running_on(store: Store, workers: int = 2, app: str = "service.wsgi:app", **settings: str) -> Iterator[Service]:
    """The service on a store and a free port of 127.0.0.1, without limits; it ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-P", "-m", "gunicorn", "-c", "python:service.server", "-w", str(workers)]
    command += ["-b", f"127.0.0.1:{port}", app]
    environ = os.environ | UNLIMITED | {"REDIS_URL": store.url, "UPCARD_SECRET": SECRET} | settings
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
    try:
        _await(lambda: _reached(port), URLError)
        yield Service("127.0.0.1", port, child.pid, store)
    finally:
        child.terminate()
        child.wait()


@contextmanager
def running_service(
    workers: int = 2, app: str = "service.wsgi:app", fsync: str = "always", **settings: str
) -> Iterator[Service]:
    """The service with a store of its own; both end with the block."""
    with running_store(fsync) as store, running_on(store, workers, app, **settings) as service:
        yield service


def _reached(port: int) -> None:
    """Any answer will do."""
    with suppress(HTTPError), urlopen(f"http://127.0.0.1:{port}/readyz"):
        pass


def _await(ask: Callable[[], object], not_yet: type[Exception]) -> None:
    until = time.monotonic() + STARTING_SECONDS
    while True:
        try:
            ask()
            return
        except not_yet:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
