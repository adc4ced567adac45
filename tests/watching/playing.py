"""Games that are played over HTTP by simple players, who send each move with a key until it is acknowledged."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.watching.serving import API_KEY, Service

Doc = dict[str, Any]
RETRY_SECONDS = 0.05
TABLES: tuple[Doc, ...] = (
    {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}]},
    {"game": "gin", "seats": [{"name": "Ann"}, {"bot": "easy"}]},
    {"game": "rummy", "seats": [{"name": "Ann"}, {"name": "Ben"}, {"bot": "easy"}]},
)
"""Who plays what, in turn; nobody reaches the target."""


@dataclass
class Table:
    """A game that is played. tokens: by seat. made: the version and the move of each acknowledged request."""

    http: httpx.AsyncClient
    id: str
    tokens: dict[int, str]
    version: int
    chance: random.Random
    made: list[tuple[int, int, Doc]] = field(default_factory=list)
    retries: int = 0

    async def play(self, moves: int, done: Callable[[], None] = lambda: None) -> None:
        """Make so many moves; rounds follow each other. done: called after each."""
        view = await self.view(0)
        for _ in range(moves):
            seat = view["turn"]["seat"]
            seat = next(iter(self.tokens)) if seat is None else seat
            if view["you"]["seat"] != seat:
                view = await self.view(seat)
            move = _chosen(view["legal_moves"], self.chance)
            before = view["version"]
            view = await self._acknowledged("POST", "/moves", seat, json=move)
            self.version = view["version"]
            self.made.append((before + 1, seat, move))
            done()

    async def view(self, seat: int) -> Doc:
        """What a seat sees."""
        return await self._acknowledged("GET", "", seat)

    async def events(self) -> list[Doc]:
        """Everything that happened, as JSON."""
        found: list[Doc] = []
        after: int | None = 0
        while after is not None:
            page = await self._acknowledged("GET", f"/events?after={after}", next(iter(self.tokens)))
            found += page["items"]
            after = page["next"]
        return found

    async def _acknowledged(self, method: str, path: str, seat: int, **sent: Any) -> Doc:
        """The answer of a request that is sent again, with the same key, until there is one."""
        headers = {"Authorization": f"Bearer {self.tokens[seat]}", "Idempotency-Key": f"{self.chance.random()}"}
        while True:
            try:
                answer = await self.http.request(method, f"/v1/games/{self.id}{path}", headers=headers, **sent)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code != 503:
                assert answer.status_code == 200, answer.text
                doc: Doc = answer.json()
                return doc
            self.retries += 1
            await asyncio.sleep(RETRY_SECONDS)


async def new_table(http: httpx.AsyncClient, number: int, seed: int = 0) -> Table:
    """A game that anybody may watch."""
    wanted = TABLES[number % len(TABLES)] | {"spectators": True}
    wanted |= {"ruleset": {"preset": "standard", "target": 10_000}}
    answer = await http.post("/v1/games", json=wanted, headers={"Authorization": f"Bearer {API_KEY}"})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    tokens = {held["seat"]: held["token"] for held in made["tokens"]}
    return Table(http, made["game"]["id"], tokens, made["game"]["version"], random.Random(f"{seed} {number}"))


def client(service: Service) -> httpx.AsyncClient:
    """A client for all players of a service."""
    return httpx.AsyncClient(base_url=service.url, timeout=30, limits=httpx.Limits(max_connections=100))


def _chosen(legal: list[Doc], chance: random.Random) -> Doc:
    """End the round if it can be ended; else throw what leaves least, or do anything."""
    ends = [each["move"] for each in legal if each["move"]["type"] in ("knock", "big_gin", "meld", "spread")]
    if ends:
        return chance.choice(ends)
    least = min((each["deadwood"] for each in legal if each.get("deadwood") is not None), default=None)
    move: Doc = chance.choice([each["move"] for each in legal if each.get("deadwood") == least])
    return move
