"""Joining by invite, and what a guest is told before."""

import pytest

from service.storage.keys import log_key
from tests.api.playing import create, join
from tests.conftest import Player


@pytest.fixture
def made(http):
    return create(http, seats=[{"name": "Ann"}, {}], ruleset={"preset": "eaai", "gin_bonus": 20})


def owner(http, made):
    return Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])


def test_a_guest_gets_the_open_seat_its_token_and_its_view(http, made):
    answer = join(http, made["invite"])
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/games/{made['game']['id']}"
    joined = answer.json()
    ben = Player(http, made["game"]["id"], joined["seat"], joined["token"])
    assert joined["seat"] == 1
    assert joined["game"] == ben.view()
    assert joined["game"]["you"] == {"seat": 1}
    assert joined["game"]["status"] == "playing"
    assert [seat["name"] for seat in joined["game"]["seats"]] == ["Ann", "Ben"]
    assert joined["game"]["legal_moves"] == [{"move": {"type": "deal"}}]


def test_until_the_second_seat_is_taken_nobody_can_deal(http, made):
    ann = owner(http, made)
    before = ann.view()
    assert (before["status"], before["turn"], before["legal_moves"]) == ("waiting", None, [])
    for move in ({"type": "deal"}, {"type": "draw", "source": "stock"}):
        refused = ann.post(move)
        assert (refused.status_code, refused.json()["code"]) == (409, "seats_open")
    assert ann.view() == before
    join(http, made["invite"])
    assert ann.play({"type": "deal"})["round"]["number"] == 1


def test_a_preview_shows_the_game_and_changes_nothing(http, made, store):
    before = store.client.dump(log_key(made["game"]["id"]))
    for body in ({}, {"name": "Ben"}, {"name": "Ben", "client_seed": "seed"}):
        seen = http.post("/v1/join", params={"preview": "true"}, json={"invite": made["invite"]} | body)
        assert seen.status_code == 200
        assert seen.json() == {
            "game": "gin",
            "ruleset": made["game"]["ruleset"],
            "seats": made["game"]["seats"],
            "commitment": made["game"]["commitment"],
        }
    assert owner(http, made).view() == made["game"]
    assert store.client.dump(log_key(made["game"]["id"])) == before
    assert join(http, made["invite"]).status_code == 201


def test_preview_false_joins(http, made):
    answer = http.post("/v1/join", params={"preview": "false"}, json={"invite": made["invite"], "name": "Ben"})
    assert answer.status_code == 201


@pytest.mark.parametrize("preview", ["true", "false"])
def test_a_full_game_is_joined_by_nobody_more(http, made, preview):
    join(http, made["invite"])
    before = owner(http, made).view()
    refused = http.post("/v1/join", params={"preview": preview}, json={"invite": made["invite"], "name": "Bea"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_open_seat")
    assert owner(http, made).view() == before


def forgeries(made):
    game, _, mac = made["invite"].partition(".")
    yield from ("", ".", game, f"{game}.", f"{game}.{mac[:-1]}", f"{game}.{mac}=", f"{game}.{'A' * len(mac)}")
    yield from (f"{'0' * 24}.{mac}", f"{game.upper()}.{mac}", f"{game[:-1]}.{mac}", f"../{game}.{mac}", f"{game}.é")
    yield made["tokens"][0]["token"]


@pytest.mark.parametrize("preview", ["true", "false"])
def test_a_forged_invite_finds_nothing(http, made, preview):
    for forged in forgeries(made):
        refused = http.post("/v1/join", params={"preview": preview}, json={"invite": forged, "name": "Ben"})
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_game"), forged
    assert owner(http, made).view() == made["game"]


@pytest.mark.parametrize("preview", ["true", "false"])
def test_an_invite_to_a_game_that_is_gone_finds_nothing(http, made, store, preview):
    store.client.delete(*store.client.keys(f"*{made['game']['id']}*"))
    refused = http.post("/v1/join", params={"preview": preview}, json={"invite": made["invite"], "name": "Ben"})
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_game")


def test_an_invite_to_a_cancelled_game_finds_no_seat(http, made):
    ann = owner(http, made)
    cancelled = http.post(f"/v1/games/{ann.game}/resign", headers=ann.headers).json()
    assert (cancelled["status"], cancelled["turn"]) == ("abandoned", None)
    assert join(http, made["invite"]).json()["code"] == "no_open_seat"


def test_a_name_is_kept_in_one_form(http, made):
    """E and a combining accent become the one letter that they look like."""
    joined = join(http, made["invite"], name="Zoe\u0301").json()
    assert joined["game"]["seats"][1]["name"] == "Zo\u00e9"


def test_the_lowest_open_seat_is_taken_first(http):
    made = create(http, seats=[{}, {}])
    assert (made["tokens"], made["game"]["you"]) == ([], None)
    assert [join(http, made["invite"], name=name).json()["seat"] for name in ("Ann", "Ben")] == [0, 1]


def test_a_guest_may_play_against_the_computer(http):
    made = create(http, seats=[{"bot": "easy"}, {}])
    joined = join(http, made["invite"]).json()
    ben = Player(http, made["game"]["id"], 1, joined["token"])
    assert ben.play({"type": "deal"})["turn"]["seat"] == 1


def test_creating_answers_the_view_of_the_only_named_seat_else_the_public_one(http):
    alone = create(http)
    assert alone["game"]["you"] == {"seat": 0}
    assert [seat["name"] for seat in alone["game"]["seats"]] == ["Player 1", None]
    both = create(http, seats=[{"name": "Ann"}, {"name": "Ben"}])
    assert both["game"]["you"] is None
    assert [held["seat"] for held in both["tokens"]] == [0, 1]
