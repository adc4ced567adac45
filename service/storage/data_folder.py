"""The data folder of a local run: who holds it, its signing secret, and a short folder for its socket.

DataFolderError
  FolderUnusable       folder, reason
  FolderInUse          folder, pid
  SocketFolderUnsafe   folder, reason
  SecretUnsafe         file, reason
"""

import fcntl
import hashlib
import os
import re
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SECRET = re.compile(r"[0-9a-f]{64}")
SOCKET_NAME = "v.sock"
LONGEST_SOCKET_PATH = 103  # macOS; Linux takes 107
POLL = 0.02


class DataFolderError(Exception):
    """The data folder cannot be used as it is; the message tells a person why."""


@dataclass(eq=False)
class FolderUnusable(DataFolderError):
    """The folder can be neither made nor written to."""

    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"the data folder {self.folder} cannot be used: {self.reason}"


@dataclass(eq=False)
class FolderInUse(DataFolderError):
    """Another `upcard serve` holds the folder. pid: as it wrote it, "?" if it has not yet."""

    folder: Path
    pid: str

    def __str__(self) -> str:
        return f"the data folder {self.folder} is in use by another `upcard serve` (process {self.pid}); give --data"


@dataclass(eq=False)
class SocketFolderUnsafe(DataFolderError):
    """Somebody else could reach or replace the socket."""

    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.folder} {self.reason}, so the socket would not be private: remove it, or set TMPDIR"


@dataclass(eq=False)
class SecretUnsafe(DataFolderError):
    """The signing secret is damaged, or others may read it."""

    file: Path
    reason: str

    def __str__(self) -> str:
        return f"the signing secret {self.file} {self.reason}"


@dataclass(frozen=True)
class DataFolder:
    """A data folder that this process holds. path: resolved, of any length that the system takes."""

    path: Path

    @property
    def log(self) -> Path:
        """What the embedded server says."""
        return self.path / "valkey.log"

    @property
    def server_lock(self) -> Path:
        """Locked by every embedded server of this folder for as long as it lives."""
        return self.path / "valkey.lock"

    def secret(self) -> str:
        """The signing secret, 64 hexadecimal digits; made at the first call. Starters that race get the same one.

        Raises SecretUnsafe.
        """
        file = self.path / "secret"
        if not file.exists():
            _write_new(file, secrets.token_hex(32))
        facts = file.stat()
        if stat.S_IMODE(facts.st_mode) & 0o077 or facts.st_uid != os.geteuid():
            raise SecretUnsafe(file, "may be read by others: chmod 600 it, or remove it (seat tokens then end)")
        text = file.read_text().strip()
        if not SECRET.fullmatch(text):
            raise SecretUnsafe(file, "is damaged: remove it, and a new one is made (seat tokens then end)")
        return text


@contextmanager
def opened(path: Path) -> Iterator[DataFolder]:
    """The folder, made if need be, and ours alone until the end of the block.

    Raises FolderUnusable or FolderInUse.
    """
    try:
        path = path.resolve()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = locked(path / "serve.lock")
    except (OSError, RuntimeError) as error:
        raise FolderUnusable(path, getattr(error, "strerror", None) or str(error)) from None
    if lock is None:
        raise FolderInUse(path, (path / "serve.lock").read_text().strip() or "?")
    try:
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield DataFolder(path)
    finally:
        os.close(lock)


def locked(file: Path, wait: float = 0) -> int | None:
    """An open, exclusively locked file, or None if somebody else holds it for `wait` seconds.

    The lock belongs to the open file: it ends when the last process that inherited the descriptor is gone.
    """
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                os.close(descriptor)
                return None
            time.sleep(POLL)
        else:
            return descriptor


def socket_folder(data: Path) -> Path:
    """Where the socket of `data` lies: a path that is short enough, and the same each time for the same user."""
    name = f"upcard-{os.geteuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"
    folder = Path(tempfile.gettempdir(), name)
    if len(os.fsencode(folder / SOCKET_NAME)) > LONGEST_SOCKET_PATH:
        folder = Path("/tmp", name)  # noqa: S108 - `make_private` checks it, as anywhere else
    return folder


def make_private(folder: Path) -> None:
    """Make the folder if need be; only we can reach what is in it. Raises SocketFolderUnsafe."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        raise SocketFolderUnsafe(folder, "is not a folder")
    if facts.st_uid != os.geteuid():
        raise SocketFolderUnsafe(folder, "belongs to another user")
    if stat.S_IMODE(facts.st_mode) != 0o700:
        raise SocketFolderUnsafe(folder, f"has mode {stat.S_IMODE(facts.st_mode):o} instead of 700")


def _write_new(file: Path, text: str) -> None:
    """Writes a file whole or not at all; if somebody else was first, theirs stays."""
    descriptor, draft = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)
    try:
        with os.fdopen(descriptor, "w") as out:
            out.write(f"{text}\n")
            out.flush()
            os.fsync(out.fileno())
        with suppress(FileExistsError):
            file.hardlink_to(draft)
        folder = os.open(file.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    finally:
        Path(draft).unlink()
