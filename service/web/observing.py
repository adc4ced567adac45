"""What is noted of each request: how long its answer took, and the ids by which it is found in logs."""

import os
import re
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flask import Flask

from service.ops import metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

TRACE = re.compile(r"00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
"""`traceparent` as W3C Trace Context writes it, version 00; an id of nothing but zeros is none."""
REQUEST_ID = "upcard.request_id"
TRACE_ID = "upcard.trace_id"
NO_OPERATION = "none"
"""The operation of a request to a path or method that there is not, or for the pages of a library."""
LIBRARY = "swagger_ui."


def install(app: Flask) -> None:
    """Note every request of an application. Its server finds the ids in the WSGI environment."""
    answer = app.wsgi_app

    def observed(environ: "WSGIEnvironment", start_response: "StartResponse") -> Any:
        began = perf_counter()
        chance = os.urandom(24).hex()
        request_id = environ[REQUEST_ID] = chance[:16]
        environ[TRACE_ID] = _told_trace(environ.get("HTTP_TRACEPARENT")) or chance[16:]

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.append(("X-Request-Id", request_id))
            metrics.answered(_operation(environ), int(status[:3]), perf_counter() - began)
            return start_response(status, headers, *error)

        return answer(environ, start)

    app.wsgi_app = observed  # type: ignore[method-assign]


def _told_trace(told: str | None) -> str | None:
    """The id of the trace that a caller names, if it does."""
    trace = TRACE.fullmatch(told) if told else None
    return trace[1] if trace else None


def _operation(environ: "WSGIEnvironment") -> str:
    """Which function answers, as Werkzeug's request knows, that lies in the environment."""
    endpoint: str | None = environ["werkzeug.request"].endpoint
    return endpoint.rpartition(".")[2] if endpoint and not endpoint.startswith(LIBRARY) else NO_OPERATION
