"""Run the benchmarks, or some of them: python -m bench [--full] [--record] [PART ...]."""

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bench import costs, http_cost, matches, memory, rules, stored, thinking
from bench.figures import RECORDED, Part

PARTS: dict[str, Callable[[bool], Part]] = {
    "http": http_cost.measure,
    "rules": rules.measure,
    "memory": memory.measure,
    "stored": stored.measure,
    "costs": costs.measure,
    "thinking": thinking.measure,
    "matches": matches.measure,
}
LONG = {"costs"}
"""Only measured at full length, or by name: what `bench.capacity` goes by."""
WRITTEN = Path("build/bench")


def main() -> int:
    """Measure, print a table a part and write JSON; 1 if a figure is clearly worse than the one recorded last."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all without one")
    parser.add_argument("--full", action="store_true", help="take the time that good figures need")
    parser.add_argument("--record", action="store_true", help="keep the figures as those to compare with")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    if asked.record and not asked.full:
        parser.error("only what was measured at full length is recorded")
    worse = False
    for name in asked.parts or [name for name in PARTS if asked.full or name not in LONG]:
        part = PARTS[name](asked.full)
        print(part.table(), flush=True)
        before = part.recorded()
        worse = worse or any(figure.worse_than(before.get(figure.name)) for figure in part.figures)
        for folder in (WRITTEN, *([RECORDED] if asked.record else [])):
            part.write(folder, _about(asked.full))
    return int(worse)


def _about(full: bool) -> dict[str, object]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip(),
        "full": full,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


if __name__ == "__main__":
    sys.exit(main())
