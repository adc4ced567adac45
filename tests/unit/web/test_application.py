"""Flask without what the service does not use."""

from urllib.parse import quote

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


ANNS, BENS = "0" * 23 + "a", "0" * 23 + "b"


def test_paths_that_differ_in_their_id_alone_are_matched_once_together(app):
    client = app.test_client()
    assert [client.get(f"/games/{each}").text for each in (ANNS, BENS, ANNS)] == [ANNS, BENS, ANNS]
    assert (app.matched.cache_info().misses, app.matched.cache_info().hits) == (1, 2)


@pytest.mark.parametrize("text", [f"{ANNS}0", f"x{ANNS}", ANNS.upper(), "{id}", f"{{id}}{ANNS}", f"{ANNS}\n"])
def test_what_only_looks_like_an_id_is_left_as_it_is(app, text):
    client = app.test_client()
    client.get(f"/games/{ANNS}")
    assert client.get(f"/games/{quote(text)}").text == text


def test_an_id_is_found_in_the_midst_of_a_path(app):
    app.add_url_rule("/games/<game>/rounds/<other>", "both", lambda game, other: Response(f"{game} {other}"))
    client = app.test_client()
    assert client.get(f"/games/{ANNS}/rounds/{BENS}").text == f"{ANNS} {BENS}"
    assert client.get(f"/games/{BENS}/rounds/{ANNS}").text == f"{BENS} {ANNS}"


@pytest.mark.parametrize(("number", "status"), [("7", 200), ("0" * 24, 200), ("9" * 24, 404), (ANNS, 404)])
def test_a_number_that_looks_like_an_id_is_still_a_number(app, number, status):
    app.add_url_rule("/seats/<int(max=99):seat>/token", "token", lambda seat: Response(str(seat)))
    client = app.test_client()
    assert [client.get(f"/seats/{number}/token").status_code for _ in range(2)] == [status] * 2


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


def test_a_fault_is_answered_by_its_handler_and_passes_the_functions_after_a_request(app):
    @app.get("/broken")
    def broken():
        raise LookupError("nothing there")

    @app.errorhandler(LookupError)
    def refused(fault):
        return Response(str(fault), status=410)

    @app.after_request
    def marked(response):
        response.headers["X-Marked"] = "yes"
        return response

    answer = app.test_client().get("/broken")
    assert (answer.status_code, answer.text, answer.headers["X-Marked"]) == (410, "nothing there", "yes")


def test_a_fault_without_a_handler_is_an_internal_error(app):
    app.add_url_rule("/broken", "broken", lambda: 1 // 0)
    assert app.test_client().get("/broken").status_code == 500
