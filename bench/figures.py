"""Measured figures: how they are summed up, shown and compared with those that were recorded last."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "recorded"
"""The figures of the last full run, one file a part; `--record` writes them."""
SLACK = 0.10
"""A figure may be so much worse than the recorded one before it is shown in red."""
RED, PLAIN = "\033[31m", "\033[0m"


@dataclass(frozen=True)
class Figure:
    """A figure with its spread over the rounds.

    unit: empty for a ratio. bar, aim: what it must hold and what it should; None if it is only told. most: whether
    less is better, so that bar and aim are upper bounds. compared: whether a run that is worse than the recorded one
    is at fault; absolute figures depend on the machine.
    """

    name: str
    value: float
    low: float
    high: float
    rounds: int = 1
    unit: str = ""
    bar: float | None = None
    aim: float | None = None
    most: bool = False
    compared: bool = True

    @classmethod
    def of(cls, name: str, values: Sequence[float], **more: Any) -> "Figure":
        """The median of some rounds, the least and the greatest."""
        median, low, high = (round(each, 4) for each in (statistics.median(values), min(values), max(values)))
        return cls(name, median, low, high, len(values), **more)

    def reaches(self, level: float | None) -> bool:
        """Whether the figure is as good as a level; always if there is none."""
        return level is None or (self.value <= level if self.most else self.value >= level)

    def worse_than(self, recorded: float | None) -> bool:
        """Whether the figure is clearly worse than the one recorded last."""
        if recorded is None or not self.compared:
            return False
        return self.value > recorded * (1 + SLACK) if self.most else self.value < recorded * (1 - SLACK)


@dataclass(frozen=True)
class Part:
    """What one part of the benchmarks measured. details: whatever else is worth keeping, for plots and pages."""

    name: str
    figures: list[Figure]
    details: dict[str, Any]

    def write(self, folder: Path, about: dict[str, Any]) -> None:
        """Write the part as JSON. about: when and where it was measured."""
        folder.mkdir(parents=True, exist_ok=True)
        doc = {**about, "part": self.name, "figures": list(map(asdict, self.figures)), "details": self.details}
        (folder / f"{self.name}.json").write_text(json.dumps(doc, indent=1) + "\n")

    def recorded(self) -> dict[str, float]:
        """The values recorded last, by the figure's name."""
        file = RECORDED / f"{self.name}.json"
        if not file.exists():
            return {}
        return {figure["name"]: figure["value"] for figure in json.loads(file.read_text())["figures"]}

    def table(self) -> str:
        """The figures for people to read; in red what is clearly worse than it was."""
        before = self.recorded()
        rows = [("", "median", "spread", "rounds", "bar", "aim", "recorded")]
        rows += [_row(figure, before.get(figure.name)) for figure in self.figures]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        for index, figure in enumerate(self.figures, start=1):
            if figure.worse_than(before.get(figure.name)):
                lines[index] = f"{RED}{lines[index]}{PLAIN}"
        return "\n".join((f"== {self.name}", *lines))


def _row(figure: Figure, recorded: float | None) -> tuple[str, ...]:
    bound = "<= " if figure.most else ">= "
    return (
        f"{figure.name}{f' ({figure.unit})' if figure.unit else ''}",
        f"{_number(figure.value)}{'' if figure.reaches(figure.bar) else ' !'}",
        "" if figure.rounds == 1 else f"{_number(figure.low)} .. {_number(figure.high)}",
        str(figure.rounds),
        "" if figure.bar is None else bound + _number(figure.bar),
        "" if figure.aim is None else bound + _number(figure.aim),
        "" if recorded is None else _number(recorded),
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
