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


def example(*options):
    command = [sys.executable, str(ROOT / "examples/play_match.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def columns(printed):
    """The scoreboard of a match: points by component and, apart from them, the totals, which must be their sums."""
    board = dict(re.findall(r"^(\w+) +(-?\d+(?: +-?\d+)+)$", printed, re.MULTILINE))
    parts = {part: tuple(map(int, points.split())) for part, points in board.items()}
    totals = parts.pop("total")
    assert totals == tuple(map(sum, zip(*parts.values(), strict=True)))
    return parts, totals


def test_the_example_plays_a_match_whose_scoreboard_adds_up(url):
    """The components of each seat add up to its total, and the winner's round points reach the target of 100."""
    ran = example("--url", url)
    assert ran.returncode == 0, ran.stderr
    parts, _ = columns(ran.stdout)
    winner = {"Example": 0, "computer": 1}[re.search(r"^(\w+) wins the match$", ran.stdout, re.MULTILINE)[1]]
    rounds = [parts[part][winner] for part in ("deadwood", "bonus") if part in parts]
    assert sum(rounds) >= 100


def test_the_example_prints_its_rounds_and_its_scoreboard_in_the_form_that_the_readme_shows(url):
    """A round in 35 columns; below it the names and, component by component, the points in columns of ten."""
    shown = re.search(r"```text\n(round +1.*?)```", README, re.DOTALL)
    assert shown is not None
    round = r"round [ \d]\d  [a-z_ ]{9} [a-zA-Z ]{9} [ \d]{4}"
    form = rf"{round}| {{15}}Example  computer|[a-z_ ]{{12}}[- \d]{{20}}|\w+ wins the match"
    for printed in (shown[1], example("--url", url).stdout):
        assert [line for line in printed.splitlines() if line and not re.fullmatch(form, line)] == []
        assert len(printed.splitlines()) > 5


@pytest.mark.parametrize("computers", [1, 5])
def test_the_example_plays_rummy_against_as_many_computers_as_it_is_told(url, computers):
    """Each seat has a column that adds up; somebody has 100 at least, and the least total wins."""
    ran = example("--url", url, "--game", "rummy", "--computers", str(computers))
    assert ran.returncode == 0, ran.stderr
    parts, totals = columns(ran.stdout)
    assert list(parts) == ["cards_left"]
    assert len(totals) == computers + 1
    assert max(totals) >= 100
    names = ["Example", "computer"] if computers == 1 else ["Example", *(f"computer{seat}" for seat in range(1, 6))]
    winners = [name for name, total in zip(names, totals, strict=True) if total == min(totals)]
    told = re.search(r"^(.+) wins? the match$", ran.stdout, re.MULTILINE)
    assert told[1].split(", ") == winners
    scored = [tuple(map(int, line[31:].split())) for line in re.findall(r"^round .*$", ran.stdout, re.MULTILINE)]
    assert totals == tuple(map(sum, zip(*scored, strict=True)))


def test_the_example_tells_why_the_service_refused_it(url):
    ran = example("--url", url, "--computers", "2")
    assert ran.returncode == 1
    assert "gin is played with 2 seats" in ran.stderr


def test_the_example_says_what_to_do_when_nobody_answers():
    ran = example("--url", "http://127.0.0.1:9")
    assert ran.returncode == 1
    assert "make serve" in ran.stderr
