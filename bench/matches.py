"""Whole matches of two people through HTTP, played by locust (`locustfile.py`), half of them followed by event streams.

How soon a move is seen is measured twice: by the players, who wait by long polls, and by this process, which follows
the streams and has little to do: a generator of load that is busy also measures itself.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from bench.calls import Connection
from bench.figures import Figure, Part
from bench.measures import cpu_seconds, quantile
from bench.running import ROOT, Service, running_service

PYTHON = ROOT / ".tools/venv/bin/python"
PLAYERS = Path(__file__).with_name("locustfile.py")
OPTIONS = ("--headless", "--only-summary", "--skip-log-setup", "--exit-code-on-error", "0")
"""No page of its own, no tables; what went wrong is told."""
KINDS = ("create", "join", "view", "move", "wait", "seen", "event")
"""Calls, of which `wait` are long polls; how soon the other player sees a move, and how soon a stream tells of it."""
QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
SHOWN = [*((kind, name) for kind in ("view", "move") for name in ("p50", "p95", "p99"))]
SHOWN += [(kind, "p99") for kind in ("create", "join", "seen", "event")]
"""In the table; the details have all."""
SPAWN_RATE = 50
"""Players a second who come when a load begins."""
SETTLING_SECONDS = 1.0
"""Until streams have told all that happened."""


@dataclass(frozen=True)
class Load:
    """Matches to be played. matches: at once. target: the points that end one. think: seconds a move, on average."""

    name: str
    matches: int
    seconds: int
    target: int
    think: float


QUICK = (Load("no pause", 3, 7, 25, 0), Load("4 s a move", 75, 9, 1, 4))
FULL = (Load("no pause", 3, 60, 100, 0), Load("4 s a move", 400, 120, 1, 4))


@dataclass
class Told:
    """What the players told, and what event streams brought. waits: milliseconds from an event until it was here.

    resent: calls that had to be sent again. streams: with the ids of their games.
    """

    errors: list[str] = field(default_factory=list)
    resent: list[str] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    streams: dict[asyncio.Task[None], str] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    lost: int = 0

    def note(self, service: Service, line: bytes) -> None:
        """Note a line of the players, and follow half of the matches: ids begin with two random hexadecimal digits."""
        match orjson.loads(line):
            case {"game": game, "token": token}:
                if int(game[:2], 16) < 128:
                    self.streams[asyncio.create_task(self.follow(service, game, token))] = game
            case {"finished": game}:
                self.finished.add(game)
            case {"resent": call}:
                self.resent.append(call)
            case {"error": error}:
                self.errors.append(error)

    async def note_all(self, service: Service, lines: asyncio.StreamReader) -> None:
        """Note all that players tell."""
        async for line in lines:
            self.note(service, line)

    async def follow(self, service: Service, game: str, token: str) -> None:
        """Follow a seat from the beginning to the end of the match."""
        connection = await Connection.open(service)
        last, opened = 0, datetime.now(UTC)
        try:
            async for line in connection.stream(f"/v1/games/{game}/events", token):
                if not line.startswith(b"data: "):
                    continue
                event, now = orjson.loads(line[6:]), datetime.now(UTC)
                self.lost += event["version"] - last - 1
                last, at = event["version"], datetime.fromisoformat(event["at"])
                if at > opened:
                    self.waits.append((now - at).total_seconds() * 1000)
                if event["type"] == "ended":
                    return
            self.errors.append("a stream ended before the match")
        finally:
            connection.close()

    async def hang_up(self) -> None:
        """End the streams; by now those of finished matches have told the end."""
        await asyncio.sleep(SETTLING_SECONDS)
        self.lost += sum(game in self.finished for stream, game in self.streams.items() if not stream.done())
        for stream in self.streams:
            stream.cancel()
        outcomes = await asyncio.gather(*self.streams, return_exceptions=True)
        self.errors += [repr(outcome) for outcome in outcomes if isinstance(outcome, Exception)]


async def play(service: Service, load: Load, told: Told, statistics: Path) -> dict[str, float]:
    """Let locust play until the time is over: how many processor cores each party kept busy.

    statistics: the file that those of locust go to. Raises RuntimeError if it could not play.
    """
    settings = {
        "--locustfile": PLAYERS,
        "--host": f"http://{service.host}:{service.port}",
        "--users": 2 * load.matches,
        "--spawn-rate": SPAWN_RATE,
        "--target": load.target,
        "--think": load.think,
        "--json-file": statistics.with_suffix(""),
    }
    command = [PYTHON, "-P", "-m", "locust", *OPTIONS, *(str(each) for pair in settings.items() for each in pair)]
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert child.stdout is not None
    if not (first := await child.stdout.readline()):
        raise RuntimeError(f"locust ended with {await child.wait()}")
    told.note(service, first)
    reading = asyncio.create_task(told.note_all(service, child.stdout))
    parties = {"workers": service.workers, "store": [service.store.pid], "locust": [child.pid]}
    parties["streams"] = [os.getpid()]
    before = {name: cpu_seconds(pids) for name, pids in parties.items()}
    await asyncio.sleep(load.seconds)
    cores = {name: round((cpu_seconds(parties[name]) - had) / load.seconds, 3) for name, had in before.items()}
    child.terminate()
    await reading
    if code := await child.wait():
        raise RuntimeError(f"locust ended with {code}")
    await told.hang_up()
    return cores


def measured(load: Load) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of one load, and all that was measured.

    Raises RuntimeError if locust could not play, or some kind of call never succeeded.
    """
    told = Told()
    with running_service() as service, tempfile.TemporaryDirectory(prefix="upcard-bench-") as folder:
        statistics = Path(folder) / "statistics.json"
        cores = asyncio.run(play(service, load, told, statistics))
        times = {each["name"]: _times(each["response_times"]) for each in json.loads(statistics.read_bytes())}
    times["event"] = told.waits
    if missing := [kind for kind in KINDS if not times.get(kind)]:
        raise RuntimeError("\n".join([f"not one {' or '.join(missing)}", *told.errors[:10]]))
    took = {kind: _summed_up(times[kind]) for kind in KINDS}
    figures = {
        "moves": (took["move"]["count"] / load.seconds, {"unit": "a second"}),
        "matches finished": (len(told.finished), {}),
        "errors and lost events": (len(told.errors) + told.lost, {"bar": 0, "most": True, "compared": True}),
        "cores busy": (sum(cores.values()), {"most": True}),
        **{f"{kind} {name}": (took[kind][name], {"unit": "ms", "most": True}) for kind, name in SHOWN},
    }
    return [Figure.of(f"{load.name}: {n}", [v], **{"compared": False, **more}) for n, (v, more) in figures.items()], {
        "load": asdict(load),
        "milliseconds": took,
        "cores": cores,
        "streams": len(told.streams),
        "sent again": Counter(told.resent),
        "errors": told.errors[:10],
    }


def measure(full: bool) -> Part:
    """Matches without a pause, and many at the pace of people."""
    if not PYTHON.exists():
        print("locust, which plays the matches, is not installed: run `make tools`.", file=sys.stderr)
        raise SystemExit(2)
    figures, details = list[Figure](), dict[str, Any]()
    for load in FULL if full else QUICK:
        mine, details[load.name] = measured(load)
        figures += mine
    return Part("matches", figures, details)


def _times(counted: dict[str, int]) -> list[float]:
    """Of calls, as locust keeps them: how many took so many milliseconds."""
    return [float(milliseconds) for milliseconds, count in counted.items() for _ in range(count)]


def _summed_up(times: list[float]) -> dict[str, float]:
    return {"count": len(times), **{name: round(quantile(times, part), 2) for name, part in QUANTILES.items()}}
