"""What a request depends on: entity tags, and the idempotency key under which its answer is kept."""

import hashlib
from base64 import urlsafe_b64encode

from flask import Request, Response
from werkzeug.http import parse_etags

from service.play.callers import Backend, Caller, Viewer
from service.play.errors import RequestRefused
from service.play.table import Answer, Conditions, Keyed

KEY_HEADER = "Idempotency-Key"
LONGEST_KEY = 255
NAME_BYTES = 16
SHORTEST_BARE_KEY = 32
"""Without a credential the key is what tells callers apart, so it must not be guessable."""


def conditions_of(request: Request, caller: Viewer) -> Conditions:
    """The conditions of a change. Raises RequestRefused for a key that cannot be used."""
    return Conditions(keyed=_keyed(request, caller), if_match=_tags(request.headers.get("If-Match")))


def known_tags(request: Request) -> frozenset[str]:
    """The entity tags that the caller has already; empty without any."""
    return _tags(request.headers.get("If-None-Match")) or frozenset()


def _tags(header: str | None) -> frozenset[str] | None:
    """Entity tags as we write them; weak ones too, since compressing proxies weaken ours."""
    if header is None:
        return None
    tags = parse_etags(header)
    if tags.star_tag:
        return frozenset("*")
    return frozenset(f'"{tag}"' for tag in tags.as_set(include_weak=True))


def _keyed(request: Request, caller: Viewer) -> Keyed | None:
    key = request.headers.get(KEY_HEADER)
    if key is None:
        return None
    if not (key.isascii() and key.isprintable() and 1 <= len(key) <= LONGEST_KEY):
        raise RequestRefused(KEY_HEADER, f"the key must have 1 to {LONGEST_KEY} printable ASCII characters")
    if caller is None and len(key) < SHORTEST_BARE_KEY:
        raise RequestRefused(KEY_HEADER, f"without a credential the key needs at least {SHORTEST_BARE_KEY} characters")
    match caller:
        case Caller(seat):
            who = f"seat {seat}"
        case Backend(tenant):
            who = f"tenant {tenant}"
        case None:
            who = ""
    name = hashlib.sha256(f"{who}\n{request.method}\n{request.path}\n{key}".encode()).digest()[:NAME_BYTES]
    return Keyed(urlsafe_b64encode(name).rstrip(b"=").decode(), key, hashlib.sha256(request.get_data()).hexdigest())


def rendered(answer: Answer) -> Response:
    """An answer as it is sent: private to its caller, to be asked for again by its entity tag."""
    response = Response(answer.body, answer.status, content_type="application/json")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    if answer.etag:
        response.headers["ETag"] = answer.etag
    if answer.location:
        response.headers["Location"] = answer.location
    if answer.replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response
