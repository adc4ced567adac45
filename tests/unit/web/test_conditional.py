"""Conditions of a request: entity tags in all their forms, and the name under which an answer is kept."""

import pytest
from flask import Flask, request

from service.play.callers import Backend, Caller
from service.play.errors import RequestRefused
from service.play.table import Answer
from service.web.conditional import conditions_of, known_tags, rendered

APP = Flask(__name__)
KEY = "k" * 32


def read(caller=None, method="POST", path="/v1/games", data=b"{}", **headers):
    with APP.test_request_context(path, method=method, data=data, headers=headers):
        return conditions_of(request, caller)


def tags(**headers):
    with APP.test_request_context(headers=headers):
        return known_tags(request)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ('"a"', {'"a"'}),
        ('W/"a"', {'"a"'}),
        ('"a", W/"b","c"', {'"a"', '"b"', '"c"'}),
        ("*", {"*"}),
        ("", set()),
    ],
)
def test_tags_are_read_in_every_form(header, found):
    assert tags(**{"If-None-Match": header}) == found
    assert read(**{"If-Match": header}).if_match == found


def test_without_headers_there_are_no_conditions():
    assert tags() == frozenset()
    assert read().if_match is None
    assert read().keyed is None


def test_an_answer_is_kept_under_caller_method_path_and_key():
    kept = [
        read(**{"Idempotency-Key": KEY}),
        read(**{"Idempotency-Key": KEY + "2"}),
        read(path="/v1/join", **{"Idempotency-Key": KEY}),
        read(method="PUT", **{"Idempotency-Key": KEY}),
        read(Caller(0, 1), **{"Idempotency-Key": KEY}),
        read(Backend("shop"), **{"Idempotency-Key": KEY}),
        read(Backend("club"), **{"Idempotency-Key": KEY}),
        read(Backend("seat 1"), **{"Idempotency-Key": KEY}),
        read(Caller(1, 1), **{"Idempotency-Key": KEY}),
        read(Caller(1, 2), **{"Idempotency-Key": KEY}),
        read(Caller(11, 2), **{"Idempotency-Key": KEY}),
        read(Caller(1, 12), **{"Idempotency-Key": KEY}),
    ]
    assert len({each.keyed.name for each in kept}) == len(kept)
    assert {len(each.keyed.name) for each in kept} == {22}
    assert read(data=b"other", **{"Idempotency-Key": KEY}).keyed.name == kept[0].keyed.name
    assert read(data=b"other", **{"Idempotency-Key": KEY}).keyed.request != kept[0].keyed.request
    assert kept[0].keyed.key == KEY


@pytest.mark.parametrize("key", ["", " ".join("ab") + "\t", "é" * 40, "k" * 256])
def test_a_key_that_cannot_be_used_is_refused(key):
    with pytest.raises(RequestRefused) as refused:
        read(Caller(0, 1), **{"Idempotency-Key": key})
    assert refused.value.field == "Idempotency-Key"


def test_without_a_credential_a_key_must_be_long():
    with pytest.raises(RequestRefused, match="at least 32"):
        read(**{"Idempotency-Key": "k" * 31})
    assert read(Caller(0, 1), **{"Idempotency-Key": "k"}).keyed.key == "k"
    assert read(Backend("shop"), **{"Idempotency-Key": "k"}).keyed.key == "k"
    assert read(Caller(0, 1), **{"Idempotency-Key": "k" * 255}).keyed.key == "k" * 255


def test_an_answer_is_private_and_carries_only_the_headers_it_has():
    bare = rendered(Answer(200, b"{}"))
    assert {"ETag", "Location", "Idempotency-Replayed"} & set(bare.headers.keys()) == set()
    assert (bare.headers["Cache-Control"], bare.headers["Vary"]) == ("private, no-cache", "Authorization")
    full = rendered(Answer(201, b"{}", '"0-1-x"', "/v1/games/7f", replayed=True))
    assert (full.status_code, full.headers["ETag"], full.headers["Location"]) == (201, '"0-1-x"', "/v1/games/7f")
    assert full.headers["Idempotency-Replayed"] == "true"
