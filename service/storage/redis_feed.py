"""The news of games from Redis: one connection a process, on which a thread listens for all who wait.

Whoever waits has subscribed first. A subscription that Redis confirms wakes everybody who waits for that game, so what
changed before it took hold is read then; and since a new connection subscribes to everything anew, the same holds
after each loss of one. Nobody needs to wait for a confirmation.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from redis import Redis
from redis.exceptions import NoPermissionError, RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.storage.keys import news_channel

PING_SECONDS = 5.0
"""After so long in silence the connection is tried, and given up if the answer does not come in the same time."""
RECONNECT_SECONDS = 0.2
FORBIDDEN_SECONDS = 30.0
"""A store whose user may not listen will hardly let it soon."""

log = logging.getLogger("upcard.storage")


class GameWatch:
    """One who waits for news of a game."""

    __slots__ = ("_feed", "_woken")

    def __init__(self, feed: "RedisFeed") -> None:
        self._feed = feed
        self._woken = Event()

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop."""
        return self._feed.closing

    def wait(self, seconds: float) -> float:
        """Wait until the game may have changed, at most so long; the seconds left then, 0 if none or at the close.

        A wake that comes as the time runs out is kept: it ends the next wait.
        """
        until = monotonic() + seconds
        woken = not self.closing and self._woken.wait(seconds)
        left = until - monotonic()
        if not woken or left <= 0 or self.closing:
            return 0.0
        self._woken.clear()
        return left

    def wake(self) -> None:
        """End the wait, or the next one."""
        self._woken.set()


class RedisFeed:
    """The news of games. Nothing is connected before somebody waits."""

    def __init__(self, client: Redis) -> None:
        self._pool = client.connection_pool
        self._lock = Lock()
        self._watches: dict[str, set[GameWatch]] = {}
        self._connection: Any = None  # its methods are not typed
        self._listener: Thread | None = None
        self._closed = Event()

    @property
    def closing(self) -> bool:
        """Whether nobody should wait any longer."""
        return self._closed.is_set()

    @contextmanager
    def watch(self, game_id: str) -> Iterator[GameWatch]:
        """Wait for news of a game from now on; whatever changes after this wakes the watch once more."""
        channel, watch = news_channel(game_id), GameWatch(self)
        self._enter(channel, watch)
        try:
            yield watch
        finally:
            self._leave(channel, watch)

    def close(self) -> None:
        """Wake all who wait, for the last time, and listen no longer."""
        self._closed.set()
        with self._lock:
            watches = [watch for each in self._watches.values() for watch in each]
        for watch in watches:
            watch.wake()
        self._disconnect()

    def _enter(self, channel: str, watch: GameWatch) -> None:
        with self._lock:
            first = channel not in self._watches
            self._watches.setdefault(channel, set()).add(watch)
            if self._listener is None:
                self._listener = Thread(target=self._listen, name="news", daemon=True)
                self._listener.start()
            elif first:
                self._send("SUBSCRIBE", channel)

    def _leave(self, channel: str, watch: GameWatch) -> None:
        with self._lock:
            watches = self._watches[channel]
            watches.discard(watch)
            if not watches:
                del self._watches[channel]
                self._send("UNSUBSCRIBE", channel)

    def _send(self, *command: str) -> None:
        """Send a command if there is a connection; where it is lost, the listener makes a new one for all channels.

        Nothing is sent on a lost one: the client would connect anew, to this channel only, while the lock is held.
        """
        if self._connection is None or not self._connection.is_connected:
            return
        try:
            self._connection.send_command(*command, check_health=False)
        except RedisError as lost:
            log.debug("the news could not be asked for: %s", lost)
            self._connection = None

    def _listen(self) -> None:
        while not self.closing:
            try:
                connection = self._connected()
                while not self.closing:
                    self._hear(connection)
            except (RedisError, OSError) as lost:
                if not self.closing:
                    log.warning("the news of games are interrupted: %s", lost)
                self._disconnect()
                self._closed.wait(FORBIDDEN_SECONDS if isinstance(lost, NoPermissionError) else RECONNECT_SECONDS)

    def _connected(self) -> Any:
        """A connection that has subscribed to all channels."""
        options = self._pool.connection_kwargs | {"socket_timeout": PING_SECONDS}
        connection: Any = self._pool.connection_class(**options)
        connection.connect()
        with self._lock:
            self._connection = connection
            if self._watches:
                self._send("SUBSCRIBE", *self._watches)
        return connection

    def _disconnect(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.disconnect()

    def _hear(self, connection: Any) -> None:
        """Wait for the next message and wake those whom it is for. Raises RedisError when the connection is lost."""
        try:
            told = connection.read_response(disconnect_on_error=False)
        except RedisTimeoutError:
            with self._lock:
                self._send("PING")
            told = connection.read_response(disconnect_on_error=False)
        if told[0] in (b"message", b"subscribe"):
            with self._lock:
                watches = tuple(self._watches.get(told[1].decode(), ()))
            for watch in watches:
                watch.wake()
