"""Who may call what: a seat its own game, an onlooker where the game allows it, and nobody learns more than that."""

import pytest

from service.storage.keys import game_key, log_key
from tests.api.playing import create, join
from tests.conftest import Player, new_game

NOBODY = "0" * 24
SEAT_CALLS = {"moves": {"type": "deal"}, "resign": {}}
"""What only a seat may call, with a body that it would be answered to."""
READS = ("", "/rounds", "/rounds/1", "/score", "/record")


def call(http, method, path, token=None, body=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return http.request(method, path, headers=headers, json=body)


def forged(token):
    """The token with another signature of the same length."""
    head, _, mac = token.rpartition(".")
    return f"{head}.{'A' * len(mac)}"


def other_seat(token):
    """The token rewritten to speak for the other seat, under the signature of the first."""
    head, seat, generation, mac = token.split(".")
    return f"{head}.{1 - int(seat)}.{generation}.{mac}"


def next_generation(token):
    head, seat, _, mac = token.split(".")
    return f"{head}.{seat}.2.{mac}"


def assert_refused(answer, status, code, *secrets):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert (answer.headers.get("www-authenticate") == "Bearer") == (status == 401)
    assert not any(secret in answer.text for secret in secrets)


@pytest.fixture
def ann(http):
    return new_game(http)[0]


@pytest.fixture
def elsewhere(http):
    """A seat in another game."""
    return new_game(http)[0]


@pytest.mark.parametrize("spoil", [forged, other_seat, next_generation])
@pytest.mark.parametrize("spectators", [False, True])
def test_a_token_of_the_game_that_nobody_signed_is_401_on_every_call(http, spoil, spectators):
    ann, _ = new_game(http, spectators=spectators)
    path, token = f"/v1/games/{ann.game}", spoil(ann.token)
    for read in READS:
        assert_refused(call(http, "GET", path + read, token), 401, "credential_refused", token)
    for action, body in SEAT_CALLS.items():
        assert_refused(call(http, "POST", f"{path}/{action}", token, body), 401, "credential_refused", token)
    assert ann.view()["version"] == 1


@pytest.mark.parametrize("spectators", [False, True])
def test_a_token_of_a_generation_that_was_replaced_is_401_on_every_call(http, store, spectators):
    ann, ben = new_game(http, spectators=spectators)
    store.client.hset(game_key(ann.game), "g", "2,1")
    path = f"/v1/games/{ann.game}"
    for read in READS:
        assert_refused(call(http, "GET", path + read, ann.token), 401, "credential_refused", ann.token)
    tag = call(http, "GET", path, ben.token).headers["etag"]
    conditional = http.get(path, headers=ann.headers | {"If-None-Match": tag})
    assert_refused(conditional, 401, "credential_refused", ann.token)
    for action, body in SEAT_CALLS.items():
        assert_refused(call(http, "POST", f"{path}/{action}", ann.token, body), 401, "credential_refused", ann.token)
    assert ben.view()["version"] == 1
    assert ben.play({"type": "deal"})["version"] == 2


def test_a_seat_that_the_game_does_not_have_is_401(http, store):
    ann, _ = new_game(http)
    store.client.hset(game_key(ann.game), "g", "2")
    assert_refused(call(http, "GET", f"/v1/games/{ann.game}", ann.token), 401, "credential_refused")


@pytest.mark.parametrize("credential", ["none", "garbage", "another game's", "another scheme", "scheme alone"])
def test_what_only_a_seat_may_call_is_401_without_one_whether_or_not_the_game_exists(
    http, ann, elsewhere, store, credential
):
    sent = {
        "none": {},
        "garbage": {"Authorization": "Bearer us_garbage"},
        "another game's": elsewhere.headers,
        "another scheme": {"Authorization": f"Basic {ann.token}"},
        "scheme alone": {"Authorization": "Bearer"},
    }[credential]
    for game in (ann.game, NOBODY, "no-game-id"):
        for action, body in SEAT_CALLS.items():
            answer = http.post(f"/v1/games/{game}/{action}", headers=sent, json=body)
            assert_refused(answer, 401, "credential_refused", ann.token, elsewhere.token)
    assert store.client.llen(log_key(ann.game)) == 1


@pytest.mark.parametrize(
    "text", ["us_", "us_a.b.c.d", "us_x.0.1", "us_é.0.1.x", "us_x.0.9999999999.x", "Bearer", "x" * 5000]
)
def test_garbage_for_a_token_is_no_credential(http, ann, text):
    headers = {"Authorization": f"Bearer {text}".encode()}
    assert_refused(http.get(f"/v1/games/{ann.game}", headers=headers), 404, "no_such_game")


def test_a_token_is_taken_whatever_the_case_of_the_scheme(http, ann):
    for scheme in ("bearer", "BEARER", "Bearer "):
        answer = http.get(f"/v1/games/{ann.game}", headers={"Authorization": f"{scheme} {ann.token}"})
        assert answer.json()["you"] == {"seat": 0}


@pytest.mark.parametrize("read", READS)
def test_an_unknown_game_and_one_that_allows_no_onlookers_look_the_same(http, ann, elsewhere, read):
    answers = [
        call(http, "GET", f"/v1/games/{game}{read}", token)
        for game in (ann.game, NOBODY, "no-game-id", "0" * 23 + "G")
        for token in (None, "us_garbage", elsewhere.token)
    ]
    for answer in answers:
        assert_refused(answer, 404, "no_such_game", elsewhere.token)
    assert len({answer.text for answer in answers}) == 1


@pytest.mark.parametrize("read", [read for read in READS if read != "/rounds/1"])
def test_onlookers_may_look_where_the_game_allows_it(http, elsewhere, read):
    ann, _ = new_game(http, spectators=True)
    ann.play({"type": "deal"})
    answers = [call(http, "GET", f"/v1/games/{ann.game}{read}", token) for token in (None, elsewhere.token)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].text == answers[1].text
    if read == "":
        view = answers[0].json()
        assert (view["you"], view["legal_moves"]) == (None, [])
        assert all("cards" not in hand for hand in view["round"]["hands"])


def test_a_signed_token_of_a_game_that_is_gone_finds_nothing(http, ann, store):
    store.client.delete(game_key(ann.game), log_key(ann.game))
    for read in READS:
        assert_refused(call(http, "GET", f"/v1/games/{ann.game}{read}", ann.token), 404, "no_such_game")
    conditional = http.get(f"/v1/games/{ann.game}", headers=ann.headers | {"If-None-Match": '"x"'})
    assert_refused(conditional, 404, "no_such_game")
    for action, body in SEAT_CALLS.items():
        answer = call(http, "POST", f"/v1/games/{ann.game}/{action}", ann.token, body)
        assert_refused(answer, 404, "no_such_game", ann.token)


def test_tokens_and_invites_stay_out_of_every_refusal(http):
    made = create(http, seats=[{"name": "Ann"}, {}])
    token, invite = made["tokens"][0]["token"], made["invite"]
    ann = Player(http, made["game"]["id"], 0, token)
    refusals = [
        ann.post({"type": "deal"}),
        ann.post({"type": "nonsense", "token": token}),
        ann.post({"type": "draw", "source": token}),
        ann.post({"type": "deal"}, **{"If-Match": '"x"'}),
        join(http, invite + "x"),
        join(http, invite, name=""),
        join(http, invite, client_seed=invite * 2),
        http.post("/v1/join", json={"invite": [invite], "name": "Ben"}),
        http.post("/v1/join", params={"preview": invite}, json={"invite": invite}),
        http.get(f"/v1/games/{token}"),
        http.get(f"/v1/games/{ann.game}/rounds", params={"after": token}, headers=ann.headers),
    ]
    for refused in refusals:
        assert refused.status_code >= 400
        assert token not in refused.text
        assert invite not in refused.text
