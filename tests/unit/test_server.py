import json
import signal
from datetime import timedelta
from types import ModuleType, SimpleNamespace

import pytest
from gunicorn import config

from service import server

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
    line = server.access_line("201 CREATED", 17, REQUEST, timedelta(milliseconds=2.5))
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
    assert server.shown_path(path) == path


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
    assert server.shown_path(f"/v1/games/{part}/score") == "/v1/games/*/score"


def test_of_an_exception_the_log_tells_debuggers_only_the_kind():
    logger = server.JsonLogger(config.Config())
    heard = []
    logger.error_log = SimpleNamespace(debug=lambda message, *args, **options: heard.append(message % args))
    logger.debug("Ignored premature client disconnection. %s", ValueError("Bearer hidden"))
    logger.debug("%d workers", 2)
    assert heard == ["Ignored premature client disconnection. ValueError", "2 workers"]


def test_the_access_log_holds_no_header_and_no_query():
    assert "hidden" not in server.access_line("200 OK", 0, REQUEST, timedelta())


def test_gunicorn_takes_every_setting():
    """Gunicorn skips a name that it does not know without a word: none of ours may be one of those."""
    known = config.Config()
    for name in (name for name, value in vars(server).items() if name.islower() and not callable(value)):
        if not name.startswith("_") and not isinstance(getattr(server, name), ModuleType):
            known.set(name, getattr(server, name))
    assert known.control_socket_disable is True
    assert known.max_requests == 0


def test_a_bad_setting_ends_gunicorn_with_one_line(monkeypatch, capsys):
    monkeypatch.setenv("UPCARD_LOG_LEVEL", "loud")
    with pytest.raises(SystemExit) as ended:
        server._log_level()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("Error: UPCARD_LOG_LEVEL: ")


def test_a_worker_that_still_boots_ends_at_once_when_told_to():
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
    before = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        server.post_fork(None, None)
        assert [signal.getsignal(number) for number in numbers] == [signal.SIG_DFL] * 3
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
