"""Drawings of the figures that were recorded last: python -m bench.plots writes docs/performance/*.svg.

All of them are in greys and colours of a middle brightness without a background, for light and dark pages. The same
figures give the same bytes.
"""

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.figures import RECORDED

FOLDER = RECORDED.parents[1] / "docs/performance"
GREY, OURS, OTHER = "#7d7d7d", "#3d85c6", "#9a9a9a"
STYLE = {
    "svg.hashsalt": "upcard",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), GREY),
}
WIDTH, ROW_HEIGHT, MARGIN = 7.5, 0.3, 0.9
"""In inches."""
GAP = 0.6
"""Between groups of rows, in rows."""
MARKS: dict[str, Any] = {
    "bar": {"color": "#d55e00", "linewidth": 2, "label": "at most (bar)"},
    "aim": {"color": "#e69f00", "linewidth": 2, "linestyle": (0, (1, 0.6)), "label": "wanted (aim)"},
}
POINTS = {"p50": "o", "p95": "D", "p99": "s"}
"""Quantiles, and how each is shown."""
Doc: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Bar:
    """A bar of a drawing. told: what is said beside it. bar, aim: how far it may and should go, if that is said."""

    label: str
    value: float
    told: str
    colour: str = OURS
    bar: float | None = None
    aim: float | None = None


def cost(http: Doc) -> Figure:
    """CPU of workers and store for a request, in microseconds, beside the limits."""
    groups = []
    for name, detail in http["details"].items():
        mine, theirs = name.split(" / ")
        groups.append(pair(figure_of(http, name), (mine, theirs), detail["microseconds"]))
    return bars(groups, "microseconds")


def memory(memory: Doc) -> Figure:
    """What a game takes in the store, in KiB."""
    labels = {
        "of a new game": "new",
        "Redis bytes a game in the middle of round 1, log included": "in the middle of round 1",
        "after ten rounds": "after ten rounds",
        "in the middle, each move with a key": "in the middle, each move with a key",
    }
    sizes = {each["name"].strip(): each for each in memory["figures"]}
    shown = []
    for name, label in labels.items():
        value, bar, aim = (each and each / 1024 for each in map(sizes[name].get, ("value", "bar", "aim")))
        shown.append(Bar(label, value, f"{value:.1f}", OURS, bar, aim))
    return bars([shown], "KiB")


def stored(stored: Doc) -> Figure:
    """CPU of workers and store for a view and a move, in microseconds, with many games stored and with few."""
    groups = []
    for name, detail in stored["details"].items():
        sides, _, live = name.partition(", ")
        many, few = (f"{side}, {live.removesuffix(' in both')}" if live else side for side in sides.split(" / "))
        few_took, many_took = detail["microseconds"]
        groups.append(pair(figure_of(stored, f"{name}, by CPU"), (many, few), (many_took, few_took)))
    return bars(groups, "microseconds")


def waits(thinking: Doc, matches: Doc) -> Figure:
    """How long callers wait, in milliseconds."""
    beside = {"alone": "nothing", "people": "moves of people", "computers": "computers that think"}
    rows = {f"view, beside {what}": thinking["details"][side]["view ms"] for side, what in beside.items()}
    kinds = {"view": "view", "move": "move", "seen": "seen by the other", "event": "told by a stream"}
    for load, detail in matches["details"].items():
        rows |= {f"{label}, {load}": detail["milliseconds"][kind] for kind, label in kinds.items()}
    drawing, axes = blank(len(rows))
    for place, took in enumerate(rows.values()):
        axes.plot([took["p50"], took["p99"]], [place, place], color=OTHER, linewidth=1, zorder=1)
        for name, marker in POINTS.items():
            axes.scatter(took[name], place, marker=marker, color=OURS, s=22, label=name)
    axes.set_xscale("log")
    axes.set_xlim(left=10 ** math.floor(math.log10(min(took["p50"] for took in rows.values()))))
    axes.xaxis.set_major_formatter("{x:g}")
    finish(axes, list(enumerate(rows)), "milliseconds")
    return drawing


DRAWINGS: dict[Callable[..., Figure], tuple[str, ...]] = {
    cost: ("http",),
    memory: ("memory",),
    stored: ("stored",),
    waits: ("thinking", "matches"),
}
"""What is drawn, of which parts; the file has the function's name, and its title is what the function is said to be."""


def figure_of(part: Doc, name: str) -> Doc:
    """A figure by its name."""
    return next(each for each in part["figures"] if each["name"] == name)


def pair(ratio: Doc, labels: tuple[str, str], values: tuple[float, float]) -> list[Bar]:
    """What is measured above what it is held against. ratio: of the latter to the former."""
    (mine, theirs), (took, least) = labels, values
    bar, aim = (level and least / level for level in (ratio["bar"], ratio["aim"]))
    told = f"{took:,.0f}, ratio {ratio['value']:.2f} ({ratio['low']:.2f} .. {ratio['high']:.2f})"
    return [Bar(mine, took, told, OURS, bar, aim), Bar(theirs, least, f"{least:,.0f}", OTHER)]


def bars(groups: list[list[Bar]], unit: str) -> Figure:
    """Bars, with a gap between groups."""
    places, next_place = list[tuple[float, Bar]](), 0.0
    for group in groups:
        places += [(next_place + place, each) for place, each in enumerate(group)]
        next_place += len(group) + GAP
    drawing, axes = blank(next_place)
    for place, each in places:
        axes.barh(place, each.value, height=0.7, color=each.colour)
        levels = {"bar": each.bar, "aim": each.aim}
        end = max(each.value, *(level or 0 for level in levels.values()))
        axes.annotate(each.told, (end, place), xytext=(4, 0), textcoords="offset points", va="center")
        for name, level in levels.items():
            if level is not None:
                axes.plot([level, level], [place - 0.45, place + 0.45], **MARKS[name])
    finish(axes, [(place, each.label) for place, each in places], unit)
    return drawing


def blank(rows: float) -> tuple[Figure, Axes]:
    """A drawing with room for so many rows."""
    drawing = Figure(figsize=(WIDTH, rows * ROW_HEIGHT + MARGIN), layout="constrained")
    return drawing, drawing.subplots()


def finish(axes: Axes, rows: list[tuple[float, str]], unit: str) -> None:
    """Label rows, which go downward, and the axis; explain the marks."""
    axes.set_yticks([place for place, _ in rows], [label for _, label in rows])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(rows[-1][0] + 0.6, rows[0][0] - 0.6)
    axes.set_xlabel(unit)
    marks, labels = axes.get_legend_handles_labels()
    shown = dict(zip(labels, marks, strict=True))
    axes.figure.legend(shown.values(), shown.keys(), loc="outside lower right", frameon=False, ncols=len(POINTS))


def recorded(part: str) -> Doc:
    """A part as it was recorded last."""
    file = RECORDED / f"{part}.json"
    if not file.exists():
        raise SystemExit(f"record first: python -m bench --full --record {part}")
    doc: Doc = json.loads(file.read_text())
    return doc


def main() -> int:
    """Draw everything anew."""
    with mpl.rc_context(STYLE):
        for draw, parts in DRAWINGS.items():
            drawing = draw(*map(recorded, parts))
            about = {"Title": draw.__doc__, "Date": None, "Creator": None}
            FOLDER.mkdir(exist_ok=True)
            drawing.savefig(FOLDER / f"{draw.__name__}.svg", transparent=True, metadata=about)
    return 0


if __name__ == "__main__":
    sys.exit(main())
