"""The store stops, fills up or freezes under a running service: 503 at once, and service again without a restart."""

import time

import pytest

from service.bootstrap import create_app
from tests.api.following import COMMENT, followed, service
from tests.conftest import client_for, new_game, running_store, served, settings_for

ALLOWED = 1.0


@pytest.fixture
def own_store():
    with running_store() as running:
        yield running


@pytest.fixture
def http(own_store):
    with (
        served(create_app(settings_for(own_store.url, redis_timeout=0.3))) as address,
        client_for(address) as client,
    ):
        yield client


def assert_away(call):
    began = time.monotonic()
    refused = call()
    assert time.monotonic() - began < ALLOWED
    assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
    assert refused.headers["retry-after"] == "1"
    assert "redis" not in refused.text.lower()


def every_call(ann):
    path = f"/v1/games/{ann.game}"
    return (
        lambda: ann.http.post("/v1/games", json={"game": "gin"}),
        lambda: ann.http.get(path, headers=ann.headers),
        lambda: ann.http.get(path, headers=ann.headers | {"If-None-Match": '"x"'}),
        lambda: ann.http.get(path, headers=ann.headers | {"If-None-Match": '"x"', "Prefer": "wait=20"}),
        lambda: ann.http.get(f"{path}/events", headers=ann.headers),
        lambda: ann.http.get(f"{path}/events", headers=ann.headers | {"Accept": "text/event-stream"}),
        lambda: ann.http.get(f"{path}/rounds", headers=ann.headers),
        lambda: ann.http.get(f"{path}/record", headers=ann.headers),
        lambda: ann.post({"type": "deal"}),
    )


def test_a_stopped_store_is_503_at_once_and_all_is_well_after_its_return(own_store, http):
    ann, _ = new_game(http)
    assert http.get("/readyz").status_code == 200
    own_store.stop()
    for call in every_call(ann):
        assert_away(call)
    assert http.get("/healthz").status_code == 200
    assert http.get("/readyz").status_code == 200, "a restart of the service would not bring the store back"
    own_store.start()
    again, _ = new_game(http)
    assert again.play({"type": "deal"})["version"] == 2


def test_a_frozen_store_is_503_within_a_second_and_the_move_is_made_once(own_store, http):
    ann, _ = new_game(http)
    with own_store.frozen():
        assert_away(lambda: ann.post({"type": "deal"}))
    assert ann.view()["version"] == 1, "the trip that reads the game was not answered, so nothing was written"
    assert ann.play({"type": "deal"})["version"] == 2


def test_a_full_store_still_shows_its_games(own_store, http):
    ann, _ = new_game(http)
    before = ann.view()
    own_store.client.config_set("maxmemory-policy", "noeviction")
    own_store.client.config_set("maxmemory", "1")
    assert_away(lambda: ann.post({"type": "deal"}, **{"Idempotency-Key": "deal"}))
    assert_away(lambda: http.post("/v1/games", json={"game": "gin"}))
    assert ann.view() == before
    own_store.client.config_set("maxmemory", "0")
    dealt = ann.post({"type": "deal"}, **{"Idempotency-Key": "deal"})
    assert dealt.status_code == 200
    assert "idempotency-replayed" not in dealt.headers


def test_a_service_that_starts_before_its_store_becomes_ready_with_it(tmp_path):
    with running_store() as late:
        late.stop()
        with served(create_app(settings_for(late.url, redis_timeout=0.3))) as address, client_for(address) as client:
            starting = client.get("/readyz")
            assert (starting.status_code, starting.json()) == (503, {"status": "starting", "store": None})
            assert client.get("/healthz").json() == {"status": "ok"}
            late.start()
            ready = client.get("/readyz")
            assert (ready.status_code, ready.json()["status"]) == (200, "ready")
            assert ready.json()["store"]["append_only_fsync"] == "nothing"
            late.stop()
            assert client.get("/readyz").json() == ready.json()
            assert client.get("/healthz").status_code == 200


def test_a_stream_outlives_a_store_that_falls_silent(own_store):
    """It shows that it is alive, and goes on with what is played afterwards."""
    with service(own_store, redis_timeout=0.2, heartbeat=0.05) as own:
        ann, _ = new_game(own.http)
        with followed(own.address, ann) as stream:
            assert stream.event()["type"] == "created"
            with own_store.frozen():
                assert [stream.block() for _ in range(6)] == [COMMENT] * 6
            ann.play({"type": "deal"})
            assert stream.event()["type"] == "dealt"


def test_a_game_that_is_lost_with_its_store_ends_its_stream(own_store):
    with service(own_store) as own:
        ann, _ = new_game(own.http)
        with followed(own.address, ann) as stream:
            assert stream.event()["type"] == "created"
            own_store.stop()
            own_store.start()
            assert [fields for fields in stream.rest() if fields != COMMENT] == []
