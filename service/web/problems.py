"""Every refusal as `application/problem+json` (RFC 9457), from one table."""

import logging

import orjson
from flask import Flask, Response, request
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import HTTPException

from service.ops import metrics
from service.play import errors as play
from service.rulebooks.base import Doc
from service.rulebooks.errors import RulesetRefused, RuleViolation
from service.web.body import InvalidRequest, MalformedJson
from service.web.limits import count_failure, limited_in_store

log = logging.getLogger("upcard.web")

STATUS: dict[type[Exception], int] = {
    MalformedJson: 400,
    play.CredentialRefused: 401,
    play.NoSuchGame: 404,
    play.NoSuchRound: 404,
    play.NoSuchRuleset: 404,
    RuleViolation: 409,
    play.SeatsOpen: 409,
    play.NoOpenSeat: 409,
    play.SeatResigned: 409,
    play.SeatNotTaken: 409,
    play.KeyExpired: 409,
    play.Stale: 412,
    play.GameTooLarge: 409,
    play.RateLimited: 429,
    play.TooManyGames: 429,
    InvalidRequest: 422,
    RulesetRefused: 422,
    play.RequestRefused: 422,
    play.KeyReused: 422,
    play.SnapshotCorrupt: 500,
    play.SnapshotUnreadable: 503,
    play.StoreUnavailable: 503,
    play.Busy: 503,
}
"""The status of each refusal, by its class or the nearest of its bases."""

HTTP_CODES = {
    400: "malformed_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    414: "uri_too_long",
    415: "unsupported_media_type",
    431: "headers_too_large",
}
"""What may be wrong before any of our own checks. A status that is not listed here is answered as 400."""
TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
RETRY_AFTER_SECONDS = "1"


def install(app: Flask) -> None:
    """Answer every exception of the application from the table."""
    app.register_error_handler(Exception, _answer)


def refused_analysis(violation: RuleViolation) -> Response:
    """The answer to an analysis that the rules forbid: no game is in conflict, so the request is at fault."""
    return problem(422, violation.code, str(violation), violation.facts())


def _answer(error: Exception) -> Response:
    if isinstance(error, play.CredentialRefused):
        error = _counted(error)
    elif isinstance(error, RateLimitExceeded):
        error = limited_in_store(error)
    status = status_of(error)
    if status == 503:
        log.warning("%s", _reason(error))
    elif status >= 500:
        log.error("%s", error, exc_info=error)
    response = problem(status, code_of(error, status), _detail(error, status), facts_of(error))
    if isinstance(error, HTTPException):
        response.headers.extend(_allow(error))
    if isinstance(error, play.RateLimited | play.TooManyGames):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _reason(error: Exception) -> str:
    """What the log is told of a request that the store could not serve: one line, since there may be many."""
    return str(getattr(error, "reason", "") or error)


def _counted(error: play.CredentialRefused) -> Exception:
    """The refusal of a credential or, after too many from one address, the refusal to look at another."""
    try:
        count_failure(request)
    except play.RateLimited as limited:
        return limited
    return error


def status_of(error: Exception) -> int:
    """The status that a refusal is answered with."""
    if isinstance(error, HTTPException):
        code = error.code or 500
        return code if code in HTTP_CODES else 400 if 400 <= code < 500 else 500
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def code_of(error: Exception, status: int) -> str:
    """The stable code of a refusal."""
    if isinstance(error, RulesetRefused):
        return "ruleset_refused"
    if isinstance(error, HTTPException):
        return HTTP_CODES.get(status, "internal_error")
    return str(error.code) if _ours(error) else "internal_error"  # type: ignore[attr-defined]


def _detail(error: Exception, status: int) -> str:
    if isinstance(error, HTTPException) and status < 500:
        return str(error.description)
    if _ours(error):
        return str(error)
    return "The service failed; nothing has changed."


def _ours(error: Exception) -> bool:
    """Whether the table knows the error, or it is one of somebody else, who may mean anything by its `code`."""
    return any(kind in STATUS for kind in type(error).__mro__)


def facts_of(error: Exception) -> Doc:
    """The members of a problem document that only this refusal has."""
    match error:
        case InvalidRequest(errors):
            return {"errors": [{"pointer": pointer, "detail": reason} for pointer, reason in errors]}
        case RulesetRefused(field, reason):
            return {"field": field, "reason": reason}
        case RuleViolation() | play.PlayError():
            return error.facts()
    return {}


def _allow(error: HTTPException) -> list[tuple[str, str]]:
    return [(name, value) for name, value in error.get_headers() if name == "Allow"]


def problem(status: int, code: str, detail: str, facts: Doc) -> Response:
    """A refusal as it is sent. facts: further members, which never take the place of the standard ones."""
    body = facts | {
        "type": f"urn:upcard:problem:{code}",
        "title": TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
    }
    metrics.refused(code)
    response = Response(orjson.dumps(body), status, content_type="application/problem+json")
    response.headers["Cache-Control"] = "no-store"
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if status == 503:
        response.headers["Retry-After"] = RETRY_AFTER_SECONDS
    return response
