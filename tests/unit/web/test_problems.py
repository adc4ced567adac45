"""The table of refusals: every one has its status, its code and its facts, and a fault of ours tells nothing."""

import logging

import pytest
from flask import Flask
from werkzeug.exceptions import (
    BadRequest,
    GatewayTimeout,
    MethodNotAllowed,
    NotFound,
    RequestedRangeNotSatisfiable,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

from service.play import errors as play
from service.rulebooks.errors import NotYourTurn, RulesetRefused
from service.rulebooks.gin.errors import DeadwoodOverLimit
from service.web import problems
from service.web.body import InvalidRequest, MalformedJson


class SystemFault(Exception):
    """A fault of somebody else, with a code of its own."""

    code = "private"


def answered(error):
    """What a caller gets when a call fails with this."""
    app = Flask(__name__)
    problems.install(app)

    @app.get("/")
    def fail():
        raise error

    answer = app.test_client().get("/")
    assert answer.content_type == "application/problem+json"
    assert answer.get_json()["status"] == answer.status_code
    return answer


@pytest.mark.parametrize(
    ("error", "status", "code", "facts"),
    [
        (MalformedJson("why"), 400, "malformed_json", {}),
        (play.CredentialRefused(), 401, "credential_refused", {}),
        (play.NoSuchGame(), 404, "no_such_game", {}),
        (play.NoSuchRound(7), 404, "no_such_round", {"number": 7}),
        (play.NoSuchRuleset(), 404, "no_such_ruleset", {}),
        (NotYourTurn(1), 409, "not_your_turn", {"turn": 1}),
        (DeadwoodOverLimit(12, 10), 409, "deadwood_over_limit", {"deadwood": 12, "limit": 10}),
        (play.SeatsOpen(), 409, "seats_open", {}),
        (play.NoOpenSeat(), 409, "no_open_seat", {}),
        (play.SeatNotTaken(1), 409, "seat_not_taken", {"seat": 1}),
        (play.KeyExpired(), 409, "idempotency_key_expired", {}),
        (play.Stale(5), 412, "stale_version", {"version": 5}),
        (
            InvalidRequest([("/a", "bad"), ("/b", "worse")]),
            422,
            "invalid_request",
            {"errors": [{"pointer": "/a", "detail": "bad"}, {"pointer": "/b", "detail": "worse"}]},
        ),
        (RulesetRefused("target", "too low"), 422, "ruleset_refused", {"field": "target", "reason": "too low"}),
        (play.NoHumanSeat("/seats", "none"), 422, "no_human_seat", {"field": "/seats", "reason": "none"}),
        (play.KeyReused(), 422, "idempotency_key_reused", {}),
        (play.RateLimited(7), 429, "rate_limited", {"retry_after": 7}),
        (play.SnapshotCorrupt("private"), 500, "snapshot_corrupt", {}),
        (play.SnapshotUnreadable(9), 503, "snapshot_unreadable", {}),
        (play.StoreUnavailable("private"), 503, "store_unavailable", {}),
        (play.Busy(), 503, "busy", {}),
        (BadRequest(), 400, "malformed_request", {}),
        (NotFound(), 404, "not_found", {}),
        (RequestEntityTooLarge(), 413, "body_too_large", {}),
        (UnsupportedMediaType(), 415, "unsupported_media_type", {}),
        (RequestedRangeNotSatisfiable(), 400, "malformed_request", {}),
        (GatewayTimeout(), 500, "internal_error", {}),
        (ValueError("private"), 500, "internal_error", {}),
        (SystemFault(), 500, "internal_error", {}),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_every_refusal_has_status_code_and_facts(error, status, code, facts):
    answer = answered(error)
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (status, code)
    assert {key: body[key] for key in body.keys() - {"type", "title", "status", "detail", "code"}} == facts
    assert "private" not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers.get("Retry-After") == {503: "1", 429: "7"}.get(status)
    assert answer.headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)


def test_every_status_has_a_title():
    assert {*problems.STATUS.values(), *problems.HTTP_CODES, 500} <= problems.TITLES.keys()


def test_allow_is_kept_and_no_other_header_of_an_exception():
    refused = answered(MethodNotAllowed(valid_methods=["GET", "HEAD"]))
    assert refused.headers["Allow"] == "GET, HEAD"
    assert refused.content_type == "application/problem+json"


def test_facts_never_take_the_place_of_the_standard_members():
    body = problems.problem(409, "code", "detail", {"status": 1, "code": "other", "more": 2}).get_json()
    assert (body["status"], body["code"], body["more"]) == (409, "code", 2)


def test_only_faults_of_ours_are_logged(caplog):
    with caplog.at_level(logging.DEBUG, "upcard.web"):
        answered(play.NoSuchGame())
        assert caplog.records == []
        answered(play.SnapshotCorrupt("where it is torn"))
    (entry,) = caplog.records
    assert entry.levelno == logging.ERROR
    assert "where it is torn" in repr(entry.exc_info[1])
