"""The verdict finds each way in which a promise can be broken."""

import secrets
from dataclasses import replace
from random import Random

import httpx
import pytest

from service.storage.keys import game_key, log_key
from tests.chaos.insist import Client, Traffic
from tests.chaos.players import Table
from tests.chaos.verdict import judge


@pytest.fixture
def ledger(address):
    """The ledger of a game against the computer, ten moves on."""
    with httpx.Client(base_url=address, timeout=30) as http:
        table = Table(
            Client(0, http, Traffic(), Random(secrets.randbits(64))),
            "gin",
            [{"name": "Ann"}, {"bot": "easy"}],
            if_match=True,
        )
        for _ in range(10):
            table.play()
        table.echo_some()
    return table.ledger


def test_a_game_whose_promises_were_kept(ledger, store):
    verdict = judge([ledger], store.client)
    assert verdict.faults() == []
    assert (verdict.games, verdict.promises) == (1, 11)
    assert verdict.entries > 11, "the computer's moves are entries too"


def test_a_move_that_is_missing_in_the_log_is_lost(ledger, store):
    last = ledger.promises[-1]
    raw = store.client.lrange(log_key(ledger.game), 0, -1)
    own = sum(last.stamp.encode() in entry for entry in raw)
    store.client.rpop(log_key(ledger.game), own)
    verdict = judge([ledger], store.client)
    assert verdict.lost == [f"{ledger.game}: {(last.version, last.stamp)}"]


def test_a_move_whose_key_is_in_two_commits_was_made_twice(ledger, store):
    last = ledger.promises[-1]
    entry = store.client.lindex(log_key(ledger.game), -1)
    store.client.rpush(log_key(ledger.game), entry.replace(last.stamp.encode(), b"another"))
    told, receipt = judge([ledger], store.client).twice
    assert told == f"{ledger.game}: {(last.version + 1, 'another')}, which nobody was told of"
    assert receipt.startswith(f"{ledger.game}: receipt ")


def test_moves_that_were_acknowledged_the_other_way_round_are_out_of_order(ledger, store):
    ledger.promises[-2:] = reversed(ledger.promises[-2:])
    assert judge([ledger], store.client).out_of_order == [ledger.game]


def test_an_answer_that_showed_something_else_than_the_log_differs(ledger, store):
    last = ledger.promises[-1]
    ledger.promises[-1] = replace(last, view="0" * 64)
    (told,) = judge([ledger], store.client).differing
    assert told == f"{ledger.game}: version {last.version} is not what was answered"


def test_a_move_that_is_not_the_one_that_was_asked_for_differs(ledger, store):
    last = ledger.promises[-1]
    ledger.promises[-1] = replace(last, body=b'{"type":"big_gin"}')
    (told,) = judge([ledger], store.client).differing
    assert told == f"{ledger.game}: version {last.version} is not what was answered"


def test_a_snapshot_that_is_not_the_end_of_the_log_differs(ledger, store):
    key = game_key(ledger.game)
    snapshot = store.client.hget(key, "s")
    store.client.hset(key, "s", snapshot.replace(b'"server_only":true', b'"server_only":false'))
    assert judge([ledger], store.client).differing == [f"{ledger.game}: the log does not replay to the snapshot"]
