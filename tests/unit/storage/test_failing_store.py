"""A Redis that is away, full, frozen or busy: an answer within the time-out, and nothing half done or done twice."""

import socket
import threading
import time

import pytest
from msgspec.structs import replace
from redis.exceptions import ResponseError

from service.play.errors import StoreUnavailable
from service.play.ports import Committed, Head, Outdated, Replay
from service.storage.durability import found_promise
from service.storage.reaching import Served, connect
from service.storage.redis_games import RedisGames
from tests.conftest import running_store
from tests.unit.storage.kept import FUTURE, RECEIPT, creation, keyspace, new_game, new_id, next_step

TIMEOUT = 0.3
HEAD = Head(1, "stamp-1", (1, 1))
ALLOWED = 1.0
"""How long a caller may be kept waiting, whatever is wrong."""


@pytest.fixture
def own_store():
    with running_store() as running:
        yield running


@pytest.fixture
def client(own_store):
    client = connect(own_store.url, TIMEOUT, 2)
    yield client
    client.connection_pool.disconnect()


@pytest.fixture
def games(client):
    return RedisGames(client)


@pytest.fixture
def game(games):
    """A game that is kept already, so that the connection is open too."""
    game = new_game(new_id())
    assert games.commit(creation(game)) == Committed()
    return game


def assert_unavailable(call):
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as refused:
        call()
    assert time.monotonic() - began < ALLOWED
    return refused.value


def every_call(games, client, game):
    return (
        lambda: games.load(game.id),
        lambda: games.head(game.id),
        lambda: games.log(game.id),
        lambda: games.commit(next_step(game)),
        lambda: games.rotate(game.id, HEAD, (1, 2), None, 0),
        lambda: games.erase(game.id, HEAD),
        lambda: found_promise(client),
    )


def test_a_full_store_is_unavailable_for_changes_and_nothing_is_half_written(own_store, games, game):
    before = keyspace(own_store.client, game.id)
    own_store.client.config_set("maxmemory-policy", "noeviction")
    own_store.client.config_set("maxmemory", "1")
    assert "OutOfMemory" in assert_unavailable(lambda: games.commit(next_step(game))).reason
    other = new_game(new_id())
    assert_unavailable(lambda: games.commit(creation(other)))
    assert games.load(game.id).game() == game
    assert keyspace(own_store.client, game.id) == before
    assert keyspace(own_store.client, other.id) == {}
    own_store.client.config_set("maxmemory", "0")
    assert games.commit(next_step(game)) == Committed()


def test_a_stopped_store_is_unavailable_at_once_and_the_same_client_works_after_its_return(
    own_store, games, client, game
):
    own_store.stop()
    for call in every_call(games, client, game):
        assert_unavailable(call)
    own_store.start()
    assert games.load(game.id).head is None
    assert games.commit(creation(game)) == Committed()
    assert games.load(game.id).game() == game


def test_a_frozen_store_is_unavailable_within_the_time_out(own_store, games, client, game):
    with own_store.frozen():
        for call in every_call(games, client, game):
            assert_unavailable(call)
    own_store.client.ping()
    assert games.load(game.id).head is not None


def test_a_command_that_a_frozen_store_did_not_answer_is_not_sent_again(own_store, client):
    client.set("count", 0)
    with own_store.frozen():

        def count():
            with Served():
                client.incr("count")

        assert_unavailable(count)
    with Served():
        assert client.incr("count") == 2


def test_a_change_that_a_frozen_store_did_not_answer_is_made_once(own_store, games, game):
    """It was received before the caller gave up, so it is carried out on waking; the caller's next try is outdated."""
    step = next_step(game)
    with own_store.frozen():
        assert_unavailable(lambda: games.commit(step))
    assert games.commit(step) == Outdated()
    assert games.log(game.id)[1:] == list(step.entries)


def test_the_next_try_of_a_change_that_a_frozen_store_made_on_waking_gets_its_receipt(own_store, games, game):
    step = next_step(game, receipt=RECEIPT, receipt_until=FUTURE)
    again = replace(step, game=replace(step.game, stamp="another"))
    with own_store.frozen():
        assert_unavailable(lambda: games.commit(step))
    assert games.commit(again) == Replay(RECEIPT)
    assert games.load(game.id, RECEIPT.name).receipt == RECEIPT
    assert games.log(game.id)[1:] == list(step.entries)


def test_connections_that_are_all_taken_are_waited_for_within_the_time_out(games, game):
    held = [games._pool._connection() for _ in range(2)]
    assert_unavailable(lambda: games.load(game.id))
    for each in held:
        games._pool._give_back(each)
    assert games.load(game.id).game() == game


def test_a_connection_given_back_in_time_is_taken(games, game):
    held = [games._pool._connection() for _ in range(2)]
    giving_back = threading.Timer(TIMEOUT / 10, games._pool._give_back, held[:1])
    giving_back.start()
    assert games.load(game.id).game() == game
    giving_back.join()
    games._pool._give_back(held[1])


def test_a_replica_that_takes_no_writes_is_unavailable_for_changes(own_store, games, game):
    own_store.client.config_set("replica-serve-stale-data", "yes")
    own_store.client.replicaof("127.0.0.1", "1")
    before = keyspace(own_store.client, game.id)
    assert_unavailable(lambda: games.commit(next_step(game)))
    assert keyspace(own_store.client, game.id) == before
    own_store.client.replicaof("NO", "ONE")
    assert games.commit(next_step(game)) == Committed()


def test_a_replica_that_has_lost_its_master_is_unavailable(own_store, games, client, game):
    own_store.client.config_set("replica-serve-stale-data", "no")
    own_store.client.replicaof("127.0.0.1", "1")
    assert "MasterDown" in assert_unavailable(lambda: games.load(game.id)).reason
    assert_unavailable(lambda: games.commit(next_step(game)))
    assert_unavailable(lambda: _several(client))
    own_store.client.replicaof("NO", "ONE")
    assert games.load(game.id).game() == game


def test_a_store_that_forgets_a_script_as_soon_as_it_is_loaded_is_unavailable(own_store, games, game, monkeypatch):
    def forgotten(*command, change=games._pool.change):
        told = change(*command)
        own_store.client.script_flush()
        return told

    own_store.client.script_flush()
    with monkeypatch.context() as forgetting:
        forgetting.setattr(games._pool, "change", forgotten)
        assert "NoScript" in assert_unavailable(lambda: games.tail(game.id, 1, 9)).reason
    assert games.load(game.id).game() == game


def test_an_address_where_something_else_than_a_store_answers_is_unavailable():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stranger = threading.Thread(target=_answer_as_a_web_server, args=(listener,))
        stranger.start()
        port = listener.getsockname()[1]
        with connect(f"redis://127.0.0.1:{port}", TIMEOUT, 1) as client:
            assert "InvalidResponse" in assert_unavailable(lambda: RedisGames(client).head(new_id())).reason
        stranger.join()


def _answer_as_a_web_server(listener):
    line, _ = listener.accept()
    with line:
        while line.recv(1024):
            line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_a_store_that_is_busy_with_a_script_is_unavailable(own_store, games, client, game):
    own_store.client.config_set("busy-reply-threshold", "1")
    endless = threading.Thread(target=_run_forever, args=(own_store.url,))
    endless.start()
    try:
        _until_busy(own_store.client)
        for call in (*every_call(games, client, game), lambda: _several(client)):
            assert "BUSY" in assert_unavailable(call).reason.upper()
    finally:
        own_store.client.script_kill()
        endless.join()
    assert games.load(game.id).game() == game


def _several(client):
    """Several commands in one trip."""
    with Served(), client.pipeline(transaction=False) as asked:
        asked.exists("a")
        asked.exists("b")
        asked.execute()


def _run_forever(url):
    with connect(url, 20, 1) as client, pytest.raises(ResponseError):
        client.eval("while true do end", 0)


def _until_busy(client):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            client.ping()
        except ResponseError:
            return
    raise AssertionError("the script does not run")


def test_an_error_reply_that_is_our_own_fault_is_no_outage(client):
    with pytest.raises(ResponseError, match="unknown command"), Served():
        client.execute_command("NO-SUCH-COMMAND")
