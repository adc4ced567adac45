"""How many callers may wait for news in this process, in all and each: the others are answered at once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from service.ops import metrics


class Waiters:
    """Places to wait in. most: in all. most_each: for one caller."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._all = 0
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    @contextmanager
    def place(self, caller: str, way: str) -> Iterator[bool]:
        """Take a place for the length of a block, if there is one; whether there was. way: `poll` or `stream`."""
        found = self._take(caller)
        if found:
            metrics.waiting(way, 1)
        try:
            yield found
        finally:
            if found:
                metrics.waiting(way, -1)
                self._leave(caller)

    def _take(self, caller: str) -> bool:
        with self._lock:
            if self._all >= self._most or self._taken[caller] >= self._most_each:
                return False
            self._all += 1
            self._taken[caller] += 1
        return True

    def _leave(self, caller: str) -> None:
        with self._lock:
            self._all -= 1
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]
