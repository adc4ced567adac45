"""Whole matches of two people through HTTP, played by k6, with event streams that follow some of them.

The players wait for their turn by long polls, look at their own view at first and after each move, and play to the end
(`matches.js`). k6 knows no event streams: this process follows both seats of the matches that k6 names.
"""

import asyncio
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.measures import cpu_seconds, quantile
from bench.running import ROOT, Service, running_service

SCRIPT = Path(__file__).with_suffix(".js")
TOOLS = ROOT / ".tools/venv/bin"
OPTIONS = ("--no-usage-report", "--address=", "--quiet", "--log-format=json", "--console-output=/dev/stderr")
"""Nothing is sent to anybody but the service, and no port is opened."""
KINDS = ("create", "view", "move", "wait", "seen")
"""What k6 measures: calls, of which `wait` are long polls, and how soon the other player sees a move."""
STATISTICS = {"p50": ("med", 0.5), "p95": ("p(95)", 0.95), "p99": ("p(99)", 0.99), "max": ("max", 1.0)}
"""What each is called by k6, and the part of the values that it is the quantile of."""
SHOWN = [*((kind, name) for kind in ("view", "move") for name in ("p50", "p95", "p99"))]
SHOWN += [(kind, "p99") for kind in ("create", "seen", "event")]
"""In the table; the details have all."""


@dataclass(frozen=True)
class Load:
    """Matches to be played. matches: at once. target: the points that end one. think: seconds for a move, on average.

    followed: the share of matches whose seats are followed by event streams too.
    """

    name: str
    matches: int
    seconds: int
    target: int
    think: float
    followed: float


QUICK = (Load("no pause", 8, 9, 25, 0, 0.5), Load("4 s a move", 150, 11, 1, 4, 0.5))
FULL = (Load("no pause", 8, 60, 100, 0, 0.5), Load("4 s a move", 500, 240, 1, 4, 0.5))


@dataclass
class Followed:
    """What event streams brought. waits: milliseconds from the time of an event until it was here."""

    streams: int = 0
    waits: list[float] = field(default_factory=list)
    lost: int = 0

    async def follow(self, service: Service, game: str, token: str) -> None:
        """Follow a seat from the beginning to the end of the match."""
        connection = await Connection.open(service)
        self.streams += 1
        last = 0
        try:
            async for line in connection.stream(f"/v1/games/{game}/events", token):
                if not line.startswith(b"data: "):
                    continue
                event, now = orjson.loads(line[6:]), datetime.now(UTC)
                self.lost += event["version"] - last - 1
                last = event["version"]
                self.waits.append((now - datetime.fromisoformat(event["at"])).total_seconds() * 1000)
                if event["type"] == "ended":
                    return
            self.lost += 1
        finally:
            connection.close()


def find_k6() -> str:
    """The path of k6. Ends the program with 2 if there is none."""
    found = shutil.which("k6", path=f"{TOOLS}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        print("k6, which plays the matches, is not installed: `make tools` does it.", file=sys.stderr)
        raise SystemExit(2)
    return found


async def play(service: Service, k6: str, load: Load, followed: Followed, summary: Path) -> list[str]:
    """Let k6 play, and follow the matches that it names: what there was of errors.

    Raises RuntimeError if it could not play.
    """
    settings = {
        "URL": f"http://{service.host}:{service.port}",
        "MATCHES": load.matches,
        "SECONDS": load.seconds,
        "TARGET": load.target,
        "THINK": load.think,
        "FOLLOWED": load.followed,
        "SUMMARY": summary,
    }
    command = [k6, "run", *OPTIONS, *(f"--env={name}={value}" for name, value in settings.items()), str(SCRIPT)]
    child = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert child.stderr is not None
    streams, errors = list[asyncio.Task[None]](), list[str]()
    async for line in child.stderr:
        logged = orjson.loads(line)
        if logged["level"] == "info":
            match = orjson.loads(logged["msg"])
            for held in match["tokens"]:
                streams.append(asyncio.create_task(followed.follow(service, match["id"], held["token"])))
        elif logged["level"] == "error":
            errors.append(logged["msg"])
    if code := await child.wait():
        raise RuntimeError("\n".join([f"k6 ended with {code}", *errors[:10]]))
    return errors + await hung_up(streams)


async def hung_up(streams: Sequence[asyncio.Task[None]]) -> list[str]:
    """End the streams of matches that did not come to their end: what others failed with."""
    await asyncio.sleep(1)
    for stream in streams:
        stream.cancel()
    outcomes = await asyncio.gather(*streams, return_exceptions=True)
    return [repr(outcome) for outcome in outcomes if isinstance(outcome, Exception)]


def measured(load: Load, k6: str) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of one load, and all that was measured.

    Raises RuntimeError if k6 could not play, or some kind of call never succeeded.
    """
    followed = Followed()
    with running_service() as service, tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder:
        summary = Path(folder) / "summary.json"
        parties = {"workers": service.workers, "store": [service.store_pid], "following": [os.getpid()]}
        before, children, began = {name: cpu_seconds(parties[name]) for name in parties}, _children(), time.monotonic()
        errors = asyncio.run(play(service, k6, load, followed, summary))
        took = time.monotonic() - began
        cores = {name: round((cpu_seconds(parties[name]) - before[name]) / took, 3) for name in parties}
        cores["k6"] = round((_children() - children) / took, 3)
        metrics = {name: each["values"] for name, each in orjson.loads(summary.read_bytes()).items()}
    if not metrics.keys() >= set(KINDS):
        raise RuntimeError("\n".join(["some calls never succeeded", *errors[:10]]))
    calls = {kind: _from_k6(metrics[kind]) for kind in KINDS}
    calls["event"] = _from_here(followed.waits)
    told = {
        "moves": (calls["move"]["count"] / load.seconds, {"unit": "a second"}),
        "matches finished": (metrics.get("finished", {"count": 0})["count"], {}),
        "errors and lost events": (len(errors) + followed.lost, {"bar": 0, "most": True, "compared": True}),
        "cores busy": (sum(cores.values()), {"most": True}),
        **{f"{kind} {name}": (calls[kind][name], {"unit": "ms", "most": True}) for kind, name in SHOWN},
    }
    figures = [Figure.of(f"{load.name}: {n}", [v], **{"compared": False, **more}) for n, (v, more) in told.items()]
    return figures, {
        "load": asdict(load),
        "milliseconds": calls,
        "cores": cores,
        "streams": followed.streams,
        "errors": errors[:10],
    }


def measure(full: bool) -> Part:
    """Matches without a pause, and many at the pace of people."""
    k6, figures, details = find_k6(), list[Figure](), dict[str, Any]()
    for load in FULL if full else QUICK:
        mine, details[load.name] = measured(load, k6)
        figures += mine
    return Part("matches", figures, details)


def _children() -> float:
    """CPU seconds of processes that were waited for: k6 is the only one while the service runs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _from_k6(values: dict[str, float]) -> dict[str, float]:
    return {"count": values["count"], **{name: round(values[theirs], 2) for name, (theirs, _) in STATISTICS.items()}}


def _from_here(values: list[float]) -> dict[str, float]:
    return {"count": len(values), **{n: round(quantile(values, part), 2) for n, (_, part) in STATISTICS.items()}}
