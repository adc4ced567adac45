"""Entity tags: a view is fetched again only if it changed, and a move is made only on the version it was meant for."""

import pytest

from tests.api.playing import on_turn, table_of_two
from tests.conftest import Player, new_game


def get(player, **headers):
    return player.http.get(f"/v1/games/{player.game}", headers=player.headers | headers)


def test_a_view_that_the_caller_has_is_not_sent_again(http):
    ann, _ = new_game(http)
    first = get(ann)
    again = get(ann, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == again.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == again.headers["vary"] == "Authorization"


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_a_view_is_recognised_in_every_form_of_the_tag(http, form):
    ann, _ = new_game(http)
    tag = get(ann).headers["etag"]
    assert get(ann, **{"If-None-Match": form.format(tag)}).status_code == 304


@pytest.mark.parametrize("form", ["", '"0-1"', '""', "0-1-x", '"p-1-x"'])
def test_another_tag_gets_the_view(http, form):
    ann, _ = new_game(http)
    assert get(ann, **{"If-None-Match": form}).status_code == 200


def test_a_change_makes_another_tag(http):
    ann, ben = new_game(http)
    before = get(ben).headers["etag"]
    ann.play({"type": "deal"})
    after = get(ben, **{"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["etag"] != before
    assert after.json()["version"] == 2


def test_every_viewer_has_tags_of_its_own(http):
    ann, ben = new_game(http, spectators=True)
    onlooker = http.get(f"/v1/games/{ann.game}")
    tags = {get(ann).headers["etag"], get(ben).headers["etag"], onlooker.headers["etag"]}
    assert len(tags) == 3
    own = onlooker.headers["etag"]
    assert http.get(f"/v1/games/{ann.game}", headers={"If-None-Match": own}).status_code == 304
    assert get(ann, **{"If-None-Match": own}).status_code == 200


def test_a_move_answers_the_tag_that_the_view_has(http):
    ann, _ = new_game(http)
    dealt = ann.post({"type": "deal"})
    assert dealt.headers["etag"] == get(ann).headers["etag"]
    assert dealt.json() == ann.view()


def test_creating_and_joining_answer_the_tag_of_the_view_in_them(http):
    answer = http.post("/v1/games", json={"game": "gin", "seats": [{"name": "Ann"}, {}]})
    ann = Player(http, answer.json()["game"]["id"], 0, answer.json()["tokens"][0]["token"])
    assert answer.headers["etag"] == get(ann).headers["etag"]
    joined = http.post("/v1/join", json={"invite": answer.json()["invite"], "name": "Ben"})
    ben = Player(http, ann.game, 1, joined.json()["token"])
    assert joined.headers["etag"] == get(ben).headers["etag"]
    assert joined.json()["game"] == ben.view()


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_a_move_on_the_current_version_is_made(http, form):
    ann, _ = new_game(http)
    tag = get(ann).headers["etag"]
    assert ann.post({"type": "deal"}, **{"If-Match": form.format(tag)}).status_code == 200


@pytest.mark.parametrize("form", ["", '"other"', "W/{}", "{}"])
def test_a_move_on_another_version_is_refused_with_the_current_one(http, form):
    ann, ben = new_game(http)
    stale = get(ann).headers["etag"]
    ben.play({"type": "deal"})
    before = ann.view()
    refused = on_turn((ann, ben)).post({"type": "pass"}, **{"If-Match": form.format(stale)})
    assert (refused.status_code, refused.json()["code"]) == (412, "stale_version")
    assert refused.json()["version"] == 2
    assert ann.view() == before


def test_the_tag_of_another_viewer_does_not_match(http):
    ann, ben = new_game(http)
    assert ann.post({"type": "deal"}, **{"If-Match": get(ben).headers["etag"]}).status_code == 412


def test_resigning_can_be_conditional_too(http):
    ann, _ = table_of_two(http)
    path = f"/v1/games/{ann.game}/resign"
    refused = http.post(path, headers=ann.headers | {"If-Match": '"0-1-x"'})
    assert refused.json()["code"] == "stale_version"
    tag = get(ann).headers["etag"]
    assert http.post(path, headers=ann.headers | {"If-Match": tag}).status_code == 200


def test_a_tag_tells_lost_writes_apart(http, store):
    """After a failover that lost a write the same version can exist twice: the stamp in the tag differs."""
    ann, ben = new_game(http)
    key, log = (next(store.client.scan_iter(f"*:{kind}:{ann.game}")) for kind in ("game", "log"))
    saved = store.client.dump(key), store.client.dump(log)
    lost = ann.post({"type": "deal"}).headers["etag"]
    store.client.restore(key, 0, saved[0], replace=True)
    store.client.restore(log, 0, saved[1], replace=True)
    assert ann.post({"type": "deal"}).json()["version"] == 2
    assert get(ann, **{"If-None-Match": lost}).status_code == 200
    assert on_turn((ann, ben)).post({"type": "pass"}, **{"If-Match": lost}).status_code == 412
