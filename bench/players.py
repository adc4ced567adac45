"""Games between two players of the easy kind, over HTTP, and how long their rounds are."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from bench.calls import Connection
from bench.running import Service
from service.bots.gin_easy import choose
from service.rulebooks import gin
from service.rulebooks.base import ROUND_OVER

CALLERS = 8
"""How many connections share what is to be done."""
LONG = {"preset": "standard", "target": 1000}
"""A match that ten rounds do not end."""
LONGEST = 200
"""More moves than a round can have."""

T = TypeVar("T")


@dataclass
class Pair:
    """A game of two named players. view: the last that one of them was shown."""

    id: str
    tokens: list[str]
    view: dict[str, Any]

    @classmethod
    async def seated(cls, connection: Connection, api_key: str = "", ruleset: Any = "standard") -> "Pair":
        """A new game, not dealt yet."""
        body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}], "ruleset": ruleset}
        status, answer = await connection.call("POST", "/v1/games", api_key, body)
        assert status == 201, (status, answer)
        made = orjson.loads(answer)
        return cls(made["game"]["id"], [held["token"] for held in made["tokens"]], made["game"])

    @property
    def between_rounds(self) -> bool:
        """Whether the next move is a deal."""
        return bool(self.view["turn"]["phase"] == ROUND_OVER)

    async def look(self, connection: Connection) -> None:
        """Ask for the first seat's view, and forget it."""
        status, answer = await connection.call("GET", f"/v1/games/{self.id}", self.tokens[0])
        assert status == 200, (status, answer)

    async def move(self, connection: Connection, headers: str = "") -> None:
        """Make the next move, or deal the next round. Looks only if the view is not of the seat on turn."""
        if self.between_rounds:
            seat, move = 0, {"type": "deal"}
        else:
            seat = self.view["turn"]["seat"]
            if self.view["you"] != {"seat": seat}:
                _, answer = await connection.call("GET", f"/v1/games/{self.id}", self.tokens[seat])
                self.view = orjson.loads(answer)
            move = choose(self.view)
        status, answer = await connection.call(
            "POST", f"/v1/games/{self.id}/moves", self.tokens[seat], move, headers=headers
        )
        assert status == 200, (status, answer)
        self.view = orjson.loads(answer)

    async def play_round(self, connection: Connection, most: int = LONGEST, headers: Callable[[], str] = str) -> None:
        """Deal a round and make up to so many moves in it, each with headers of its own."""
        await self.move(connection, headers())
        for _ in range(most):
            if self.between_rounds:
                return
            await self.move(connection, headers())


async def shared(service: Service, things: Iterable[T], act: Callable[[Connection, T], Awaitable[None]]) -> None:
    """Do something with each of some things, some at once, each caller on a connection of its own."""
    waiting = iter(things)

    async def caller() -> None:
        connection = await Connection.open(service)
        for thing in waiting:
            await act(connection, thing)
        connection.close()

    await asyncio.gather(*(caller() for _ in range(CALLERS)))


def round_lengths(rounds: int, seed: int = 1) -> list[int]:
    """How many moves rounds between two easy players take after the deal; no service is asked."""
    chance = random.Random(seed)
    return [_round_played(_new_match(), chance)[1] for _ in range(rounds)]


def match_lengths(matches: int, seed: int = 1) -> list[int]:
    """How many versions whole matches between two easy players have, by the standard rules."""
    chance = random.Random(seed)
    return [_match_played(chance) for _ in range(matches)]


def _new_match() -> gin.Match:
    return gin.start(gin.read_ruleset("standard", {}), 2, 0)


def _match_played(chance: random.Random) -> int:
    match, versions = _new_match(), 2  # it is created, and it ends
    while gin.turn(match) is not None:
        match, moves = _round_played(match, chance)
        versions += 1 + moves
    return versions


def _round_played(match: gin.Match, chance: random.Random) -> tuple[gin.Match, int]:
    match, moves = gin.deal(match, chance.sample(range(52), 52), (0, 1), 0), 0
    while (turn := gin.turn(match)) is not None and turn.seat is not None:
        match = gin.apply(match, turn.seat, gin.read_move(choose(gin.view(match, turn.seat)))).state
        moves += 1
    return match, moves
