"""What is noted of a request: ids to find it by, and figures that name nobody."""

import re

from flask import Flask, request

from service.web import observing

TRACE = "0af7651916cd43dd8448eb211c80319c"


def asked(traceparent=None):
    """The answer to a request, and the ids that its server finds in the environment."""
    found = {}
    app = Flask("test")
    observing.install(app)

    @app.get("/")
    def look():
        found.update({name: request.environ[name] for name in (observing.REQUEST_ID, observing.TRACE_ID)})
        return "seen"

    headers = {} if traceparent is None else {"traceparent": traceparent}
    return app.test_client().get("/", headers=headers), found


def test_every_request_has_an_id_of_its_own_which_the_caller_is_told():
    (first, seen), (second, _) = asked(), asked()
    assert first.headers["X-Request-Id"] == seen[observing.REQUEST_ID] != second.headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{16}", seen[observing.REQUEST_ID])


def test_the_trace_of_the_caller_is_taken_over():
    assert asked(f"00-{TRACE}-b7ad6b7169203331-01")[1][observing.TRACE_ID] == TRACE


def test_what_is_no_trace_is_replaced_by_a_new_one():
    for said in (
        None,
        "",
        TRACE,
        f"00-{'0' * 32}-b7ad6b7169203331-01",
        f"00-{TRACE}-b7ad6b7169203331-01\n"[:40],
        "x" * 55,
    ):
        found = asked(said)[1][observing.TRACE_ID]
        assert re.fullmatch("[0-9a-f]{32}", found)
        assert found != TRACE
