"""Two instances behind nginx, renewed in turn while requests flow: `python -m tests.chaos.rolling --requests 10000`."""

import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
from redis import Redis

from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey
from tests.chaos.insist import Traffic
from tests.chaos.nginx import NginxMissing, find_nginx, nginx
from tests.chaos.report import retries
from tests.chaos.rig import Gunicorn, environ, gunicorn, ready
from tests.chaos.run import playing
from tests.chaos.verdict import Verdict, judge
from tests.e2e.conftest import eventually

PLAYERS = 8
WORKERS = 2
MOST_TRIES = 2
LONGEST_ANSWER = 30.0
"""An instance accepts connections before its workers have started, and on a busy machine that takes seconds."""


@dataclass
class Instance:
    """One of the two, which can be started anew. port: always the same, as nginx knows it."""

    port: int
    log: Path
    environ: dict[str, str]
    block: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        bind = f"127.0.0.1:{self.port}"
        served = gunicorn(bind, f"http://{bind}", self.log, WORKERS, self.environ, config="service.server")
        self.running: Gunicorn = self.block.enter_context(served)

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self.block.close()

    def restart(self) -> None:
        self.stop()
        self.start()

    def reload(self) -> None:
        """Let it renew its workers, one set for the other."""
        before = set(self.running.workers())
        self.running.process.send_signal(signal.SIGHUP)
        eventually(lambda: not before & set(self.running.workers()) and self.running.ready(), seconds=60)


@dataclass
class Rolled:
    """What a run came to."""

    traffic: Traffic
    verdict: Verdict
    restarts: int
    reloads: int
    seconds: float


def roll(requests: int, seed: int) -> Rolled:
    """Restart and reload both instances in turn until so many requests were sent. Each must succeed."""
    traffic, restarts, reloads = Traffic(), 0, 0
    with ExitStack() as block:
        folder = Path(block.enter_context(tempfile.TemporaryDirectory(prefix="upcard-")))
        valkey = block.enter_context(EmbeddedValkey(block.enter_context(opened(folder / "data"))))
        *ports, front = free_ports(3)
        instances = block.enter_context(started(ports, folder, environ(valkey.url, UPCARD_TRUSTED_PROXIES="1")))
        url = block.enter_context(nginx(folder, ports, front))
        eventually(lambda: ready(url))
        began = time.monotonic()
        with playing(url, traffic, seed, PLAYERS, timeout=LONGEST_ANSWER, most_tries=MOST_TRIES) as games:
            while len(traffic.tries) < requests and not traffic.over:
                for instance in instances:
                    instance.restart()
                    restarts += 1
                for instance in instances:
                    instance.reload()
                    reloads += 1
        seconds = time.monotonic() - began
        store = block.enter_context(Redis.from_url(valkey.url))
        verdict = judge((ledger for each in games for ledger in each.result()), store)
    return Rolled(traffic, verdict, restarts, reloads, seconds)


@contextmanager
def started(ports: list[int], folder: Path, given: dict[str, str]) -> Iterator[list[Instance]]:
    """An instance on each port, for the length of a block."""
    instances = [Instance(port, folder / f"{port}.log", given) for port in ports]
    with ExitStack() as block:
        for instance in instances:
            block.callback(instance.stop)
            instance.start()
        yield instances


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on."""
    with ExitStack() as taken:
        listeners = [taken.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in listeners]


def report(rolled: Rolled) -> str:
    """All figures, line by line."""
    traffic, verdict = rolled.traffic, rolled.verdict
    refused, unanswered, replays = retries(traffic)
    wrong = verdict.faults()
    lines = [
        f"{len(traffic.tries):>9,}  requests sent in {rolled.seconds:.0f} s, {traffic.moves:,} of them moves",
        f"{rolled.restarts:>9,}  instances stopped with SIGTERM and started anew",
        f"{rolled.reloads:>9,}  times workers renewed with SIGHUP",
        f"{refused + unanswered:>9,}  requests that needed one retry; none needed more",
        f"{replays:>9,}  answered again under the same key, byte for byte",
        f"{max(seen.took for seen in traffic.tries):>9.2f}  s the longest request",
        f"{len(wrong):>9,}  promises broken, in {verdict.games:,} games",
    ]
    return "\n".join([*lines, *wrong[:20]])


@click.command()
@click.option("--requests", "-n", type=click.IntRange(1), default=10_000, show_default=True, help="How many to send.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses games and moves.")
def main(requests: int, seed: int) -> None:
    """Renew two instances in turn while matches are played; fail if a request needs more than one retry."""
    try:
        find_nginx()
    except NginxMissing as missing:
        raise click.ClickException(str(missing)) from None
    rolled = roll(requests, seed)
    print(report(rolled))
    sys.exit(bool(rolled.verdict.faults()))


if __name__ == "__main__":
    main()
