"""The service as it runs in earnest, several workers on a store of their own, with the means to hurt it."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import httpx
from redis import Redis

from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey, ending_with_parent
from service.supervisor import ROOT, address_of, bound
from tests.chaos.insist import LONGEST_ANSWER
from tests.chaos.wire import Wire
from tests.e2e.conftest import eventually

SECRET = "a secret of the chaos that is long enough to sign with"
LIMITS = ("CREATE", "JOIN", "ANALYSIS", "CALLS", "FAILURES")
ENDING_SECONDS = 40.0


def environ(redis_url: str, **others: str) -> dict[str, str]:
    """The environment of a service on a store: the defaults, but for how often one may call."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("UPCARD_", "REDIS_"))}
    settings = {"REDIS_URL": redis_url, "UPCARD_SECRET": SECRET, "UPCARD_LOG_LEVEL": "warning"}
    return clean | settings | {f"UPCARD_RATE_{limit}": "0" for limit in LIMITS} | others


@dataclass
class Gunicorn:
    """A running gunicorn. url: where it answers. log: what it wrote."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def workers(self) -> list[int]:
        """The processes that answer, those too that are being started."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def ready(self) -> bool:
        """Whether it serves. It is a fault if it has ended."""
        assert self.process.poll() is None, self.log.read_text()[-4000:]
        return ready(self.url)


def ready(url: str) -> bool:
    """Whether a service answers there that has reached its store."""
    try:
        return httpx.get(f"{url}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def gunicorn(
    bind: str, url: str, log: Path, workers: int, given: dict[str, str], *fds: int, config: str
) -> Iterator[Gunicorn]:
    """A gunicorn that is ready, for the length of a block; at its end it is told to stop, and has left nothing."""
    command = [sys.executable, "-P", "-m", "gunicorn", "-c", f"python:{config}", "-w", str(workers), "-b", bind]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [*command, "--access-logfile", os.devnull, "service.wsgi:app"],
            cwd=ROOT,
            env=given,
            stdout=out,
            stderr=out,
            process_group=0,
            pass_fds=fds,
            preexec_fn=ending_with_parent(signal.SIGQUIT),  # noqa: PLW1509 - it takes no lock
        )
    running = Gunicorn(process, url, log)
    try:
        eventually(running.ready, seconds=60)
        yield running
    finally:
        stop(running)


def stop(running: Gunicorn) -> None:
    """Tell a gunicorn to stop, and see that its workers are gone with it."""
    running.process.terminate()
    try:
        running.process.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        running.process.kill()
        running.process.wait()
        raise
    finally:
        eventually(lambda: not group_lives(running.process.pid), seconds=10)


def group_lives(group: int) -> bool:
    """Whether a process group has a member left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@dataclass
class Rig:
    """All that a fault may reach. points: the folder that workers look into, see tests.chaos.server."""

    valkey: EmbeddedValkey
    wire: Wire
    gunicorn: Gunicorn
    points: Path
    store: Redis


@contextmanager
def rigged(workers: int) -> Iterator[Rig]:
    """A service with so many workers, reached by no port but its own, for the length of a block."""
    with ExitStack() as block:
        folder = Path(block.enter_context(tempfile.TemporaryDirectory(prefix="upcard-")))
        points = folder / "points"
        points.mkdir()
        valkey = block.enter_context(EmbeddedValkey(block.enter_context(opened(folder / "data"))))
        wire = block.enter_context(Wire(Path(unquote(valkey.url.removeprefix("unix://")))))
        given = environ(f"redis://127.0.0.1:{wire.port}", CHAOS_POINTS=str(points))
        listener = bound("127.0.0.1", 0)
        with listener:
            url, bind = f"http://{address_of(listener)}", f"fd://{listener.fileno()}"
            running = block.enter_context(
                gunicorn(
                    bind, url, folder / "gunicorn.log", workers, given, listener.fileno(), config="tests.chaos.server"
                )
            )
        yield Rig(valkey, wire, running, points, block.enter_context(Redis.from_url(valkey.url)))


def client(url: str, timeout: float = LONGEST_ANSWER) -> httpx.Client:
    """A client that asks nobody but the service. timeout: in seconds."""
    return httpx.Client(base_url=url, timeout=timeout, trust_env=False)
