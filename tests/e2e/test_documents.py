"""What the documents tell a reader to type works as it is printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


@pytest.fixture
def url(serve, tmp_path):
    return serve(tmp_path / "data").url()


def transcript():
    """The commands of the README's first game, and what it says that they print."""
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    printed = [line for line in lines if not line.startswith("$ ")]
    return commands, printed


def test_the_first_game_of_the_readme_works_as_printed(url):
    commands, printed = transcript()
    script = "\n".join(commands).replace("http://127.0.0.1:8000", url)
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.stdout.splitlines() == printed, ran.stderr


def test_the_example_plays_a_match_whose_scoreboard_adds_up(url):
    """The components of each seat add up to its total, and the winner's round points reach the target of 100."""
    command = [sys.executable, str(ROOT / "examples/play_match.py"), "--url", url]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    board = dict(re.findall(r"^(\w+) +(-?\d+ +-?\d+)$", ran.stdout, re.MULTILINE))
    columns = {part: tuple(map(int, points.split())) for part, points in board.items()}
    totals = columns.pop("total")
    assert totals == tuple(map(sum, zip(*columns.values(), strict=True)))
    winner = {"Example": 0, "computer": 1}[re.search(r"^(\w+) wins the match$", ran.stdout, re.MULTILINE)[1]]
    rounds = [columns[part][winner] for part in ("deadwood", "bonus") if part in columns]
    assert sum(rounds) >= 100


def test_the_example_says_what_to_do_when_nobody_answers():
    command = [sys.executable, str(ROOT / "examples/play_match.py"), "--url", "http://127.0.0.1:9"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 1
    assert "make serve" in ran.stderr
