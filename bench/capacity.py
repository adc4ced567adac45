"""How much of everything so many games take, by what was measured: python -m bench.capacity [--check [GAMES]]."""

import argparse
import asyncio
import math
import sys

from bench.demand import BUSY, Costs, Demand, Need, match_versions
from bench.prediction import check

WATCHES = ("poll", "long poll", "stream")
THINKS = (2.0, 5.0, 15.0)
GIB = 1024**3
WEEK, HOUR = 7 * 86_400, 3_600
"""How long finished games are kept: by default, and where memory matters."""


def parameters(costs: Costs) -> str:
    """What was measured, by the kind of call and otherwise."""
    kinds = [[kind, f"{costs.workers[kind]:,.0f}", f"{costs.store[kind]:,.0f}"] for kind in costs.workers]
    sizes = {
        "a new game in the store, bytes": costs.new_game,
        "each of the first 80 versions more, bytes": costs.version,
        "each further version, bytes": costs.compressed,
        "a receipt, bytes": costs.receipt,
        "versions of a match": match_versions(),
        "a worker process, MiB": costs.worker / 1024**2,
        "a stream in it, KiB": costs.stream / 1024,
    }
    others = [[name, f"{value:,.0f}"] for name, value in sizes.items()]
    return f"{_table(['call', 'workers, µs', 'Redis, µs'], kinds)}\n\n{_table(['size', ''], others)}"


def needs(costs: Costs) -> str:
    """What 10 thousand and 1 million games take."""
    head = ["games", "think", "players", "moves/s", "worker cores", "processes", "their GiB", "Redis cores", "live GiB"]
    head += ["finished, a week", "an hour", "receipts", "Redis needed, a week", "an hour"]
    rows = []
    for games in (10_000, 1_000_000):
        for think in THINKS:
            for watch in WATCHES:
                week, hour = (Need.of(Demand(games, think, watch, kept), costs) for kept in (WEEK, HOUR))
                keyed = Need.of(Demand(games, think, watch, HOUR, keyed=True), costs)
                row = [f"{games:,}", f"{think:g} s", watch, _short(games / think), _short(week.workers / BUSY)]
                row += [f"{week.processes:,}", _short(week.worker_bytes / GIB), _short(week.store / BUSY)]
                row += [_short(size / GIB) for size in (week.live, week.finished, hour.finished, keyed.receipts)]
                rows.append([*row, _needed(week), _needed(hour)])
    return _table(head, rows)


def most(costs: Costs) -> str:
    """How many games one Redis holds until it runs out of each thing, finished games being kept for an hour."""
    rows = []
    for think in THINKS:
        for watch in WATCHES:
            demand = Demand(1_000_000, think, watch, HOUR)
            shards = Need.of(demand, costs).shards
            rows.append([f"{think:g} s", watch, *(f"{demand.games / each:,.0f}" for each in shards.values())])
    return _table(["think", "players", *shards], rows)


def _needed(need: Need) -> str:
    first = max(need.shards, key=lambda what: need.shards[what])
    return f"{math.ceil(need.shards[first]):,} ({first})"


def _table(head: list[str], rows: list[list[str]]) -> str:
    """In Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


PAGES = (parameters, needs, most)


def main() -> int:
    """Print the tables, or hold the model against a run."""
    parser = argparse.ArgumentParser(prog="python -m bench.capacity", description=__doc__)
    parser.add_argument("--check", nargs="?", type=int, const=200_000, metavar="GAMES", help="with so many stored")
    asked = parser.parse_args()
    costs = Costs.read()
    print(asyncio.run(check(costs, asked.check)) if asked.check else "\n\n".join(page(costs) for page in PAGES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
