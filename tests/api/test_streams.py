"""The events of a game as a stream: each as it happens, resumed where it broke off, and ended in time."""

import logging

import pytest

from service.storage.keys import game_key, log_key
from tests.api.following import COMMENT, followed, opened, service, streamed, until, until_watched
from tests.api.playing import choose, play_round, table_of_two
from tests.conftest import new_game

QUICK = {"heartbeat": 0.05}
"""A service with it notices soon that a client has left."""


def versions(events):
    return [each["version"] for each in events]


def fields_of(stream):
    """All that has happened already, with its ids, of a stream that ends by itself."""
    return [fields for fields in stream.rest() if fields != COMMENT]


@pytest.fixture
def full(store):
    """A service without places to wait in: its streams end after what has happened."""
    with service(store, waiters=0) as own:
        yield own


# --- The form ------------------------------------------------------------------


def test_a_stream_is_not_kept_by_anybody_on_its_way(address, http):
    ann, _ = new_game(http)
    with followed(address, ann) as stream:
        headers = stream.response.headers
        assert headers["content-type"] == "text/event-stream"
        assert headers["cache-control"] == "no-store"
        assert headers["x-accel-buffering"] == "no"
        assert headers["vary"] == "Accept, Authorization"
        assert headers["x-content-type-options"] == "nosniff"
        assert "content-length" not in headers
        assert stream.retry == 2000


def test_the_stream_tells_the_events_of_the_list_with_their_ids(http, full):
    ann, ben = new_game(full.http)
    play_round(ann, ben)
    items = full.http.get(f"/v1/games/{ann.game}/events", headers=ann.headers).json()["items"]
    with followed(full.address, ann) as stream:
        told = fields_of(stream)
    assert told == [{"id": f"{each['version']}-{each['stamp']}", "data": each} for each in items]


def test_silence_is_broken_by_comments(store):
    with service(store, **QUICK) as own:
        ann, _ = new_game(own.http)
        with followed(own.address, ann) as stream:
            assert stream.event()["type"] == "created"
            assert [stream.block() for _ in range(5)] == [COMMENT] * 5
            ann.play({"type": "deal"})
            assert stream.event()["type"] == "dealt"


# --- News ----------------------------------------------------------------------


def test_each_event_comes_as_it_happens(address, http):
    ann, ben = new_game(http, first_dealer=1)
    with followed(address, ben) as stream:
        assert stream.event()["type"] == "created"
        for player, move in ((ann, {"type": "deal"}), (ann, {"type": "pass"}), (ben, {"type": "pass"})):
            after = player.play(move)["version"]
            assert stream.event()["version"] == after


def test_the_answers_of_a_computer_player_come_together_with_the_move(address, http):
    (ann,) = new_game(http, seats=[{"name": "Ann"}, {"bot": "easy"}], first_dealer=1)
    ann.play({"type": "deal"})
    with followed(address, ann) as stream:
        assert versions(stream.events(2)) == [1, 2]
        after = ann.play({"type": "pass"})["version"]
        events = stream.events(after - 2)
    assert versions(events) == list(range(3, after + 1))
    assert [each["seat"] for each in events] == [0, *[1] * (after - 3)]
    assert len({each["stamp"] for each in events}) == 1


def test_all_who_may_look_are_told_the_same_while_a_whole_round_is_played(keyed, shop):
    ann, ben = shop.table(spectators=True)
    with (
        followed(keyed.address, ann) as hers,
        followed(keyed.address, ben) as his,
        streamed(keyed.address, ann.game, shop.headers) as of_the_shop,
        streamed(keyed.address, ann.game) as public,
    ):
        last = play_round(ann, ben)["version"]
        told = hers.events(last)
        assert versions(told) == list(range(1, last + 1))
        assert all(each.events(last) == told for each in (his, of_the_shop, public))


def test_a_stream_on_one_server_tells_what_is_played_on_another(store, address, http):
    ann, ben = new_game(http)
    with service(store) as other, followed(other.address, ann) as stream:
        assert stream.event()["type"] == "created"
        ben.play({"type": "deal"})
        assert stream.event()["type"] == "dealt"


# --- Going on where it broke off ------------------------------------------------


def test_a_stream_goes_on_after_the_last_id_and_nothing_is_missed_or_told_twice(address, http):
    ann, ben = table_of_two(http)
    with followed(address, ann) as stream:
        stream.event()
        broke_off = stream.block()["id"]
    ben.play({"type": "deal"})
    with followed(address, ann, **{"Last-Event-ID": broke_off}) as stream:
        assert stream.event()["version"] == 3
        view = ann.view()
        mover = ann if view["turn"]["seat"] == ann.seat else ben
        mover.play(choose(mover.view()))
        assert stream.event()["version"] == 4


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_stream_begins_after_a_version(http, full, after):
    ann, _ = new_game(full.http)
    ann.play({"type": "deal"})
    with streamed(full.address, ann.game, ann.headers, after=after) as stream:
        assert versions(each["data"] for each in fields_of(stream)) == [1, 2][after:]


def test_the_last_id_counts_and_not_the_version_to_begin_after(full):
    """A browser that comes back sends both: the address it was given, and where it stood."""
    ann, _ = new_game(full.http)
    ann.play({"type": "deal"})
    with streamed(full.address, ann.game, ann.headers) as stream:
        created, dealt = fields_of(stream)
    headers = ann.headers | {"Last-Event-ID": created["id"]}
    with streamed(full.address, ann.game, headers, after=2) as stream:
        assert fields_of(stream) == [dealt]
    with streamed(full.address, ann.game, ann.headers | {"Last-Event-ID": ""}, after=1) as stream:
        assert fields_of(stream) == [dealt]


@pytest.mark.parametrize(
    "known",
    [
        "1-another",
        "2-another",
        "99-another",
        "999999999-x",
        "2",
        "-",
        "nonsense",
        "1-",
        "2-a b",
        "1000000000-x",
        f"2-{'x' * 33}",
        b"2-\xb2",
        "x" * 4000,
    ],
)
def test_one_who_knows_another_past_is_told_to_look_anew_and_goes_on_from_there(address, http, known):
    ann, _ = new_game(http, first_dealer=1)
    ann.play({"type": "deal"})
    with followed(address, ann, **{"Last-Event-ID": known}) as stream:
        reset = stream.block()
        assert (reset["event"], reset["data"]) == ("reset", {"version": 2})
        ann.play({"type": "pass"})
        assert stream.event()["version"] == 3
    with followed(address, ann, **{"Last-Event-ID": reset["id"]}) as stream:
        assert stream.event()["version"] == 3


def test_a_version_that_is_not_there_yet_is_no_past_either(address, http):
    ann, _ = new_game(http)
    with streamed(address, ann.game, ann.headers, after=9) as stream:
        assert stream.block()["event"] == "reset"
        ann.play({"type": "deal"})
        assert stream.event()["version"] == 2


def test_a_game_that_lost_its_last_steps_is_told_to_those_who_follow(store, address, http):
    """As after a failover: what was version 3 is gone, and the stream may not go on as if it had been."""
    ann, _ = new_game(http, first_dealer=1)
    ann.play({"type": "deal"})
    kept = {key: store.client.dump(key) for key in (game_key(ann.game), log_key(ann.game))}
    with followed(address, ann) as stream:
        stream.events(2)
        ann.play({"type": "pass"})
        stream.event()
        for key, dumped in kept.items():
            store.client.restore(key, 0, dumped, replace=True)
        ann.play({"type": "draw", "source": "discard"})
        assert stream.block()["event"] == "reset"


# --- Ends ----------------------------------------------------------------------


def test_the_stream_ends_when_the_game_is_erased(keyed, shop):
    ann, _ = shop.table()
    with followed(keyed.address, ann) as hers, streamed(keyed.address, ann.game, shop.headers) as of_the_shop:
        for stream in (hers, of_the_shop):
            stream.event()
        shop.erase(ann.game)
        assert [stream.rest() for stream in (hers, of_the_shop)] == [[], []]


def test_the_stream_of_a_seat_ends_when_its_token_is_replaced_and_those_of_others_go_on(keyed, shop):
    ann, ben = shop.table()
    with followed(keyed.address, ann) as hers, followed(keyed.address, ben) as his:
        for stream in (hers, his):
            stream.event()
        shop.rotate(ann.game, ann.seat)
        assert hers.rest() == []
        ben.play({"type": "deal"})
        assert his.event()["type"] == "dealt"


def test_a_game_that_expires_ends_its_stream(store):
    """Redis publishes nothing then: the game is looked for after a few heartbeats."""
    with service(store, **QUICK) as own:
        ann, _ = new_game(own.http)
        with followed(own.address, ann) as stream:
            assert stream.event()["type"] == "created"
            store.client.delete(game_key(ann.game), log_key(ann.game))
            assert all(fields == COMMENT for fields in stream.rest())


def test_all_streams_end_when_the_server_is_about_to_stop_and_no_new_one_goes_on(store):
    with service(store) as own:
        ann, ben = new_game(own.http)
        with followed(own.address, ann) as hers, followed(own.address, ben) as his:
            for stream in (hers, his):
                stream.event()
            own.drain()
            assert [stream.rest() for stream in (hers, his)] == [[], []]
        with followed(own.address, ann) as late:
            assert late.retry == 2000
            assert late.rest() == []


@pytest.mark.parametrize("damage", ["the head", "the log"])
def test_a_game_that_is_damaged_ends_its_stream_without_a_word_and_is_logged(store, address, http, caplog, damage):
    ann, _ = new_game(http, first_dealer=1)
    ann.play({"type": "deal"})
    with followed(address, ann) as stream, caplog.at_level(logging.ERROR, "upcard.web"):
        stream.events(2)
        if damage == "the head":
            store.client.hset(game_key(ann.game), "v", "secret")
        else:
            store.client.lset(log_key(ann.game), -1, "secret")
        store.client.publish(f"{{{ann.game[:2]}}}:news:{ann.game}", "3")
        assert stream.rest() == []
    assert "an event stream was cut off" in caplog.text
    assert ann.token not in caplog.text


def test_a_game_that_is_damaged_from_the_start_is_refused(store, address, http):
    ann, _ = new_game(http)
    store.client.hset(game_key(ann.game), "s", "{")
    with opened(address, ann.game, ann.headers) as answer:
        assert (answer.status_code, answer.json()["code"]) == (500, "snapshot_corrupt")


# --- Places --------------------------------------------------------------------


def test_without_a_place_a_stream_ends_after_what_has_happened_and_asks_for_patience(full):
    ann, _ = new_game(full.http)
    ann.play({"type": "deal"})
    with followed(full.address, ann) as stream:
        assert stream.retry == 10_000
        *_, last = told = fields_of(stream)
        assert versions(each["data"] for each in told) == [1, 2]
    with followed(full.address, ann, **{"Last-Event-ID": last["id"]}) as stream:
        assert stream.rest() == []
    with followed(full.address, ann, **{"Last-Event-ID": "1-another"}) as stream:
        assert [fields["event"] for fields in stream.rest()] == ["reset"]


def test_one_credential_has_its_places_and_a_client_that_leaves_gives_its_own_back(store):
    with service(store, caller_waiters=1, **QUICK) as own:
        ann, ben = new_game(own.http)

        def goes_on(player):
            with followed(own.address, player) as stream:
                return stream.retry == 2000

        with followed(own.address, ann) as stream:
            stream.event()
            assert not goes_on(ann)
            assert goes_on(ben)
        until(lambda: goes_on(ann), "the place was not given back")


def test_a_client_that_leaves_before_the_first_event_gives_its_place_back(store):
    with service(store, waiters=1, **QUICK) as own:
        ann, ben = new_game(own.http)
        with opened(own.address, ann.game, ann.headers):
            pass

        def goes_on():
            with followed(own.address, ben) as stream:
                return stream.retry == 2000

        until(goes_on, "the place was not given back")
        until_watched(store, ann.game, False)


def test_a_stream_that_ends_or_is_refused_gives_its_place_back(store):
    with service(store, waiters=1) as own:
        ann, _ = new_game(own.http)
        for _ in range(2):
            with opened(own.address, ann.game) as answer:
                assert answer.status_code == 404
        asked = ann.headers | {"Accept": "text/event-stream"}
        assert own.http.head(f"/v1/games/{ann.game}/events", headers=asked).status_code == 200
        with followed(own.address, ann) as stream:
            assert stream.retry == 2000
