"""What is noted of each request: how long its answer took, and the ids by which it is found in logs."""

import os
import re
from time import perf_counter

from flask import Flask, Response, g, request

from service.ops import metrics

TRACE = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
"""`traceparent` as W3C Trace Context writes it, version 00."""
REQUEST_ID = "upcard.request_id"
TRACE_ID = "upcard.trace_id"
NO_OPERATION = "none"
"""The operation of a request to a path or method that there is not."""


def install(app: Flask) -> None:
    """Note every request of an application. Its server finds the ids in the WSGI environment."""

    @app.before_request
    def _begin() -> None:
        g.began = perf_counter()
        request.environ[REQUEST_ID] = os.urandom(8).hex()
        trace = TRACE.fullmatch(request.headers.get("traceparent", ""))
        request.environ[TRACE_ID] = trace[1] if trace and int(trace[1], 16) else os.urandom(16).hex()

    @app.after_request
    def _end(response: Response) -> Response:
        response.headers["X-Request-Id"] = request.environ[REQUEST_ID]
        operation = request.endpoint.rpartition(".")[2] if request.endpoint else NO_OPERATION
        metrics.answered(operation, response.status_code, perf_counter() - g.began)
        return response
