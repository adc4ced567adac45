"""How a worker treats callers who send what is no HTTP, or break off, or never end."""

import errno
import io
import json
import logging
import re
import socket
from types import SimpleNamespace

import gevent.socket
import pytest
from gunicorn.http.body import ChunkedReader, LengthReader
from gunicorn.http.errors import (
    InvalidHeader,
    InvalidRequestLine,
    InvalidResponseHeader,
    LimitRequestHeaders,
    LimitRequestLine,
    UnsupportedTransferCoding,
)
from gunicorn.http.unreader import IterUnreader
from gunicorn.workers.ggevent import GeventWorker

from service import connections
from service.connections import WholeBody, Worker, take_leave
from service.web import problems
from tests import contract
from tests.hostile.fire import read_answers

CHUNKS = [b"5\r\nhello\r\n", b"0\r\n\r\n"]


def worker():
    made = Worker.__new__(Worker)
    made.log = logging.getLogger("tests.connections")
    return made


def refused(fault, sent=b""):
    """The answer to a request that failed so, before the application saw it; `sent` is what is still unread of it."""
    ours, theirs = gevent.socket.socketpair()
    theirs.settimeout(10)
    with ours, theirs:
        theirs.sendall(sent)
        theirs.shutdown(socket.SHUT_WR)
        worker().handle_error(None, ours, ("192.0.2.7", 1), fault)
        ours.close()
        (answer,), left = read_answers(b"".join(iter(lambda: theirs.recv(65_536), b"")), bodiless=False)
    assert left == b""
    return answer


# --- Refusals ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (InvalidRequestLine("us_hidden"), 400, "malformed_request"),
        (InvalidHeader("us_hidden"), 400, "malformed_request"),
        (UnsupportedTransferCoding("us_hidden"), 400, "malformed_request"),
        (LimitRequestLine(9000, 8190), 414, "uri_too_long"),
        (LimitRequestHeaders("us_hidden"), 431, "headers_too_large"),
        (InvalidResponseHeader("X"), 500, "internal_error"),
        (ValueError("us_hidden"), 500, "internal_error"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_what_the_application_never_sees_is_refused_as_the_document_says(fault, status, code):
    answer = refused(fault)
    assert (answer.status, answer.headers["content-type"]) == (status, contract.PROBLEM)
    assert answer.headers["connection"] == "close"
    body = json.loads(answer.body)
    assert (body["status"], body["code"], body["title"]) == (status, code, problems.TITLES[status])
    assert status in contract.problems()[code].statuses
    assert body.keys() == {"type", "title", "status", "detail", "code"}
    assert b"hidden" not in answer.body


def test_the_log_is_told_the_kind_of_a_fault_and_not_what_was_sent(caplog):
    with caplog.at_level(logging.DEBUG, "tests.connections"):
        refused(InvalidHeader("Authorization Bearer us_hidden"))
    (message,) = caplog.messages
    assert re.sub("[0-9a-f]{16}", "ID", message) == "Refused what is not HTTP from 192.0.2.0: InvalidHeader (ID)"


def test_the_log_names_the_id_of_the_answer(caplog):
    with caplog.at_level(logging.DEBUG, "tests.connections"):
        ids = [refused(fault).headers["x-request-id"] for fault in (InvalidHeader("x"), ZeroDivisionError())]
    assert [request_id in message for request_id, message in zip(ids, caplog.messages, strict=True)] == [True, True]


def test_what_the_application_never_sees_is_counted_as_a_refusal(monkeypatch):
    counted = []
    monkeypatch.setattr("service.ops.metrics.refused", counted.append)
    refused(LimitRequestLine(9000, 8190))
    assert counted == ["uri_too_long"]


def test_a_fault_of_ours_is_an_error_in_the_log(caplog):
    with caplog.at_level(logging.DEBUG, "tests.connections"):
        refused(ZeroDivisionError())
    (entry,) = caplog.records
    assert (entry.levelname, entry.exc_info[0]) == ("ERROR", ZeroDivisionError)


# --- Bodies --------------------------------------------------------------------


@pytest.mark.parametrize(
    "reader",
    [lambda: LengthReader(IterUnreader([b"hel", b"lo"]), 5), lambda: ChunkedReader(None, IterUnreader(CHUNKS))],
)
def test_a_whole_body_is_read_as_it_was_sent(reader):
    body = WholeBody(reader())
    assert body.read(1000) == b"hello"
    assert body.read(1000) == b""


def test_a_body_is_read_piece_by_piece_too():
    body = WholeBody(LengthReader(IterUnreader([b"hello"]), 5))
    assert [body.read(2) for _ in range(4)] == [b"he", b"ll", b"o", b""]


@pytest.mark.parametrize(
    "reader",
    [
        lambda: LengthReader(IterUnreader([]), 5),
        lambda: LengthReader(IterUnreader([b"hell"]), 5),
        lambda: ChunkedReader(None, IterUnreader(CHUNKS[:1])),
        lambda: ChunkedReader(None, IterUnreader([b"zz\r\nhello\r\n"])),
        lambda: ChunkedReader(None, IterUnreader([b"5\r\nhelloX0\r\n\r\n"])),
    ],
    ids=["none of it", "not all of it", "no last chunk", "no size", "no end of a chunk"],
)
def test_a_body_that_is_not_whole_is_an_error_of_the_connection(reader):
    with pytest.raises(OSError):  # noqa: PT011 - any of them is taken for a caller who hung up
        WholeBody(reader()).read(1000)


def test_a_body_that_does_not_come_is_not_waited_for_without_end(monkeypatch):
    class Never(io.BytesIO):
        def read(self, size=None):
            gevent.sleep(60)
            raise AssertionError("it was waited for")

    monkeypatch.setattr(connections, "BODY_SECONDS", 0.01)
    with pytest.raises(TimeoutError):
        WholeBody(Never()).read(1000)


# --- Answers -------------------------------------------------------------------


def test_a_caller_who_does_not_take_the_answer_is_gone(monkeypatch):
    """gunicorn lets an ECONNRESET pass without a word, and reports a time-out as a fault of the service."""

    request = SimpleNamespace(body=SimpleNamespace(reader=None, failed=False))

    def stuck(self, listener, request, client, address):
        assert isinstance(request.body.reader, WholeBody)
        assert client.gettimeout() == connections.ANSWER_SECONDS
        raise TimeoutError

    monkeypatch.setattr(GeventWorker, "handle_request", stuck)
    with socket.socket() as client, pytest.raises(ConnectionResetError) as gone:
        worker().handle_request(("127.0.0.1", 1), request, client, ("192.0.2.7", 1))
    assert gone.value.errno == errno.ECONNRESET


def test_a_refusal_arrives_even_if_the_request_was_not_read_to_its_end():
    assert refused(LimitRequestLine(9000, 8190), sent=b"a" * 9000).status == 414


def test_a_caller_who_never_ends_is_left_after_a_moment(monkeypatch):
    monkeypatch.setattr(connections, "LEAVE_SECONDS", 0.01)
    ours, theirs = gevent.socket.socketpair()
    theirs.settimeout(10)
    with ours, theirs:
        take_leave(ours)
        assert theirs.recv(1) == b""
