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
class Service:
    """A running service. master: gunicorn's own process. store_pid: of the store."""

    host: str
    port: int
    master: int
    store_pid: int
    store: Redis

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        children = Path(f"/proc/{self.master}/task/{self.master}/children").read_text()
        return [int(pid) for pid in children.split()]


@contextmanager
def running_store(folder: Path, fsync: str = "always") -> Iterator[tuple[Redis, int, str]]:
    """A store that keeps what it is given, as the embedded one does: a client, its process and its URL."""
    path = folder / "store.sock"
    durable = ("no", "everysec") if fsync == "no" else ("yes", fsync)
    command = [str(find_server()), "--port", "0", "--unixsocket", str(path), "--dir", str(folder), "--save", ""]
    command += ["--appendonly", durable[0], "--appendfsync", durable[1]]
    command += [word for option in FRUGAL.items() for word in option]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    client = Redis.from_url(f"unix://{path}")
    try:
        _await(client.ping, RedisConnectionError)
        yield client, child.pid, f"unix://{path}"
    finally:
        client.close()
        child.send_signal(signal.SIGKILL)
        child.wait()


@contextmanager
def running_service(
    workers: int = 2, app: str = "service.wsgi:app", fsync: str = "always", **settings: str
) -> Iterator[Service]:
    """The service on a free port of 127.0.0.1, without limits; it ends with the block."""
    with (
        tempfile.TemporaryDirectory(prefix="upcard-bench-") as name,
        running_store(Path(name), fsync) as (store, pid, url),
    ):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-P", "-m", "gunicorn", "-c", "python:service.server", "-w", str(workers)]
        command += ["-b", f"127.0.0.1:{port}", app]
        environ = os.environ | UNLIMITED | {"REDIS_URL": url, "UPCARD_SECRET": SECRET} | settings
        with (Path(name) / "service.log").open("wb") as log:
            child = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
        try:
            _await(lambda: _reached(port), URLError)
            yield Service("127.0.0.1", port, child.pid, pid, store)
        finally:
            child.terminate()
            child.wait()


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
