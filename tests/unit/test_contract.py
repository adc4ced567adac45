"""The check of answers and requests catches what the document does not allow."""

import json
from typing import Any

import httpx
import pytest

from tests.contract import PROBLEM, check_answer, check_request_fits, check_value, resolved
from tests.unit.test_openapi import SCHEMAS, example

GAME = "/v1/games/7f3b9c2e51d84a60c7e2190d"

VIEW_HEADERS = {"ETag": '"0-8-x"', "Vary": "Authorization", "Cache-Control": "private, no-cache"}


def answered(
    status: int,
    body: Any,
    method: str = "GET",
    path: str = GAME,
    *,
    headers: dict[str, str] | None = None,
    request: httpx.Request | None = None,
) -> httpx.Response:
    kind = PROBLEM if status >= 400 else "application/json"
    return httpx.Response(
        status,
        content=b"" if body is None else json.dumps(body).encode(),
        headers={"Content-Type": kind, **(VIEW_HEADERS if headers is None else headers)},
        request=request or httpx.Request(method, f"http://upcard.test{path}"),
    )


def test_right_answers_pass():
    check_answer(answered(200, example("ViewOnTurn")))
    check_answer(answered(200, example("RummyViewOnTurn")))
    check_answer(answered(304, None))
    check_answer(answered(404, example("no_such_game")))
    check_answer(answered(404, example("not_found"), path="/v2"))
    check_answer(answered(404, example("not_found"), path=f"{GAME}/rounds/first"))
    check_answer(answered(405, example("method_not_allowed"), "PUT", headers={"Allow": "GET, HEAD"}))
    check_answer(answered(200, None, "HEAD"))


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("turn",), {"seat": 0, "phase": "discard"}, "/turn: 'deadline' is a required property"),
        (("version",), "8", "/version: '8' is not of type 'integer'"),
        (("version",), True, "/version: True is not of type 'integer'"),
        (("round", "hands", 1, "hidden"), 4, "/round/hands/1: Additional properties are not allowed ('hidden'"),
        (("ruleset", "limit"), 4, "/ruleset: Additional properties are not allowed ('limit'"),
        (("round", "hands", 1, "cards"), ["7D"], "/round/hands/1: 'melds' is a dependency of 'cards'"),
        (("round", "discard_top"), "1D", "/round/discard_top: '1D' does not match"),
        (("round", "knock_limit"), 11, "/round/knock_limit: 11 is greater than the maximum of 10"),
        (("legal_moves", 0, "move", "type"), "resign", "fits 0 of 7 alternatives"),
        (("legal_moves", 0, "move", "source"), "stock", "/legal_moves/0/move: Additional properties"),
        (("created_at",), "yesterday", "/created_at: 'yesterday' does not match"),
        (("metadata",), [], "/metadata: [] fits 0 of 2 alternatives"),
    ],
)
def test_a_wrong_view_is_caught(place, value, complaint):
    with pytest.raises(AssertionError) as caught:
        check_answer(answered(200, changed(example("ViewOnTurn"), place, value)))
    assert complaint in str(caught.value)


def changed(doc: Any, place: tuple[str | int, ...], value: Any) -> Any:
    """A document with the value at a place replaced."""
    inner = doc
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return doc


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("game",), "canasta", "fits 0 of 2 alternatives"),
        (("game",), "gin", "/ruleset: Additional properties are not allowed"),
        (("turn", "phase"), "discard", "/turn/phase: 'discard' is not one of"),
        (("round", "spread"), None, "/round: Additional properties are not allowed ('spread'"),
        (("round", "table", 0, "cards"), ["5D", "6D"], "/round/table/0/cards: ['5D', '6D'] is too short"),
        (("round", "hands", 0, "melds"), [], "/round/hands/0: Additional properties are not allowed ('melds'"),
        (("round", "hands", 1, "deadwood"), 4, "/round/hands/1: 'cards' is a dependency of 'deadwood'"),
        (("legal_moves", 0, "move", "type"), "knock", "fits 0 of 5 alternatives"),
        (("legal_moves", 0, "deadwood"), 4, "/legal_moves/0: Additional properties are not allowed ('deadwood'"),
    ],
)
def test_a_wrong_view_of_rummy_is_caught(place, value, complaint):
    with pytest.raises(AssertionError) as caught:
        check_answer(answered(200, changed(example("RummyViewOnTurn"), place, value)))
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("name", "place", "value", "complaint"),
    [
        ("Result", ("scores",), [0, 0], "Additional properties are not allowed ('scores'"),
        ("RummyResult", ("points",), 4, "Additional properties are not allowed ('points'"),
        ("RummyResult", ("kind",), "gin", "/kind: 'gin' is not one of"),
        ("RummyResult", ("spreads", 0, "melds"), [["5D", "6D", "7D"]], "/spreads/0/melds: [['5D', '6D', '7D']]"),
    ],
)
def test_a_result_is_held_to_the_game_whose_members_it_has(name, place, value, complaint):
    with pytest.raises(AssertionError) as caught:
        check_value("the result", resolved(SCHEMAS["Result"]), changed(example(name), place, value))
    assert complaint in str(caught.value)


@pytest.mark.parametrize("name", ["Result", "RummyResult"])
def test_a_member_missing_from_a_result_is_caught(name):
    for member in example(name):
        value = example(name)
        del value[member]
        with pytest.raises(AssertionError, match=f"'{member}' is a required property"):
            check_value("the result", resolved(SCHEMAS["Result"]), value)


@pytest.mark.parametrize("name", ["ViewFinished", "RummyViewFinished", "DryRun", "DryRunOfDeal"])
def test_a_move_is_answered_with_a_view_or_a_dry_run(name):
    headers = VIEW_HEADERS if "View" in name else {key: VIEW_HEADERS[key] for key in ("Vary", "Cache-Control")}
    check_answer(answered(200, example(name), "POST", f"{GAME}/moves", headers=headers))
    for member in example(name):
        wrong = example(name)
        del wrong[member]
        with pytest.raises(AssertionError):
            check_answer(answered(200, wrong, "POST", f"{GAME}/moves", headers=headers))


def test_a_missing_member_is_caught():
    view = example("ViewOnTurn")
    del view["clock"]
    with pytest.raises(AssertionError, match="'clock' is a required property"):
        check_answer(answered(200, view))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (answered(202, example("ViewOnTurn")), "202: the status is not documented"),
        (answered(200, example("ViewOnTurn"), headers={}), "header ETag is missing"),
        (answered(200, example("ViewOnTurn"), headers=VIEW_HEADERS | {"Vary": "Accept"}), "header Vary does not fit"),
        (answered(200, "", headers=VIEW_HEADERS | {"Content-Type": "text/html"}), "the type must be application/json"),
        (answered(304, {}), "must have no body"),
        (answered(200, {}, path="/v2"), "200: the status is not documented"),
        (answered(404, example("not_found")), "the code not_found is not documented here"),
        (answered(404, example("no_such_game") | {"status": 410}), "the body says 410"),
        (answered(404, example("no_such_game") | {"hint": "x"}), "Additional properties"),
        (answered(404, example("no_such_game") | {"version": 3}), "the facts of no_such_game are []"),
        (answered(404, example("no_such_game") | {"type": "urn:upcard:problem:busy"}), "the type of no_such_game is"),
        (answered(503, example("store_unavailable")), "header Retry-After is missing"),
        (answered(405, example("method_not_allowed"), "PUT"), "header Allow is missing"),
    ],
)
def test_a_wrong_answer_is_caught(wrong, complaint):
    with pytest.raises(AssertionError) as caught:
        check_answer(wrong)
    assert complaint in str(caught.value)


def carried_out(path: str, body: Any, status: int = 200, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return answered(status, {}, request=httpx.Request("POST", f"http://upcard.test{path}", json=body, headers=sent))


TOKEN = "Bearer us_x"


def test_requests_that_fit_pass():
    check_request_fits(carried_out(f"{GAME}/moves", {"type": "discard", "card": "td"}, Authorization=TOKEN))
    check_request_fits(carried_out("/v1/join?preview=true", {"invite": "x"}))
    check_request_fits(carried_out(f"{GAME}/moves", {"type": "fold"}, status=422))
    check_request_fits(answered(200, {}, "POST", f"{GAME}/moves", request=resigning()))


def resigning() -> httpx.Request:
    return httpx.Request("POST", f"http://upcard.test{GAME}/resign", headers={"Authorization": TOKEN})


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (carried_out(f"{GAME}/moves", {"type": "pass"}), "a credential is required"),
        (carried_out(f"{GAME}/moves", {"type": "pass", "card": "7D"}, Authorization=TOKEN), "Additional properties"),
        (carried_out(f"{GAME}/moves", {"type": "fold"}, Authorization=TOKEN), "fits 0 of 9 alternatives"),
        (carried_out("/v1/games", {"game": "gin", "seats": None}), "None is not of type 'array'"),
        (carried_out("/v1/games", {"game": "gin", "ruleset": {"target": 0}}), "/ruleset/target: 0 is less than"),
        (carried_out("/v1/games", {"game": "gin", "ruleset": {"ace": "low"}}), "/ruleset: Additional properties"),
        (carried_out("/v1/games", {"game": "gin", "first_dealer": 2}), "/first_dealer: 2 is greater than"),
        (carried_out("/v1/games", {"game": "rummy", "first_dealer": 6}), "/first_dealer: 6 is greater than"),
        (carried_out("/v1/games", {"game": "rummy", "seats": [{}] * 7}), "/seats: [{}, {}"),
        (carried_out("/v1/games", {"game": "rummy", "ruleset": "eaai"}), "/ruleset: 'eaai' is not one of"),
        (carried_out("/v1/games", {"game": "canasta"}), "fits 0 of 2 alternatives"),
        (carried_out(f"{GAME}/moves", {"type": "meld"}, Authorization=TOKEN), "'cards' is a required property"),
        (carried_out("/v1/games", {"game": "gin"}, Idempotency_Key=""), "Idempotency-Key does not fit"),
        (carried_out("/v1/join?preview=maybe", {"invite": "x"}), "parameter preview does not fit"),
        (carried_out("/v2", {}), "there is no such operation"),
    ],
)
def test_a_request_that_should_have_been_refused_is_caught(wrong, complaint):
    with pytest.raises(AssertionError) as caught:
        check_request_fits(wrong)
    assert complaint in str(caught.value)
