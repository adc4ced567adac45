"""The model of capacity: what a demand takes, by what each kind of call was measured to take.

docs/capacity.md states the formulas.
"""

import json
import math
import statistics
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from bench.figures import RECORDED
from bench.players import match_lengths

WRITTEN = RECORDED.parents[1] / "build" / "bench"
BUSY = 0.6
"""How much of a core may be in use, so that calls need not wait for long."""
POLL_SECONDS, LONGEST_WAIT, HEARTBEAT = 2.0, 30.0, 15.0
RECEIPT_SECONDS = 3_600
WAITERS, POOLS, STORE_CLIENTS = 8_000, 3 * 32 + 1, 10_000
"""What one process lets wait, the most connections that it has to the store, and how many Redis takes."""
WHOLE = 80
"""The entries of a log in its first and last piece of 4 KiB; those between are compressed."""
STORE_BYTES = 16 * 1024**3
"""What one Redis is given for its data."""


def measured(part: str) -> dict[str, Any]:
    """A part as it was recorded last, else as it was measured last."""
    for folder in (RECORDED, WRITTEN):
        if (folder / f"{part}.json").exists():
            doc: dict[str, Any] = json.loads((folder / f"{part}.json").read_text())
            return doc
    raise SystemExit(f"measure first: python -m bench {part}")


@dataclass(frozen=True)
class Costs:
    """What was measured. workers, store: microseconds by the kind of call; the rest in bytes.

    version: of one of the first or last of a log. compressed: of one between them.
    """

    workers: dict[str, float]
    store: dict[str, float]
    new_game: float
    version: float
    compressed: float
    receipt: float
    worker: float
    stream: float

    @classmethod
    @cache
    def read(cls) -> Self:
        """From the parts `costs` and `memory`."""
        costs = {each["name"]: each["value"] for each in measured("costs")["figures"]}
        memory = measured("memory")
        sizes = {each["name"].strip(): each["value"] for each in memory["figures"]}
        new, ten = sizes["of a new game"], sizes["after ten rounds"]
        middle = next(value for name, value in sizes.items() if name.startswith("Redis bytes a game in the middle"))
        version = (middle - new) / (memory["details"]["moves_to_the_middle"] + 1)
        between = memory["details"]["versions_of_ten_rounds"] - WHOLE
        worker = next(value for name, value in sizes.items() if name.startswith("worker RSS after") and "games" in name)

        def by(whose: str) -> dict[str, float]:
            return {name.partition(":")[0]: value for name, value in costs.items() if name.endswith(f": {whose}")}

        return cls(
            workers=by("workers"),
            store=by("store"),
            new_game=new,
            version=version,
            compressed=(ten - new - (WHOLE - 1) * version) / between,
            receipt=memory["details"]["receipt"],
            worker=worker * 1024**2,
            stream=costs["KiB of a worker a stream"] * 1024,
        )

    def game(self, versions: float) -> float:
        """Bytes of the store for a game of so many versions."""
        return self.new_game + (min(versions, WHOLE) - 1) * self.version + max(0, versions - WHOLE) * self.compressed


@dataclass(frozen=True)
class Demand:
    """Games that are played at once, around the clock.

    think: seconds between two moves of a game. watch: how players see each other. kept: seconds that a finished game
    is kept. keyed: whether each move has an idempotency key.
    """

    games: int
    think: float
    watch: str
    kept: float
    keyed: bool = False

    @property
    def moves(self) -> float:
        """How many moves are made a second."""
        return self.games / self.think

    def rates(self) -> dict[str, float]:
        """How often a second each kind of call is made."""
        moves = self.moves
        rates = {"move with a key" if self.keyed else "move": moves, "create": moves / match_versions()}
        match self.watch:
            case "poll":
                polls = self.games / POLL_SECONDS
                changed = min(moves, polls)
                return rates | {"view": changed, "not modified": polls - changed}
            case "long poll":
                return rates | {"long poll": moves, "not modified": self.games / LONGEST_WAIT}
        return rates | {"event": 2 * moves, "view": moves / 2, "heartbeat": 2 * self.games / HEARTBEAT}

    def cores(self, microseconds: dict[str, float], without: str = "") -> float:
        """How many cores are wholly busy with it, by what each kind of call takes; one kind can be left out."""
        return sum(rate * microseconds[kind] for kind, rate in self.rates().items() if kind != without) / 1e6

    @property
    def waiting(self) -> int:
        """How many wait for news at once."""
        return {"poll": 0, "long poll": self.games, "stream": 2 * self.games}[self.watch]


@cache
def match_versions() -> float:
    """How many versions a match has."""
    return statistics.mean(match_lengths(200))


@dataclass(frozen=True)
class Need:
    """What a demand takes. CPU in cores that are wholly busy, memory in bytes."""

    workers: float
    store: float
    live: float
    finished: float
    receipts: float
    worker_bytes: float
    processes: int

    @classmethod
    def of(cls, demand: Demand, costs: Costs) -> Self:
        """The formulas of docs/capacity.md."""
        workers, store = demand.cores(costs.workers), demand.cores(costs.store)
        moves, versions = demand.moves, match_versions()
        processes = max(math.ceil(workers / BUSY), math.ceil(demand.waiting / WAITERS), 1)
        return cls(
            workers=workers,
            store=store,
            live=demand.games * costs.game(versions / 2),
            finished=moves / versions * demand.kept * costs.game(versions),
            receipts=moves * RECEIPT_SECONDS * costs.receipt if demand.keyed else 0.0,
            worker_bytes=processes * costs.worker + demand.waiting * costs.stream,
            processes=processes,
        )

    @property
    def shards(self) -> dict[str, float]:
        """How many Redis each thing asks for, by what it would run out of."""
        return {
            "CPU": self.store / BUSY,
            "memory": (self.live + self.finished + self.receipts) / STORE_BYTES,
            "connections": self.processes * POOLS / STORE_CLIENTS,
        }
