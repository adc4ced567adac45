"""Reading what an address says: numbers in the path, and the query string."""

from flask import Request
from werkzeug.routing import IntegerConverter, Map

from service.web.body import InvalidRequest

MOST_DIGITS = 9


class Number(IntegerConverter):
    """A whole number in a path; nothing is at one that is too large."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=10**MOST_DIGITS - 1)


def flag(request: Request, name: str) -> bool:
    """A parameter that is `true` or `false`; absent is false. Raises InvalidRequest."""
    if not request.query_string:
        return False
    text = request.args.get(name, "false")
    if text not in ("true", "false"):
        raise InvalidRequest([(f"?{name}", "must be true or false")])
    return text == "true"


def number(request: Request, name: str, default: int) -> int:
    """A parameter that is a whole number, 0 or more. Raises InvalidRequest."""
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise InvalidRequest([(f"?{name}", "must be a whole number from 0 on")])
    return int(text)
