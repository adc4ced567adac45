"""Flask without what the service does not use: its functions are synchronous, and it keeps no sessions."""

from collections.abc import Callable
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SessionInterface, SessionMixin


class NoSession(dict[str, Any], SessionMixin):
    """What Flask is given for a session."""


class NoSessions(SessionInterface):
    """No session is opened or kept: who calls says so in each request."""

    _none = NoSession()

    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        """The same for every request; nothing is ever in it."""
        del app, request
        return self._none

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Nothing is kept, so no cookie is ever set."""


class Application(Flask):
    """Flask, for an API whose callers show a credential with every request."""

    session_interface = NoSessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; Flask calls it for each function of each request."""
        return func
