"""What no client would send, byte by byte, to the web server that people run."""

import socket

import pytest

from tests import contract
from tests.hostile.fire import read_answers
from tests.hostile.stage import staged


@pytest.fixture(scope="module")
def stage():
    with staged() as running:
        yield running


class Table:
    """A game that its seat 0 may deal or give up, and a line to the service."""

    def __init__(self, stage):
        self.stage = stage
        game = next(game for game in stage.games if game.name == "gin, undealt")
        self.path, self.token = f"/v1/games/{game.id}", game.tokens[0]

    def view(self):
        with self.stage.http as http:
            return http.get(self.path, headers={"Authorization": f"Bearer {self.token}"}).json()

    def post(self, what, rest):
        """The answers to a call of seat 0, up to and without the headers that frame its body."""
        head = f"POST {self.path}/{what} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n"
        return self.sent(head.encode() + b"Content-Type: application/json\r\n" + rest)

    def sent(self, data):
        """The answers to these bytes, after which nothing more is sent."""
        with socket.create_connection(("127.0.0.1", self.stage.port), timeout=20) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            answers, left = read_answers(b"".join(iter(lambda: line.recv(65_536), b"")), bodiless=False)
        assert left == b""
        return answers

    def log(self):
        return "".join(log.read_text() for log in self.stage.log.values())


@pytest.fixture
def table(stage):
    return Table(stage)


def assert_refused(answers, status=400, code="malformed_request"):
    (answer,) = answers
    assert (answer.status, answer.headers["content-type"]) == (status, contract.PROBLEM), answer
    assert f'"code":"{code}"'.encode() in answer.body


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("resign", b"Content-Length: 2\r\n\r\n"),
        ("moves", b'Content-Length: 16\r\n\r\n{"type":"deal"}'),
        ("moves", b'Transfer-Encoding: chunked\r\n\r\nf\r\n{"type":"deal"}\r\n'),
    ],
    ids=["nothing of it", "a byte short", "no last chunk"],
)
def test_a_body_that_breaks_off_is_not_carried_out_even_if_what_came_could_be(table, what, body):
    before = table.view()
    assert_refused(table.post(what, body))
    assert table.view() == before


@pytest.mark.parametrize(
    "body",
    [
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        b'Transfer-Encoding: chunked\r\n\r\nf\r\n{"type":"deal"}7D',
        b'Transfer-Encoding: chunked\r\n\r\nf\r\n{"type":"deal"}\r\n0\r\nbad\r\n\r\n',
        b"Transfer-Encoding: cow\r\n\r\n",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"Expect: 200-ok\r\n\r\n",
        b"Authorization Bearer x\r\n\r\n",
    ],
    ids=["no size", "no end of a chunk", "a bad trailer", "unknown coding", "two lengths", "expectation", "no header"],
)
def test_what_breaks_the_rules_of_http_is_refused_as_every_other_request(table, body):
    assert_refused(table.post("moves", body))


def test_an_address_and_headers_that_are_too_long_have_codes_of_their_own(table):
    (answer,) = table.sent(b"GET /healthz?x=" + b"a" * 8000 + b" HTTP/1.1\r\nHost: upcard\r\n\r\n")
    assert answer.status == 200
    assert_refused(table.sent(b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n"), 414, "uri_too_long")
    assert_refused(table.sent(b"GET / HTTP/1.1\r\nX: " + b"a" * 9000 + b"\r\n\r\n"), 431, "headers_too_large")


def test_a_refusal_arrives_even_if_the_body_was_not_read(table):
    answers = table.post("moves", b"Connection: close\r\nContent-Length: 500000\r\n\r\n" + b"x" * 500_000)
    assert_refused(answers, 413, "body_too_large")


def test_a_caller_on_this_machine_cannot_move_the_service_to_another_path(table):
    (answer,) = table.sent(b"GET /healthz HTTP/1.1\r\nHost: x\r\nSCRIPT_NAME: /x\r\nConnection: close\r\n\r\n")
    assert answer.status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"GET /v1/games/%s HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET /%s HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nAuthorization Bearer %s\r\n\r\n",
        b"GET / HTTP/1.1\r\nExpect: %s\r\n\r\n",
        b"POST /v1/join HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n",
    ],
    ids=["path", "version", "header", "expectation", "chunk"],
)
def test_a_token_in_the_wrong_place_does_not_get_into_the_log(table, data):
    (answer,) = table.sent(data % table.token.encode())
    assert 400 <= answer.status < 500
    assert table.token not in table.log()
    assert "Traceback" not in table.log()


def test_a_whole_body_is_carried_out(table):
    (answer,) = table.post("moves", b'Content-Length: 15\r\n\r\n{"type":"deal"}')
    assert answer.status == 200
    assert table.view()["version"] == 2  # created and dealt
