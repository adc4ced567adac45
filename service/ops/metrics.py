"""What the service counts, in Prometheus' form. Nothing here names a player, a game or a card.

Several worker processes count together through files in PROMETHEUS_MULTIPROC_DIR, which the server's configuration
sets; a single process counts in memory.
"""

import os
from functools import cache
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client import generate_latest as exposition
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 30.0)

_REQUESTS = Histogram(
    "upcard_request_seconds",
    "Time until an answer was ready, by operation and status; of a stream until it began.",
    ("operation", "status"),
    buckets=SECONDS,
)
_REFUSALS = Counter("upcard_refusals", "Refusals by code.", ("code",))
_GAMES = Counter("upcard_games_created", "Games made.", ("game",))
_ENTRIES = Counter("upcard_log_entries", "Log entries, by game and type; of a move, its type.", ("game", "type"))
_COMMITS = Histogram(
    "upcard_commit_seconds",
    "Time of sending a change to the store, by what became of it.",
    ("outcome",),
    buckets=SECONDS,
)
_WAITERS = Gauge("upcard_waiters", "Callers who wait for news now, by the way.", ("way",), multiprocess_mode="livesum")


def answered(operation: str, status: int, seconds: float) -> None:
    """Count one answered request."""
    _child(_REQUESTS, operation, status).observe(seconds)


def refused(code: str) -> None:
    """Count one refusal."""
    _child(_REFUSALS, code).inc()


def created(game: str) -> None:
    """Count a new game."""
    _child(_GAMES, game).inc()


def logged(game: str, kind: str) -> None:
    """Count one entry of a log. kind: its type or, of a move, the move's."""
    _child(_ENTRIES, game, kind).inc()


def committed(outcome: str, seconds: float) -> None:
    """Count a change that was sent to the store: `written`, `outdated`, `replayed` or `failed`. seconds: until then."""
    _child(_COMMITS, outcome).observe(seconds)


def waiting(way: str, change: int) -> None:
    """One more caller waits for news (1), or one less (-1). way: `poll` or `stream`."""
    _child(_WAITERS, way).inc(change)


def page() -> bytes:
    """All figures, of all worker processes together."""
    if FOLDER not in os.environ:
        return exposition(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library's
    return exposition(registry)


@cache
def _child(metric: Any, *labels: object) -> Any:
    """A metric for some values of its labels; finding it costs more than counting."""
    return metric.labels(*labels)
