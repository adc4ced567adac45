"""Reading JSON strictly, and telling where it does not fit."""

import io
import json

import pytest
from flask import Flask, request
from marshmallow import Schema, ValidationError, fields, validates_schema
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge, UnsupportedMediaType

from service.web.body import MOST_BYTES, InvalidRequest, MalformedJson, no_fields, parse, read_json

APP = Flask(__name__)


def read(data, content_type="application/json", reader=read_json):
    with APP.test_request_context("/", method="POST", data=data, content_type=content_type):
        return reader(request)


class Gone(io.BytesIO):
    def read(self, size=-1):
        raise ConnectionResetError


@pytest.mark.parametrize("stream", [io.BytesIO(b'{"a"'), Gone()], ids=["too_short", "cut_off"])
def test_a_body_that_does_not_come_whole_is_not_read(stream):
    headers = {"CONTENT_LENGTH": "8", "wsgi.input": stream}
    sent = APP.test_request_context("/", method="POST", content_type="application/json", environ_overrides=headers)
    with sent, pytest.raises(ClientDisconnected):
        read_json(request)


def test_a_body_is_read_once_and_kept():
    with APP.test_request_context("/", method="POST", data=b"{}", content_type="application/json"):
        assert read_json(request) == read_json(request) == {}


@pytest.mark.parametrize(
    "value",
    [{}, [], "", 0, -0.5, 1e22, True, None, {"a": [1, {"b": "é\U0001f0cf\u2028"}]}, 999_999_999_999_999, "\x7f"],
)
def test_json_is_read_as_it_is(value):
    assert read(json.dumps(value)) == value
    assert read(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("raw", "number"), [(b"1.0", 1), (b"2.5e2", 250), (b"-0.0", 0), (b"999999999999999.0", 10**15 - 1)]
)
def test_a_number_without_a_fraction_is_a_whole_one(raw, number):
    assert (read(raw), type(read(raw))) == (number, int)


@pytest.mark.parametrize("raw", [b"0.5", b"1000000000000000.0", b"1e300"])
def test_any_other_number_stays_as_it_is(raw):
    assert (read(raw), type(read(raw))) == (float(raw), float)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "zero-length"),
        (b"{}{}", "not JSON"),
        (b'{"a":1,"b":{"c":1,"c":1}}', "a key stands twice"),
        (b"[1000000000000000]", "too many digits"),
        (b"[-1000000000000000]", "too many digits"),
        (b"[0." + b"0" * 29 + b"]", "too many digits"),
        (b"[" * 17 + b"]" * 17, "nested more than 16 deep"),
        (b'{"a":' * 17 + b"1" + b"}" * 17, "nested more than 16 deep"),
        (b'["\\ud800"]', "surrogate"),
        (b'["\xff"]', "UTF-8"),
    ],
)
def test_what_could_be_taken_in_two_ways_is_refused(raw, reason):
    with pytest.raises(MalformedJson, match=reason):
        read(raw)


@pytest.mark.parametrize("depth", [950, 980, 1000, 1020, 1024, 5000])
def test_no_depth_exhausts_a_reader(depth):
    for raw in (b"[" * depth + b"]" * depth, b'{"a":' * (depth // 4) + b"1" + b"}" * (depth // 4)):
        with pytest.raises(MalformedJson):
            read(raw)


def test_a_body_is_read_up_to_its_limit():
    assert read(b"{}".ljust(MOST_BYTES)) == {}
    with pytest.raises(RequestEntityTooLarge):
        read(b"{}".ljust(MOST_BYTES + 1))


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/problem+json"])
def test_another_type_is_refused_before_it_is_read(content_type):
    with pytest.raises(UnsupportedMediaType):
        read(b"\xff", content_type)


def test_a_body_that_has_nothing_to_say_may_be_missing_or_empty():
    assert read(b"", None, no_fields) is None
    assert read(b"{}", reader=no_fields) is None
    with pytest.raises(InvalidRequest):
        read(b'{"why": "bored"}', reader=no_fields)
    with pytest.raises(MalformedJson):
        read(b"{", reader=no_fields)
    with pytest.raises(UnsupportedMediaType):
        read(b"{}", "text/plain", no_fields)


class Inner(Schema):
    number = fields.Integer(strict=True, required=True)

    @validates_schema
    def _small(self, data, **kwargs):
        if data["number"] > 9:
            raise ValidationError("too large as a whole")


class Outer(Schema):
    inner = fields.List(fields.Nested(Inner))


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ([], [("", "must be an object")]),
        (None, [("", "must be an object")]),
        ({"inner": [{"number": 1}, {}]}, [("/inner/1/number", "Missing data for required field.")]),
        ({"inner": [{"number": 10}]}, [("/inner/0", "too large as a whole")]),
        ({"a/b": 1, "c~d": 2}, [("/a~1b", "Unknown field."), ("/c~0d", "Unknown field.")]),
    ],
)
def test_faults_are_told_with_pointers_in_order(value, faults):
    with pytest.raises(InvalidRequest) as refused:
        parse(Outer(), value)
    assert refused.value.errors == faults
    assert str(refused.value).endswith(faults[0][1])


def test_what_fits_is_converted():
    assert parse(Outer(), {"inner": [{"number": 9}]}) == {"inner": [{"number": 9}]}
