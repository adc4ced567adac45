"""A run: players play, a director hurts the service, and at the end every promise is looked up."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from tests.chaos.faults import FAULTS, Director, schedule
from tests.chaos.insist import LONGEST_ANSWER, PATIENCE, Client, Traffic
from tests.chaos.players import Ledger, play_on, seeded
from tests.chaos.rig import client, rigged
from tests.chaos.verdict import Verdict, judge

WORKERS = 3
PLAYERS = 12
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What a run came to. frozen: when the store froze and thawed. seconds: how long they played."""

    traffic: Traffic
    verdict: Verdict
    faults: Counter[str]
    frozen: list[tuple[float, float]]
    seconds: float


def run(moves: int, seed: int, tell: Tell) -> Outcome:
    """Play so many moves and more, with faults all the while, and judge what is left."""
    traffic, chance = Traffic(), Random(seed)
    planned, met = schedule(chance, moves), Counter[str]()
    began = time.monotonic()
    with rigged(WORKERS) as rig:
        director = Director(rig, traffic, chance)
        with playing(rig.gunicorn.url, traffic, seed, PLAYERS) as games:
            for number, fault in enumerate(planned, 1):
                if traffic.over:
                    break
                tell(f"{traffic.moves:>6,} moves, fault {number} of {len(planned)}: {fault}")
                FAULTS[fault](director)
                met[fault] += 1
                traffic.until_moved(number * moves // len(planned), seconds=PATIENCE + moves)
        took = time.monotonic() - began
        ledgers = [ledger for each in games for ledger in each.result()]
        verdict = judge(ledgers, rig.store)
    return Outcome(traffic, verdict, met, director.frozen, took)


@contextmanager
def playing(
    url: str,
    traffic: Traffic,
    seed: int,
    players: int,
    *,
    timeout: float = LONGEST_ANSWER,
    most_tries: int | None = None,
) -> Iterator[list[Future[list[Ledger]]]]:
    """So many players at once, each at one table after the other, for the length of a block."""

    def sit_down(number: int) -> list[Ledger]:
        with client(url, timeout) as http:
            return play_on(Client(number, http, traffic, seeded(seed, number), most_tries))

    with ThreadPoolExecutor(players) as hall:
        games = [hall.submit(sit_down, number) for number in range(players)]
        for game in games:
            game.add_done_callback(lambda done: traffic.stop())
        try:
            yield games
        finally:
            traffic.stop()
            for game in games:
                game.result()  # why a player gave up tells more than what it led to
