"""What the application was wired with."""

from flask import current_app

from service.play.table import Table


def current_table() -> Table:
    """The table that the running application serves."""
    table = current_app.extensions["table"]
    assert isinstance(table, Table)
    return table
