"""Connections to a real store: the warm one first, never more than allowed, and none with an answer still to come."""

import threading
import time

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.storage.pool import Pool, Script
from service.storage.reaching import connect
from tests.conftest import running_store

TIMEOUT = 0.5
ECHO = Script.of("return {KEYS[1], ARGV[1]}", reads=True)


@pytest.fixture
def own_store():
    with running_store() as running:
        yield running


@pytest.fixture
def pool(own_store):
    pool = Pool(connect(own_store.url, TIMEOUT, 2))
    yield pool
    pool.close()


def held(pool, seconds):
    """Take a connection for some time, in a thread."""
    taking = threading.Thread(target=pool.change, args=("BLPOP", "nothing", str(seconds)))
    taking.start()
    return taking


def until_taken(store, connections):
    until = time.monotonic() + 5
    while len([each for each in store.client.client_list() if each["cmd"] == "blpop"]) < connections:
        assert time.monotonic() < until


def test_the_connection_that_was_given_back_last_is_taken_first(pool):
    assert len({pool.read("CLIENT", "ID") for _ in range(5)}) == 1


def test_there_are_never_more_than_allowed_and_one_given_back_in_time_is_taken(own_store, pool):
    taking = [held(pool, 0.2), held(pool, 0.2)]
    until_taken(own_store, 2)
    assert pool.read("PING") == b"PONG"
    for thread in taking:
        thread.join()
    assert len(own_store.client.client_list()) == 3


def test_who_finds_none_for_too_long_is_told(own_store, pool):
    pool._timeout = 0.05
    taking = [held(pool, 0.4), held(pool, 0.4)]
    until_taken(own_store, 2)
    with pytest.raises(RedisConnectionError, match="no connection is free"):
        pool.read("PING")
    for thread in taking:
        thread.join()
    assert pool.read("PING") == b"PONG"


def test_an_idle_connection_that_the_store_closed_is_replaced_for_a_read(own_store, pool):
    before = pool.read("CLIENT", "ID")
    own_store.client.client_kill_filter(skipme=True)
    assert pool.read("CLIENT", "ID") != before


def test_a_change_is_never_sent_twice_however_the_connection_ended(own_store, pool):
    assert pool.read("PING") == b"PONG"
    own_store.client.client_kill_filter(skipme=True)
    with pytest.raises(RedisConnectionError):
        pool.change("INCR", "a")
    assert pool.change("INCR", "a") == 1


def test_a_connection_whose_answer_did_not_come_in_time_is_not_used_again(own_store, pool):
    assert pool.read("PING") == b"PONG"
    with own_store.frozen(), pytest.raises(RedisTimeoutError):
        pool.read("ECHO", "late")
    assert pool.read("ECHO", "in time") == b"in time"


def test_a_refusal_of_the_store_is_an_answer_and_the_connection_stays(pool):
    before = pool.read("CLIENT", "ID")
    pool.change("SET", "text", "1")
    with pytest.raises(ResponseError):
        pool.change("LPUSH", "text", "2")
    assert pool.read("CLIENT", "ID") == before


def test_commands_sent_together_are_answered_in_their_order(pool):
    assert pool.read_each(("ECHO", "a"), ("PING",), ("ECHO", "b")) == [b"a", b"PONG", b"b"]


def test_a_refusal_among_several_answers_leaves_none_of_them_behind(pool):
    before = pool.read("CLIENT", "ID")
    pool.change("SET", "text", "1")
    with pytest.raises(ResponseError):
        pool.read_each(("ECHO", "a"), ("LLEN", "text"), ("ECHO", "b"))
    assert pool.read("CLIENT", "ID") == before


def test_the_places_of_broken_connections_are_free_again(own_store, pool):
    for _ in range(5):
        own_store.client.client_kill_filter(skipme=True)
        assert pool.read("PING") == b"PONG"
    own_store.stop()
    for _ in range(5):
        with pytest.raises(RedisConnectionError):
            pool.read("PING")
    own_store.start()
    assert pool.read("PING") == b"PONG"


def test_a_script_that_the_store_does_not_know_is_told_to_it_once(own_store, pool):
    assert pool.run(ECHO, ["a"], [7]) == [b"a", b"7"]
    assert own_store.client.script_exists(ECHO.sha) == [True]
    own_store.client.script_flush()
    assert pool.run(ECHO, ["b"], ["x"]) == [b"b", b"x"]


def test_a_store_that_forgets_a_script_as_soon_as_it_knows_it_is_no_endless_loop(own_store, pool, monkeypatch):
    change = pool.change

    def forgotten(*command):
        told = change(*command)
        own_store.client.script_flush()
        return told

    monkeypatch.setattr(pool, "change", forgotten)
    with pytest.raises(NoScriptError):
        pool.run(ECHO, ["a"], [7])


def test_many_callers_share_a_few_connections_and_get_their_own_answers(own_store, pool):
    pool._timeout = 20
    wrong = []

    def call(number):
        for turn in range(50):
            told = pool.run(ECHO, [f"{number}"], [turn])
            if told != [str(number).encode(), str(turn).encode()]:
                wrong.append(told)

    callers = [threading.Thread(target=call, args=(number,)) for number in range(20)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert wrong == []
    assert len(own_store.client.client_list()) <= 3
