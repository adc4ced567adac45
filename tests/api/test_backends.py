"""Backends: with a key they create games, look at their own from outside, end and erase them, and rotate tokens."""

import secrets

import pytest

from service.storage.keys import log_key
from service.web.keys import new_key
from tests.api.backends import Backend, assert_refused
from tests.api.playing import at_once, join, on_turn
from tests.conftest import Player

READS = ("", "/rounds", "/score", "/record")
NOBODY = "0" * 24


def keys_of(store, game):
    """Every key in the store that names a game."""
    return sorted(store.client.scan_iter(f"*{game}*", count=1000))


def dealt(players):
    players[0].play({"type": "deal"})
    return players


# --- Who may create ------------------------------------------------------------


def test_a_game_is_created_with_either_key_of_a_tenant_and_both_own_it(keyed, shop, keyed_http):
    for mine, other in ((keyed.shop, keyed.shop_too), (keyed.shop_too, keyed.shop)):
        game = Backend(keyed_http, mine).create()["game"]["id"]
        assert Backend(keyed_http, other).get(game).status_code == 200


@pytest.mark.parametrize("credential", ["none", "an unknown key", "garbage", "a seat token", "another scheme"])
def test_without_a_listed_key_nothing_is_created(keyed, shop, keyed_http, store, credential):
    token = shop.table()[0].token
    sent = {
        "none": {},
        "an unknown key": {"Authorization": f"Bearer {new_key()}"},
        "garbage": {"Authorization": "Bearer uk_\xe9".encode("latin-1")},
        "a seat token": {"Authorization": f"Bearer {token}"},
        "another scheme": {"Authorization": f"Basic {keyed.shop}"},
    }[credential]
    before = store.games()
    refused = keyed_http.post("/v1/games", json={"game": "gin"}, headers=sent)
    assert_refused(refused, 401, "credential_refused")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert store.games() == before


def test_a_credential_is_asked_for_before_the_body_is_read(keyed_http):
    assert_refused(keyed_http.post("/v1/games", json={"game": "canasta"}), 401, "credential_refused")


def test_with_a_key_a_short_idempotency_key_will_do_and_each_tenant_has_its_own(shop, club):
    name = {"Idempotency-Key": f"order {secrets.token_hex(4)}"}
    body = {"game": "gin"}
    made = [each.http.post("/v1/games", json=body, headers=each.headers | name) for each in (shop, shop, club)]
    assert [answer.status_code for answer in made] == [201, 201, 201]
    assert made[0].content == made[1].content
    assert made[0].json()["game"]["id"] != made[2].json()["game"]["id"]


def test_guests_need_no_key(shop, keyed_http):
    made = shop.create(seats=[{"name": "Ann"}, {}])
    assert join(keyed_http, made["invite"]).status_code == 201
    assert keyed_http.post("/v1/analysis/hand", json={"hand": ["AS"]}).status_code == 200


def test_an_open_service_lets_anybody_create_and_nobody_end(http):
    made = http.post("/v1/games", json={"game": "gin"}, headers={"Authorization": f"Bearer {new_key()}"})
    assert made.status_code == 201
    for headers in ({}, {"Authorization": f"Bearer {new_key()}"}):
        refused = http.delete(f"/v1/games/{made.json()['game']['id']}", headers=headers)
        assert_refused(refused, 401, "credential_refused")


# --- What a backend sees -------------------------------------------------------


@pytest.mark.parametrize("spectators", [False, True])
def test_a_backend_sees_the_public_view_and_never_a_hand(shop, spectators):
    ann, _ = dealt(shop.table(spectators=spectators))
    answer = shop.get(ann.game)
    view = answer.json()
    assert (view["you"], view["legal_moves"]) == (None, [])
    assert [set(hand) for hand in view["round"]["hands"]] == [{"seat", "count"}] * 2
    assert shop.get(ann.game, **{"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert [shop.get(ann.game, read).status_code for read in READS] == [200] * len(READS)


def test_the_games_of_another_tenant_are_missing(shop, club):
    ann, _ = shop.table()
    missing = club.get(NOBODY)
    for read in READS:
        answer = club.get(ann.game, read)
        assert_refused(answer, 404, "no_such_game")
        assert answer.content == missing.content


def test_another_tenant_looks_on_where_everybody_may(shop, club, keyed_http):
    ann, _ = dealt(shop.table(spectators=True))
    assert club.get(ann.game).content == keyed_http.get(f"/v1/games/{ann.game}").content


def test_a_key_plays_no_seat(shop):
    ann, _ = shop.table()
    for action, body in (("moves", {"type": "deal"}), ("resign", {})):
        refused = shop.http.post(f"/v1/games/{ann.game}/{action}", json=body, headers=shop.headers)
        assert_refused(refused, 401, "credential_refused")
    assert ann.view()["version"] == 1


@pytest.mark.parametrize("spectators", [False, True])
def test_another_tenant_may_not_end_erase_or_rotate_and_learns_nothing_by_trying(shop, club, store, spectators):
    """Also where it may look on, and also by conditions that an existing game would be compared with."""
    ann, _ = shop.table(spectators=spectators)
    before = keys_of(store, ann.game)
    for game in (ann.game, NOBODY, "no-game"):
        for attempt in (
            club.end(game),
            club.end(game, **{"If-Match": '"x"'}),
            club.end(game, **{"Idempotency-Key": "end"}),
            club.erase(game),
            club.rotate(game, 0),
            club.rotate(game, 7),
            club.rotate(game, 0, **{"Idempotency-Key": "new"}),
        ):
            assert_refused(attempt, 404, "no_such_game")
    assert keys_of(store, ann.game) == before
    assert ann.view()["version"] == 1


def test_what_only_a_backend_may_call_is_401_without_a_key_whether_or_not_the_game_exists(shop, keyed_http):
    ann, _ = shop.table()
    for game in (ann.game, NOBODY, "no-game"):
        for headers in ({}, ann.headers, {"Authorization": f"Bearer {new_key()}"}):
            for attempt in (
                keyed_http.delete(f"/v1/games/{game}", headers=headers),
                keyed_http.delete(f"/v1/games/{game}?erase=true", headers=headers),
                keyed_http.post(f"/v1/games/{game}/seats/0/token", headers=headers),
            ):
                assert_refused(attempt, 401, "credential_refused")
    assert ann.view()["version"] == 1


# --- Ending --------------------------------------------------------------------


def test_an_ended_game_is_abandoned_and_says_so_in_its_log_and_record(shop, store):
    ann, ben = dealt(shop.table())
    answer = shop.end(ann.game)
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert (view["status"], view["turn"], view["you"], view["legal_moves"]) == ("abandoned", None, None, [])
    assert (view["score"]["over"], view["score"]["winners"]) == (True, [])
    assert answer.headers["etag"] == shop.get(ann.game).headers["etag"]
    assert b'["ended"' in store.client.lindex(log_key(ann.game), -1)
    assert shop.get(ann.game, "/record").json()["end"] == {"kind": "abandoned", "seat": None}
    assert ben.view()["version"] == view["version"] == 3
    assert_refused(ann.post({"type": "pass"}), 409, "game_over")


@pytest.mark.parametrize("game", ["gin", "rummy"])
def test_after_the_end_of_a_round_in_play_its_hands_are_open(shop, game):
    ann, _ = dealt(shop.table(game=game))
    view = shop.end(ann.game).json()
    assert all(len(hand["cards"]) == hand["count"] for hand in view["round"]["hands"])
    assert shop.get(ann.game).json() == view
    assert shop.get(ann.game, "/record").json()["rounds"] == []


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
def test_a_game_can_be_ended_and_read_at_any_point_of_a_round(shop, moves):
    players = dealt(shop.table())
    for move in [{"type": "pass"}, {"type": "pass"}, {"type": "draw", "source": "stock"}][:moves]:
        on_turn(tuple(players)).play(move)
    assert shop.end(players[0].game).status_code == 200
    assert players[0].view()["status"] == "abandoned"


def test_a_game_that_still_waits_for_players_can_be_ended_and_joined_no_more(shop, keyed_http):
    made = shop.create(seats=[{"name": "Ann"}, {}])
    assert shop.end(made["game"]["id"]).json()["status"] == "abandoned"
    assert_refused(join(keyed_http, made["invite"]), 409, "no_open_seat")


def test_a_game_ends_once(shop, store):
    ann, _ = shop.table()
    assert shop.end(ann.game).status_code == 200
    assert_refused(shop.end(ann.game), 409, "game_over")
    assert store.client.llen(log_key(ann.game)) == 2


def test_ending_with_an_idempotency_key_may_be_repeated(shop, store):
    ann, _ = shop.table()
    first, again = (shop.end(ann.game, **{"Idempotency-Key": "end"}) for _ in range(2))
    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    assert store.client.llen(log_key(ann.game)) == 2


def test_ending_is_for_the_version_that_it_names(shop):
    ann, _ = shop.table()
    seen = shop.get(ann.game).headers["etag"]
    ann.play({"type": "deal"})
    assert_refused(shop.end(ann.game, **{"If-Match": seen}), 412, "stale_version")
    assert shop.end(ann.game, **{"If-Match": shop.get(ann.game).headers["etag"]}).status_code == 200


# --- Erasing -------------------------------------------------------------------


def test_erasing_leaves_no_key_of_the_game(shop, keyed_http, store):
    """Neither the receipts of creating, joining, moving and resigning, nor those of new tokens."""
    name = secrets.token_hex(16)
    body = {"game": "gin", "seats": [{"name": "Ann"}, {}]}
    made = shop.http.post("/v1/games", json=body, headers=shop.headers | {"Idempotency-Key": name}).json()
    game = made["game"]["id"]
    guest = {"invite": made["invite"], "name": "Ben"}
    keyed_http.post("/v1/join", json=guest, headers={"Idempotency-Key": secrets.token_hex(16)})
    ann = Player(keyed_http, game, 0, made["tokens"][0]["token"])
    assert ann.post({"type": "deal"}, **{"Idempotency-Key": "deal"}).status_code == 200
    for number in range(3):
        assert shop.rotate(game, 1, **{"Idempotency-Key": f"new {number}"}).status_code == 200
    assert len(keys_of(store, game)) == 2 + 3 + 3
    assert (shop.erase(game).status_code, shop.erase(game).status_code) == (204, 404)
    assert keys_of(store, game) == []
    assert_refused(ann.http.get(f"/v1/games/{game}", headers=ann.headers), 404, "no_such_game")


def test_a_game_that_has_ended_can_be_erased(shop, store):
    ann, _ = shop.table()
    shop.end(ann.game)
    assert shop.erase(ann.game).content == b""
    assert keys_of(store, ann.game) == []


def test_a_choice_that_is_no_choice_is_refused(shop):
    ann, _ = shop.table()
    refused = shop.http.delete(f"/v1/games/{ann.game}", params={"erase": "yes"}, headers=shop.headers)
    assert_refused(refused, 422, "invalid_request")
    assert ann.view()["status"] == "playing"


# --- New tokens ----------------------------------------------------------------


def test_a_new_token_works_and_the_old_one_is_dead(shop):
    ann, ben = shop.table()
    answer = shop.rotate(ann.game, 0)
    assert answer.status_code == 200, answer.text
    assert answer.json()["seat"] == 0
    assert_refused(ann.http.get(f"/v1/games/{ann.game}", headers=ann.headers), 401, "credential_refused")
    assert_refused(ann.post({"type": "deal"}), 401, "credential_refused")
    renewed = Player(ann.http, ann.game, 0, answer.json()["token"])
    assert renewed.view()["version"] == 1
    assert renewed.play({"type": "deal"})["you"] == {"seat": 0}
    assert ben.view()["version"] == 2


def test_a_rotation_with_a_key_happens_once_and_is_answered_byte_for_byte(shop):
    ann, _ = shop.table()
    key = {"Idempotency-Key": "new token"}
    answers = at_once(8, lambda _: shop.rotate(ann.game, 0, **key))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert Player(ann.http, ann.game, 0, answers[0].json()["token"]).view()["version"] == 1
    later = shop.rotate(ann.game, 0, **{"Idempotency-Key": "another"})
    assert later.content != answers[0].content
    assert shop.rotate(ann.game, 0, **key).content == answers[0].content, "dead by now, and the same answer still"


def test_the_key_of_a_rotation_is_not_for_another_body(shop):
    ann, _ = shop.table()
    path, key = f"/v1/games/{ann.game}/seats/0/token", {"Idempotency-Key": "new"}
    assert shop.rotate(ann.game, 0, **key).status_code == 200
    refused = shop.http.post(path, json={}, headers=shop.headers | key)
    assert_refused(refused, 422, "idempotency_key_reused")


def test_only_a_seat_that_a_human_has_taken_gets_a_token(shop, store):
    made = shop.create(game="rummy", seats=[{"name": "Ann"}, {"bot": "easy"}, {}])
    before = keys_of(store, made["game"]["id"])
    for seat in (1, 2, 3, 999_999_999):
        refused = shop.rotate(made["game"]["id"], seat, **{"Idempotency-Key": "new"})
        assert_refused(refused, 409, "seat_not_taken")
        assert refused.json()["seat"] == seat
    assert keys_of(store, made["game"]["id"]) == before


def test_a_move_meanwhile_and_a_rotation_both_happen(shop):
    """The move may be refused only where its own token died first."""
    ann, ben = shop.table()
    outcomes = at_once(2, lambda number: shop.rotate(ann.game, 1) if number else ann.post({"type": "deal"}))
    assert [outcome.status_code for outcome in outcomes] == [200, 200]
    assert_refused(ben.post({"type": "pass"}), 401, "credential_refused")


def test_a_body_that_says_something_is_refused(shop):
    ann, _ = shop.table()
    refused = shop.http.post(f"/v1/games/{ann.game}/seats/0/token", json={"seat": 1}, headers=shop.headers)
    assert_refused(refused, 422, "invalid_request")
    assert ann.view()["version"] == 1


def test_a_body_that_is_too_large_is_refused_where_it_tells_requests_apart(shop):
    game = shop.create()["game"]["id"]
    headers = shop.headers | {"Idempotency-Key": "k"}
    refused = shop.http.request("DELETE", f"/v1/games/{game}", content=b"x" * 17_000, headers=headers)
    assert_refused(refused, 413, "body_too_large")
