"""A short match against the computer, played over HTTP by a test while others follow it.

The decks are given, so that it is the same each time; the service must allow that.
"""

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx

CARDS = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
CHANCE = random.Random(1)
WANTED = {
    "game": "gin",
    "ruleset": {"preset": "standard", "target": 40},
    "seats": [{"name": "Ann"}, {"bot": "easy"}],
    "first_dealer": 1,
    "spectators": True,
    "sandbox": {"decks": [CHANCE.sample(CARDS, 52) for _ in range(10)]},
}


class Match:
    """A match that Ann plays. view: after her last move."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=30)
        made = self._http.post("/v1/games", json=WANTED).raise_for_status().json()
        self.view = made["game"]
        self.token = made["tokens"][0]["token"]
        self.id = self.view["id"]
        self.url = f"{url}/v1/games/{self.id}"

    def __enter__(self) -> "Match":
        return self

    def __exit__(self, *fault: object) -> None:
        self._http.close()

    def move(self) -> dict:
        """The view after Ann has knocked as soon as she may, or else made the move that leaves the least deadwood."""
        legal = self.view["legal_moves"]
        ends = [each for each in legal if each["move"]["type"] in ("knock", "big_gin")]
        chosen = min(ends or legal, key=lambda each: each.get("deadwood", 0))["move"]
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self._http.post(f"/v1/games/{self.id}/moves", json=chosen, headers=headers)
        self.view = answer.raise_for_status().json()
        return self.view

    def moves(self) -> Iterator[dict]:
        """The view after each move, until the match is over."""
        while self.view["status"] == "playing":
            yield self.move()

    def events(self) -> list[dict]:
        headers = {"Authorization": f"Bearer {self.token}"}
        found, after = [], 0
        while after is not None:
            page = self._http.get(f"/v1/games/{self.id}/events", params={"after": after}, headers=headers).json()
            found, after = found + page["items"], page["next"]
        return found


class Printed:
    """A program that prints. lines: what it has printed so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self.reader = Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def code(self) -> int:
        """Its exit code once it has ended."""
        self.process.wait(30)
        self.reader.join(30)
        return self.process.returncode


@contextmanager
def running(*command: str | Path, token: str = "") -> Iterator[Printed]:
    """A program that is told a token; it is gone after the block."""
    environ = os.environ | {"UPCARD_TOKEN": token}
    process = subprocess.Popen(
        list(map(str, command)), env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    printed = Printed(process)
    try:
        yield printed
    finally:
        process.kill()
        process.wait()
        printed.reader.join()
        process.stdout.close()
