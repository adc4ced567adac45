"""What a game takes in the store, what a worker takes of the machine, whether either grows, and what a start takes."""

import asyncio
import itertools
import statistics
from typing import Any, TypeAlias

from redis import Redis

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.growth import growth, kept_bytes
from bench.players import LONG, Pair, round_lengths, shared
from bench.running import Service, running_service
from bench.starting import import_milliseconds, ready_milliseconds
from service.storage.keys import game_key, log_key
from service.web.keys import hash_of

API_KEY = "uk_for-measurements"
"""Games are made by a backend, as in earnest: then the store also keeps whose they are."""
BACKEND = {"UPCARD_API_KEYS": f"shop:{hash_of(API_KEY)}", "UPCARD_OPEN_GAMES_TENANT": "1000000"}
ROUNDS = 10
HEADLINE = "Redis bytes a game in the middle of round 1, log included"
KIB = 1024

Measured: TypeAlias = tuple[list[Figure], dict[str, Any]]


def named_bytes(store: Redis, pairs: list[Pair]) -> dict[str, float]:
    """Where the bytes of a game go, on average: its two keys, and in them the snapshot and the log's entries."""
    asked: dict[str, int] = {"game": 0, "log": 0, "snapshot": 0, "entries": 0}
    for pair in pairs:
        asked["game"] += store.memory_usage(game_key(pair.id), samples=0)
        asked["log"] += store.memory_usage(log_key(pair.id), samples=0)
        asked["snapshot"] += store.hstrlen(game_key(pair.id), "s")
        asked["entries"] += sum(map(len, store.lrange(log_key(pair.id), 0, -1)))
    return {name: round(total / len(pairs), 1) for name, total in asked.items()}


async def games(service: Service, few: int, many: int) -> Measured:
    """Bytes a game at creation and in the middle of round 1, over many; with keys and after ten rounds, over few.

    The middle: half as many moves as a round between two easy players takes, as often as not.
    """
    store, numbers, pairs, versions = service.store.client, itertools.count(), list[Pair](), list[int]()
    half = round(statistics.median(round_lengths(400)) / 2)

    def key() -> str:
        return f"Idempotency-Key: {next(numbers):036}\r\n"

    async def create(connection: Connection, _: int) -> None:
        pairs.append(await Pair.seated(connection, API_KEY))

    async def to_the_middle(connection: Connection, pair: Pair) -> None:
        await pair.play_round(connection, half)

    async def with_keys(connection: Connection, _: int) -> None:
        await (await Pair.seated(connection, API_KEY)).play_round(connection, half, key)

    async def ten_rounds(connection: Connection, _: int) -> None:
        pair = await Pair.seated(connection, API_KEY, LONG)
        for _ in range(ROUNDS):
            await pair.play_round(connection)
        versions.append(pair.view["version"])

    # Of each command that it is ever asked, the store keeps a table of how long it took, 24 KiB each; and the scripts.
    await shared(service, range(8), create)
    await shared(service, pairs, to_the_middle)
    await shared(service, range(8), with_keys)
    named_bytes(store, pairs)
    pairs.clear()
    before = kept_bytes(store)
    await shared(service, range(many), create)
    created, named_created = kept_bytes(store), named_bytes(store, pairs)
    await shared(service, pairs, to_the_middle)
    middle, named_middle = kept_bytes(store), named_bytes(store, pairs)
    await shared(service, range(few), with_keys)
    keyed = kept_bytes(store)
    await shared(service, range(few), ten_rounds)
    ten = kept_bytes(store)
    figures = [
        Figure.of(HEADLINE, [(middle - before) / many], unit="bytes", most=True, bar=5 * KIB, aim=3 * KIB),
        Figure.of("  of a new game", [(created - before) / many], unit="bytes", most=True),
        Figure.of("  after ten rounds", [(ten - keyed) / few], unit="bytes", most=True),
        Figure.of("  in the middle, each move with a key", [(keyed - middle) / few], unit="bytes", most=True),
    ]
    details = {
        "games": many,
        "moves_to_the_middle": half,
        "created": named_created,
        "middle": named_middle,
        "versions_of_ten_rounds": statistics.mean(versions),
        "receipt": round(((keyed - middle) / few - (middle - before) / many) / (half + 1), 1),
    }
    return figures, details


def measure(full: bool) -> Part:
    """All of it. Every store is Valkey from the wheel, with the settings of FRUGAL, as the embedded one."""
    many, few, erased = (2000, 100, 100_000) if full else (200, 10, 5_000)
    with running_service(workers=1, fsync="everysec", **BACKEND) as service:
        sizes, details = asyncio.run(games(service, few, many))
    with running_service(workers=2, fsync="everysec", **BACKEND) as service:
        grown, more = asyncio.run(growth(service, erased, API_KEY))
    timed: dict[str, Any] = {"unit": "ms", "most": True, "compared": False}
    times = [
        Figure.of("CPU time of importing the application", import_milliseconds(5), **timed),
        Figure.of("from the start to ready", ready_milliseconds(5), **timed),
    ]
    return Part("memory", [*sizes, *grown, *times], details | more)
