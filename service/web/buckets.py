"""Buckets of tokens in this process: who calls too often waits, and everybody else does not notice."""

import math
from collections import OrderedDict
from collections.abc import Callable

from service.play.errors import RateLimited

ENOUGH = 1 - 1e-9
"""A token, but for what is lost by rounding: who waited as long as told must find one."""
MOST_BUCKETS = 50_000
"""How many callers are remembered; the one that was longest silent is forgotten first, and then has a full bucket."""


class Buckets:
    """One bucket a caller: a call takes a token, and tokens come back at a steady rate until the bucket is full."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float]) -> None:
        """rate: tokens a second; 0 sets no limit. size: of a bucket, in tokens. clock: seconds, from any beginning."""
        self._rate = rate
        self._size = size
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Take a token from a caller's bucket. Raises RateLimited if it is empty."""
        if not self._rate:
            return
        now = self._clock()
        level, since = self._levels.pop(caller, (self._size, now))
        level = min(self._size, level + (now - since) * self._rate)
        if level < ENOUGH:
            self._levels[caller] = (level, now)
            raise RateLimited(retry_after=max(1, math.ceil((ENOUGH - level) / self._rate)))
        self._levels[caller] = (level - 1, now)
        if len(self._levels) > MOST_BUCKETS:
            self._levels.popitem(last=False)
