"""Two instances behind nginx, renewed in turn while requests flow: `python -m tests.chaos.rolling --requests 10000`."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
import httpx
from redis import Redis

from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey, ending_with_parent
from tests.chaos.insist import Traffic
from tests.chaos.report import retries
from tests.chaos.rig import Gunicorn, environ, gunicorn
from tests.chaos.run import playing
from tests.chaos.verdict import judge
from tests.e2e.conftest import eventually

PLAYERS = 8
WORKERS = 2
FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
NGINX = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    {temporary}
    upstream upcard {{
        # A port that refuses is passed over at once, so that neither instance is ever held to be gone.
        server 127.0.0.1:{ports[0]} max_fails=0;
        server 127.0.0.1:{ports[1]} max_fails=0;
        keepalive 16;
    }}
    server {{
        listen 127.0.0.1:{front};
        location / {{
            proxy_pass http://upcard;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
        }}
    }}
}}
"""


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on."""
    with ExitStack() as taken:
        listeners = [taken.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in listeners]


@contextmanager
def nginx(folder: Path, ports: list[int], front: int) -> Iterator[str]:
    """The address of an nginx before some ports, for the length of a block."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise click.ClickException("nginx is not installed; on Debian: make tools")
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in FOLDERS)
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(user=user, folder=folder, temporary=temporary, ports=ports, front=front))
    process = subprocess.Popen(
        [program, "-c", str(config), "-p", str(folder), "-e", str(folder / "nginx.log")],
        preexec_fn=ending_with_parent(signal.SIGTERM),  # noqa: PLW1509 - it takes no lock
    )
    try:
        yield f"http://127.0.0.1:{front}"
    finally:
        process.terminate()
        process.wait(10)


@dataclass
class Instance:
    """One of the two, which can be started anew. port: always the same, as its neighbours know it."""

    port: int
    log: Path
    environ: dict[str, str]
    running: Gunicorn | None = None
    block: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        bind = f"127.0.0.1:{self.port}"
        served = gunicorn(bind, f"http://{bind}", self.log, WORKERS, self.environ, config="service.server")
        self.running = self.block.enter_context(served)

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self.block.close()

    def renew(self) -> None:
        """Let it renew its workers, one set for the other."""
        assert self.running is not None
        before = set(self.running.workers())
        self.running.process.send_signal(signal.SIGHUP)
        running = self.running
        eventually(lambda: not before & set(running.workers()) and running.ready(), seconds=60)


@click.command()
@click.option("--requests", "-n", type=click.IntRange(1), default=10_000, show_default=True, help="How many to send.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses games and moves.")
def main(requests: int, seed: int) -> None:
    """Renew two instances in turn while matches are played; exit with 1 if a request needs more than one retry."""
    traffic, began, restarts, reloads = Traffic(), time.monotonic(), 0, 0
    with ExitStack() as block:
        folder = Path(block.enter_context(tempfile.TemporaryDirectory(prefix="upcard-")))
        valkey = block.enter_context(EmbeddedValkey(block.enter_context(opened(folder / "data"))))
        *ports, front = free_ports(3)
        given = environ(valkey.url, UPCARD_TRUSTED_PROXIES="1")
        instances = [Instance(port, folder / f"{port}.log", given) for port in ports]
        for instance in instances:
            block.callback(instance.stop)
            instance.start()
        url = block.enter_context(nginx(folder, ports, front))
        eventually(lambda: answers(url))
        with playing(url, traffic, seed, PLAYERS, timeout=30, most_tries=2) as games:
            while len(traffic.tries) < requests and not traffic.over:
                for instance in instances:
                    instance.stop()
                    instance.start()
                    restarts += 1
                for instance in instances:
                    instance.renew()
                    reloads += 1
        took = time.monotonic() - began
        verdict = judge(
            (ledger for each in games for ledger in each.result()), block.enter_context(Redis.from_url(valkey.url))
        )
    refused, unanswered, replays = retries(traffic)
    print(f"{len(traffic.tries):>9,}  requests sent in {took:.0f} s, {traffic.moves:,} of them moves")
    print(f"{restarts:>9,}  instances stopped with SIGTERM and started anew")
    print(f"{reloads:>9,}  times workers renewed with SIGHUP")
    print(f"{refused + unanswered:>9,}  requests that needed one retry; none needed more")
    print(f"{max(seen.took for seen in traffic.tries):>9.2f}  s the longest request")
    print(f"{replays:>9,}  answered again under the same key, byte for byte")
    wrong = [*verdict.lost, *verdict.twice, *verdict.out_of_order, *verdict.differing]
    print(f"{len(wrong):>9,}  promises broken, in {verdict.games:,} games")
    print(*wrong[:20], sep="\n", end="")
    sys.exit(not verdict.kept)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


if __name__ == "__main__":
    main()
