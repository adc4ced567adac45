"""What the service and its store hold, and whether that grows with the games that come and go."""

import time
from pathlib import Path
from typing import Any

from redis import Redis

from bench.calls import Connection
from bench.figures import Figure
from bench.players import Pair, shared
from bench.running import Service

KIB, MIB = 1024, 1024 * 1024


def kept_bytes(store: Redis) -> int:
    """The store's memory with its tables of keys and times, which `MEMORY USAGE` leaves out, but without connections.

    Their buffers grow and shrink by more than a hundred games: all but ours are closed first, and the service opens
    new ones.
    """
    store.client_kill_filter(_type="normal", skipme=True)
    while store.info("memory")["lazyfree_pending_objects"]:
        time.sleep(0.01)
    found = store.info("memory")
    return int(found["used_memory"] - found["mem_clients_normal"])


def own_bytes(pids: list[int]) -> tuple[int, int]:
    """Of some processes together: what is resident (RSS), and what of it no other process shares (USS)."""
    resident = private = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, kib = line.split()[:2]
            resident += (name == "Rss:") * int(kib) * KIB
            private += name.startswith("Private_") * int(kib) * KIB
    return resident, private


async def growth(service: Service, count: int, api_key: str) -> tuple[list[Figure], dict[str, Any]]:
    """What workers and store hold before and after many games that were made, dealt, played and erased."""

    async def live_and_die(connection: Connection, _: int) -> None:
        pair = await Pair.seated(connection, api_key)
        await pair.play_round(connection, 1)
        status, answer = await connection.call("DELETE", f"/v1/games/{pair.id}?erase=true", api_key)
        assert status == 204, (status, answer)

    workers = service.workers
    await shared(service, range(16 * len(workers)), live_and_die)
    seen = [(*own_bytes(workers), kept_bytes(service.store.client))]
    for _ in range(2):
        await shared(service, range(count // 2), live_and_die)
        seen.append((*own_bytes(workers), kept_bytes(service.store.client)))
    began, half, end = seen
    each = len(workers)
    figures = [
        Figure.of("worker RSS after the start", [began[0] / each / MIB], unit="MiB", most=True, compared=False),
        Figure.of(f"worker RSS after {count:,} games", [end[0] / each / MIB], unit="MiB", most=True, compared=False),
        Figure.of(f"worker USS after {count:,} games", [end[1] / each / MIB], unit="MiB", most=True, compared=False),
        *(
            Figure.of(f"growth of {what} of {count:,} games", [grown / KIB], unit="KiB", most=True, compared=False)
            for what, grown in (
                ("a worker's USS over the first half", (half[1] - began[1]) / each),
                ("a worker's USS over the second half", (end[1] - half[1]) / each),
                ("the store over all", end[2] - began[2]),
            )
        ),
    ]
    return figures, {"erased": count, "rss_uss_store": seen}
