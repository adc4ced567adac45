"""The events of a game as JSON: what happened, in order and in pages, as everybody at the table may know it."""

import httpx
import pytest

from tests.api.backends import assert_refused
from tests.api.following import streamed
from tests.api.playing import choose, deck, play_round, table_of_two
from tests.conftest import new_game

STREAM, JSON = "text/event-stream", "application/json"
TEN = "AS 2S 3S 4C 5C 6C 7D 8D 9D 2H"
SCATTERED = "4H AD 2D 6H 7H 8H TC JC QS KS"


def events(player, after=None, **headers):
    params = {} if after is None else {"after": after}
    return player.http.get(f"/v1/games/{player.game}/events", params=params, headers=player.headers | headers)


def told(player, after=None):
    answer = events(player, after)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def without_time(event):
    return {key: value for key, value in event.items() if key not in ("stamp", "at")}


# --- What is told --------------------------------------------------------------


def test_a_game_is_told_from_its_start_to_its_end(http):
    """Ann knocks with her deuce left, at her second turn."""
    decks = [deck(TEN, SCATTERED, upcard="9S", stock="3H 3C AH")]
    ann, ben = table_of_two(http, seeds=("hers", "his"), first_dealer=1, sandbox={"decks": decks})
    melds = [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]]
    knock = {"type": "knock", "discard": "3C", "melds": melds}
    ben.play({"type": "deal", "client_seed": "another"})
    for player, move in (
        (ann, {"type": "pass"}),
        (ben, {"type": "pass"}),
        (ann, {"type": "draw", "source": "stock"}),
        (ann, {"type": "discard", "card": "3H"}),
        (ben, {"type": "draw", "source": "discard"}),
        (ben, {"type": "discard", "card": "KS"}),
        (ann, {"type": "draw", "source": "stock"}),
        (ann, knock),
        (ben, {"type": "spread"}),
    ):
        player.play(move)
    *before, last = map(without_time, told(ann))
    spread = last.pop("move")
    assert last == {"version": 12, "type": "round", "seat": 1, "result": ann.view()["last_round"]}
    assert spread.keys() == {"type", "melds", "layoffs"}
    assert before == [
        {"version": 1, "type": "created", "seat": None},
        {"version": 2, "type": "joined", "seat": 1},
        {"version": 3, "type": "dealt", "seat": 1},
        {"version": 4, "type": "move", "seat": 0, "move": {"type": "pass"}},
        {"version": 5, "type": "move", "seat": 1, "move": {"type": "pass"}},
        {"version": 6, "type": "move", "seat": 0, "move": {"type": "draw", "source": "stock"}},
        {"version": 7, "type": "move", "seat": 0, "move": {"type": "discard", "card": "3H"}},
        {"version": 8, "type": "move", "seat": 1, "move": {"type": "draw", "source": "discard"}},
        {"version": 9, "type": "move", "seat": 1, "move": {"type": "discard", "card": "KS"}},
        {"version": 10, "type": "move", "seat": 0, "move": {"type": "draw", "source": "stock"}},
        {"version": 11, "type": "move", "seat": 0, "move": knock},
    ]


def test_everybody_is_told_the_same(shop):
    ann, ben = shop.table(spectators=True)
    play_round(ann, ben)
    items = told(ann)
    assert items[-1]["type"] == "round"
    for headers in (ben.headers, shop.headers, {}):
        assert shop.http.get(f"/v1/games/{ann.game}/events", headers=headers).json()["items"] == items


def test_an_event_has_the_stamp_and_the_time_of_the_view_that_it_led_to(http):
    ann, ben = new_game(http)
    ben.play({"type": "deal"})
    view = ann.http.get(f"/v1/games/{ann.game}", headers=ann.headers)
    event = told(ann)[-1]
    assert view.headers["etag"] == f'"0-{event["version"]}-{event["stamp"]}"'
    assert view.json()["updated_at"] == event["at"]


def test_the_answers_of_a_computer_player_are_events_of_the_same_step(http):
    (ann,) = new_game(http, seats=[{"name": "Ann"}, {"bot": "easy"}], first_dealer=1)
    ann.play({"type": "deal"})
    after = ann.play({"type": "pass"})["version"]
    items = told(ann, after=2)
    assert [each["version"] for each in items] == list(range(3, after + 1))
    assert [each["seat"] for each in items] == [0, *[1] * (after - 3)]
    assert after > 3
    assert len({each["stamp"] for each in items}) == 1


def test_rummy_is_told_too(http):
    ann, ben = new_game(http, game="rummy")
    ann.play({"type": "deal"})
    first = ann if ann.view()["turn"]["seat"] == 0 else ben
    view = first.play({"type": "draw", "source": "stock"})
    card = next(each["move"]["card"] for each in view["legal_moves"] if each["move"]["type"] == "discard")
    first.play({"type": "discard", "card": card})
    assert [each["move"] for each in told(ben, after=2)] == [
        {"type": "draw", "source": "stock"},
        {"type": "discard", "card": card},
    ]


def test_who_resigned_is_told_with_the_result_and_then_the_end(http):
    ann, ben = new_game(http)
    ann.play({"type": "deal"})
    http.post(f"/v1/games/{ben.game}/resign", headers=ben.headers)
    resigned, ended = told(ann, after=2)
    assert (resigned["type"], resigned["seat"], resigned["move"]) == ("round", 1, {"type": "resign"})
    assert resigned["result"]["kind"] == "resigned"
    assert (ended["type"], ended["seat"]) == ("ended", 0)


# --- Pages ---------------------------------------------------------------------


def test_a_long_game_comes_in_pages_that_join_without_a_gap(http):
    (ann,) = new_game(http, seats=[{"name": "Ann"}, {"bot": "easy"}], ruleset={"preset": "standard", "target": 500})
    view = ann.view()
    while view["version"] <= 210:
        view = ann.play(choose(view))
    first = events(ann).json()
    assert (len(first["items"]), first["next"]) == (200, 200)
    second = events(ann, after=first["next"]).json()
    assert second["next"] is None
    versions = [each["version"] for each in first["items"] + second["items"]]
    assert versions == list(range(1, view["version"] + 1))


def test_after_says_where_to_begin_and_nothing_lies_behind_the_last_version(http):
    ann, _ = new_game(http)
    ann.play({"type": "deal"})
    assert [each["version"] for each in told(ann, after=0)] == [1, 2]
    assert [each["version"] for each in told(ann, after=1)] == [2]
    for after in (2, 3, 999_999_999):
        assert events(ann, after=after).json() == {"items": [], "next": None}


@pytest.mark.parametrize("accept", [JSON, STREAM])
@pytest.mark.parametrize("after", ["-1", "x", "", "1.0", "1000000000"])
def test_a_place_to_begin_that_is_no_version_is_refused(http, after, accept):
    ann, _ = new_game(http)
    assert_refused(events(ann, after, Accept=accept), 422, "invalid_request")


# --- Who is told, and in which form ---------------------------------------------


@pytest.mark.parametrize("accept", [JSON, STREAM])
def test_who_may_not_look_at_a_game_is_not_told_of_it_in_any_form(http, shop, club, accept):
    ann, ben = shop.table()
    path, asked = f"/v1/games/{ann.game}/events", {"Accept": accept}
    nobody = shop.http.get(path, headers=asked)
    assert_refused(nobody, 404, "no_such_game")
    assert_refused(shop.http.get(path, headers=asked | club.headers), 404, "no_such_game")
    assert_refused(shop.http.get("/v1/games/nowhere/events", headers=asked | shop.headers), 404, "no_such_game")
    forged = {"Authorization": f"Bearer {ann.token[:-4]}AAAA"}
    assert_refused(shop.http.get(path, headers=asked | forged), 401, "credential_refused")
    shop.rotate(ben.game, ben.seat)
    assert_refused(events(ben, Accept=accept), 401, "credential_refused")


@pytest.mark.parametrize(
    "accept",
    [
        None,
        "",
        "*/*",
        JSON,
        "application/*",
        f"{STREAM};q=0.1, {JSON}",
        f"{STREAM};q=0, */*",
        "image/png",
        "nonsense",
    ],
)
def test_the_events_are_json_unless_a_stream_is_asked_for(http, accept):
    ann, _ = new_game(http)
    request = http.build_request("GET", f"/v1/games/{ann.game}/events", headers=ann.headers)
    del request.headers["Accept"]
    if accept is not None:
        request.headers["Accept"] = accept
    answer = http.send(request)
    assert (answer.status_code, answer.headers["content-type"]) == (200, JSON)
    assert answer.headers["vary"] == "Accept, Authorization"


@pytest.mark.parametrize("accept", [STREAM, f"{STREAM}, {JSON};q=0.9", f"{STREAM}, */*;q=0.1", STREAM.upper()])
def test_whoever_asks_for_a_stream_gets_one(address, http, accept):
    ann, _ = new_game(http)
    with streamed(address, ann.game, ann.headers | {"Accept": accept}) as stream:
        assert stream.event()["type"] == "created"


def test_a_mark_of_a_stream_does_not_matter_to_a_list(http):
    ann, _ = new_game(http)
    assert len(events(ann, **{"Last-Event-ID": "1-another"}).json()["items"]) == 1


def test_head_tells_what_a_get_would_be_answered_with(address, http):
    ann, _ = new_game(http)
    with httpx.Client(base_url=address) as client:
        for accept in (JSON, STREAM):
            answer = client.head(f"/v1/games/{ann.game}/events", headers=ann.headers | {"Accept": accept})
            assert (answer.status_code, answer.content) == (200, b"")
            assert answer.headers["content-type"] == accept
