"""Watching games under the real server: streams that are cut, a server that stops, readers that are stuck.

`make streams` does the same with more of everything.
"""

import asyncio
import sys

import pytest

from tests.watching.drain import drained
from tests.watching.resume import resumed
from tests.watching.serving import serving
from tests.watching.slow import slowed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_streams_that_are_cut_while_the_store_is_killed_see_every_version_once():
    """40 streams of seats, spectators and the backend; each move is sent with its key until it is acknowledged."""
    with serving() as service:
        seen = asyncio.run(resumed(service, streams=40, games=4, moves=300, kills=1, longest=1.0))
    assert seen.wrong == []
    assert seen.moves == 300
    assert seen.events == 10 * seen.versions, "ten streams a game"
    assert seen.cuts > 40
    assert seen.retries > 0


def test_a_server_that_stops_lets_a_thousand_streams_go_and_finishes_what_it_has():
    with serving(UPCARD_REDIS_TIMEOUT="20") as service:
        ends = asyncio.run(drained(service, streams=1000, waits=50))
        assert service.complaints() == []
    assert (ends.streams, ends.waits) == ({"clean": 1000}, {"304": 50})
    assert (ends.readiness, ends.in_flight, ends.refused) == ((503, "draining"), 200, True)
    assert ends.code == 0
    assert ends.let_go < 10
    assert ends.exited < 20, "the grace that gunicorn gives its workers"


def test_readers_that_are_stuck_cost_nobody_else_anything():
    with serving() as service:
        cost = asyncio.run(slowed(service, stuck=20, versions=8000, moves=30))
        assert service.complaints() == []
    assert cost.nothing, str(cost)
