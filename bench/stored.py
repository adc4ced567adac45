"""Whether requests cost more where many games are stored: two services, one with many and one with few, in turns.

Each paired round has new workers: two of the same code differ by some per cent for as long as they live.
"""

import asyncio
import random
from itertools import product

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.filling import Shelf, originals
from bench.http_cost import WARMING_SECONDS, Act, Cost, interleaved, medians
from bench.running import Service, Store, running_on, running_store

CALLERS = 8
FEW = 1_000
BAR, AIM = 0.95, 1.0
Side = tuple[Service, Shelf]


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


async def paired(few: Side, many: Side, live: int, number: int, seconds: float) -> tuple[Cost, Cost]:
    """What a view with a move took on each side, after both have warmed up; then all games are as they were."""
    for seed, length in ((2 * number, WARMING_SECONDS), (2 * number + 1, seconds)):
        acting = [(service, callers(shelf, most, seed)) for (service, shelf), most in ((few, FEW), (many, live))]
        costs = await interleaved(*acting, length)
        for _, shelf in (few, many):
            shelf.put_back()
    return costs


def measured(stores: list[Store], shelves: list[Shelf], rounds: int, seconds: float) -> Part:
    """Few over many: how much of the speed is left. First where callers want all games, then where they want some."""
    few, many = (len(shelf.ids) for shelf in shelves)
    sides = f"{many:,} stored / {few:,} stored"
    kinds = {sides: many, f"{sides}, {few:,} live in both": few}
    costs: dict[str, list[tuple[Cost, Cost]]] = {name: [] for name in kinds}
    for number, (name, live) in product(range(rounds), kinds.items()):
        with running_on(stores[0], workers=1) as one, running_on(stores[1], workers=1) as other:
            both = zip((one, other), shelves, strict=True)
            costs[name].append(asyncio.run(paired(*both, live, number, seconds)))
    figures: list[Figure] = []
    for name, pairs in costs.items():
        figures.append(Figure.of(f"{name}, by CPU", [one.cpu / other.cpu for one, other in pairs], bar=BAR, aim=AIM))
        rates = [other.rate / one.rate for one, other in pairs]
        figures.append(Figure.of(f"{name}, by rate", rates, bar=BAR, aim=AIM, compared=False))
    return Part("stored", figures, {name: medians(pairs) for name, pairs in costs.items()})


def measure(full: bool) -> Part:
    """Views and moves with 200,000 games stored, or 20,000 in short, beside 1,000."""
    count, played, rounds, seconds = (200_000, 200, 16, 2.0) if full else (20_000, 40, 8, 0.8)
    with running_store(fsync="everysec") as few, running_store(fsync="everysec") as many:
        with running_on(many) as service:
            games = asyncio.run(originals(service, played))
        shelves = [Shelf.filled(store.client, games, size) for store, size in ((few, FEW), (many, count))]
        return measured([few, many], shelves, rounds, seconds)
