"""Connections to the store, each for one caller at a time; the one that was given back last is taken first.

redis-py's own client takes three to five times as long as the command itself, for locks, retries and events that
nothing here needs (docs/design/011-connections-to-the-store.md). What it does for safety is kept: every wait is
bounded, nothing is sent again that may have been carried out, and a connection whose answer was not read to the end is
not used again.
"""

import hashlib
from collections import deque
from dataclasses import dataclass
from threading import Condition
from time import monotonic
from typing import Any, TypeAlias

from hiredis import pack_command
from redis import BlockingConnectionPool, Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ResponseError

Part: TypeAlias = str | bytes | int
Command: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A script as the store knows it. reads: whether it changes nothing, so that it may be sent again."""

    text: str
    sha: str
    reads: bool

    @classmethod
    def of(cls, text: str, *, reads: bool) -> "Script":
        """A script from its text."""
        return cls(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), reads)


class Pool:
    """As many connections as the client's own pool may have, and as long to wait for one."""

    def __init__(self, client: Redis) -> None:
        theirs = client.connection_pool
        assert isinstance(theirs, BlockingConnectionPool)
        self._class = theirs.connection_class
        self._options = theirs.connection_kwargs
        self._most = theirs.max_connections
        self._timeout = theirs.timeout
        self._open = 0
        self._waiting = 0
        self._idle: deque[Any] = deque()
        self._free = Condition()

    def read(self, *command: Part) -> Any:
        """The answer to a command that changes nothing."""
        return self.read_each(command)[0]

    def read_each(self, *commands: Command) -> list[Any]:
        """The answers to commands that change nothing, in one trip.

        They are carried out in this order, and those of others may be carried out between them. A connection that lay
        idle may have been closed by the store meanwhile; then they are sent once more.
        """
        connection = self._idle_one()
        if connection is not None:
            try:
                return self._told(connection, commands)
            except RedisConnectionError:
                self._close_idle()
        return self._told(self._connection(), commands)

    def change(self, *command: Part) -> Any:
        """The answer to a command that may change something, so that it is sent once."""
        return self._told(self._connection(), (command,))[0]

    def run(self, script: Script, keys: list[str], arguments: list[Any]) -> Any:
        """The answer of a script. A store that does not know it has not run it, and is told its text."""
        ask = self.read if script.reads else self.change
        command: Command = ("EVALSHA", script.sha, len(keys), *keys, *arguments)
        try:
            return ask(*command)
        except NoScriptError:
            self.change("SCRIPT", "LOAD", script.text)
            return ask(*command)

    def close(self) -> None:
        """Close the connections that nobody uses now."""
        self._close_idle()

    def _told(self, connection: Any, commands: tuple[tuple[Any, ...], ...]) -> list[Any]:
        """All answers, read to the last before the first refusal among them is raised."""
        try:
            connection.send_packed_command([b"".join(map(pack_command, commands))], check_health=False)
            told = [_reply(connection) for _ in commands]
        except BaseException:  # whatever ended it, a late answer must never meet the next command
            self._drop(connection)
            raise
        self._give_back(connection)
        for reply in told:
            if isinstance(reply, ResponseError):
                raise reply
        return told

    def _idle_one(self) -> Any:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _connection(self) -> Any:
        return self._idle_one() or self._awaited() or self._new()

    def _awaited(self) -> Any:
        """An idle connection, or None once a new one may be opened. Raises RedisConnectionError after the time-out."""
        until = monotonic() + self._timeout
        with self._free:
            self._waiting += 1
            try:
                while True:
                    if (idle := self._idle_one()) is not None:
                        return idle
                    if self._open < self._most:
                        self._open += 1
                        return None
                    if not self._free.wait(until - monotonic()):
                        raise RedisConnectionError("no connection is free")
            finally:
                self._waiting -= 1

    def _new(self) -> Any:
        connection: Any = self._class(**self._options)
        try:
            connection.connect()
        finally:
            if not connection.is_connected:
                self._drop(connection)
        return connection

    def _give_back(self, connection: Any) -> None:
        self._idle.append(connection)
        if self._waiting:
            self._tell()

    def _drop(self, connection: Any) -> None:
        connection.disconnect()
        with self._free:
            self._open -= 1
        self._tell()

    def _tell(self) -> None:
        """Wake one who waits. He counts as waiting before he looks, so that none is missed."""
        with self._free:
            self._free.notify()

    def _close_idle(self) -> None:
        while (connection := self._idle_one()) is not None:
            self._drop(connection)


def _reply(connection: Any) -> Any:
    """What the store says next; a refusal too is something that it says."""
    try:
        return connection.read_response()
    except ResponseError as refused:
        return refused
