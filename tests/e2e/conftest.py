"""`upcard serve` as a real process, and ways to end it."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


def eventually(ask: Callable[[], T], seconds: float = 30) -> T:
    """The first answer that is true, asked for again and again until the time is up."""
    until = time.monotonic() + seconds
    while not (answer := ask()):
        assert time.monotonic() < until, f"still {answer!r} after {seconds} s"
        time.sleep(0.01)
    return answer


def running(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def family(pid: int) -> list[int]:
    """The process and all that descend from it, parents first."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found = [pid]
    for member in found:
        found.extend(children.get(member, []))
    return found


@dataclass
class Served:
    """One run of `upcard serve`. log: what it wrote, both streams."""

    process: subprocess.Popen[bytes]
    log: Path
    members: tuple[int, ...] = ()

    def said(self) -> str:
        return self.log.read_text()

    def url(self) -> str:
        """Where it answers; waits until it does."""
        found = eventually(lambda: re.search(r"http://127\.0\.0\.1:\d+", self.said()) or self.process.poll())
        assert isinstance(found, re.Match), self.said()
        eventually(lambda: self.answers(found[0]))
        self.members = tuple(family(self.process.pid))
        return found[0]

    def answers(self, url: str) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            return httpx.get(f"{url}/healthz", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    def command(self, name: str) -> int:
        """The first member that runs this program."""
        for pid in self.members:
            program, *words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
            if name in words or name in program:
                return pid
        raise AssertionError(f"no {name} in {self.members}")

    def ends(self, number: signal.Signals, seconds: float = 30) -> int:
        """Its exit code after the signal, with nothing of it left."""
        self.process.send_signal(number)
        code = self.process.wait(seconds)
        self.leaves_nothing()
        return code

    def dies(self) -> None:
        """Every process of it is killed, which none of them can notice."""
        for pid in self.members:
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.leaves_nothing()

    def leaves_nothing(self, seconds: float = 5) -> None:
        eventually(lambda: not any(map(running, self.members)), seconds)


@pytest.fixture(name="eventually")
def _eventually() -> Callable[..., object]:
    return eventually


@pytest.fixture(name="running")
def _running() -> Callable[[int], bool]:
    return running


Serve = Callable[..., Served]


@contextmanager
def starting(folder: Path) -> Iterator[Serve]:
    """Starts `upcard serve` on a free port, with its data folder and options; after the block all is gone.

    folder: for what it writes. A disk under tests may be slow, so the store has more time than callers would like.
    """
    runs: list[Served] = []
    sockets = tempfile.TemporaryDirectory(prefix="up-")

    def start(data: Path, *options: str, environ: dict[str, str] | None = None) -> Served:
        command = [sys.executable, "-m", "service.cli", "serve", "--data", str(data), "--workers", "1", "--port", "0"]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("UPCARD_", "REDIS_"))}
        clean |= {"TMPDIR": sockets.name, "UPCARD_REDIS_TIMEOUT": "5"} | (environ or {})
        log = folder / f"run-{len(runs)}.log"
        with log.open("wb") as out:
            process = subprocess.Popen([*command, *options], cwd=ROOT, env=clean, stdout=out, stderr=subprocess.STDOUT)
        runs.append(Served(process, log))
        return runs[-1]

    try:
        yield start
    finally:
        for run in runs:
            members = {*run.members, *(family(run.process.pid) if run.process.poll() is None else ())}
            for pid in filter(running, members):
                os.kill(pid, signal.SIGKILL)
            run.process.wait()
        sockets.cleanup()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts `upcard serve` as `starting` does, for one test."""
    with starting(tmp_path) as start:
        yield start
