"""2,000 hostile requests against a real service; and faults that the judge must not overlook."""

import pytest

from tests.hostile import judge
from tests.hostile.arsenal import KINDS, shots
from tests.hostile.fire import Answer, Outcome, read_answers
from tests.hostile.run import attack, digest_of
from tests.hostile.shots import Shot
from tests.hostile.stage import SECRET, staged

COUNT, SEED = 2000, 1


@pytest.fixture(scope="module")
def stage():
    with staged() as running:
        yield running


@pytest.fixture(scope="module")
def report(stage):
    return attack(stage, SEED, COUNT)


def test_no_hostile_request_fails_hangs_changes_a_game_or_gets_a_secret_into_the_log(report):
    assert not report.faults, str(report)


def test_every_kind_of_hostile_request_is_among_them(report):
    assert len({outcome.shot.kind for outcome in report.outcomes}) == len(KINDS)


def test_they_come_across_every_refusal_of_a_caller(report):
    assert {answer.status for outcome in report.outcomes for answer in outcome.answers} >= {
        *(200, 400, 401, 404, 405, 409, 412, 413, 414, 415, 422, 431),
    }


def test_a_seed_is_the_same_requests_in_every_run_and_another_seed_is_others(stage, report):
    first = digest_of(outcome.shot for outcome in report.outcomes[:300])
    assert digest_of(shots(stage, SEED + 1, 300)) != first
    with staged() as another:
        assert digest_of(shots(another, SEED, 300)) == first


# --- What the judge sees --------------------------------------------------------

ENTRY = (
    '{"at":"x","pid":1,"request":"x","trace":"x","remote":"x","method":"GET","path":"/","status":200,"bytes":1,"ms":1.0}'
    "\n"
)
PROBLEM = {"content-type": "application/problem+json"}
NO_GAME = b'{"type":"x","title":"x","status":404,"detail":"x","code":"no_such_game"}'


def outcome(*answers, left=b"", hung=False):
    return Outcome(Shot("any", b""), answers, left, hung, 0.0)


@pytest.mark.parametrize(
    "what",
    [
        outcome(hung=True),
        outcome(left=b"Traceback"),
        outcome(Answer(500, PROBLEM, NO_GAME)),
        outcome(Answer(404, PROBLEM, NO_GAME), Answer(501, {}, b"")),
        outcome(Answer(404, {"content-type": "text/html"}, b"<html>")),
        outcome(Answer(400, PROBLEM, NO_GAME)),
        outcome(Answer(404, PROBLEM, NO_GAME.replace(b"no_such_game", b"400"))),
        outcome(Answer(404, PROBLEM, NO_GAME.replace(b"}", b',"number":1}'))),
    ],
    ids=["hangs", "no answer", "500", "501", "a page", "another status", "unknown code", "other facts"],
)
def test_the_judge_sees_a_wrong_answer(what):
    assert len(list(judge.of_outcome(what))) == 1


def test_the_judge_has_nothing_against_a_refusal():
    assert not list(judge.of_outcome(outcome(Answer(404, PROBLEM, NO_GAME), Answer(200, {}, b"{}"))))


@pytest.mark.parametrize(
    ("out", "err"),
    [
        ("forged\n", ""),
        ('{"at":"x"}\n', ""),
        (ENTRY.replace("/", f"/{SECRET}"), ""),
        (ENTRY.replace("/", "/7D"), ""),
        ("", "[2026-11-29 12:00:00 +0000] [1] [ERROR] Invalid chunk size: b'7D'\n"),
        ("", "Traceback (most recent call last):\n"),
        ("", f"upcard: {SECRET}\n"),
    ],
)
def test_the_judge_sees_what_must_not_be_in_a_log(out, err):
    assert len(list(judge.of_log(out, err, [SECRET]))) == 1


def test_the_judge_has_nothing_against_a_log_as_it_should_be():
    said = "upcard: http://127.0.0.1:1\n[2026-11-29 12:00:00 +0000] [1] [INFO] Booting worker with pid: 7\n"
    assert not list(judge.of_log(ENTRY * 2, said, [SECRET]))


def test_the_judge_sees_a_game_that_changed_came_or_went():
    before = {"game": b"1", "gone": b"1", "same": b"1"}
    assert len(list(judge.of_games(before, {"game": b"2", "new": b"1", "same": b"1"}))) == 3


def test_answers_are_told_apart_on_one_connection():
    raw = (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 X\r\nA: b\r\n\r\nHTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}rest"
    )
    answers, left = read_answers(raw, bodiless=False)
    assert [(each.status, each.body) for each in answers] == [(304, b""), (200, b"{}")]
    assert left == b"rest"
