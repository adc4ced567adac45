"""Figures of the benchmarks: what is worse than what was recorded is red, and the run says so."""

import pytest

from bench import __main__ as bench
from bench import figures
from bench.figures import RED, Figure, Part


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Where figures are recorded."""
    monkeypatch.setattr(figures, "RECORDED", tmp_path)
    return tmp_path


def part(value, **more):
    return Part("speed", [Figure.of("ours / theirs", [value], **more)], {})


def red(shown):
    return [line for line in shown.table().splitlines() if RED in line]


@pytest.mark.parametrize(("value", "worse"), [(0.89, True), (0.91, False), (1.2, False)])
def test_a_ratio_more_than_a_tenth_under_the_recorded_one_is_red(recorded, value, worse):
    part(1.0).write(recorded, {})
    assert bool(red(part(value))) is worse


@pytest.mark.parametrize(("value", "worse"), [(1.11, True), (1.09, False), (0.5, False)])
def test_where_less_is_better_more_than_a_tenth_over_it_is_red(recorded, value, worse):
    part(1.0, most=True).write(recorded, {})
    assert bool(red(part(value, most=True))) is worse


def test_what_depends_on_the_machine_or_was_never_recorded_is_not_red(recorded):
    assert not red(part(0.1))
    part(1.0).write(recorded, {})
    assert not red(part(0.1, compared=False))


def test_a_figure_is_the_median_of_its_rounds_with_their_spread():
    """0.7, 0.9, 0.8: the one in the middle is 0.8."""
    figure = Figure.of("ours / theirs", [0.7, 0.9, 0.8], bar=0.75, aim=0.85)
    assert (figure.value, figure.low, figure.high, figure.rounds) == (0.8, 0.7, 0.9, 3)
    assert (figure.reaches(figure.bar), figure.reaches(figure.aim), figure.reaches(None)) == (True, False, True)
    assert "0.8" in Part("speed", [figure], {}).table()


def test_a_figure_that_misses_its_bar_is_marked():
    assert "0.5 !" in part(0.5, bar=0.6).table()
    assert "3 !" not in part(3, bar=3, most=True).table()


@pytest.mark.parametrize(("value", "code"), [(0.5, 1), (1.0, 0)])
def test_the_run_ends_with_an_error_if_anything_is_worse(recorded, monkeypatch, capsys, value, code):
    part(1.0).write(recorded, {})
    monkeypatch.setattr(bench, "PARTS", {"speed": lambda _full: part(value)})
    monkeypatch.setattr(bench, "WRITTEN", recorded / "written")
    monkeypatch.setattr("sys.argv", ["bench", "speed"])
    assert bench.main() == code
    assert "ours / theirs" in capsys.readouterr().out
    assert (recorded / "written" / "speed.json").exists()


@pytest.mark.parametrize("asked", [["nonsense"], ["--record", "http"]])
def test_what_cannot_be_meant_is_refused(monkeypatch, asked):
    monkeypatch.setattr("sys.argv", ["bench", *asked])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == 2
