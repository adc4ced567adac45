"""What a function of the application works with: the request, and what the application was wired with."""

from flask import Request, current_app, request

from service.play.table import Table


def current_request() -> Request:
    """The request that is being answered, itself; Flask's `request` looks it up anew at each use."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]
    return found


def current_table() -> Table:
    """The table that the running application serves."""
    table = current_app.extensions["table"]
    assert isinstance(table, Table)
    return table
