"""The faults, each put right again, and a schedule of them."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tests.chaos.insist import PATIENCE, Traffic
from tests.chaos.rig import Rig
from tests.chaos.server import POINTS
from tests.chaos.wire import BLACK_HOLE, CUT, DEAF, WHOLE
from tests.e2e.conftest import eventually

MET = 3
"""By so many tries a fault of the store must have been met before it is put right."""
MOVES_A_FAULT = 120


@dataclass
class Director:
    """Who brings the faults about, from the main thread. frozen: when the store froze and thawed, in seconds."""

    rig: Rig
    traffic: Traffic
    rng: Random
    frozen: list[tuple[float, float]] = field(default_factory=list)

    def until(self, ask: Callable[[], object]) -> None:
        """Wait until the answer is true, or until a player has given up."""
        eventually(lambda: self.traffic.over or ask(), seconds=PATIENCE)

    def kill_worker(self) -> None:
        self.until(self.rig.gunicorn.workers)
        os.kill(self.rng.choice(self.rig.gunicorn.workers()), signal.SIGKILL)

    def strike(self, point: str) -> None:
        """Kill the next worker that comes to a point."""
        sign = self.rig.points / point
        sign.touch()
        self.until(lambda: not sign.exists())

    def reload(self) -> None:
        """Renew all workers while they serve."""
        before = set(self.rig.gunicorn.workers())
        self.rig.gunicorn.process.send_signal(signal.SIGHUP)
        self.until(lambda: not before & set(self.rig.gunicorn.workers()))

    def kill_store(self) -> None:
        """Kill the store, and start it again on the same data once it was missed."""
        os.kill(self.rig.valkey.pid, signal.SIGKILL)
        self.traffic.until_refused(MET)
        self.until(lambda: not self.rig.valkey.alive())
        self.rig.valkey.start()

    def freeze_store(self) -> None:
        began = time.monotonic()
        os.kill(self.rig.valkey.pid, signal.SIGSTOP)
        try:
            self.traffic.until_refused(MET * 4)
            time.sleep(self.rng.uniform(0, 1))
        finally:
            os.kill(self.rig.valkey.pid, signal.SIGCONT)
            self.frozen.append((began, time.monotonic()))

    def fill_store(self) -> None:
        """Leave the store no room for any write."""
        self.rig.store.config_set("maxmemory", "1")
        try:
            self.traffic.until_refused(MET)
        finally:
            self.rig.store.config_set("maxmemory", "0")

    def spoil_wire(self, how: str) -> None:
        """Let the network fail until it was felt."""
        self.rig.wire.state = how
        try:
            self.traffic.until_refused(MET)
        finally:
            self.rig.wire.state = WHOLE


ANY_MOMENT = "worker killed at any moment"
AT_POINTS = {f"worker killed {point}": partial(Director.strike, point=point) for point in POINTS}
FAULTS: dict[str, Callable[[Director], None]] = {
    ANY_MOMENT: Director.kill_worker,
    **AT_POINTS,
    "workers renewed (HUP)": Director.reload,
    "store killed": Director.kill_store,
    "store frozen": Director.freeze_store,
    "store full": Director.fill_store,
    "connections cut": partial(Director.spoil_wire, how=CUT),
    "packets swallowed": partial(Director.spoil_wire, how=BLACK_HOLE),
    "answers lost after the commit": partial(Director.spoil_wire, how=DEAF),
}


def schedule(rng: Random, moves: int) -> list[str]:
    """Faults for so many moves, in any order: each kind as often as the others, at least once."""
    most = max(1, round(moves / MOVES_A_FAULT / len(FAULTS)))
    listed = [*FAULTS] * most
    rng.shuffle(listed)
    return listed
