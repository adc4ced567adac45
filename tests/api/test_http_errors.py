"""Whatever goes wrong on the way is answered as a problem document, and tells nothing of what is behind it."""

import logging

import pytest

from service.bootstrap import create_app
from tests.conftest import client_for, new_game, served, settings_for

PROBLEM = "application/problem+json"
METHODS = {
    "/v1/games": {"POST"},
    "/v1/join": {"POST"},
    "/v1/games/{game}": {"GET", "HEAD", "DELETE"},
    "/v1/games/{game}/moves": {"POST"},
    "/v1/games/{game}/resign": {"POST"},
    "/v1/games/{game}/seats/0/token": {"POST"},
    "/v1/games/{game}/rounds": {"GET", "HEAD"},
    "/v1/games/{game}/rounds/1": {"GET", "HEAD"},
    "/v1/games/{game}/score": {"GET", "HEAD"},
    "/v1/games/{game}/record": {"GET", "HEAD"},
    "/v1/rulesets": {"GET", "HEAD"},
    "/v1/rulesets/gin/standard": {"GET", "HEAD"},
    "/healthz": {"GET", "HEAD"},
    "/readyz": {"GET", "HEAD"},
    "/openapi.yaml": {"GET", "HEAD"},
}


def assert_problem(answer, status, code):
    assert answer.status_code == status
    assert answer.headers["content-type"] == PROBLEM
    assert answer.headers["cache-control"] == "no-store"
    body = answer.json()
    assert (body["status"], body["code"], body["type"]) == (status, code, f"urn:upcard:problem:{code}")
    assert body["title"]
    assert body["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1",
        "/v1/nothing",
        "/v2/games",
        "/v1/games/x/y",
        "/v1/games/x/rounds/one",
        "/v1/games/x/rounds/-1",
        "/v1/games/x/rounds/10000000000",
        "/v1/games/x/seats/one/token",
        "/%00",
    ],
)
def test_an_unknown_path_is_a_problem(http, path):
    assert_problem(http.get(path), 404, "not_found")


@pytest.mark.parametrize(("path", "allowed"), METHODS.items())
def test_a_method_that_a_path_does_not_have_is_a_problem_with_allow(http, path, allowed):
    path = path.format(game=new_game(http)[0].game)
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - allowed:
        refused = http.request(method, path)
        assert_problem(refused, 405, "method_not_allowed")
        assert set(refused.headers["allow"].split(", ")) == allowed


def test_a_slash_at_the_end_makes_another_path_which_nothing_is_at(http):
    ann, _ = new_game(http)
    for path in (f"/v1/games/{ann.game}/", "/v1/rulesets/"):
        assert http.get(path, headers=ann.headers).status_code == 404


def test_a_head_request_is_answered_as_a_get_without_its_body(http):
    ann, _ = new_game(http)
    answer = http.head(f"/v1/games/{ann.game}", headers=ann.headers)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["etag"]


def test_a_fault_of_ours_tells_the_caller_nothing_and_the_log_all(store, monkeypatch, caplog):
    def broken(*arguments):
        raise LookupError("the private parts of the service")

    monkeypatch.setattr("service.play.look.game_view", broken)
    app = create_app(settings_for(store.url))
    with served(app) as address, client_for(address) as client, caplog.at_level(logging.ERROR, "upcard.web"):
        ann, _ = new_game(client)
        failed = client.get(f"/v1/games/{ann.game}", headers=ann.headers)
    assert_problem(failed, 500, "internal_error")
    assert "private parts" not in failed.text
    assert "LookupError" not in failed.text
    assert "Traceback" not in failed.text
    (entry,) = [record for record in caplog.records if record.name == "upcard.web"]
    assert entry.exc_info[0] is LookupError
    assert ann.token not in caplog.text


def test_a_fault_while_a_game_changes_changes_nothing(store, monkeypatch):
    def broken(*arguments):
        raise ZeroDivisionError

    app = create_app(settings_for(store.url))
    with served(app) as address, client_for(address) as client:
        ann, _ = new_game(client)
        before = ann.view()
        with monkeypatch.context() as patched:
            patched.setattr("service.play.moves.game_view", broken)
            assert_problem(ann.post({"type": "deal"}), 500, "internal_error")
        assert ann.view() == before
        assert ann.play({"type": "deal"})["version"] == 2
