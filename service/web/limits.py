"""How often callers may call: in this process for what is frequent, in the store for what is costly.

Moves and reads, and failed credentials, are counted in this process, which costs no trip. Creating, joining and
analysis are counted in the store for all processes together; where the store does not answer in time they are let pass.
"""

import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Request, request
from flask_limiter import Limiter

from service.web.auth import backend_of, bearer
from service.web.buckets import Buckets
from service.web.edge import Edge

COUNTED_IN_STORE = {
    "games.create_game": "creates",
    "games.join_game": "joins",
    "analysis.analyse_hand": "analyses",
    "analysis.analyse_round": "analyses",
    "analysis.analyse_match": "analyses",
}
NEVER_COUNTED = frozenset({"about.get_health", "about.get_readiness", "about.get_openapi"})
BURST_SECONDS = 5
FAILURES_A_MINUTE = 30


def install(app: Flask, edge: Edge) -> None:
    """Limit how often an application may be called."""
    frequent = Buckets(edge.calls, edge.calls * BURST_SECONDS, time.monotonic)
    failures = Buckets(FAILURES_A_MINUTE / 60, FAILURES_A_MINUTE, time.monotonic)
    limiter = Limiter(
        key_func=lambda: payer_of(request),
        app=app,
        storage_uri=_limits_url(edge.store_url),
        storage_options={"socket_timeout": edge.timeout, "socket_connect_timeout": edge.timeout},  # type: ignore[dict-item]
        swallow_errors=True,
        key_prefix="upcard",
    )
    for endpoint, kind in COUNTED_IN_STORE.items():
        most = getattr(edge, kind)
        if most:
            shared: Callable[[Any], Any] = limiter.shared_limit(f"{most}/minute", scope=kind)
            app.view_functions[endpoint] = shared(app.view_functions[endpoint])

    @app.before_request
    def _count() -> None:
        if request.endpoint not in COUNTED_IN_STORE and request.endpoint not in NEVER_COUNTED:
            frequent.take(caller_of(request))

    app.extensions["failures"] = failures


def payer_of(request: Request) -> str:
    """Whom a costly call is counted for: the backend, else the address."""
    backend = backend_of(request)
    return address_of(request) if backend is None else f"tenant {backend.tenant}"


def caller_of(request: Request) -> str:
    """Whom a frequent call is counted for: the credential as it was sent, else the address."""
    return bearer(request) or address_of(request)


def address_of(request: Request) -> str:
    """The address that a call came from."""
    return request.remote_addr or ""


def count_failure(request: Request, failures: Buckets) -> None:
    """Count a credential that failed, by address. Raises RateLimited after too many."""
    failures.take(address_of(request))


def _limits_url(url: str) -> str:
    return f"redis+{url}" if url.startswith("unix://") else url
