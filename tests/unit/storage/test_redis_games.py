"""The store of games in a Redis that is well: what is written is read again, and what does not fit is not written."""

from dataclasses import replace

import pytest
from msgspec import structs

from service.play.errors import SnapshotCorrupt
from service.play.ports import Committed, Head, Outdated, Replay
from service.storage.keys import game_key, log_key, receipt_key
from service.storage.reaching import connect
from service.storage.redis_games import RedisGames
from tests.unit.storage.kept import FUTURE, NAME, RECEIPT, creation, keyspace, new_game, new_id, next_step


@pytest.fixture
def games(store):
    client = connect(store.url, 5, 4)
    yield RedisGames(client)
    client.connection_pool.disconnect()


def test_a_game_that_was_never_made_is_not_there(games):
    nobody = new_id()
    loaded = games.load(nobody, NAME)
    assert (loaded.head, loaded.receipt) == (None, None)
    assert games.head(nobody) is None
    assert games.log(nobody) == []


def test_a_game_is_read_as_it_was_written(games):
    game = new_game(new_id())
    change = creation(game)
    assert games.commit(change) == Committed()
    loaded = games.load(game.id)
    assert loaded.head == games.head(game.id) == Head(1, "stamp-1", (1, 1))
    assert loaded.game() == game
    assert loaded.receipt is None
    assert games.log(game.id) == list(change.entries)


def test_a_game_is_loaded_with_the_clock_of_the_store_and_its_size(games, store):
    game = new_game(new_id())
    change = creation(game)
    games.commit(change)
    before, _ = store.client.time()
    loaded = games.load(game.id)
    after, _ = store.client.time()
    assert before * 1000 <= loaded.now < (after + 1) * 1000
    kept = store.client.lrange(log_key(game.id), 0, -1)
    assert loaded.head.size == len(loaded.snapshot) + sum(map(len, kept))


def test_a_receipt_is_asked_for_after_its_game(games, monkeypatch):
    """So a change between the two is either not seen at all, or its receipt is."""
    game = new_game(new_id())
    games.commit(creation(game))
    asked = []

    def noted(*commands, read_each=games._pool.read_each):
        asked.extend(command[0] for command in commands)
        return read_each(*commands)

    monkeypatch.setattr(games._pool, "read_each", noted)
    games.load(game.id, NAME)
    assert asked == ["HMGET", "TIME", "GET"]


@pytest.mark.parametrize("key", [game_key, lambda game_id: receipt_key(game_id, NAME)])
def test_a_key_of_another_type_is_corrupt_and_stays_as_it_is(games, store, key):
    game = new_game(new_id())
    games.commit(creation(game))
    store.client.delete(key(game.id))
    store.client.rpush(key(game.id), "a list")
    before = keyspace(store.client, game.id)
    with pytest.raises(SnapshotCorrupt):
        games.load(game.id, NAME)
    assert keyspace(store.client, game.id) == before


def test_steps_and_rotated_generations_follow_each_other(games):
    game = new_game(new_id())
    games.commit(creation(game))
    step = next_step(game, generations=(1, 2))
    assert games.commit(step) == Committed()
    assert games.head(game.id) == Head(2, "stamp-2", (1, 2))
    assert games.load(game.id).game() == step.game
    after = next_step(step.game, seen=Head(2, "stamp-2", (1, 2)), generations=(1, 2))
    assert games.commit(after) == Committed()
    assert games.log(game.id)[1:] == [*step.entries, *after.entries]


def test_a_receipt_is_given_to_the_request_that_asks_for_it_and_to_its_twin(games, store):
    game = new_game(new_id())
    change = creation(game, receipt=RECEIPT, receipt_until=FUTURE)
    assert games.commit(change) == Committed()
    before = keyspace(store.client, game.id)
    assert games.commit(change) == Replay(RECEIPT)
    assert games.load(game.id, NAME).receipt == RECEIPT
    assert games.load(game.id, "ef" * 11).receipt is None
    assert keyspace(store.client, game.id) == before


def test_the_log_tells_the_stamp_and_the_receipt_of_each_step(games, store):
    """Beside what is played again, each entry names its commit and the request that made it."""
    game = new_game(new_id())
    games.commit(creation(game, receipt=RECEIPT, receipt_until=FUTURE))
    games.commit(next_step(game))
    first, second = store.client.lrange(log_key(game.id), 0, -1)
    assert b'"stamp-1"' in first
    assert first.endswith(f'"{NAME}"]'.encode())
    assert second == b'["dealt",1700000000002,"stamp-2",0,{"client_seed":"another"}]'


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(Head(1, "another", (1, 1)), id="stamp"),
        pytest.param(Head(1, "stamp-1", (2, 1)), id="generations"),
        pytest.param(None, id="nothing"),
    ],
)
def test_a_step_from_another_game_than_the_stored_one_is_outdated(games, store, seen):
    game = new_game(new_id())
    games.commit(creation(game))
    before = keyspace(store.client, game.id)
    outdated = next_step(game, seen=seen) if seen else creation(game)
    assert games.commit(outdated) == Outdated()
    assert keyspace(store.client, game.id) == before


def test_a_step_of_a_game_that_expired_is_outdated(games):
    game = new_game(new_id())
    games.commit(creation(game, expires_at=1))
    assert games.head(game.id) is None
    assert games.commit(next_step(game)) == Outdated()
    assert games.head(game.id) is None


def test_a_step_that_cannot_be_right_is_refused_aloud(games, store):
    game = new_game(new_id())
    games.commit(creation(game))
    before = keyspace(store.client, game.id)
    with pytest.raises(SnapshotCorrupt) as refused:
        games.commit(structs.replace(next_step(game), entries=()))
    assert refused.value.reason == "the entries do not lead from one version to the other"
    with pytest.raises(SnapshotCorrupt):
        games.commit(next_step(game, expires_at=0))
    assert keyspace(store.client, game.id) == before


def test_keys_of_another_type_are_a_corrupt_game(games, store):
    game_id = new_id()
    for key in (game_key(game_id), log_key(game_id), receipt_key(game_id, NAME)):
        store.client.zadd(key, {"member": 1})
    before = keyspace(store.client, game_id)
    with pytest.raises(SnapshotCorrupt, match="damaged"):
        games.load(game_id, NAME)
    with pytest.raises(SnapshotCorrupt):
        games.head(game_id)
    with pytest.raises(SnapshotCorrupt):
        games.log(game_id)
    assert keyspace(store.client, game_id) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [("v", "two"), ("v", ""), ("g", "1,x"), ("g", ""), ("x", b"\xff")],
)
def test_a_head_that_cannot_be_read_is_a_corrupt_game(games, store, field, value):
    game = new_game(new_id())
    games.commit(creation(game))
    store.client.hset(game_key(game.id), field, value)
    for call in (games.head, games.load):
        with pytest.raises(SnapshotCorrupt):
            call(game.id)


def test_a_game_without_a_snapshot_is_corrupt(games, store):
    game = new_game(new_id())
    games.commit(creation(game))
    store.client.hdel(game_key(game.id), "s")
    with pytest.raises(SnapshotCorrupt):
        games.load(game.id).game()


def test_scripts_that_the_server_forgot_are_sent_again(games, store):
    game = new_game(new_id())
    games.commit(creation(game))
    store.client.script_flush()
    assert games.load(game.id).game() == game
    store.client.script_flush()
    assert games.commit(next_step(game)) == Committed()


def test_a_game_expires_when_its_last_change_said(games, store):
    game = new_game(new_id())
    games.commit(creation(game))
    games.commit(next_step(game, expires_at=FUTURE + 5))
    assert {moment for _, moment in keyspace(store.client, game.id).values()} == {FUTURE + 5}


# --- Rotating and erasing ------------------------------------------------------

FRESH = Head(1, "stamp-1", (1, 1))


def test_rotated_generations_are_seen_and_a_step_from_before_is_outdated(games):
    game = new_game(new_id())
    games.commit(creation(game))
    assert games.rotate(game.id, FRESH, (1, 2), None, 0) == Committed()
    assert games.head(game.id) == Head(1, "stamp-1", (1, 2))
    assert games.load(game.id).game() == game
    assert games.commit(next_step(game)) == Outdated()
    assert games.rotate(game.id, FRESH, (2, 1), None, 0) == Outdated()


def test_a_rotation_and_its_twin_have_one_receipt(games):
    game = new_game(new_id())
    games.commit(creation(game))
    assert games.rotate(game.id, FRESH, (1, 2), RECEIPT, FUTURE) == Committed()
    assert games.rotate(game.id, FRESH, (1, 2), RECEIPT, FUTURE) == Replay(RECEIPT)
    assert games.load(game.id, NAME).receipt == RECEIPT


def test_a_receipt_of_a_rotation_without_a_time_is_refused_aloud(games, store):
    game = new_game(new_id())
    games.commit(creation(game))
    before = keyspace(store.client, game.id)
    with pytest.raises(SnapshotCorrupt):
        games.rotate(game.id, FRESH, (1, 2), RECEIPT, 0)
    assert keyspace(store.client, game.id) == before


def test_an_erased_game_leaves_no_key_and_no_other_game_loses_one(games, store):
    """Receipts of its creation, its steps, and two rotations."""
    game, other = new_game(new_id()), new_game(new_id())
    for each in (game, other):
        games.commit(creation(each, receipt=RECEIPT, receipt_until=FUTURE))
    step = next_step(game, receipt=replace(RECEIPT, name="step" * 5), receipt_until=FUTURE)
    games.commit(step)
    before = keyspace(store.client, other.id)
    seen = Head(2, "stamp-2", (1, 1))
    for number in (2, 3):
        renewed = (1, number)
        receipt = replace(RECEIPT, name=f"rotation {number}")
        assert games.rotate(game.id, seen, renewed, receipt, FUTURE) == Committed()
        seen = Head(2, "stamp-2", renewed)
    assert len(keyspace(store.client, game.id)) == 6
    assert not games.erase(game.id, Head(2, "stamp-2", (1, 2)))
    assert games.erase(game.id, seen)
    assert keyspace(store.client, game.id) == {}
    assert keyspace(store.client, other.id) == before
    assert not games.erase(game.id, seen)
