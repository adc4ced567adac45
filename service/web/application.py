"""Flask without what the service does not use, which is asked for in every request (docs/design/012).

Its functions are synchronous, it keeps no sessions, none of its blueprints has functions around its requests, and no
address of it is bound to a host.
"""

from collections.abc import Callable
from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from werkzeug.routing import MapAdapter
from werkzeug.wsgi import get_host


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

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the function that answers a request, by its path; addresses of others are never made."""
        if request is None:
            return None
        environ = request.environ
        return MapAdapter(
            self.url_map,
            server_name=get_host(environ).lower(),
            script_name=environ["SCRIPT_NAME"],
            subdomain="",
            url_scheme=environ["wsgi.url_scheme"],
            path_info=environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
            default_method=environ["REQUEST_METHOD"],
            query_args=environ["QUERY_STRING"],
        )

    def preprocess_request(self) -> ResponseReturnValue | None:
        """The answer of the first function before a request that has one."""
        for function in self.before_request_funcs.get(None, ()):
            answer = function()
            if answer is not None:
                return answer  # type: ignore[return-value]
        return None

    def process_response(self, response: Response) -> Response:
        """The answer as the functions after a request leave it."""
        for function in reversed(self.after_request_funcs.get(None, ())):
            response = function(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing is to be done at the end of a request."""
