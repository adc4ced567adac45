"""The model of capacity held against a run: many games stored, some played and followed, the machine half busy."""

import asyncio
import random
import statistics
import time

from bench.calls import Connection
from bench.demand import Costs, Demand, Need
from bench.filling import Shelf, originals
from bench.growth import kept_bytes
from bench.measures import cpu_seconds, resident_bytes
from bench.memory import API_KEY, BACKEND
from bench.players import Pair
from bench.running import Service, running_service
from bench.watchers import PATIENT, by_stream, watched

WORKERS = 2
BUSY_CORES = 1.0
"""How many of the two cores workers and store together shall fill; the players need the other."""
THINK_SECONDS = 5.0
PLAYED, CONNECTIONS = 100, 32
SECONDS = {True: 60.0, False: 15.0}
"""How long games are played: with very many stored, and in short."""
MANY = 100_000
MIB = 1024 * 1024


async def played(service: Service, pairs: list[Pair], seconds: float) -> int:
    """Play some games for some time, as if all had begun long ago; how many moves were made."""
    free, until, moves, chance = asyncio.Queue[Connection](), time.monotonic() + seconds, 0, random.Random(1)
    for _ in range(CONNECTIONS):
        free.put_nowait(await Connection.open(service))

    async def play(pair: Pair) -> None:
        nonlocal moves
        due = time.monotonic() + chance.expovariate(1 / THINK_SECONDS)
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            connection = await free.get()
            await pair.move(connection)
            free.put_nowait(connection)
            moves += 1
            due += chance.expovariate(1 / THINK_SECONDS)

    await asyncio.gather(*map(play, pairs))
    return moves


def live_games(costs: Costs) -> int:
    """How many games, followed by streams, fill so much of the machine by the model."""
    thousand = Need.of(Demand(1000, THINK_SECONDS, "stream", kept=0), costs)
    return round(1000 * BUSY_CORES / (thousand.workers + thousand.store))


async def check(costs: Costs, stored: int) -> str:
    """Predicted and measured: CPU of workers and store, in cores, and memory, as a table in Markdown."""
    seconds, live = SECONDS[stored >= MANY], live_games(costs)
    with running_service(workers=WORKERS, **BACKEND, **PATIENT) as service:
        games = await originals(service, PLAYED, API_KEY)
        before = kept_bytes(service.store.client)
        shelf = Shelf.filled(service.store.client, games, stored)
        held = kept_bytes(service.store.client) - before
        pairs = [shelf.take(number) for number in random.Random(2).sample(range(stored), live)]
        async with watched(service, pairs, by_stream):
            watches = (service.workers, [service.store.pid])
            start, own, began = [*map(cpu_seconds, watches)], time.process_time(), time.monotonic()
            moves = await played(service, pairs, seconds)
            took = time.monotonic() - began
            busy = [(cpu_seconds(pids) - then) / took for pids, then in zip(watches, start, strict=True)]
            own = (time.process_time() - own) / took
            resident = resident_bytes(service.workers)
    demand = Demand(live, live * took / moves, "stream", kept=0)
    workers, store = (demand.cores(each, without="create") for each in (costs.workers, costs.store))
    bytes_each = statistics.mean(costs.game(original.pair.view["version"]) for original in games)
    rows = [
        ("cores of the workers", workers, busy[0]),
        ("cores of the store", store, busy[1]),
        ("MiB of the store", stored * bytes_each / MIB, held / MIB),
        ("MiB of the workers", (WORKERS * costs.worker + 2 * live * costs.stream) / MIB, resident / MIB),
    ]
    about = f"{stored:,} games stored, {live:,} of them played and followed by {2 * live:,} streams"
    about += f", {moves / took:,.0f} moves a second; the players took {own:.2f} cores."
    lines = [about, "", "| | predicted | measured | off by |", "|---|---|---|---|"]
    lines += [f"| {what} | {told:.3g} | {seen:.3g} | {(told / seen - 1) * 100:+.0f} % |" for what, told, seen in rows]
    return "\n".join(lines)
