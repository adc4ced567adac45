"""JSON that two readers could take in two ways is refused, wherever a body is read, and changes nothing."""

import httpx
import pytest

from tests.api.playing import create
from tests.conftest import Player

DEEP = [17, 100, 950, 975, 1000, 1024, 1025, 8000]
"""Depths around every limit on the way: ours, and those of the two readers behind it."""

HOSTILE = {
    "nothing": b"",
    "blanks": b" \n ",
    "not JSON": b"type=deal",
    "half of it": b'{"type": "deal"',
    "two documents": b'{"type": "deal"} {"type": "deal"}',
    "a comment": b'{"type": "deal"} // now',
    "single quotes": b"{'type': 'deal'}",
    "a trailing comma": b'{"type": "deal",}',
    "a doubled key": b'{"type": "deal", "type": "deal"}',
    "a doubled key deep inside": b'{"type": "deal", "x": [{"a": 1, "a": 2}]}',
    "a key doubled by an escape": b'{"type": "deal", "t\\u0079pe": "pass"}',
    "NaN": b'{"type": "deal", "x": NaN}',
    "Infinity": b'{"type": "deal", "x": Infinity}',
    "minus Infinity": b'{"type": "deal", "x": -Infinity}',
    "a number beyond all": b'{"type": "deal", "x": 1e999}',
    "a lone high surrogate": b'{"type": "deal", "client_seed": "\\ud83d"}',
    "a lone low surrogate": b'{"type": "deal", "client_seed": "\\udca9"}',
    "a surrogate for a key": b'{"type": "deal", "\\ud83d": 1}',
    "a surrogate as bytes": b'{"type": "deal", "client_seed": "\xed\xa0\xbd"}',
    "invalid UTF-8": b'{"type": "deal", "client_seed": "\xff"}',
    "an overlong slash": b'{"type": "deal", "client_seed": "\xc0\xaf"}',
    "Latin-1": '{"type": "deal", "client_seed": "é"}'.encode("latin-1"),
    "UTF-16": '{"type": "deal"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"type": "deal"}',
    "a zero byte": b'{"type": "deal"}\0',
    "a control character": b'{"type": "deal", "client_seed": "\n"}',
    "an integer of 16 digits": b'{"type": "deal", "x": 1234567890123456}',
    "an integer of 4000 digits": b'{"type": "deal", "x": ' + b"9" * 4000 + b"}",
    "a fraction of 40 digits": b'{"type": "deal", "x": 0.' + b"1" * 40 + b"}",
    "a leading zero": b'{"type": "deal", "x": 01}',
    "a plus sign": b'{"type": "deal", "x": +1}',
    **{f"{depth} lists deep": b"[" * depth + b"]" * depth for depth in DEEP},
    **{f"{depth} objects deep": b'{"a":' * depth + b"1" + b"}" * depth for depth in DEEP if depth * 6 < 16_000},
}


@pytest.fixture
def table(http):
    """A waiting game, its only player, and every call that reads a body: path and headers."""
    made = create(http, seats=[{"name": "Ann"}, {}])
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    paths = {
        "/v1/games": {},
        "/v1/join": {},
        f"/v1/games/{ann.game}/moves": ann.headers,
        f"/v1/games/{ann.game}/resign": ann.headers,
    }
    return ann, paths


def refusals(http, paths, content, content_type="application/json"):
    for path, headers in paths.items():
        if content or not path.endswith("/resign"):
            yield http.post(path, content=content, headers=headers | {"Content-Type": content_type})


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_json_is_refused(http, table, store, content):
    ann, paths = table
    before, games = ann.view(), store.games()
    for refused in refusals(http, paths, content):
        assert (refused.status_code, refused.json()["code"]) == (400, "malformed_json"), refused.text
        assert len(refused.json()["detail"]) < 200
    assert ann.view() == before
    assert store.games() == games


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data", "application/json5"],
)
def test_another_type_of_content_is_refused(http, table, content_type):
    ann, paths = table
    before = ann.view()
    for refused in refusals(http, paths, b'{"type": "deal"}', content_type):
        assert (refused.status_code, refused.json()["code"]) == (415, "unsupported_media_type")
    assert ann.view() == before


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
def test_parameters_and_case_of_the_content_type_do_not_matter(http, content_type):
    with httpx.Client(base_url=http.base_url) as plain:  # the other client takes one spelling only
        answer = plain.post("/v1/games", content=b'{"game": "gin"}', headers={"Content-Type": content_type})
    assert answer.status_code == 201


def in_chunks(content):
    """A body whose length is not told beforehand."""
    for start in range(0, len(content), 1000):
        yield content[start : start + 1000]


def padded(size):
    return b'{"game": "gin"}'.ljust(size)


@pytest.mark.parametrize("send", [bytes, in_chunks])
@pytest.mark.parametrize("size", [16 * 1024 + 1, 16 * 1024 + 2, 20 * 1024, 1 << 20])
def test_a_body_over_16_kib_is_refused_whether_or_not_its_length_is_told(http, store, send, size):
    games = store.games()
    headers = {"Content-Type": "application/json"}
    refused = http.post("/v1/games", content=send(padded(size)), headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
    assert store.games() == games


@pytest.mark.parametrize("send", [bytes, in_chunks])
def test_a_body_of_16_kib_is_read(http, send):
    headers = {"Content-Type": "application/json"}
    with httpx.Client(base_url=http.base_url) as plain:  # the other client reads the request once more
        assert plain.post("/v1/games", content=send(padded(16 * 1024)), headers=headers).status_code == 201


@pytest.mark.parametrize("content", [b"[]", b'[{"type": "deal"}]', b'"deal"', b"1", b"true", b"null"])
def test_anything_but_an_object_at_the_top_is_refused(http, table, content):
    ann, paths = table
    before = ann.view()
    for refused in refusals(http, paths, content):
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
        assert refused.json()["errors"][0]["pointer"] in ("", "/type")
    assert ann.view() == before


def test_sixteen_deep_is_read(http):
    """The deepest that may be, in the only place where anything may stand."""
    inner = "[" * 14 + "]" * 14
    answer = http.post(
        "/v1/games",
        content=f'{{"game": "gin", "metadata": {{"deep": {inner}}}}}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 201


def test_text_beyond_the_basic_plane_is_read_as_bytes_and_as_escapes(http):
    for text in ('"\\ud83c\\udccf"', '"\U0001f0cf"'):
        answer = http.post(
            "/v1/games",
            content=f'{{"game": "gin", "metadata": {{"card": {text}}}}}'.encode(),
            headers={"Content-Type": "application/json"},
        )
        assert answer.json()["game"]["metadata"] == {"card": "\U0001f0cf"}
