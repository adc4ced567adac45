"""A stored game that is damaged, or was written by a newer server, is refused and left exactly as it lies."""

import logging

import orjson
import pytest

from service.storage.keys import game_key, log_key
from tests.conftest import new_game
from tests.unit.storage.kept import keyspace


@pytest.fixture
def ann(http):
    ann, ben = new_game(http, spectators=True, first_dealer=1)
    ben.play({"type": "deal"})
    return ann


def every_call(ann):
    """What reads a game: with and without a token, and what would change it."""
    path = f"/v1/games/{ann.game}"
    for read in ("", "/events", "/rounds", "/rounds/1", "/score", "/record"):
        yield ann.http.get(path + read, headers=ann.headers)
        yield ann.http.get(path + read)
    yield ann.http.get(path, headers=ann.headers | {"If-None-Match": '"other"'})
    yield ann.http.get(path, headers=ann.headers | {"If-None-Match": '"other"', "Prefer": "wait=20"})
    yield ann.http.get(f"{path}/events", headers=ann.headers | {"Accept": "text/event-stream"})
    yield ann.post({"type": "pass"})
    yield ann.post({"type": "draw", "source": "discard"}, **{"Idempotency-Key": "key"})
    yield ann.http.post(f"{path}/resign", headers=ann.headers)


def assert_refused_and_left(ann, store, status, code):
    before = keyspace(store.client, ann.game)
    for refused in every_call(ann):
        assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
        assert refused.json().keys() == {"type", "title", "status", "detail", "code"}
        assert (refused.headers.get("retry-after") == "1") == (status == 503)
    assert keyspace(store.client, ann.game) == before


def cut_in_half(snapshot):
    return snapshot[: len(snapshot) // 2]


def without_a_card(snapshot):
    doc = orjson.loads(snapshot)
    doc["match"]["round"]["stock"] = doc["match"]["round"]["stock"][2:]
    return orjson.dumps(doc)


def with_a_card_twice(snapshot):
    doc = orjson.loads(snapshot)
    hands = doc["match"]["round"]["hands"]
    doc["match"]["round"]["hands"] = [hands[0], hands[0]]
    return orjson.dumps(doc)


def in_another_phase(snapshot):
    doc = orjson.loads(snapshot)
    doc["match"]["round"]["phase"] = "spread"
    return orjson.dumps(doc)


def without_seats(snapshot):
    return orjson.dumps(orjson.loads(snapshot) | {"seats": []})


def with_a_strange_score(snapshot):
    doc = orjson.loads(snapshot)
    doc["match"]["rounds"] = [["knock", 0, ["deadwood", "many", "knock"]]]
    return orjson.dumps(doc)


@pytest.mark.parametrize(
    "damage",
    [
        lambda snapshot: b"",
        lambda snapshot: b"null",
        lambda snapshot: b"\x80\x04pickled",
        cut_in_half,
        without_a_card,
        with_a_card_twice,
        in_another_phase,
        without_seats,
        with_a_strange_score,
    ],
)
def test_a_damaged_game_is_refused_and_left_as_it_lies(ann, store, caplog, damage):
    key = game_key(ann.game)
    store.client.hset(key, "s", damage(store.client.hget(key, "s")))
    with caplog.at_level(logging.CRITICAL, "upcard.web"):
        assert_refused_and_left(ann, store, 500, "snapshot_corrupt")


@pytest.mark.parametrize("field", ["v", "g"])
def test_a_game_whose_version_or_generations_cannot_be_read_is_damaged(ann, store, field):
    store.client.hset(game_key(ann.game), field, "x")
    assert_refused_and_left(ann, store, 500, "snapshot_corrupt")


def test_a_game_of_another_type_is_damaged(ann, store):
    store.client.set(game_key(ann.game), "not a hash")
    assert_refused_and_left(ann, store, 500, "snapshot_corrupt")


@pytest.mark.parametrize("schema", [0, 3, 999])
def test_a_game_of_another_schema_is_left_to_the_server_that_wrote_it(ann, store, schema):
    key = game_key(ann.game)
    snapshot = orjson.loads(store.client.hget(key, "s"))
    store.client.hset(key, "s", orjson.dumps(snapshot | {"schema": schema}))
    assert_refused_and_left(ann, store, 503, "snapshot_unreadable")


@pytest.mark.parametrize("damage", ["shorter", "longer", "gone"])
def test_a_game_whose_log_does_not_fit_is_not_played_on(ann, store, damage):
    key = log_key(ann.game)
    match damage:
        case "shorter":
            store.client.rpop(key)
        case "longer":
            store.client.rpush(key, "[]")
        case "gone":
            store.client.delete(key)
    before = keyspace(store.client, ann.game)
    refused = ann.post({"type": "pass"})
    assert (refused.status_code, refused.json()["code"]) == (500, "snapshot_corrupt")
    assert keyspace(store.client, ann.game) == before


def test_a_log_that_cannot_be_read_is_damaged(ann, store):
    store.client.lset(log_key(ann.game), 1, "{")
    for path in ("events", "rounds", "rounds/1", "record"):
        refused = ann.http.get(f"/v1/games/{ann.game}/{path}", headers=ann.headers)
        assert (refused.status_code, refused.json()["code"]) == (500, "snapshot_corrupt")
    assert ann.view()["version"] == 2


def test_a_receipt_that_cannot_be_read_is_damaged(ann, store):
    first = ann.post({"type": "pass"}, **{"Idempotency-Key": "key"})
    assert first.status_code == 200
    (receipt,) = store.client.keys(f"*:once:{ann.game}:*")
    store.client.set(receipt, "{")
    before = keyspace(store.client, ann.game)
    refused = ann.post({"type": "pass"}, **{"Idempotency-Key": "key"})
    assert (refused.status_code, refused.json()["code"]) == (500, "snapshot_corrupt")
    assert keyspace(store.client, ann.game) == before
