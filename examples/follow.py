"""Follow a game to the end of its match with the standard library alone, and print each event and whose turn it is.

    UPCARD_TOKEN=us_... python examples/follow.py GAME [--url http://127.0.0.1:8000]

GAME is the id of the game. The token is that of a seat; where spectators may look none is needed. Events come by a
stream or, where no stream comes through, by long polls.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import socket
from typing import Any
from urllib.parse import urlsplit

WAIT = 25
"""Seconds that a long poll asks for: less than the 60 after which many proxies cut a silent connection."""
BREAKS = 2
"""After so many streams in a row that brought nothing, it is long polls."""
LONGEST_REST = 30.0


class Refused(Exception):
    """An answer that is none. after: how many seconds it asks to wait. final: whether it is the same the next time."""

    def __init__(self, response: HTTPResponse) -> None:
        super().__init__(f"refused: {response.status} {response.read(500).decode(errors='replace')}")
        after = response.headers.get("Retry-After", "")
        self.after = float(after) if after.isdecimal() else 0.0
        self.final = response.status < 500 and response.status != 429


@dataclass
class Follower:
    """How far a game is known.

    timeout: how long an answer may take to begin. silence: how long a stream may bring nothing, more than two
    heartbeats of the service. retry: how long to rest between streams. All are seconds.
    """

    url: str
    token: str
    timeout: float
    silence: float
    tag: str = ""
    version: int = 0
    mark: str = ""
    retry: float = 2.0
    breaks: int = 0
    over: bool = False

    def follow(self) -> None:
        """Print what happens until the match is over. Raises Refused when the game cannot be read."""
        failures = 0
        while True:
            polls = self.breaks >= BREAKS
            try:
                waited = self.look(WAIT if polls else 0)
                failures = 0
                if not (polls or self.over):
                    self.listen()
                if self.over:
                    return
                rest = 0.0 if waited else self.retry
            except (Refused, OSError, HTTPException) as fault:
                if isinstance(fault, Refused) and fault.final:
                    raise
                say(f"no answer: {fault}")
                rest = getattr(fault, "after", 0) or min(self.retry * 2.0**failures, LONGEST_REST)
                failures += 1
            time.sleep(rest * random.uniform(1, 1.5))

    def listen(self) -> None:
        """Follow by a stream until it ends or breaks, or the match does."""
        self.breaks += 1
        for block in self.stream():
            if "retry" in block:
                self.retry = int(block["retry"]) / 1000
            else:
                self.breaks = 0
            if "id" in block:
                self.mark = block["id"]
                self.note(block)
            if self.over:
                return

    def note(self, block: dict[str, str]) -> None:
        """Print an event, or that what is known is not what happened. Either is a reason to read the view."""
        if block.get("event") == "reset":
            say("reset: the game is not what it was")
        else:
            self.tell(json.loads(block["data"]))
        self.look()

    def stream(self) -> Iterator[dict[str, str]]:
        """What a stream brings, until it ends or breaks."""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.mark} if self.mark else {})
        try:
            with self.asked(f"/events?after={self.version}", headers, self.timeout) as (response, line):
                for block in blocks(response):
                    line.settimeout(self.silence)
                    yield block
        except TimeoutError:
            self.breaks = BREAKS
            say("the stream is silent, as behind a proxy that collects answers")
        except Refused as refused:
            say(f"no stream: {refused}")
            time.sleep(refused.after)
        except (OSError, HTTPException) as fault:
            say(f"the stream broke ({fault!r})")

    def look(self, wait: int = 0) -> bool:
        """Read the view, and print it if it is another. Whether the service was ready to wait for one."""
        known = {"If-None-Match": self.tag, "Prefer": f"wait={wait}"} if self.tag else {}
        with self.asked("", known, wait + self.timeout) as (response, _):
            waited = "Preference-Applied" in response.headers
            if response.status == 304:
                return waited
            view, tag = json.load(response), response.headers["ETag"]
        self.version = min(self.version, view["version"])
        if self.version < view["version"]:
            self.catch_up()
        self.tag = tag
        self.over = view["status"] in ("finished", "abandoned")
        say(state(view))
        return waited

    def catch_up(self) -> None:
        """Print the events that no stream has brought."""
        after: int | None = self.version
        while after is not None:
            with self.asked(f"/events?after={after}", {}, self.timeout) as (response, _):
                page = json.load(response)
            for event in page["items"]:
                self.tell(event)
            after = page["next"]

    def tell(self, event: dict[str, Any]) -> None:
        """Print an event, unless it was."""
        if event["version"] > self.version:
            self.version = event["version"]
            say(happened(event))

    @contextmanager
    def asked(self, path: str, headers: dict[str, str], timeout: float) -> Iterator[tuple[HTTPResponse, socket]]:
        """An answer of the service, and the socket that it comes from. Raises Refused."""
        where = urlsplit(self.url)
        connection = (HTTPSConnection if where.scheme == "https" else HTTPConnection)(where.netloc, timeout=timeout)
        if self.token:
            headers = headers | {"Authorization": f"Bearer {self.token}"}
        with closing(connection):
            connection.request("GET", where.path + path, headers=headers)
            line = connection.sock
            with connection.getresponse() as response:
                if response.status not in (200, 304):
                    raise Refused(response)
                yield response, line


def blocks(stream: HTTPResponse) -> Iterator[dict[str, str]]:
    """Server-sent events by name and value of their fields; a comment has the empty name. One cut short is none."""
    block: dict[str, str] = {}
    for line in stream:
        if line.strip():
            name, _, value = line.partition(b":")
            block[name.decode()] = value.strip().decode(errors="replace")
        else:
            yield block
            block = {}


def happened(event: dict[str, Any]) -> str:
    """An event in a line."""
    move = event.get("move", {"type": event["type"]})
    words = [move["type"], *(move[key] for key in ("source", "card", "discard") if key in move)]
    seat = "" if event["seat"] is None else f"seat {event['seat']}"
    return f"{event['version']:4}  {seat:7} {' '.join(words)}"


def state(view: dict[str, Any]) -> str:
    """Whose turn it is, or how the match ended."""
    turn = view["turn"]
    if turn is None:
        return f"      {view['status']}: {view['score'] and view['score']['totals']}"
    who = "any player" if turn["seat"] is None else f"seat {turn['seat']}"
    return f"      {who} is to act: {turn['phase']}"


def say(text: str) -> None:
    """Print at once, into a pipe too."""
    print(text, flush=True)


def main() -> None:
    """Follow the game that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="the id of the game")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the service is (default: %(default)s)")
    parser.add_argument("--timeout", default=10.0, type=float, help="seconds for an answer to begin (%(default)s)")
    parser.add_argument("--silence", default=35.0, type=float, help="seconds for a stream to be silent (%(default)s)")
    given = parser.parse_args()
    url = f"{given.url.rstrip('/')}/v1/games/{given.game}"
    try:
        Follower(url, os.environ.get("UPCARD_TOKEN", ""), given.timeout, given.silence).follow()
    except Refused as refused:
        sys.exit(str(refused))


if __name__ == "__main__":
    main()
