"""How often callers may call: in this process for what is frequent, in the store for what is costly.

Moves and reads, and failed credentials, are counted in this process, which costs no trip. Creating, joining and
analysis are counted in the store for all processes together; where the store does not answer in time they are let pass.
"""

from collections.abc import Callable
from ipaddress import ip_network
from time import monotonic
from typing import Any

from flask import Flask, Request
from flask_limiter import Limiter, RateLimitExceeded

from service.ops.addresses import read_address
from service.play.callers import Backend
from service.play.errors import RateLimited
from service.play.table import Holder
from service.web.auth import backend_of, genuine_credential, signer
from service.web.buckets import Buckets
from service.web.current import current_request, wired
from service.web.edge import Edge

COUNTED_IN_STORE = {
    "games.create_game": "creates",
    "games.join_game": "joins",
    "analysis.analyse_hand": "analyses",
    "analysis.analyse_round": "analyses",
    "analysis.analyse_match": "analyses",
}
NEVER_COUNTED = frozenset({"about.get_health", "about.get_readiness", "about.get_metrics", "about.get_openapi"})
BURST_SECONDS = 5
MINUTE = 60
UNREADABLE = "unreadable"
"""What stands for an address that cannot be read: an empty one would not be counted in the store."""
HOME_NETWORK = 64
"""The bits of an IPv6 address that tell one home from another."""


def install(app: Flask, edge: Edge) -> None:
    """Limit how often an application may be called."""
    frequent = Buckets(edge.calls, edge.calls * BURST_SECONDS, monotonic)
    app.extensions["edge"] = edge
    app.extensions["failures"] = Buckets(edge.failures / MINUTE, edge.failures, monotonic)
    # Its hooks are left to an application that is never called: they would look at every request, and the functions
    # that are limited look for themselves.
    limiter = Limiter(
        key_func=lambda: payer_of(current_request()),
        app=Flask("service.web.limits"),
        storage_uri="redis://",
        storage_options={"connection_pool": edge.pool},
        swallow_errors=True,
        key_prefix="upcard",
    )
    app.extensions["costly"] = limiter  # what it decorates refers to it weakly
    for endpoint, kind in COUNTED_IN_STORE.items():
        most = getattr(edge, kind)
        if most:
            shared: Callable[[Any], Any] = limiter.shared_limit(f"{most}/minute", scope=kind)
            app.view_functions[endpoint] = shared(app.view_functions[endpoint])

    @app.before_request
    def _count() -> None:
        request = current_request()
        if request.endpoint not in COUNTED_IN_STORE and request.endpoint not in NEVER_COUNTED:
            frequent.take(caller_of(request))


def payer_of(request: Request) -> str:
    """Whom a costly call is counted for: the backend, else the address."""
    backend = backend_of(request)
    return address_of(request) if backend is None else f"tenant {backend.tenant}"


def caller_of(request: Request) -> str:
    """Whom a frequent call is counted for: a genuine credential, else the address: invented ones do not help."""
    return genuine_credential(request) or address_of(request)


def holder_of(request: Request, backend: Backend | None) -> Holder | None:
    """Whom a new game is counted for while it is open: the backend, else the address; nobody without a limit."""
    edge = wired("edge", Edge)
    if backend is not None:
        holder = Holder(f"tenant:{backend.tenant}", edge.tenant_games)
    else:
        holder = Holder(f"address:{signer().pseudonym(address_of(request))}", edge.address_games)
    return holder if holder.most else None


def address_of(request: Request) -> str:
    """The address that a call came from, or of IPv6 its network: a home has 2^64 of them.

    All whose address cannot be read are counted as one caller.
    """
    address = read_address(request.remote_addr or "")
    if address is None:
        return UNREADABLE
    return str(address if address.version == 4 else ip_network((address, HOME_NETWORK), strict=False))


def count_failure(request: Request) -> None:
    """Count a credential that failed, by address; a missing one is no attempt. Raises RateLimited after too many."""
    if request.authorization is not None:
        wired("failures", Buckets).take(address_of(request))


def limited_in_store(error: RateLimitExceeded) -> RateLimited:
    """The refusal of a call that was counted in the store. It may be repeated after the window that it fell into."""
    return RateLimited(retry_after=error.limit.limit.get_expiry())
