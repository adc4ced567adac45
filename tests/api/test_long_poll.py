"""`Prefer: wait`: the answer to one who has the view already comes with the next one, or after the time."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.api.backends import assert_refused
from tests.api.following import PATIENCE, service, until, until_watched
from tests.api.playing import create, join
from tests.conftest import Player, new_game

LONG = 20


@pytest.fixture
def background():
    with ThreadPoolExecutor(4) as threads:
        yield threads


@pytest.fixture
def waiting(background, store):
    """Start to wait for the next view; once the service listens for news of the game, the answer that is to come."""

    def start(http, game, headers):
        known = tag(http, game, headers)
        answer = background.submit(poll, http, game, headers, known=known)
        until_watched(store, game)
        return answer

    return start


def tag(http, game, headers):
    return http.get(f"/v1/games/{game}", headers=headers).headers["etag"]


def poll(http, game, headers, seconds=LONG, known=None):
    sent = {"If-None-Match": known or tag(http, game, headers), "Prefer": f"wait={seconds}"}
    return http.get(f"/v1/games/{game}", headers=headers | sent)


def wait_of(player, waiting):
    return waiting(player.http, player.game, player.headers)


def preferring(player, prefer, known):
    sent = {"If-None-Match": known, "Prefer": prefer}
    return player.http.get(f"/v1/games/{player.game}", headers=player.headers | sent)


def assert_at_once(seen):
    assert seen.status_code == 304
    assert "preference-applied" not in seen.headers


# --- What ends a wait ----------------------------------------------------------


def test_a_move_of_another_seat_ends_the_wait_with_the_new_view(http, waiting):
    ann, ben = new_game(http)
    answer = wait_of(ann, waiting)
    dealt = ben.post({"type": "deal"})
    seen = answer.result(PATIENCE)
    assert (seen.status_code, seen.headers["preference-applied"]) == (200, f"wait={LONG}")
    assert (seen.json()["version"], seen.json()["you"]) == (dealt.json()["version"], {"seat": 0})
    assert seen.headers["etag"] == tag(http, ann.game, ann.headers)


def test_without_news_the_wait_ends_after_its_time_with_nothing(http):
    ann, _ = new_game(http)
    known = tag(http, ann.game, ann.headers)
    began = time.monotonic()
    seen = poll(http, ann.game, ann.headers, seconds=1, known=known)
    assert 1 <= time.monotonic() - began < 10
    assert (seen.status_code, seen.headers["preference-applied"]) == (304, "wait=1")
    assert seen.headers["etag"] == known


def test_one_after_the_other_whoever_waits_follows_a_game_move_by_move(http, waiting):
    ann, ben = new_game(http, first_dealer=1)
    for mover, move in ((ann, {"type": "deal"}), (ann, {"type": "pass"}), (ben, {"type": "pass"})):
        answer = wait_of(ben if mover is ann else ann, waiting)
        assert mover.play(move)["version"] == answer.result(PATIENCE).json()["version"]


def test_a_join_ends_the_wait(http, waiting):
    made = create(http)
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    answer = wait_of(ann, waiting)
    assert join(http, made["invite"]).status_code == 201
    assert answer.result(PATIENCE).json()["status"] == "playing"


def test_a_resignation_ends_the_wait(http, waiting):
    ann, ben = new_game(http)
    ann.play({"type": "deal"})
    answer = wait_of(ann, waiting)
    http.post(f"/v1/games/{ben.game}/resign", headers=ben.headers)
    assert answer.result(PATIENCE).json()["status"] == "finished"


def test_one_who_looks_on_can_wait_too(http, waiting):
    ann, _ = new_game(http, spectators=True)
    answer = waiting(http, ann.game, {})
    ann.play({"type": "deal"})
    seen = answer.result(PATIENCE)
    assert (seen.status_code, seen.json()["you"], seen.json()["version"]) == (200, None, 2)


def test_a_backend_waits_for_its_games_and_is_told_of_no_others(shop, club, waiting):
    ann, _ = shop.table()
    answer = waiting(shop.http, ann.game, shop.headers)
    ann.play({"type": "deal"})
    assert (answer.result(PATIENCE).json()["you"], answer.result().json()["version"]) == (None, 2)
    assert_refused(poll(club.http, ann.game, club.headers, known='"x"'), 404, "no_such_game")


def test_a_game_that_is_erased_ends_the_wait(shop, waiting):
    ann, _ = shop.table()
    answers = [wait_of(ann, waiting), waiting(shop.http, ann.game, shop.headers)]
    assert shop.erase(ann.game).status_code == 204
    for answer in answers:
        assert_refused(answer.result(PATIENCE), 404, "no_such_game")


def test_a_token_that_is_replaced_ends_the_wait_and_that_of_the_other_seat_goes_on(shop, waiting):
    ann, ben = shop.table()
    cut_off, goes_on = wait_of(ann, waiting), wait_of(ben, waiting)
    assert shop.rotate(ann.game, ann.seat).status_code == 200
    assert_refused(cut_off.result(PATIENCE), 401, "credential_refused")
    assert not goes_on.done()
    ben.play({"type": "deal"})
    assert goes_on.result(PATIENCE).status_code == 200


# --- Who waits, and how long ---------------------------------------------------


def test_one_who_has_another_view_is_answered_at_once(http):
    ann, _ = new_game(http)
    seen = poll(http, ann.game, ann.headers, known='"0-9-another"')
    assert (seen.status_code, seen.json()["version"]) == (200, 1)


def test_one_who_names_no_view_does_not_wait(http):
    ann, _ = new_game(http)
    seen = http.get(f"/v1/games/{ann.game}", headers=ann.headers | {"Prefer": f"wait={LONG}"})
    assert seen.status_code == 200
    assert "preference-applied" not in seen.headers


def test_a_view_that_is_named_weakly_is_waited_for_as_well(http):
    ann, _ = new_game(http)
    seen = preferring(ann, "wait=1", f"W/{tag(http, ann.game, ann.headers)}")
    assert (seen.status_code, seen.headers["preference-applied"]) == (304, "wait=1")


@pytest.mark.parametrize(
    ("prefer", "applied"),
    [
        ("wait=7", "7"),
        ("wait=30", "30"),
        ("wait=31", "30"),
        ("wait=999999999", "30"),
        ('wait="7"', "7"),
        ("Wait = 7", "7"),
        ("respond-async, wait=7, return=minimal", "7"),
        ('lenient="wait=9", wait=7', "7"),
    ],
)
def test_a_wait_is_read_as_it_is_meant_and_thirty_seconds_at_most(http, prefer, applied):
    ann, _ = new_game(http)
    seen = preferring(ann, prefer, '"another"')
    assert (seen.status_code, seen.headers["preference-applied"]) == (200, f"wait={applied}")


@pytest.mark.parametrize(
    "prefer",
    [
        "respond-async",
        "wait",
        "wait=",
        "wait=0",
        "wait=-1",
        "wait=1.5",
        "wait=soon",
        "wait=1e1",
        "wait=9999999999",
        'wait="7',
        "await=7",
        "=wait",
        b"wait=\xb2",
        "",
    ],
)
def test_what_is_no_wait_is_ignored(http, prefer):
    ann, _ = new_game(http)
    assert_at_once(preferring(ann, prefer, tag(http, ann.game, ann.headers)))


# --- Places --------------------------------------------------------------------


def test_one_credential_has_its_places_and_then_is_answered_at_once(store, waiting):
    with service(store, caller_waiters=1) as own:
        ann, ben = new_game(own.http)
        answer = wait_of(ann, waiting)
        assert_at_once(poll(own.http, ann.game, ann.headers))
        other = wait_of(ben, waiting)
        ann.play({"type": "deal"})
        for each in (answer, other):
            seen = each.result(PATIENCE)
            assert (seen.status_code, seen.headers["preference-applied"]) == (200, f"wait={LONG}")
        assert "preference-applied" in poll(own.http, ann.game, ann.headers, seconds=1).headers


def test_a_process_has_its_places_and_then_everybody_is_answered_at_once(store, waiting):
    with service(store, waiters=2) as own:
        players = [new_game(own.http)[0] for _ in range(3)]
        answers = [wait_of(each, waiting) for each in players[:2]]
        assert_at_once(poll(own.http, players[2].game, players[2].headers))
        for player, answer in zip(players, answers, strict=False):
            player.play({"type": "deal"})
            assert answer.result(PATIENCE).status_code == 200
        assert "preference-applied" in poll(own.http, players[2].game, players[2].headers, seconds=1).headers


def test_without_places_nobody_waits(store):
    with service(store, waiters=0) as own:
        ann, _ = new_game(own.http)
        assert_at_once(poll(own.http, ann.game, ann.headers))


def test_a_wait_that_is_refused_gives_its_place_back(store):
    """Whether the game is gone or the caller may not look."""
    with service(store, caller_waiters=1) as own:
        ann, _ = new_game(own.http)
        for _ in range(2):
            assert_refused(poll(own.http, ann.game, {}, known='"x"'), 404, "no_such_game")
        assert "preference-applied" in poll(own.http, ann.game, ann.headers, known='"x"').headers


def test_a_client_that_does_not_wait_for_the_answer_gives_its_place_back_after_the_time(store):
    with service(store, waiters=1) as own:
        ann, ben = new_game(own.http)
        hers, his = (tag(own.http, each.game, each.headers) for each in (ann, ben))
        hasty = httpx.Client(base_url=own.address, timeout=httpx.Timeout(PATIENCE, read=0.2))
        with hasty, pytest.raises(httpx.ReadTimeout):
            poll(hasty, ann.game, ann.headers, seconds=2, known=hers)
        assert_at_once(poll(own.http, ben.game, ben.headers, known=his))

        def finds_a_place():
            return "preference-applied" in poll(own.http, ben.game, ben.headers, known='"another"').headers

        until(finds_a_place, "the place was not given back")


def test_a_server_that_is_about_to_stop_lets_everybody_go_and_nobody_wait(store, waiting):
    with service(store) as own:
        ann, ben = new_game(own.http)
        answers = [wait_of(ann, waiting), wait_of(ben, waiting)]
        own.drain()
        assert [each.result(PATIENCE).status_code for each in answers] == [304, 304]
        began = time.monotonic()
        assert poll(own.http, ann.game, ann.headers).status_code == 304
        assert time.monotonic() - began < LONG / 2
