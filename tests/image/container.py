"""Containers of the image, locked up as far as it goes; and a way to wait."""

import json
import subprocess
import time
from collections.abc import Callable

import httpx

from tests.image.store import IMAGE, podman, said

LOCKED_UP = ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges")
# Podman alone would make more folders writable; and the usual limits are higher than a sandbox may set.
HERE = ("--read-only-tmpfs=false", "--ulimit=nofile=1024:1024", "--ulimit=nproc=500:500")


def until(ask: Callable[[], object], seconds: float = 20) -> None:
    """Ask again and again until the answer is true."""
    end = time.monotonic() + seconds
    while not ask():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)


def command(environ: dict[str, str], *words: str, options: tuple[str, ...] = ()) -> list[str]:
    """How to run a container of the image. words: what stands after the image's name.

    Without a network of its own among the options it shares the check's, which holds nothing but the store.
    """
    shared = () if any(option.startswith("--network=") for option in options) else ("--network=host",)
    return podman(
        "run", *LOCKED_UP, *HERE, *shared, *options, *(f"--env={k}={v}" for k, v in environ.items()), IMAGE, *words
    )


def ran(environ: dict[str, str], *words: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """A container that ended by itself."""
    run = command(environ, *words, options=("--rm", *options))
    return subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)


class Container:
    """A container that serves until it is ended. port: where it was told to listen, on every address."""

    def __init__(self, environ: dict[str, str], *words: str, port: int = 8000, options: tuple[str, ...] = ()) -> None:
        self.id = said(command(environ, *words, options=("--detach", *options)))
        self.url = f"http://127.0.0.1:{port}"

    @property
    def pid(self) -> int:
        """Its first process, as the processes outside count."""
        return json.loads(said(podman("inspect", self.id)))[0]["State"]["Pid"]

    def alive(self) -> bool:
        """Whether it answers."""
        assert said(podman("inspect", "--format={{.State.Running}}", self.id)) == "true", self.log()
        try:
            return httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    def log(self) -> str:
        """What it wrote, both streams."""
        written = subprocess.run(podman("logs", self.id), capture_output=True, text=True, check=True)
        return written.stdout + written.stderr

    def inside(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command that ran in it, as its user."""
        run = podman("exec", self.id, *words)
        return subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)

    def healthy(self) -> bool:
        """Whether the image's own health check succeeds."""
        run = podman("healthcheck", "run", self.id)
        return subprocess.run(run, capture_output=True, timeout=60, check=False).returncode == 0

    def told_to_end(self) -> None:
        """The image's stop signal is sent to its first process, and nothing else happens."""
        said(podman("kill", "--signal=TERM", self.id))

    def exit_code(self) -> int:
        """Its exit code, once it has ended, for which it gets the time that docs/image.md names."""
        run = podman("wait", self.id)
        return int(subprocess.run(run, capture_output=True, timeout=25, check=True).stdout)

    def remove(self) -> None:
        """Kill it if it still runs."""
        said(podman("rm", "--force", "--time=0", self.id))
