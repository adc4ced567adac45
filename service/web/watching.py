"""Watching a game: `Prefer: wait` on its view (RFC 7240), and its events as a stream (Server-Sent Events, WHATWG)."""

import logging
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing

import orjson
from flask import Request, Response
from werkzeug.http import parse_dict_header

from service.play.callers import Viewer
from service.play.errors import StoreError
from service.play.events import Happened, Mark, News, Quiet, Reset, followed
from service.play.look import awaited_view, view
from service.play.table import Table
from service.web.conditional import known_tags, rendered
from service.web.current import wired
from service.web.limits import caller_of
from service.web.waiters import Waiters

LONGEST_WAIT = 30
JSON, STREAM = "application/json", "text/event-stream"
MARK = re.compile(r"([0-9]{1,9})-([A-Za-z0-9_-]{1,32})")
"""The version and stamp of an event, as the stream sends them in `id` and the client in `Last-Event-ID`."""
UNKNOWN = Mark(1, "?")
RETRY_MS = 2000
"""How soon a client should come back after a stream has ended or broken."""
FULL_RETRY_MS = 10_000
"""How soon it should where no place to wait in was left."""

log = logging.getLogger("upcard.web")


def looked(request: Request, table: Table, game_id: str, viewer: Viewer) -> Response:
    """The caller's view; with `If-None-Match` and `Prefer: wait` once it differs, or 304 after that time.

    Where no place to wait in is left the answer comes at once, without `Preference-Applied`.
    """
    known = known_tags(request)
    seconds = _seconds(request) if known else 0
    if seconds:
        with wired("waiters", Waiters).place(caller_of(request), "poll") as found:
            if found:
                response = rendered(awaited_view(table, game_id, viewer, known, seconds))
                response.headers["Preference-Applied"] = f"wait={seconds}"
                return response
    return rendered(view(table, game_id, viewer, known))


def wants_stream(request: Request) -> bool:
    """Whether the caller asks for a stream rather than JSON."""
    return request.accept_mimetypes.best_match([JSON, STREAM]) == STREAM


def event_stream(request: Request, table: Table, game_id: str, viewer: Viewer, after: int) -> Response:
    """The events since a version, or since `Last-Event-ID`, and then each as it happens.

    Where no place to wait in is left, the stream ends after what has happened already.
    """
    with ExitStack() as place:
        found = place.enter_context(wired("waiters", Waiters).place(caller_of(request), "stream"))
        news = followed(table, game_id, viewer, _since(request, after), wait=found)
        response = Response(written(news, RETRY_MS if found else FULL_RETRY_MS), content_type=STREAM)
        response.call_on_close(place.pop_all().close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return varying(response)


def varying(response: Response) -> Response:
    """An answer that depends on what the caller accepts."""
    response.headers["Vary"] = "Accept, Authorization"
    return response


def _seconds(request: Request) -> int:
    """How long the caller is ready to wait; 0 if not at all, or if it says so in words that nobody knows."""
    wanted = parse_dict_header(request.headers.get("Prefer", "").lower()).get("wait") or ""
    return min(int(wanted), LONGEST_WAIT) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else 0


def _since(request: Request, after: int) -> Mark:
    told = request.headers.get("Last-Event-ID")
    if not told:
        return Mark(after)
    mark = MARK.fullmatch(told)
    return UNKNOWN if mark is None else Mark(int(mark[1]), mark[2])


def written(news: Generator[News | Quiet, None, None], retry_ms: int) -> Iterator[bytes]:
    """A stream as it is sent. retry_ms: how soon the client should come back after its end."""
    yield f"retry: {retry_ms}\n\n".encode()
    try:
        with closing(news):
            yield from map(_field, news)
    except StoreError as fault:
        log.error("an event stream was cut off: %s", fault, exc_info=fault)


def _field(news: News | Quiet) -> bytes:
    match news:
        case Happened(mark, doc):
            return b"id: %s\ndata: %s\n\n" % (_id(mark), orjson.dumps(doc))
        case Reset(mark):
            return b'event: reset\nid: %s\ndata: {"version":%d}\n\n' % (_id(mark), mark.version)
        case Quiet():
            return b":\n\n"


def _id(mark: Mark) -> bytes:
    return f"{mark.version}-{mark.stamp}".encode()
