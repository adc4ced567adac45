"""What a request depends on: entity tags, and the idempotency key under which its answer is kept."""

import hashlib
import re
from base64 import urlsafe_b64encode
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Request, Response
from werkzeug.datastructures import Headers
from werkzeug.http import parse_etags

from service.play.callers import Backend, Caller, Viewer
from service.play.errors import RequestRefused
from service.play.table import Answer, Conditions, Keyed
from service.web.body import body_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

KEY_HEADER = "Idempotency-Key"
LONGEST_KEY = 255
NAME_BYTES = 16
SHORTEST_BARE_KEY = 32
"""Without a credential the key is what tells callers apart, so it must not be guessable."""
TAG = re.compile(r'"[\w-]+"', re.ASCII)
"""One entity tag as we write them."""
JSON = ("Content-Type", "application/json")
PRIVATE = (("Cache-Control", "private, no-cache"), ("Vary", "Authorization"))
STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


def conditions_of(request: Request, caller: Viewer) -> Conditions:
    """The conditions of a change. Raises RequestRefused for a key that cannot be used."""
    return Conditions(keyed=_keyed(request, caller), if_match=_tags(request.environ.get("HTTP_IF_MATCH")))


def known_tags(request: Request) -> frozenset[str]:
    """The entity tags that the caller has already; empty without any."""
    return _tags(request.environ.get("HTTP_IF_NONE_MATCH")) or frozenset()


def _tags(header: str | None) -> frozenset[str] | None:
    """Entity tags as we write them; weak ones too, since compressing proxies weaken ours."""
    if header is None:
        return None
    if TAG.fullmatch(header):
        return frozenset((header,))
    tags = parse_etags(header)
    if tags.star_tag:
        return frozenset("*")
    return frozenset(f'"{tag}"' for tag in tags.as_set(include_weak=True))


def _keyed(request: Request, caller: Viewer) -> Keyed | None:
    key = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not (key.isascii() and key.isprintable() and 1 <= len(key) <= LONGEST_KEY):
        raise RequestRefused(KEY_HEADER, f"the key must have 1 to {LONGEST_KEY} printable ASCII characters")
    if caller is None and len(key) < SHORTEST_BARE_KEY:
        raise RequestRefused(KEY_HEADER, f"without a credential the key needs at least {SHORTEST_BARE_KEY} characters")
    match caller:
        case Caller(seat, generation):
            who = f"seat {seat} {generation}"
        case Backend(tenant):
            who = f"tenant {tenant}"
        case None:
            who = ""
    name = hashlib.sha256(f"{who}\n{request.method}\n{request.path}\n{key}".encode()).digest()[:NAME_BYTES]
    return Keyed(urlsafe_b64encode(name).rstrip(b"=").decode(), key, hashlib.sha256(body_of(request)).hexdigest())


class Whole(Response):
    """An answer that is sent as it was made: its body is there as a whole, and no header needs to be worked over."""

    def __init__(self, status: str, fields: list[tuple[str, str]], body: bytes) -> None:
        """Only what is used of it is set: Werkzeug's own would parse the status and look for missing headers."""
        self._status, self._status_code = status, int(status[:3])
        self._fields = fields
        self.response = self._sent = [body] if body else []
        self.direct_passthrough = False

    @cached_property
    def headers(self) -> Headers:  # type: ignore[override]  # an attribute in Werkzeug
        """The headers, for who wants to change them; most are sent as they were given."""
        return Headers(self._fields)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> list[bytes]:
        """Send the answer; the server calls it."""
        start_response(self.status, self.headers.to_wsgi_list() if "headers" in vars(self) else self._fields)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else self._sent


def rendered(answer: Answer) -> Response:
    """An answer as it is sent: private to its caller, to be asked for again by its entity tag."""
    headers = list(PRIVATE)
    if answer.status != 304:
        headers += (JSON, ("Content-Length", str(len(answer.body))))
    if answer.etag:
        headers.append(("ETag", answer.etag))
    if answer.location:
        headers.append(("Location", answer.location))
    if answer.replayed:
        headers.append(("Idempotency-Replayed", "true"))
    return Whole(STATUS_LINES[answer.status], headers, answer.body)
