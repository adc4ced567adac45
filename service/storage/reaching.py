"""How the store is reached: a client that never hangs, the scripts, and what a failing server means."""

from importlib.resources import files

from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, OutOfMemoryError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from service.play.errors import SnapshotCorrupt, StoreUnavailable

PASSING = frozenset(("MISCONF", "BUSY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN", "NOSCRIPT"))
"""Codes of error replies that say the server cannot serve now; any other is a fault of ours.

NOSCRIPT: the client loads a script that is missing, so the server has forgotten it again at once.
"""
AWAY = (RedisConnectionError, RedisTimeoutError, InvalidResponse, OutOfMemoryError, ReadOnlyError)
"""What the client raises where the server cannot serve now, whatever it was asked."""
IN_PIPELINE = "of pipeline caused error: "
"""What the client puts before an error reply to one of several commands."""


def connect(url: str, timeout: float, connections: int) -> Redis:
    """A client that never hangs and never repeats a command: every wait is bounded by `timeout` seconds."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=timeout,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    return Redis(connection_pool=pool)


def script(name: str) -> str:
    """The text of a script."""
    return files("service.storage").joinpath(f"scripts/{name}.lua").read_text()


class Served:
    """Name what a failing server means: it cannot serve now, or what is stored is not what we wrote.

    `with Served(): ...` raises StoreUnavailable or SnapshotCorrupt. A class, since it is entered for each trip.
    """

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, AWAY) or (isinstance(error, ResponseError) and passing(error)):
            raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
        if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
            raise SnapshotCorrupt(str(error)) from error


def passing(refused: ResponseError) -> bool:
    """Whether an error reply says that the server cannot serve now. The client cuts off the codes that it knows."""
    told = str(refused).rpartition(IN_PIPELINE)[2]
    return (refused.status_code or told.partition(" ")[0]) in PASSING
