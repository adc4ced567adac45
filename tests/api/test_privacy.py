"""What docs/privacy.md says is kept of people, shown to others, logged, and removed."""

import json
import re
import secrets
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from redis import Redis

from service.bootstrap import create_app
from service.config import Settings, declared
from service.ops.logging import access_line
from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey
from service.storage.keys import log_key
from tests.api.backends import Backend, made_keys
from tests.api.playing import join
from tests.conftest import Player, client_for, running_store, served, settings_for

PAGE = (Path(__file__).parents[2] / "docs/privacy.md").read_text()
ANN, BEN, ROOM, SEED = "Ann Typed", "Ben Typed", "room typed", "seed typed"
SEATS = [{"name": ANN}, {}]


def of_game(store, game):
    """What is stored of a game under each of its keys."""
    found = {}
    for key in store.client.scan_iter(f"*{game}*", count=1000):
        kind = store.client.type(key)
        if kind == b"hash":
            found[key] = b" ".join(store.client.hgetall(key).values())
        else:
            found[key] = b" ".join(store.client.lrange(key, 0, -1)) if kind == b"list" else store.client.get(key)
    return found


# --- What is stored ------------------------------------------------------------


def test_tokens_invites_keys_and_idempotency_keys_are_not_stored(keyed, shop, keyed_http, store):
    name = secrets.token_hex(16)
    headers = shop.headers | {"Idempotency-Key": name}
    made = keyed_http.post("/v1/games", json={"game": "gin", "seats": SEATS}, headers=headers).json()
    joined = join(keyed_http, made["invite"], BEN).json()
    ann = Player(keyed_http, made["game"]["id"], 0, made["tokens"][0]["token"])
    ann.play({"type": "deal"})
    kept = b" ".join(of_game(store, ann.game).values())
    assert ANN.encode() in kept
    for secret in (ann.token, joined["token"], made["invite"], keyed.shop, name):
        assert secret.rpartition(".")[2].encode() not in kept


def test_receipts_are_kept_an_hour_or_a_day(shop, keyed_http, store):
    """Those of joining and of a new token a day, those of a move and of resigning an hour."""
    made = shop.create(seats=SEATS)
    game, guest = made["game"]["id"], {"invite": made["invite"], "name": BEN}
    ann = Player(keyed_http, game, 0, made["tokens"][0]["token"])
    key = {"Idempotency-Key": secrets.token_hex(16)}
    calls = [
        (24, lambda: keyed_http.post("/v1/join", json=guest, headers=key)),
        (24, lambda: shop.rotate(game, 1, **key)),
        (1, lambda: ann.post({"type": "deal"}, **key)),
        (1, lambda: keyed_http.post(f"/v1/games/{game}/resign", headers=ann.headers | key)),
    ]
    known = set()
    for kept, call in calls:
        assert call().is_success
        (receipt,) = set(store.client.keys(f"*once:{game}*")) - known
        known.add(receipt)
        assert kept * 3600 - 60 < store.client.ttl(receipt) <= kept * 3600


def test_the_counters_of_the_limits_hold_an_address_or_a_tenant_for_a_minute():
    before, after = re.search(r"`(LIMITS:\S+?)<address, .*?>/<kind>/<limit>(\S+?)`", PAGE).groups()
    keys, listed = made_keys("shop")
    with running_store() as store:
        limits = {"rate_create": 7, "rate_join": 8, "rate_analysis": 9}
        with served(create_app(settings_for(store.url, listed_keys=listed, **limits))) as url, client_for(url) as http:
            game = Backend(http, keys[0]).create()["game"]["id"]
            http.post("/v1/join", json={"invite": "x", "name": "Ben"})
            http.post("/v1/analysis/hand", json={"hand": ["AS"]})
            held = {b"open:tenant:shop"}
            counters = {key for key in store.client.keys("*") if game.encode() not in key} - held
            assert store.client.zrange(held.pop(), 0, -1) == [game.encode()]
            counted = ("tenant shop/creates/7", "127.0.0.1/joins/8", "127.0.0.1/analyses/9")
            assert counters == {f"{before}{each}{after}".encode() for each in counted}
            assert all(store.client.get(key) == b"1" and 0 < store.client.ttl(key) <= 60 for key in counters)


def test_the_name_of_one_who_left_stays_in_the_log_until_the_game_goes(shop, keyed_http, store):
    table = shop.create(seats=[*SEATS, {}], game="rummy")
    game, joined = table["game"]["id"], join(keyed_http, table["invite"], BEN).json()
    left = keyed_http.post(f"/v1/games/{game}/resign", headers={"Authorization": f"Bearer {joined['token']}"})
    assert BEN not in left.text
    assert BEN.encode() in b" ".join(store.client.lrange(log_key(game), 0, -1))
    shop.erase(game)
    assert of_game(store, game) == {}


def test_the_page_has_the_lifetimes_of_the_settings():
    told = {name: int(seconds) for name, seconds in re.findall(r"`(UPCARD_EXPIRE_\w+)` = (\d+)", PAGE)}
    assert told == {it.name: getattr(Settings(), field) for field, it in declared().items() if "_EXPIRE_" in it.name}
    days = re.findall(r"\| (\d+) days? after its .*= (\d+) \|", PAGE)
    assert [int(number) * 86_400 for number, _ in days] == [int(seconds) for _, seconds in days]
    assert len(days) == len(told)


# --- What is logged ------------------------------------------------------------


def test_the_page_lists_the_members_of_a_line_of_the_access_log():
    listed = re.search(r"with these members and no others: (.*?)\. ", PAGE.replace("\n", " "))[1]
    assert re.findall(r"`(\w+)`", listed) == list(json.loads(access_line("200 OK", 0, {}, timedelta())))


# --- Who sees what ---------------------------------------------------------------


@pytest.fixture
def played(shop, keyed_http):
    """A round of Ann's and Ben's that was dealt with seeds and given up, with spectators; its id and invite."""
    made = shop.create(seats=SEATS, metadata={"room": ROOM}, spectators=True)
    previewed = keyed_http.post("/v1/join?preview=true", json={"invite": made["invite"]})
    ben = join(keyed_http, made["invite"], BEN, client_seed=SEED).json()
    headers = {"Authorization": f"Bearer {ben['token']}"}
    game = f"/v1/games/{made['game']['id']}"
    for path, body in (("/moves", {"type": "deal"}), ("/resign", {})):
        assert keyed_http.post(game + path, json=body, headers=headers).status_code == 200
    return game, previewed


def test_a_record_names_nobody_and_tells_the_seeds(played, keyed_http):
    game, _ = played
    record = keyed_http.get(f"{game}/record").text
    view = keyed_http.get(game).json()
    for hidden in (ANN, BEN, ROOM, "shop", view["id"], view["created_at"][:10], "127.0.0.1"):
        assert hidden not in record
    assert SEED in record


def test_onlookers_and_guests_see_what_the_page_says(played, keyed_http):
    game, previewed = played
    view = keyed_http.get(game).text
    assert all(shown in view for shown in (ANN, BEN, ROOM))
    assert SEED not in view
    assert "shop" not in view
    assert ANN in previewed.text
    assert ROOM not in previewed.text


def test_no_answer_sets_a_cookie(played, keyed_http, keyed):
    game, previewed = played
    for answer in (previewed, keyed_http.get(game), httpx.get(f"{keyed.address}/docs/")):
        assert "set-cookie" not in answer.headers


# --- What erasing does not reach --------------------------------------------------


def holds(folder, text):
    """Whether a file of a folder holds a text; one that is just being removed holds none."""
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):
            if text.encode() in path.read_bytes():
                return True
    return False


def test_an_erased_name_stays_in_the_append_only_file_until_that_is_rewritten(tmp_path):
    keys, listed = made_keys("shop")
    with opened(tmp_path) as folder, EmbeddedValkey(folder) as valkey, Redis.from_url(valkey.url) as client:
        with served(create_app(settings_for(valkey.url, listed_keys=listed))) as url, client_for(url) as http:
            shop = Backend(http, keys[0])
            assert shop.erase(shop.create(seats=SEATS)["game"]["id"]).status_code == 204
        assert client.keys("*") == []
        assert holds(tmp_path, ANN)
        client.bgrewriteaof()
        until = time.monotonic() + 15
        while holds(tmp_path, ANN):
            assert time.monotonic() < until, "the file still holds the name"
