"""One Idempotency-Key, one effect: a request that is sent again gets the first answer again, byte for byte."""

import re
import secrets

import pytest

from service.bootstrap import create_app
from service.storage.keys import log_key
from tests.api.playing import at_once, create, on_turn, table_of_two
from tests.conftest import SECRET, client_for, served, settings_for

HEADERS = ("content-type", "etag", "location", "cache-control", "vary")


def new_key():
    return secrets.token_urlsafe(24)


class Creating:
    """A create, as something that can be sent again."""

    def __init__(self, http):
        self.path, self.headers = "/v1/games", {}
        self.body, self.other = {"game": "gin", "seats": [{"name": "Ann"}, {}]}, {"game": "gin"}

    def game(self, answer):
        return answer.json()["game"]["id"]

    def versions(self):
        return 1


class Joining:
    def __init__(self, http):
        made = create(http, seats=[{"name": "Ann"}, {}])
        self.path, self.headers = "/v1/join", {}
        self.body = {"invite": made["invite"], "name": "Ben"}
        self.other = self.body | {"name": "Bea"}

    def game(self, answer):
        return answer.json()["game"]["id"]

    def versions(self):
        return 2


class Moving:
    def __init__(self, http):
        players = table_of_two(http)
        players[0].play({"type": "deal"})
        mover = on_turn(players)
        self.path, self.headers = f"/v1/games/{mover.game}/moves", mover.headers
        self.body, self.other = {"type": "pass"}, {"type": "draw", "source": "discard"}

    def game(self, answer):
        return answer.json()["id"]

    def versions(self):
        return 4


class Resigning:
    def __init__(self, http):
        player, _ = table_of_two(http)
        self.path, self.headers = f"/v1/games/{player.game}/resign", player.headers
        self.body, self.other = None, {}

    def game(self, answer):
        return answer.json()["id"]

    def versions(self):
        return 4


@pytest.fixture(params=[Creating, Joining, Moving, Resigning])
def call(request, http):
    return request.param(http)


def send(http, call, key, body=None):
    return http.post(call.path, json=body or call.body, headers=call.headers | {"Idempotency-Key": key})


def assert_same_answer(first, again):
    assert again.status_code == first.status_code
    assert again.content == first.content
    assert {name: again.headers.get(name) for name in HEADERS} == {name: first.headers.get(name) for name in HEADERS}
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"


def test_the_same_request_gets_the_same_answer_and_has_one_effect(http, store, call):
    key = new_key()
    first = send(http, call, key)
    assert first.is_success
    for _ in range(3):
        assert_same_answer(first, send(http, call, key))
    assert store.client.llen(log_key(call.game(first))) == call.versions()


def test_twenty_equal_requests_at_once_have_one_effect_and_one_answer(http, store, call):
    key = new_key()
    answers = at_once(20, lambda _: send(http, call, key))
    assert len({(answer.status_code, answer.content, answer.headers["etag"]) for answer in answers}) == 1
    assert answers[0].is_success
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert store.client.llen(log_key(call.game(answers[0]))) == call.versions()


def test_another_body_under_the_same_key_is_refused(http, store, call):
    key = new_key()
    first = send(http, call, key)
    refused = http.post(call.path, json=call.other, headers=call.headers | {"Idempotency-Key": key})
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency_key_reused")
    assert store.client.llen(log_key(call.game(first))) == call.versions()
    assert_same_answer(first, send(http, call, key))


def test_an_answer_is_repeated_after_the_secrets_changed(http, store, call):
    """A second server that signs with a new secret and still lists the old one."""
    key = new_key()
    first = send(http, call, key)
    settings = settings_for(store.url, secrets=("a new secret that signs from now on, long enough", SECRET))
    with served(create_app(settings)) as address, client_for(address) as newer:
        assert_same_answer(first, send(newer, call, key))


def test_another_key_is_another_request(http):
    call = Creating(http)
    assert len({send(http, call, new_key()).json()["game"]["id"] for _ in range(3)}) == 3


def test_the_body_is_compared_as_it_was_sent(http):
    """Another spelling of the same JSON is another body: nothing is guessed."""
    call, key = Creating(http), new_key()
    assert send(http, call, key).status_code == 201
    spaced = http.post(
        call.path,
        content=b'{ "game": "gin", "seats": [{"name": "Ann"}, {}] }',
        headers={"Idempotency-Key": key, "Content-Type": "application/json"},
    )
    assert spaced.json()["code"] == "idempotency_key_reused"


def test_two_seats_may_use_the_same_key(http):
    players = table_of_two(http)
    players[0].play({"type": "deal"})
    first = on_turn(players)
    key = {"Idempotency-Key": "turn 1"}
    assert first.post({"type": "pass"}, **key).status_code == 200
    second = on_turn(players)
    assert second is not first
    answer = second.post({"type": "pass"}, **key)
    assert answer.status_code == 200
    assert "idempotency-replayed" not in answer.headers


def test_a_refused_request_leaves_no_receipt(http):
    """The key can be used once what stood in the way is gone."""
    ann, ben = table_of_two(http)
    key = {"Idempotency-Key": "deal"}
    assert ann.post({"type": "pass"}, **key).status_code == 409
    assert ann.post({"type": "deal"}, **key).status_code == 200
    mover = on_turn((ann, ben))
    waiting = ben if mover is ann else ann
    assert waiting.post({"type": "pass"}, **{"Idempotency-Key": "mine"}).json()["code"] == "not_your_turn"
    mover.play({"type": "pass"})
    assert waiting.post({"type": "pass"}, **{"Idempotency-Key": "mine"}).status_code == 200


def test_a_repeated_move_is_answered_although_its_version_is_gone(http):
    """The receipt comes before If-Match: the caller is told what its move did, and not that it came late."""
    players = table_of_two(http)
    deal = players[0].post({"type": "deal"})
    mover = on_turn(players)
    tag = http.get(f"/v1/games/{mover.game}", headers=mover.headers).headers["etag"]
    conditions = {"Idempotency-Key": "opening", "If-Match": tag}
    first = mover.post({"type": "pass"}, **conditions)
    assert deal.is_success
    assert_same_answer(first, mover.post({"type": "pass"}, **conditions))


@pytest.mark.parametrize("key", ["", "k" * 31, "k" * 256, "k" * 40 + "\x7f"])
def test_a_key_that_cannot_be_used_is_refused_and_nothing_is_made(http, store, key):
    """Without a credential whoever guesses a key gets the answer with its tokens, so it needs 32 characters."""
    before = store.games()
    refused = http.post("/v1/games", json={"game": "gin"}, headers={"Idempotency-Key": key})
    assert (refused.status_code, refused.json()["code"]) == (422, "request_refused")
    assert refused.json()["field"] == "Idempotency-Key"
    assert key == "" or key not in refused.text
    assert store.games() == before


def test_a_key_that_cannot_be_used_is_refused_too_where_it_would_make_no_difference(keyed_http, shop):
    made = shop.create(seats=[{"name": "Ann"}, {}])
    game, token = f"/v1/games/{made['game']['id']}", made["tokens"][0]["token"]
    long = {"Idempotency-Key": "k" * 256}
    for refused in (
        keyed_http.post("/v1/join?preview=true", json={"invite": made["invite"]}, headers=long),
        keyed_http.post(
            f"{game}/moves?dry_run=true", json={"type": "deal"}, headers=long | {"Authorization": f"Bearer {token}"}
        ),
        keyed_http.delete(f"{game}?erase=true", headers=long | shop.headers),
    ):
        assert (refused.status_code, refused.json()["field"]) == (422, "Idempotency-Key")
    assert shop.get(made["game"]["id"]).status_code == 200


def test_with_a_credential_a_short_key_will_do(http):
    ann, _ = table_of_two(http)
    assert ann.post({"type": "deal"}, **{"Idempotency-Key": "1"}).status_code == 200
    refused = ann.post({"type": "deal"}, **{"Idempotency-Key": "k" * 256})
    assert refused.json()["field"] == "Idempotency-Key"


def test_a_create_whose_receipt_is_gone_is_not_made_twice(http, store):
    call, key = Creating(http), new_key()
    first = send(http, call, key)
    (receipt,) = store.client.keys(f"*:once:{call.game(first)}:*")
    store.client.delete(receipt)
    refused = send(http, call, key)
    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_expired")
    assert store.client.llen(log_key(call.game(first))) == 1


def test_an_answer_signed_with_a_dropped_secret_cannot_be_repeated(store):
    """The invite is signed with a secret that stays, the seat's token with one that goes."""
    stays, goes = "a secret that is listed all the time, and long", "a secret that is dropped afterwards, and long"
    key = new_key()

    def running(*listed):
        return served(create_app(settings_for(store.url, secrets=listed)))

    with running(stays) as address, client_for(address) as client:
        invite = create(client, seats=[{"name": "Ann"}, {}])["invite"]
    body = {"invite": invite, "name": "Ben"}
    with running(goes, stays) as address, client_for(address) as client:
        assert client.post("/v1/join", json=body, headers={"Idempotency-Key": key}).status_code == 201
    with running(stays) as address, client_for(address) as client:
        refused = client.post("/v1/join", json=body, headers={"Idempotency-Key": key})
        assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_expired")


def everything_stored(client):
    for key in client.scan_iter():
        yield key
        match client.type(key):
            case b"hash":
                yield from client.hgetall(key).values()
            case b"list":
                yield from client.lrange(key, 0, -1)
            case b"string":
                yield client.get(key)


def test_tokens_and_invites_are_stored_nowhere(http, store):
    given = []
    for made_by in (Creating, Joining, Moving, Resigning):
        call = made_by(http)
        answer = send(http, call, new_key())
        body = answer.json()
        given += [held["token"] for held in body.get("tokens", ())] + [body.get("token"), body.get("invite")]
    macs = [text.rpartition(".")[2].encode() for text in given if text]
    assert len(macs) == 3
    stored = list(everything_stored(store.client))
    assert len(stored) > 20
    for value in stored:
        assert not re.search(rb"us_[0-9a-f]{24}", value)  # three letters alone may stand in a stamp by chance
        assert not any(mac in value for mac in macs)
