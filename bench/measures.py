"""Figures from the operating system, and how they are summed up."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(pids: Iterable[int]) -> float:
    """What some processes have used of the processor so far, in user and system mode."""
    return sum(_nanoseconds(file) for pid in pids for file in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def resident_bytes(pids: Iterable[int]) -> int:
    """How much memory some processes hold."""
    return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE for pid in pids)


def quantile(values: Sequence[float], part: float) -> float:
    """The value that so large a part of some values does not exceed; `part` from 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _nanoseconds(schedstat: Path) -> int:
    """On the processor, of one thread; far finer than the ticks of `stat`."""
    return int(schedstat.read_text().split()[0])
