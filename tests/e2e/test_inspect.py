"""`upcard inspect` finds a game where it is kept, whether it is being served or not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the service under test walks /proc")
ROOT = Path(__file__).parents[2]
TEMPORARY = {"TMPDIR": "/tmp"}
"""Where the socket of a store lies; both must be told the same."""


def test_a_game_in_play_can_be_inspected_while_it_is_served_and_afterwards(serve, tmp_path):
    data = tmp_path / "data"
    run = serve(data, environ=TEMPORARY)
    with httpx.Client(base_url=run.url(), timeout=10) as http:
        made = http.post("/v1/games", json={"game": "gin", "seats": [{"name": "Ann"}, {"bot": "easy"}]}).json()
        game, token = made["game"]["id"], made["tokens"][0]["token"]
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "the deal"}
        dealt = http.post(f"/v1/games/{game}/moves", json={"type": "deal"}, headers=headers).json()
    served = inspected(game, data)
    assert f"game      {game}: gin, playing\n" in served
    assert f"version   {dealt['version']}\n" in served
    assert run.ends(signal.SIGTERM) == 0
    assert without_times_left(inspected(game, data)) == without_times_left(served)


def without_times_left(printed):
    return [line for line in printed.splitlines() if "expires in" not in line]


def inspected(game, data):
    command = [sys.executable, "-m", "service.cli", "inspect", game, "--data", str(data)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("UPCARD_", "REDIS_"))}
    ran = subprocess.run(
        command, cwd=ROOT, env=clean | TEMPORARY, capture_output=True, text=True, timeout=30, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout
