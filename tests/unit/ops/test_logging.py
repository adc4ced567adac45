"""The access log: one line a request, from which nobody learns a secret, and nobody's home is found."""

import json
from datetime import timedelta

import pytest

from service.ops.logging import access_line, shortened, shown_path

REQUEST = {
    "REMOTE_ADDR": "192.0.2.7",
    "REQUEST_METHOD": "POST",
    "PATH_INFO": '/v1/"\\\n\x9f/é',
    "QUERY_STRING": "token=hidden",
    "RAW_URI": "/v1?token=hidden",
    "HTTP_AUTHORIZATION": "Bearer hidden",
    "HTTP_REFERER": "https://example.net/hidden",
}


def test_the_access_log_is_one_json_line_whatever_the_path_holds():
    line = access_line("201 CREATED", 17, REQUEST, timedelta(milliseconds=2.5))
    assert "\n" not in line
    entry = json.loads(line)
    assert entry["path"] == "/v1/*/*"
    assert (entry["method"], entry["status"], entry["bytes"], entry["ms"]) == ("POST", 201, 17, 2.5)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "",
        "/healthz",
        "/openapi.yaml",
        "/docs/swagger-ui-bundle.js",
        "/v1/games",
        "/v1/games/043f921939e11ab973291fa0/seats/0/token",
        "/v1/games/043f921939e11ab973291fa0/rounds/12",
        "/v1/rulesets/gin/eaai",
    ],
)
def test_the_access_log_shows_the_paths_of_the_service(path):
    assert shown_path(path) == path


@pytest.mark.parametrize(
    "part",
    [
        "us_043f921939e11ab973291fa0.0.1.xcAMdlZlw3f24A2MLeuYaw",
        "us%5f043f921939e11ab973291fa0.0.1.xcAMdlZlw3f24A2MLeuYaw",
        "xcAMdlZlw3f24A2MLeuYaw",
        "043f921939e11ab973291fa0.lRLCITocsV8ZxPiNpBFv0w",
        "uk_jZAB0yxqcD2Vkhp3EVBQ8z3YI9PxcwvTUhXcvsrW3CA",
        "7D,8D,9D",
        "AS",
        "043f921939e11ab973291fa0;us_",
        'x"}\n{"status":200}',
        "a\n",
        "\u202e",
    ],
)
def test_the_access_log_shows_nothing_else_that_a_caller_puts_into_a_path(part):
    assert shown_path(f"/v1/games/{part}/score") == "/v1/games/*/score"


def test_the_access_log_holds_no_header_and_no_query():
    assert "hidden" not in access_line("200 OK", 0, REQUEST, timedelta())


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("192.0.2.7", "192.0.2.0"),
        ("255.255.255.255", "255.255.255.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("::1", "::"),
        ("192.0.2.7:4711", "192.0.2.0"),
        ("[2001:db8:1:2::3]:4711", "2001:db8:1::"),
        ("::ffff:192.0.2.7", "192.0.2.0"),
        ("", ""),
        ("unix:", ""),
        ("us_secret", ""),
    ],
)
def test_of_an_address_only_the_network_is_shown(address, shown):
    assert shortened(address) == shown
    assert json.loads(access_line("200 OK", 0, REQUEST | {"REMOTE_ADDR": address}, timedelta()))["remote"] == shown


def test_the_ids_of_the_request_are_shown():
    ids = {"upcard.request_id": "b7ad6b7169203331", "upcard.trace_id": "0af7651916cd43dd8448eb211c80319c"}
    entry = json.loads(access_line("200 OK", 0, REQUEST | ids, timedelta()))
    assert (entry["request"], entry["trace"]) == tuple(ids.values())
