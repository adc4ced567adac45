"""Limits: who calls too often waits, everybody else does not notice, and a store that is away stops nobody."""

import time

import pytest

from service.bootstrap import create_app
from tests.api.backends import Backend, assert_refused, made_keys
from tests.conftest import Player, client_for, new_game, running_store, served, settings_for

FORGED = "A" * 22


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("service.web.limits.monotonic", clock)
    return clock


@pytest.fixture
def own_store():
    with running_store() as running:
        yield running


@pytest.fixture
def limited(own_store):
    """Starts a service with some limits on a store of its own: a client."""
    open_now = []

    def start(**limits):
        serving = served(create_app(settings_for(own_store.url, **limits)))
        client = client_for(serving.__enter__())
        open_now.append((serving, client))
        return client

    yield start
    for serving, client in open_now:
        client.close()
        serving.__exit__(None, None, None)


def forged(player: Player) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.token.rpartition('.')[0]}.{FORGED}"}


def get_through(call, most=100):
    """How many calls are answered before the first that is refused for being one too many; the refusal."""
    for number in range(most):
        answer = call()
        if answer.status_code == 429:
            return number, answer
    raise AssertionError(f"{most} calls, and no end")


def assert_limited(answer, seconds):
    assert_refused(answer, 429, "rate_limited")
    assert answer.headers["retry-after"] == str(seconds)
    assert answer.json()["retry_after"] == seconds


# --- Moves and reads, in the process -------------------------------------------


def test_a_seat_that_calls_too_often_waits_and_the_other_does_not(limited, clock):
    """Two a second, and ten at once after a pause."""
    ann, ben = new_game(limited(rate_calls=2))
    look = f"/v1/games/{ann.game}"
    number, refused = get_through(lambda: ann.http.get(look, headers=ann.headers))
    assert number == 10
    assert_limited(refused, 1)
    assert_limited(ann.post({"type": "deal"}), 1)
    assert ben.view()["version"] == 1
    clock.now += 1
    assert ann.play({"type": "deal"})["version"] == 2


def test_made_up_credentials_and_calls_without_any_are_counted_together_by_address(limited, clock):
    """A new one for each call is no way around the limit."""
    ann, _ = new_game(limited(rate_calls=2))
    made_up = iter(range(1000))

    def call():
        number = next(made_up)
        token = ("", f"Bearer us_{number:024}.0.1.{FORGED}", f"Bearer uk_{number}", f"Bearer {number}")[number % 4]
        return ann.http.get(f"/v1/games/{ann.game}", headers={"Authorization": token})

    assert get_through(call)[0] == 10
    assert ann.view()["version"] == 1


def test_what_watches_over_the_service_is_never_limited(limited, clock):
    http = limited(rate_calls=1)
    get_through(lambda: http.get("/v1/rulesets"))
    for path in ("/healthz", "/readyz", "/openapi.yaml"):
        assert {http.get(path).status_code for _ in range(20)} == {200}


# --- Wrong credentials ---------------------------------------------------------


def test_an_address_that_sends_wrong_credentials_waits_and_a_right_one_still_works_from_there(limited, clock):
    ann, _ = new_game(limited(rate_failures=6))
    look = f"/v1/games/{ann.game}"
    number, refused = get_through(lambda: ann.http.get(look, headers=forged(ann)))
    assert number == 6
    assert_limited(refused, 10)
    assert ann.view()["version"] == 1
    clock.now += 10
    assert_refused(ann.http.get(look, headers=forged(ann)), 401, "credential_refused")


def test_a_missing_credential_is_no_attempt(limited, clock):
    http = limited(rate_failures=1)
    ann, _ = new_game(http)
    for _ in range(5):
        assert_refused(http.post(f"/v1/games/{ann.game}/resign"), 401, "credential_refused")


# --- Creating, joining and analysing, in the store -----------------------------

CALLS = {
    "rate_create": ("/v1/games", {"game": "gin"}),
    "rate_join": ("/v1/join", {"invite": "x", "name": "Ben"}),
    "rate_analysis": ("/v1/analysis/hand", {"hand": ["AS"]}),
}


@pytest.mark.parametrize("limit", CALLS)
def test_costly_calls_are_counted_for_all_processes_together(limited, limit):
    first, second = (limited(**{limit: 3}) for _ in range(2))
    path, body = CALLS[limit]
    clients = iter([first, second, first, second, first])
    number, refused = get_through(lambda: next(clients).post(path, json=body))
    assert number == 3
    assert_limited(refused, 60)
    assert_limited(first.post(path, json=body), 60)


def test_one_kind_of_call_does_not_count_for_another(limited):
    http = limited(rate_create=1, rate_analysis=1)
    for path, body in (CALLS["rate_create"], CALLS["rate_analysis"]):
        assert get_through(lambda path=path, body=body: http.post(path, json=body))[0] == 1


def test_all_analyses_count_together(limited):
    http = limited(rate_analysis=2)
    paths = iter(["hand", "round", "match"])
    answers = [http.post(f"/v1/analysis/{next(paths)}", json={}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [422, 422, 429]


def test_creating_is_counted_by_tenant_whichever_of_its_keys_it_uses(limited):
    keys, listed = made_keys("shop", "shop", "club")
    http = limited(rate_create=2, listed_keys=listed)
    old, new, club = (Backend(http, key) for key in keys)
    old.create()
    new.create()
    for each in (old, new):
        refused = http.post("/v1/games", json={"game": "gin"}, headers=each.headers)
        assert_limited(refused, 60)
    club.create()


def test_a_call_that_is_counted_in_the_store_is_not_counted_twice(limited, clock):
    http = limited(rate_calls=1)
    assert {http.post("/v1/games", json={"game": "gin"}).status_code for _ in range(20)} == {201}


@pytest.mark.parametrize("fault", ["stopped", "frozen"])
def test_a_store_that_is_away_lets_calls_pass_and_they_are_answered_within_a_second(limited, own_store, fault):
    """Analysis needs no store, so it works; creating is refused for want of the store, and not of patience."""
    http = limited(rate_create=1, rate_analysis=1, redis_timeout=0.5)
    path, body = CALLS["rate_analysis"]
    assert get_through(lambda: http.post(path, json=body))[0] == 1
    with _away(own_store, fault):
        for path, body, status in ((*CALLS["rate_analysis"], 200), (*CALLS["rate_create"], 503)):
            began = time.monotonic()
            assert http.post(path, json=body).status_code == status
            assert time.monotonic() - began < 1


def _away(store, fault):
    return store.frozen() if fault == "frozen" else _Stopped(store)


class _Stopped:
    def __init__(self, store):
        self.store = store

    def __enter__(self):
        self.store.stop()

    def __exit__(self, *gone):
        self.store.start()


# --- Behind proxies ------------------------------------------------------------


def test_the_address_is_taken_from_as_many_proxies_as_are_trusted(limited):
    direct, behind = limited(rate_analysis=1), limited(rate_analysis=1, trusted_proxies=1)
    path, body = CALLS["rate_analysis"]
    for number, (http, told, status) in enumerate(
        [
            (behind, "192.0.2.1", 200),
            (behind, "192.0.2.2", 200),
            (behind, "192.0.2.9, 192.0.2.1", 429),
            (direct, "192.0.2.3", 200),
            (direct, "192.0.2.4", 429),
        ]
    ):
        assert http.post(path, json=body, headers={"X-Forwarded-For": told}).status_code == status, number


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("192.0.2.1", "192.0.2.1:4711"),
        ("2001:db8::1", "[2001:db8::1]:4711"),
        ("2001:db8::1", "[2001:db8::1]"),
        ("2001:db8::1", "2001:db8:0:0:ffff::2"),
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("unknown", "_hidden"),
    ],
    ids=["a port", "a port after brackets", "brackets", "one home", "version 4 in version 6", "nothing to read"],
)
def test_an_address_is_counted_however_the_proxy_writes_it(limited, first, second):
    http = limited(rate_create=1, trusted_proxies=1)
    told = ({"X-Forwarded-For": each} for each in (first, second, "192.0.2.77", "::ffff:192.0.2.78"))
    statuses = [http.post("/v1/games", json={"game": "gin"}, headers=each).status_code for each in told]
    assert statuses == [201, 429, 201, 201]


def test_another_spelling_of_a_token_is_no_way_around_the_limit(http):
    """It is refused, like one that nobody signed."""
    ann, _ = new_game(http)
    spelled = ann.token.replace(".0.1.", ".00.01.")
    assert spelled != ann.token
    assert_refused(
        ann.http.get(f"/v1/games/{ann.game}", headers={"Authorization": f"Bearer {spelled}"}), 401, "credential_refused"
    )


# --- Open games, and large ones --------------------------------------------------


def test_an_address_has_only_so_many_games_open_and_one_that_ends_makes_room(limited):
    http = limited(open_games_address=2)
    ann, _ = new_game(http)
    new_game(http)
    refused = http.post("/v1/games", json={"game": "gin"})
    assert_refused(refused, 429, "too_many_games")
    assert (refused.headers["retry-after"], refused.json()["most"]) == ("60", 2)
    assert ann.http.post(f"/v1/games/{ann.game}/resign", headers=ann.headers).status_code == 200
    new_game(http)


def test_each_backend_has_its_own_open_games(limited):
    (one, other), listed = made_keys("one", "other")
    http = limited(listed_keys=listed, open_games_tenant=1, open_games_address=1)
    Backend(http, one).create()
    Backend(http, other).create()
    refused = http.post("/v1/games", json={"game": "gin"}, headers=Backend(http, one).headers)
    assert_refused(refused, 429, "too_many_games")


def test_the_store_holds_no_address(limited, own_store):
    new_game(limited(open_games_address=5))
    held = b"".join(own_store.client.dump(key) + key for key in own_store.client.keys("*"))
    assert b"open:address:" in held
    assert b"127.0.0.1" not in held


def test_a_game_that_has_grown_too_large_deals_no_round(limited):
    ann, _ = new_game(limited(game_bytes=100))
    refused = ann.post({"type": "deal"})
    assert_refused(refused, 409, "game_too_large")
    assert refused.json()["most"] == 100
