"""The service as it is run: gunicorn with gevent workers on a Valkey of its own, which can be killed and keeps all."""

import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from service.supervisor import ROOT, address_of, bound, gunicorn_command
from service.web.keys import hash_of, new_key
from tests.conftest import SECRET, Store, running_store

API_KEY = new_key()
PATIENT = {
    "UPCARD_API_KEYS": f"tests:{hash_of(API_KEY)}",
    "UPCARD_RATE_CREATE": "0",
    "UPCARD_RATE_JOIN": "0",
    "UPCARD_RATE_CALLS": "0",
    "UPCARD_CALLER_WAITERS": "100000",
    "UPCARD_WAITERS": "100000",
    "UPCARD_REDIS_TIMEOUT": "5",  # a busy machine is no fault
}
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")


@dataclass(frozen=True)
class Service:
    """A running service. host, port: where it answers. log: what it wrote, access log included."""

    process: subprocess.Popen[bytes]
    store: Store
    port: int
    log: Path
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def complaints(self) -> list[str]:
        """The lines of the log that tell of a fault."""
        return re.findall(
            r"^.*(?:Traceback|\[ERROR\]|\[CRITICAL\]|Exception|ERROR:).*$", self.log.read_text(), re.MULTILINE
        )

    def workers(self) -> list[int]:
        """The processes that answer."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def memory(self) -> int:
        """The resident bytes of all workers."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.workers()]
        return sum(pages) * resource.getpagesize()

    def end(self, seconds: float = 40) -> tuple[int, float]:
        """Tell it to stop: its exit code, and after how many seconds it came."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds), time.monotonic() - began


@contextmanager
def serving(workers: int = 2, **environ: str) -> Iterator[Service]:
    """The service for the length of a block, without limits, patient with its store and with an API key.

    environ: more settings.
    """
    many_files()
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("UPCARD_", "REDIS_"))}
    with running_store(*DURABLE) as store, tempfile.TemporaryDirectory(prefix="upcard-") as folder:
        listener = bound("127.0.0.1", 0)
        port, log = listener.getsockname()[1], Path(folder, "log")
        settings = {"REDIS_URL": store.url, "UPCARD_SECRET": SECRET.replace(",", "")} | PATIENT | environ
        with listener, log.open("wb") as out:
            process = subprocess.Popen(
                gunicorn_command(f"fd://{listener.fileno()}", workers),
                cwd=ROOT,
                env=clean | settings,
                pass_fds=(listener.fileno(),),
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            address = address_of(listener)
        try:
            service = Service(process, store, port, log)
            _wait_until_ready(service, f"http://{address}/readyz", workers)
            yield service
        finally:
            process.kill()
            process.wait()


def many_files() -> None:
    """Let this process, and those that it starts, open as many files as the system lets them."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _wait_until_ready(service: Service, url: str, workers: int) -> None:
    until = time.monotonic() + 30
    while len(service.workers()) < workers or not _ready(url):
        assert service.process.poll() is None, service.log.read_text()
        assert time.monotonic() < until, service.log.read_text()
        time.sleep(0.02)


def _ready(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code == 200
    except httpx.TransportError:
        return False
