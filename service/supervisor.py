"""A local run: the embedded Valkey and gunicorn as two children, ended together however this process ends.

SupervisorError
  AddressUnusable      host, port, reason
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey, ending_with_parent

ROOT = Path(__file__).resolve().parent.parent
FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
ENDING_SECONDS = 30.0

Tell = Callable[[str], None]


class SupervisorError(Exception):
    """The service cannot run here; the message tells a person why."""


@dataclass(eq=False)
class AddressUnusable(SupervisorError):
    """The service cannot listen there."""

    host: str
    port: int
    reason: str

    def __str__(self) -> str:
        return f"cannot listen on {self.host} port {self.port}: {self.reason}"


def bound(host: str, port: int) -> socket.socket:
    """A socket that has the address and does not listen yet. port: 0 takes a free one. Raises AddressUnusable."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise AddressUnusable(host, port, error.strerror or str(error)) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise AddressUnusable(host, port, error.strerror or str(error)) from None
    return listener


def address_of(listener: socket.socket) -> str:
    """Its host and port as they stand in a URL: 127.0.0.1:8000, [::1]:8000."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def gunicorn_command(bind: str, workers: int) -> list[str]:
    """The command that serves the app. It is to run in ROOT, since gunicorn looks for `service` there first."""
    options = ["-c", "python:service.server", "-w", str(workers), "-b", bind]
    return [sys.executable, "-P", "-m", "gunicorn", *options, "service.wsgi:app"]


def supervise(
    data: Path, secrets: Sequence[str], listener: socket.socket, workers: int, *, ready: str, tell: Tell
) -> int:
    """Run Valkey and gunicorn until gunicorn ends, and return its exit code.

    secrets: to sign with; none takes the data folder's. tell: gets each line for a person, `ready` first.
    Raises a DataFolderError or an EmbeddedError; then nothing is left running.
    """
    with opened(data) as folder, EmbeddedValkey(folder) as valkey:
        environ = {"REDIS_URL": valkey.url, "UPCARD_SECRET": ",".join(secrets or [folder.secret()])}
        tell(ready)
        # Blocked from before there is a child, so that no signal falls between the start and the watch. A handler,
        # because some systems drop an ignored signal even for those who wait for it.
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, *FORWARDED])
        gunicorn = _started(gunicorn_command(f"fd://{listener.fileno()}", workers), environ, listener)
        try:
            return _watched(gunicorn, valkey, tell)
        finally:
            _end(gunicorn)


def _started(command: list[str], environ: dict[str, str], listener: socket.socket) -> subprocess.Popen[bytes]:
    """Gunicorn, which owns the listener from here on. A group of its own: a Ctrl-C comes once, forwarded."""
    with listener:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | environ,
            process_group=0,
            pass_fds=(listener.fileno(),),
            preexec_fn=ending_with_parent(signal.SIGQUIT),  # noqa: PLW1509 - there are no threads
        )


def _watched(gunicorn: subprocess.Popen[bytes], valkey: EmbeddedValkey, tell: Tell) -> int:
    """Forward signals and restart Valkey until gunicorn ends. A death by signal n counts as 128 + n."""
    while (code := gunicorn.poll()) is None:
        if not valkey.alive():
            tell("the embedded Valkey ended; starting it again (nothing is lost)")
            valkey.start()
        number = signal.sigwait([signal.SIGCHLD, *FORWARDED])
        if number != signal.SIGCHLD:
            gunicorn.send_signal(number)
    return code if code >= 0 else 128 - code


def _end(gunicorn: subprocess.Popen[bytes]) -> None:
    gunicorn.terminate()
    try:
        gunicorn.wait(ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        gunicorn.kill()
        gunicorn.wait()
