"""Flask without what the service does not use."""

import pytest
from flask import Response, request

from service.web.application import LONGEST, Application


@pytest.fixture
def app():
    app = Application("test")

    @app.get("/games/<game>")
    def look(game):
        request.view_args["game"] = "changed"
        return Response(game)

    return app


def test_a_path_is_matched_once_and_its_values_are_each_requests_own(app):
    client = app.test_client()
    assert [client.get("/games/x").text for _ in range(3)] == ["x"] * 3
    assert (app.matched.cache_info().misses, app.matched.cache_info().hits) == (1, 2)


def test_a_long_path_is_found_and_not_remembered(app):
    long = "x" * LONGEST
    assert app.test_client().get(f"/games/{long}").text == long
    assert app.matched.cache_info().currsize == 0


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/other", 404), ("POST", "/games/x", 405)])
def test_what_is_not_there_is_refused_however_often_it_is_asked_for(app, method, path, status):
    client = app.test_client()
    assert [client.open(path, method=method).status_code for _ in range(2)] == [status] * 2
    assert app.matched.cache_info().currsize == 0


def test_no_cookie_is_set(app):
    answer = app.test_client().get("/games/x", headers={"Cookie": "session=forged"})
    assert "Set-Cookie" not in answer.headers
