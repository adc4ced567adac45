"""Headers that every answer has: what browsers may do with it, and from which pages it may be read."""

from typing import TYPE_CHECKING, Any

from flask import Flask, Response, request
from flask_cors import CORS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

SECURITY = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
POLICY = ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
DOCS_POLICY = (
    "Content-Security-Policy",
    "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
)
READABLE = ("ETag", "Location", "Retry-After", "Idempotency-Replayed", "Preference-Applied", "X-Request-Id")
SENDABLE = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "Last-Event-ID")


def install(app: Flask, origins: tuple[str, ...]) -> None:
    """Set the headers of an application's answers. origins: of web pages that may call it; `*` for any."""
    if origins:
        _allow(app, origins)

    answer = app.wsgi_app

    def secured(environ: "WSGIEnvironment", start_response: "StartResponse") -> Any:
        policy = DOCS_POLICY if environ["PATH_INFO"].startswith("/docs") else POLICY

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers += SECURITY
            headers.append(policy)
            return start_response(status, headers, *error)

        return answer(environ, start)

    app.wsgi_app = secured  # type: ignore[method-assign]


def _allow(app: Flask, origins: tuple[str, ...]) -> None:
    @app.before_request
    def _preflight() -> Response | None:
        """The question of a browser before a call. A path answers no OPTIONS otherwise."""
        asked = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        return Response(status=204) if asked else None

    @app.after_request
    def _varied(response: Response) -> Response:
        """An answer to a call without an origin too: a cache must not give it to a page, which could not read it."""
        response.vary.add("Origin")
        return response

    CORS(app, origins=list(origins), expose_headers=READABLE, allow_headers=SENDABLE, max_age=600, vary_header=False)
