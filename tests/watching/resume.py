"""Streams that are cut at random moments and resumed see each version of their game once, in order, and no other."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.watching.playing import Table, client, new_table
from tests.watching.serving import API_KEY, Service
from tests.watching.wire import Doc, Ended, Refused, Stream, opened

PATIENCE_SECONDS = 20.0
"""How long after the last move a stream may take to see it."""


@dataclass
class Watcher:
    """Somebody who follows a game through all that happens to the connection.

    token: None for a spectator. steady: whether the connection is left alone.
    """

    table: Table
    token: str | None
    chance: random.Random
    steady: bool
    seen: list[Doc] = field(default_factory=list)
    last: str | None = None
    cuts: int = 0
    ends: int = 0
    refusals: int = 0

    async def follow(self, service: Service, longest: float) -> None:
        """See all that happens. longest: seconds until a connection is cut at the latest."""
        while True:
            try:
                stream = await opened(service, self.table.id, self.token, self.last)
            except (OSError, asyncio.IncompleteReadError, Refused):
                self.refusals += 1
                await asyncio.sleep(0.1)
                continue
            await self._read(stream, None if self.steady else self.chance.uniform(0, longest))

    async def _read(self, stream: Stream, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                async for event in stream.events():
                    self.seen.append(event.data)
                    self.last = event.id
        except TimeoutError:
            self.cuts += 1
        except (Ended, OSError, asyncio.IncompleteReadError):
            self.ends += 1
        finally:
            self.chance.choice([stream.close, stream.reset])()


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    cuts: connections that the client broke off. ends: those that ended otherwise. refusals: streams that were not
    opened. retries: requests of players that were sent again. wrong: what is not as it should be, in words.
    """

    streams: int
    games: int
    moves: int
    versions: int
    events: int
    rounds: int
    cuts: int
    ends: int
    refusals: int
    retries: int
    seconds: float
    wrong: list[str]

    def __str__(self) -> str:
        told = ", ".join(f"{getattr(self, name):,} {name}" for name in ("streams", "games", "moves", "versions"))
        lost = (
            f"{self.cuts:,} cuts, {self.ends:,} ends, {self.refusals:,} refusals, {self.retries:,} requests sent again"
        )
        return f"{told}; {self.events:,} events seen, {self.rounds:,} rounds; {lost}; {self.seconds:.1f} s"


async def resumed(
    service: Service, *, streams: int, games: int, moves: int, kills: int = 0, longest: float = 2.0, seed: int = 0
) -> Outcome:
    """Play some games while they are watched, and compare what was seen with what happened.

    moves: in all. kills: how often the store is killed and started again meanwhile.
    """
    began = time.monotonic()
    async with client(service) as http, _killing(service, moves, kills) as done:
        tables = [await new_table(http, number, seed) for number in range(games)]
        watchers = [_watcher(tables[number % games], number // games, seed) for number in range(streams)]
        following = [asyncio.create_task(watcher.follow(service, longest)) for watcher in watchers]
        await asyncio.gather(*(table.play(moves // games, done) for table in tables))
        await _until_all_is_seen(watchers)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        happened = {table.id: await table.events() for table in tables}
    return Outcome(
        streams=streams,
        games=games,
        moves=sum(len(table.made) for table in tables),
        versions=sum(map(len, happened.values())),
        events=sum(len(watcher.seen) for watcher in watchers),
        rounds=sum(event["type"] == "round" for events in happened.values() for event in events),
        cuts=sum(watcher.cuts for watcher in watchers),
        ends=sum(watcher.ends for watcher in watchers),
        refusals=sum(watcher.refusals for watcher in watchers),
        retries=sum(table.retries for table in tables),
        seconds=time.monotonic() - began,
        wrong=[fault for table in tables for fault in _played_wrong(table, happened[table.id])]
        + [fault for watcher in watchers for fault in _seen_wrong(watcher, happened[watcher.table.id])],
    )


def _watcher(table: Table, kind: int, seed: int) -> Watcher:
    """A seat, a spectator or the backend, in turn; each fifth is left alone."""
    tokens = [*table.tokens.values(), None, API_KEY]
    return Watcher(table, tokens[kind % len(tokens)], random.Random(f"{seed} {table.id} {kind}"), kind % 5 == 4)


async def _until_all_is_seen(watchers: list[Watcher]) -> None:
    """Wait until every watcher has seen as many versions as its game has, or for long enough."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and any(len(each.seen) < each.table.version for each in watchers):
        await asyncio.sleep(0.02)


@asynccontextmanager
async def _killing(service: Service, moves: int, kills: int) -> AsyncIterator[Callable[[], None]]:
    """Gives what is to be called after each move: it kills the store and starts it again, evenly spread."""
    due = [moves * number // (kills + 1) for number in range(1, kills + 1)]
    count = 0
    running: list[asyncio.Task[None]] = []

    def done() -> None:
        nonlocal count
        count += 1
        if due and count >= due[0]:
            due.pop(0)
            running.append(asyncio.create_task(asyncio.to_thread(_restart, service)))

    yield done
    await asyncio.gather(*running)
    assert not due


def _restart(service: Service) -> None:
    service.store.stop()
    time.sleep(0.5)
    service.store.start()


def _played_wrong(table: Table, happened: list[Doc]) -> list[str]:
    """Moves that were acknowledged and are not in the game, or are in it more than once."""
    wrong = []
    if [event["version"] for event in happened] != list(range(1, table.version + 1)):
        wrong.append(f"{table.id}: the events are not the versions 1 to {table.version}")
    made = {(version, seat, _type(move)) for version, seat, move in table.made}
    humans = {
        (event["version"], event["seat"], event["move"]["type"] if "move" in event else "deal")
        for event in happened
        if event["seat"] in table.tokens
    }
    return wrong + [f"{table.id}: {each} was acknowledged or played, not both" for each in sorted(made ^ humans)]


def _type(move: Doc) -> str:
    return str(move["type"])


def _seen_wrong(watcher: Watcher, happened: list[Doc]) -> list[str]:
    if watcher.seen == happened:
        return []
    versions = [event["version"] for event in watcher.seen]
    return [f"{watcher.table.id}: a stream saw {versions} instead of 1 to {len(happened)}"]
