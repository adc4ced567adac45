"""What a function of the application works with: the request, and what the application was wired with.

Flask's own `request` and `current_app` are looked up anew at each use; these are the things themselves.
"""

from typing import TypeVar

from flask import Request, current_app, request

from service.play.table import Table

T = TypeVar("T")


def current_request() -> Request:
    """The request that is being answered."""
    # The types say that `request` is one; it stands for one, and so does `current_app`.
    found: Request = request._get_current_object()  # type: ignore[attr-defined]
    return found


def wired(name: str, kind: type[T]) -> T:
    """A part that the running application was wired with."""
    found = current_app._get_current_object().extensions[name]  # type: ignore[attr-defined]
    assert isinstance(found, kind)
    return found


def current_table() -> Table:
    """The table that the running application serves."""
    return wired("table", Table)
