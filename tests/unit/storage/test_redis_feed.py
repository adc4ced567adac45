"""The news of games from a real store: whoever waits is woken, also when the connection was lost meanwhile."""

import logging
import threading
import time

import pytest

from service.storage.keys import news_channel
from service.storage.reaching import connect
from service.storage.redis_feed import RECONNECT_SECONDS, RedisFeed
from tests.conftest import running_store
from tests.unit.storage.kept import new_id

LONG = 20.0
"""Never waited for in full: a test that does fails."""
SHORT = 0.3


@pytest.fixture
def feed(store):
    feed = RedisFeed(connect(store.url, 5.0, 4))
    yield feed
    feed.close()


def subscribed(watch):
    """Wait for the confirmation of the subscription, which wakes the watch."""
    assert watch.wait(LONG) > 0


def publish(store, game):
    store.client.publish(news_channel(game), "2")


def test_news_of_the_game_wake_the_one_who_waits(store, feed):
    with feed.watch(game := new_id()) as watch:
        subscribed(watch)
        publish(store, game)
        assert LONG - 5 < watch.wait(LONG) < LONG


def test_news_of_another_game_wake_nobody(store, feed):
    with feed.watch(new_id()) as watch:
        subscribed(watch)
        publish(store, new_id())
        assert watch.wait(SHORT) == 0


def test_all_who_wait_for_a_game_are_woken(store, feed):
    game = new_id()
    with feed.watch(game) as one, feed.watch(game) as two:
        subscribed(one)
        two.wait(SHORT)
        publish(store, game)
        assert one.wait(LONG) > 0
        assert two.wait(LONG) > 0


def test_news_that_come_between_two_waits_end_the_second_at_once(store, feed):
    game = new_id()
    with feed.watch(game) as watch, feed.watch(game) as other:
        subscribed(watch)
        other.wait(SHORT)
        publish(store, game)
        assert other.wait(LONG) > 0
        assert watch.wait(LONG) > 0


def test_news_that_come_as_the_time_runs_out_end_the_next_wait(feed):
    """Else a stream would learn of them only with the next ones."""
    with feed.watch(new_id()) as watch:
        subscribed(watch)
        watch.wake()
        assert watch.wait(0) == 0
        assert watch.wait(LONG) > 0
        assert watch.wait(0) == 0


def test_one_who_leaves_takes_the_subscription_along_but_not_that_of_others(store, feed):
    game = new_id()
    channel = news_channel(game)
    with feed.watch(game) as watch:
        subscribed(watch)
        with feed.watch(game):
            pass
        publish(store, game)
        assert watch.wait(LONG) > 0
    until = time.monotonic() + LONG
    while store.client.pubsub_numsub(channel) != [(channel.encode(), 0)]:
        assert time.monotonic() < until


def test_one_connection_serves_all_games(store, feed):
    before = len(store.client.client_list("pubsub"))
    games = [new_id() for _ in range(20)]
    watches = [feed.watch(game) for game in games]
    for watch in [each.__enter__() for each in watches]:
        subscribed(watch)
    assert len(store.client.client_list("pubsub")) == before + 1
    for each in watches:
        each.__exit__(None, None, None)


def test_the_close_ends_all_waits_and_lets_nobody_wait_again(store):
    feed = RedisFeed(connect(store.url, 5.0, 4))
    left = []
    with feed.watch(new_id()) as watch:
        subscribed(watch)
        waiting = threading.Thread(target=lambda: left.append(watch.wait(LONG)))
        waiting.start()
        feed.close()
        waiting.join(LONG)
        assert left == [0.0]
        assert watch.closing
    with feed.watch(new_id()) as late:
        assert late.closing
        began = time.monotonic()
        assert late.wait(LONG) == 0
        assert time.monotonic() - began < LONG / 2


def test_after_the_close_nobody_waits_for_a_store_that_hangs_to_leave():
    with running_store() as store:
        feed = RedisFeed(connect(store.url, 5.0, 4))
        watches = [feed.watch(new_id()) for _ in range(100)]
        subscribed([watch.__enter__() for watch in watches][-1])
        with store.frozen():
            began = time.monotonic()
            feed.close()
            for watch in watches:
                watch.__exit__(None, None, None)
            assert time.monotonic() - began < 2


def test_after_the_connection_was_lost_everybody_is_woken_and_subscribed_again(store, feed, caplog):
    game = new_id()
    with feed.watch(game) as watch, caplog.at_level(logging.WARNING):
        subscribed(watch)
        store.client.client_kill_filter(_type="pubsub")
        assert watch.wait(LONG) > 0
        publish(store, game)
        assert watch.wait(LONG) > 0
    assert "interrupted" in caplog.text


def test_a_connection_that_is_lost_is_made_anew_for_everybody_by_the_listener_alone(store, monkeypatch):
    """Whoever comes or leaves meanwhile would mend it for one game, and the others would hear nothing any more."""
    monkeypatch.setattr("service.storage.redis_feed.PING_SECONDS", 0.5)
    feed = RedisFeed(connect(store.url, 5.0, 4))
    with feed.watch(game := new_id()) as watch:
        subscribed(watch)
        with feed._lock:
            lost = feed._connection
            lost._sock.close()
            for _ in range(2):
                feed._send("SUBSCRIBE", news_channel(new_id()))
                assert not lost.is_connected
        assert watch.wait(LONG) > 0
        publish(store, game)
        assert watch.wait(LONG) > 0
    feed.close()


def test_one_who_comes_while_the_store_is_away_is_woken_once_it_is_back():
    with running_store() as own:
        feed = RedisFeed(connect(own.url, 5.0, 4))
        own.stop()
        with feed.watch(game := new_id()) as watch:
            assert watch.wait(SHORT) == 0
            own.start()
            assert watch.wait(LONG) > 0
            publish(own, game)
            assert watch.wait(LONG) > 0
        feed.close()


def test_a_store_that_lets_nobody_listen_is_not_asked_again_and_again(caplog):
    with running_store() as own:
        own.client.acl_setuser("app", enabled=True, nopass=True, keys=["*"], commands=["+@all"], reset_channels=True)
        feed = RedisFeed(connect(own.url.replace("unix://", "unix://app:any@"), 5.0, 4))
        with feed.watch(new_id()) as watch:
            assert watch.wait(3 * RECONNECT_SECONDS) == 0
        feed.close()
    assert len(caplog.messages) == 1
    assert "permissions" in caplog.text


def test_a_store_that_falls_silent_is_tried_and_then_connected_to_anew(monkeypatch):
    """A frozen server keeps the connection open and says nothing."""
    monkeypatch.setattr("service.storage.redis_feed.PING_SECONDS", 0.2)
    with running_store() as own:
        feed = RedisFeed(connect(own.url, 0.2, 4))
        with feed.watch(game := new_id()) as watch:
            subscribed(watch)
            listening = own.client.client_list("pubsub")[0]["id"]
            with own.frozen():
                assert watch.wait(1.5) == 0
            assert watch.wait(LONG) > 0
            until = time.monotonic() + LONG
            while [each["id"] for each in own.client.client_list("pubsub")] in ([], [listening]):
                assert time.monotonic() < until
            publish(own, game)
            assert watch.wait(LONG) > 0
        feed.close()


def test_a_connection_that_is_silent_for_long_stays(store, monkeypatch):
    monkeypatch.setattr("service.storage.redis_feed.PING_SECONDS", 0.05)
    feed = RedisFeed(connect(store.url, 5.0, 4))
    with feed.watch(game := new_id()) as watch:
        subscribed(watch)
        assert watch.wait(SHORT) == 0
        publish(store, game)
        assert watch.wait(LONG) > 0
    feed.close()
