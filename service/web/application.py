"""Flask without what the service does not use, which is asked for in every request (docs/design/013).

Its functions are synchronous, it keeps no sessions, nobody hears its signals of a request, nothing is to be done at the
end of one, none of its blueprints has functions around its requests, no address of it is bound to a host, and Flask
answers no OPTIONS for it (PROVIDE_AUTOMATIC_OPTIONS).
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import Flask, Request, Response
from flask.ctx import AppContext, RequestContext
from flask.globals import _cv_app, _cv_request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter, Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

REMEMBERED = 1024
"""How many forms of paths are remembered with the functions that answer them."""
LONGEST = 100
"""Characters of a path whose form is remembered; ours are shorter."""
ID = re.compile(r"(?<=/)[0-9a-f]{24}(?=/|\Z)")
"""An id in a path. Paths that differ in it alone have the same form."""
ANY_ID = "{id}"
"""What stands for the id in the form of a path."""


class Surroundings(AppContext):
    """What Flask keeps of the application while a request is answered."""

    def push(self) -> None:
        """Make it the current one; Flask would tell of it in signals, here and below."""
        self._cv_tokens.append(_cv_app.set(self))

    def pop(self, exc: BaseException | None = None) -> None:
        """Make the one before it the current one again."""
        del exc
        _cv_app.reset(self._cv_tokens.pop())


class Context(RequestContext):
    """What Flask keeps of a request while it is answered."""

    app: "Application"

    def push(self) -> None:
        """Make it the current one, without a session, and find the function that answers."""
        surroundings = Surroundings(self.app)
        surroundings.push()
        self._cv_tokens.append((_cv_request.set(self), surroundings))
        self.match_request()

    def match_request(self) -> None:
        """Find the function that answers, by method and path, or why there is none; Flask calls it."""
        environ = self.request.environ
        try:
            self.request.url_rule, self.request.view_args = self.app.found(
                environ["REQUEST_METHOD"], environ["PATH_INFO"]
            )
        except HTTPException:
            self.url_adapter = self.app.url_map.bind_to_environ(environ, subdomain="")
            super().match_request()


class Application(Flask):
    """Flask, for an API whose callers show a credential with every request."""

    def __init__(self, name: str) -> None:
        super().__init__(name, static_folder=None)
        self._paths = self.url_map.bind("")
        self.matched = lru_cache(maxsize=REMEMBERED)(self._match)

    def found(self, method: str, path: str) -> tuple[Rule, dict[str, Any]]:
        """The rule of a path as it was sent, and the values in it. The same few forms of paths come again and again.

        Raises what Werkzeug has for a path or a method that there is not.
        """
        if len(path) > LONGEST or ANY_ID in path:
            rule, values = self._match(method, path)
            return rule, dict(values)
        there = ID.search(path)
        if there is None:
            rule, values = self.matched(method, path)
            return rule, dict(values)
        start, end = there.span()
        rule, values = self.matched(method, path[:start] + ANY_ID + path[end:])
        return rule, {name: there[0] if value == ANY_ID else value for name, value in values.items()}

    def _match(self, method: str, path: str) -> tuple[Rule, Mapping[str, Any]]:
        return self._paths.match(path.encode("latin-1").decode(errors="replace"), method, return_rule=True)

    def request_context(self, environ: "WSGIEnvironment") -> Context:
        """What is kept of a request; Flask asks for it."""
        return Context(self, environ)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself; Flask calls it for each function of each request."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds functions by path, the same for all requests: no address of ours is bound to a host."""
        return None if request is None else self._paths

    def full_dispatch_request(self) -> Response:
        """The answer to a request, or to the fault in it. Flask would tell of it in signals that nobody hears."""
        self._got_first_request = True
        try:
            answer = self.preprocess_request()
            if answer is None:
                answer = self.dispatch_request()
        except Exception as fault:  # noqa: BLE001 - as in Flask; what has no handler is raised again
            answer = self.handle_user_exception(fault)
        assert answer is not None
        return self.process_response(self.make_response(answer))

    def preprocess_request(self) -> ResponseReturnValue | None:
        """The answer of the first function before a request that has one."""
        for function in self.before_request_funcs.get(None, ()):
            answer = function()
            if answer is not None:
                return answer  # type: ignore[return-value]  # Flask types its own functions wider
        return None

    def process_response(self, response: Response) -> Response:
        """The answer as the functions after a request leave it."""
        for function in reversed(self.after_request_funcs.get(None, ())):
            response = function(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing is to be done at the end of a request."""
