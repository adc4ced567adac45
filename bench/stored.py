"""Whether requests cost more where many games are stored: two services, one with many and one with few, in turns."""

import asyncio
import random
import statistics

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.filling import Shelf, originals
from bench.http_cost import Act, Cost, interleaved
from bench.running import running_service

CALLERS = 8
WARMING_SECONDS = 1.0
FEW = 1_000
BAR, AIM = 0.95, 1.0


def callers(shelf: Shelf, live: int, seed: int) -> list[Act]:
    """Each looks at one game and moves in another, over and over, both anywhere among the live ones.

    The live ones are spread over the whole store; every caller has its own, so that no two move in the same game.
    """
    step = len(shelf.ids) // live

    def caller(first: int) -> Act:
        chance = random.Random(seed * CALLERS + first)

        async def act(connection: Connection) -> None:
            for look in (True, False):
                pair = shelf.take(chance.randrange(first, live, CALLERS) * step)
                await (pair.look(connection) if look else pair.move(connection))

        return act

    return [caller(first) for first in range(CALLERS)]


async def paired(few: Shelf, many: Shelf, live: int, number: int, seconds: float) -> tuple[Cost, Cost]:
    """What a view with a move took on each side; then all games are as they were."""
    sides = [(shelf.service, callers(shelf, most, number)) for shelf, most in ((few, FEW), (many, live))]
    costs = await interleaved(*sides, seconds)
    for shelf in (few, many):
        shelf.put_back()
    return costs


async def measured(few: Shelf, many: Shelf, rounds: int, seconds: float) -> Part:
    """Few over many: how much of the speed is left. First where callers want all games, then where they want some."""
    sides = f"{len(many.ids):,} stored / {len(few.ids):,} stored"
    figures: list[Figure] = []
    details = {}
    for name, live in ((sides, len(many.ids)), (f"{sides}, {FEW:,} live in both", FEW)):
        await paired(few, many, live, 0, WARMING_SECONDS)
        costs = [await paired(few, many, live, number, seconds) for number in range(1, rounds + 1)]
        figures.append(Figure.of(f"{name}, by CPU", [few.cpu / many.cpu for few, many in costs], bar=BAR, aim=AIM))
        rates = [many.rate / few.rate for few, many in costs]
        figures.append(Figure.of(f"{name}, by rate", rates, bar=BAR, aim=AIM, compared=False))
        details[name] = {
            "microseconds": [statistics.median(cost.cpu for cost in side) for side in zip(*costs, strict=True)],
            "a second": [statistics.median(cost.rate for cost in side) for side in zip(*costs, strict=True)],
        }
    return Part("stored", figures, details)


def measure(full: bool) -> Part:
    """Views and moves with 200,000 games stored, or 20,000 in short, beside 1,000."""
    count, played, rounds, seconds = (200_000, 200, 16, 3.0) if full else (20_000, 40, 8, 0.8)
    with (
        running_service(workers=1, fsync="everysec") as large,
        running_service(workers=1, fsync="everysec") as small,
    ):
        games = asyncio.run(originals(large, played))
        few, many = Shelf.filled(small, games, FEW), Shelf.filled(large, games, count)
        return asyncio.run(measured(few, many, rounds, seconds))
