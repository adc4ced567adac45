"""Reading a request body strictly: what two readers could understand in two ways is refused.

RequestError
  MalformedJson     reason
  InvalidRequest    errors
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar

import orjson
from flask import Request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge, UnsupportedMediaType

JSON = "application/json"
KEPT = "upcard.body"
MOST_BYTES = 16 * 1024
MOST_DEPTH = 16
MOST_DIGITS = 15
_EMPTY = Schema()


@dataclass(eq=False)
class RequestError(Exception):
    """The body cannot be understood; nothing has changed."""

    code: ClassVar[str]


@dataclass(eq=False)
class MalformedJson(RequestError):
    """The body is not JSON, or is JSON that different readers would take differently."""

    code = "malformed_json"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class InvalidRequest(RequestError):
    """Members or parameters are missing, unknown or of the wrong type. errors: JSON pointer and reason of each."""

    code = "invalid_request"
    errors: list[tuple[str, str]]

    def __str__(self) -> str:
        pointer, reason = self.errors[0]
        return f"{pointer or 'the body'}: {reason}"


def body_of(request: Request) -> bytes:
    """The body as it was sent, read once and kept. Raises what Werkzeug has for one that is too large.

    Where it says how long it is, it is asked for at once; Werkzeug would look for its end as in a stream.
    Raises ClientDisconnected for one that is not sent whole.
    """
    kept: bytes | None = request.environ.get(KEPT)
    if kept is not None:
        return kept
    length = request.environ.get("CONTENT_LENGTH", "")
    if length.isdigit() and int(length) <= MOST_BYTES:
        raw = _exactly(request.environ["wsgi.input"], int(length))
    else:
        raw = request.get_data()
    request.environ[KEPT] = raw
    return raw


def _exactly(stream: BinaryIO, length: int) -> bytes:
    """So many bytes. Raises ClientDisconnected if there are fewer."""
    try:
        raw = stream.read(length)
    except OSError as gone:
        raise ClientDisconnected from gone
    if len(raw) < length:
        raise ClientDisconnected
    return raw


def json_body(request: Request) -> bytes:
    """The body, which is said to be JSON. Raises what Werkzeug has for a body too large or of another type."""
    if request.content_type != JSON and request.mimetype != JSON:  # noqa: PLR1714 - the second is worked out at need
        raise UnsupportedMediaType("Send the body as application/json.")
    raw = body_of(request)
    if len(raw) > MOST_BYTES:
        raise RequestEntityTooLarge
    return raw


def read_json(request: Request) -> Any:
    """The JSON in the body. Raises MalformedJson, or what Werkzeug has for a body too large or of another type."""
    return parse_json(json_body(request))


def parse_json(raw: bytes) -> Any:
    """What some JSON says. Raises MalformedJson.

    UTF-8, nested at most 16 deep, without doubled keys, NaN, lone surrogates or numbers of more than 15 digits.
    """
    try:
        _check_depth(orjson.loads(raw), 1)  # refuses what is no JSON by the letter, and what would exhaust json
        value = _STRICT.decode(raw.decode())
    except ValueError as fault:
        raise MalformedJson(f"The body is not JSON that can be read: {fault}") from fault
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(digits)


def _number(text: str) -> float:
    """A number written with a point or an exponent; `1.0` is the whole number 1, as JSON Schema has it."""
    if len(text) > 2 * MOST_DIGITS:
        raise ValueError("a number has too many digits")
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 10**MOST_DIGITS else number


_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_number)


def _check_depth(value: Any, depth: int) -> None:
    if not isinstance(value, dict | list):
        return
    if depth > MOST_DEPTH:
        raise MalformedJson(f"The body is nested more than {MOST_DEPTH} deep.")
    for inner in value.values() if isinstance(value, dict) else value:
        _check_depth(inner, depth + 1)


def no_fields(request: Request) -> None:
    """A body that says nothing: none at all, or an empty object. Raises MalformedJson or InvalidRequest."""
    if body_of(request):
        parse(_EMPTY, read_json(request))


def parse(schema: Schema, value: Any) -> dict[str, Any]:
    """A JSON value checked and converted by a schema. Raises InvalidRequest with a pointer for each fault."""
    if not isinstance(value, dict):
        raise InvalidRequest([("", "must be an object")])
    try:
        return dict(schema.load(value))
    except ValidationError as refused:
        raise InvalidRequest(sorted(_pointers("", refused.messages))) from refused


def _pointers(at: str, messages: Any) -> list[tuple[str, str]]:
    if isinstance(messages, Mapping):
        return [found for key, inner in messages.items() for found in _pointers(_joined(at, key), inner)]
    return [(at, str(message)) for message in messages]


def _joined(at: str, key: object) -> str:
    if key == "_schema":
        return at
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
