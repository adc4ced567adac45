"""The count of open games in a real store: exact while games end, and late at worst when they expire."""

import logging
import secrets

import pytest

from service.storage.keys import game_key, open_games_key
from service.storage.redis_quota import LOOKED_FOR, RedisQuota
from tests.conftest import running_store
from tests.unit.storage.kept import new_id

AN_HOUR = 3_600_000


@pytest.fixture
def holder():
    return f"tenant:{secrets.token_hex(4)}"


@pytest.fixture
def quota(store):
    """Looks for every game at once, however young its count is."""
    return RedisQuota(store.client, AN_HOUR, sure_ms=0)


def counted(store, holder):
    return {game.decode() for game in store.client.zrange(open_games_key(holder), 0, -1)}


def there(store, game):
    store.client.hset(game_key(game), "v", 1)
    return game


def test_games_are_counted_up_to_the_most(store, quota, holder):
    games = [there(store, new_id()) for _ in range(3)]
    assert [quota.admit(holder, game, 2) for game in games] == [True, True, False]
    assert counted(store, holder) == set(games[:2])
    assert quota.admit("tenant:somebody else", games[2], 2)


def test_a_game_that_is_counted_is_admitted_again(store, quota, holder):
    game = there(store, new_id())
    assert [quota.admit(holder, game, 1) for _ in range(3)] == [True] * 3


def test_a_released_game_makes_room(store, quota, holder):
    first, second = (there(store, new_id()) for _ in range(2))
    assert quota.admit(holder, first, 1)
    quota.release(holder, first)
    assert quota.admit(holder, second, 1)
    assert counted(store, holder) == {second}


def test_an_expired_game_makes_room_once_it_is_needed(store, quota, holder):
    gone, here, new = new_id(), there(store, new_id()), there(store, new_id())
    assert quota.admit(holder, gone, 2)
    assert quota.admit(holder, here, 2)
    assert quota.admit(holder, new, 2)
    assert counted(store, holder) == {here, new}


def test_a_game_in_the_making_is_not_looked_for(store, holder):
    """It is counted before it is written."""
    quota = RedisQuota(store.client, AN_HOUR)
    assert quota.admit(holder, new_id(), 1)
    assert not quota.admit(holder, new_id(), 1)


def test_every_expired_game_among_many_is_found_in_the_end(store, quota, holder):
    """Each refusal looks for some games, and never twice for the same ones before the others."""
    games = [there(store, new_id()) for _ in range(3 * LOOKED_FOR)]
    assert all(quota.admit(holder, game, len(games)) for game in games)
    long_ago = {game: number for number, game in enumerate(games)}
    store.client.zadd(open_games_key(holder), long_ago, xx=True)
    store.client.delete(game_key(games[-1]))
    answers = [quota.admit(holder, new_id(), len(games)) for _ in range(3)]
    assert answers == [False, False, True]


def test_the_count_goes_with_its_holder(store, quota, holder):
    quota.admit(holder, new_id(), 1)
    assert 0 < store.client.pttl(open_games_key(holder)) <= AN_HOUR


def test_a_release_that_the_store_fails_is_logged_and_refuses_nothing(caplog):
    with running_store() as own:
        quota = RedisQuota(own.client, AN_HOUR)
    with caplog.at_level(logging.WARNING):
        quota.release("tenant:shop", new_id())
    assert "stays counted until it expires" in caplog.text


def test_a_release_that_the_store_refuses_is_logged_too(store, quota, holder, caplog):
    """The game has ended already: a fault that rose from here would say that it had not."""
    store.client.set(open_games_key(holder), "no set of games")
    with caplog.at_level(logging.WARNING):
        quota.release(holder, new_id())
    assert "WRONGTYPE" in caplog.text
