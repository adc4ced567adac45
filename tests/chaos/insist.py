"""A client that sends a request again, the same one with the same key, until it is acknowledged."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import httpx

PATIENCE = 60.0
"""So long a request is sent again; whatever fails, it must have been answered by then."""
LONGEST_ANSWER = 5.0
UNAVAILABLE = 503


@dataclass(frozen=True)
class Seen:
    """What became of one try. began, took: in seconds. status: None without a whole answer. who: the client."""

    who: int
    began: float
    took: float
    status: int | None
    retry_after: str | None
    post: bool
    replayed: bool

    @property
    def refused(self) -> bool:
        """Whether the service is to be asked again."""
        return self.status is None or self.status >= 500


class Traffic:
    """What all clients have seen so far, and the news of it. moves: how many were acknowledged."""

    def __init__(self) -> None:
        self.tries: list[Seen] = []
        self.moves = 0
        self.over = False
        self._refused = 0
        self._news = threading.Condition()

    def saw(self, seen: Seen) -> None:
        with self._news:
            self.tries.append(seen)
            self._refused += seen.refused
            self._news.notify_all()

    def moved(self) -> None:
        with self._news:
            self.moves += 1
            self._news.notify_all()

    def stop(self) -> None:
        """Tell the players to begin nothing new."""
        with self._news:
            self.over = True
            self._news.notify_all()

    def until_refused(self, more: int, seconds: float = PATIENCE) -> None:
        """Wait until so many more tries have failed: a fault that nobody has met proves nothing."""
        with self._news:
            goal = self._refused + more
            assert self._news.wait_for(lambda: self.over or self._refused >= goal, seconds), "nobody met the fault"

    def until_moved(self, goal: int, seconds: float) -> None:
        """Wait until so many moves were acknowledged in all."""
        with self._news:
            moving = self._news.wait_for(lambda: self.over or self.moves >= goal, seconds)
        assert moving, f"{self.moves} moves, and {goal} were expected by now"

    def until_tried(self, goal: int, seconds: float) -> None:
        """Wait until so many requests were sent in all."""
        with self._news:
            assert self._news.wait_for(lambda: self.over or len(self.tries) >= goal, seconds), "too few requests"


@dataclass
class Client:
    """One caller. tries: how often a request is sent at most; None for as long as PATIENCE."""

    number: int
    http: httpx.Client
    traffic: Traffic
    rng: Random
    most_tries: int | None = None

    def insist(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[httpx.Response, int]:
        """The answer that settles a request, and how many tries it took."""
        until, tries = time.monotonic() + PATIENCE, 0
        while True:
            tries += 1
            answer = self._tried(method, path, body, headers)
            if answer is not None and answer.status_code < 500:
                return answer, tries
            told = "no answer" if answer is None else f"{answer.status_code} {answer.text}"
            assert tries != self.most_tries, f"{method} {path} failed {tries} times, at last: {told}"
            assert time.monotonic() < until, f"{method} {path} was not answered in {PATIENCE} s, at last: {told}"
            time.sleep(self.rng.uniform(0.02, 0.2))

    def _tried(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> httpx.Response | None:
        began, answer = time.monotonic(), None
        with suppress(httpx.TransportError):
            answer = self.http.request(method, path, content=body, headers=headers)
        self.traffic.saw(
            Seen(
                who=self.number,
                began=began,
                took=time.monotonic() - began,
                status=None if answer is None else answer.status_code,
                retry_after=None if answer is None else answer.headers.get("Retry-After"),
                post=method == "POST",
                replayed=answer is not None and "Idempotency-Replayed" in answer.headers,
            )
        )
        return answer
