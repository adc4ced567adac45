"""Basic rummy over HTTP: two to six seats, humans and computers, whole matches and what is told of them."""

import pytest

from service.bots.rummy_easy import choose
from service.play.replay import replay
from service.play.verify import verify
from tests.api.playing import join
from tests.api.proof import assert_proven
from tests.conftest import Player

DEAL = {"type": "deal"}
SHORT = {"preset": "standard", "target": 20}
BOT = {"bot": "easy"}


def create(http, *seats, **wanted):
    """A game of rummy, with its named players and its invite."""
    answer = http.post("/v1/games", json={"game": "rummy", "ruleset": SHORT, "seats": list(seats)} | wanted)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    players = [Player(http, made["game"]["id"], held["seat"], held["token"]) for held in made["tokens"]]
    return players, made["invite"]


def joined(http, invite, name, **others):
    answer = join(http, invite, name, **others)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return Player(http, body["game"]["id"], body["seat"], body["token"])


def humans(count):
    return [{"name": name} for name in ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")[:count]]


def fetched(player, what, status=200):
    answer = player.http.get(f"/v1/games/{player.game}{what}", headers=player.headers)
    assert answer.status_code == status, answer.text
    return answer.json()


def resign(player):
    return player.http.post(f"/v1/games/{player.game}/resign", headers=player.headers)


def step(players, view=None):
    """One move of whoever is on turn; a deal between rounds. The mover's view."""
    view = view or players[0].view()
    seat = view["turn"]["seat"]
    if seat is None:
        return players[0].play(DEAL)
    mover = next(player for player in players if player.seat == seat)
    return mover.play(choose(view if view["you"] == {"seat": seat} else mover.view()))


def play_round(players):
    view = players[0].play(DEAL)
    while view["turn"] is not None and view["turn"]["phase"] != "round_over":
        view = step(players, view)
    return view


def play_match(players):
    view = players[0].view()
    while view["status"] == "playing":
        view = step(players, view)
    return view


def assert_sound(player, view):
    """The record replays to the same results and score and its proofs hold, and the score adds up line by line."""
    record = fetched(player, "/record")
    replayed = replay(record)
    assert replayed.differences == ()
    assert replayed.score == record["score"] == view["score"] == fetched(player, "/score")
    assert_proven(record, view["commitment"])
    assert verify(record).proven == len(record["rounds"])
    for seat, total in enumerate(view["score"]["totals"]):
        assert total == sum(line["points"] for line in view["score"]["lines"] if line["seat"] == seat)
    return record


@pytest.mark.parametrize(
    ("seats", "preset"),
    [
        ([*humans(2)], "standard"),
        ([*humans(1), BOT, BOT], "pagat"),
        ([BOT, *humans(2), BOT], "bicycle"),
        ([*humans(3), BOT, BOT], "standard"),
        ([*humans(1), BOT, BOT, BOT, BOT, BOT], "block"),
        ([*humans(6)], "pagat"),
    ],
    ids=["two", "three", "four", "five", "one and five computers", "six"],
)
def test_a_match_is_played_to_its_end_and_its_record_replays_and_verifies(http, seats, preset):
    players, _ = create(http, *seats, ruleset={"preset": preset, "target": 20})
    view = play_match(players)
    assert (view["status"], view["turn"]) == ("finished", None)
    assert view["score"]["winners"]
    record = assert_sound(players[0], view)
    assert record["end"]["kind"] == "target"
    assert all(played["seats"] == list(range(len(seats))) for played in record["rounds"])
    last = fetched(players[0], f"/rounds/{len(record['rounds'])}")
    assert last == view["last_round"]
    assert [each["number"] for each in fetched(players[0], "/rounds")["items"]] == [
        *range(1, len(record["rounds"]) + 1)
    ]
    refused = players[0].post(DEAL)
    assert (refused.status_code, refused.json()["code"]) == (409, "game_over")


def test_players_join_seat_by_seat_until_the_table_is_full(http):
    (ann,), invite = create(http, *humans(1), {}, BOT, {})
    preview = http.post("/v1/join?preview=true", json={"invite": invite}).json()
    assert (preview["game"], preview["ruleset"]["target"]) == ("rummy", 20)
    ben = joined(http, invite, "Ben", client_seed="b")
    assert (ben.seat, ben.view()["status"]) == (1, "waiting")
    cleo = joined(http, invite, "Cleo")
    assert (cleo.seat, cleo.view()["status"]) == (3, "playing")
    full = join(http, invite, "Dan")
    assert (full.status_code, full.json()["code"]) == (409, "no_open_seat")
    view = play_match([ann, ben, cleo])
    record = assert_sound(ann, view)
    assert record["rounds"][0]["proof"]["client_seeds"] == [None, "b", None, None]


def test_any_human_may_deal_once_all_seats_are_taken(http):
    (ann, ben), _ = create(http, *humans(2), BOT)
    assert [player.view()["legal_moves"] for player in (ann, ben)] == [[{"move": DEAL}]] * 2
    assert ben.play(DEAL)["round"]["number"] == 1


# --- Starting early ------------------------------------------------------------


def test_the_lowest_named_seat_may_start_before_the_table_is_full_and_the_others_may_not(http):
    (ann, cleo), _ = create(http, {}, *humans(2), {}, BOT)
    assert (ann.seat, cleo.seat) == (1, 2)
    before = ann.view()
    assert (before["status"], before["turn"], before["legal_moves"]) == ("waiting", None, [{"move": DEAL}])
    assert cleo.view()["legal_moves"] == []
    refused = cleo.post(DEAL)
    assert (refused.status_code, refused.json()["code"]) == (409, "seats_open")
    assert ann.view() == before
    dealt = ann.play(DEAL)
    assert dealt["status"] == "playing"
    assert [hand["seat"] for hand in dealt["round"]["hands"]] == [1, 2, 4]
    assert [seat["kind"] for seat in dealt["seats"]] == ["open", "human", "human", "open", "bot"]


def test_before_the_start_nobody_can_draw_not_even_who_may_deal(http):
    (ann, _), _ = create(http, *humans(2), {})
    refused = ann.post({"type": "draw", "source": "stock"})
    assert (refused.status_code, refused.json()["code"]) == (409, "seats_open")


def test_one_alone_cannot_start(http):
    (ann,), _ = create(http, *humans(1), {}, {})
    assert ann.view()["legal_moves"] == []
    assert ann.post(DEAL).json()["code"] == "seats_open"


def test_seats_left_open_are_left_out_for_good(http):
    (ann, ben), invite = create(http, {}, *humans(1), {}, {"name": "Ben"})
    ann.play(DEAL)
    late = join(http, invite, "Cleo")
    assert (late.status_code, late.json()["code"]) == (409, "no_open_seat")
    view = play_match([ann, ben])
    record = assert_sound(ann, view)
    assert all(played["seats"] == [1, 3] for played in record["rounds"])
    assert [view["score"]["totals"][seat] for seat in (0, 2)] == [0, 0]


def test_a_record_replays_where_the_last_seats_stayed_open(http):
    (ann, ben), _ = create(http, *humans(2), {}, {})
    ann.play(DEAL)
    record = assert_sound(ann, play_match([ann, ben]))
    assert record["rounds"][0]["seats"] == [0, 1]
    assert record["rounds"][0]["result"]["scores"][2:] == [0, 0]


# --- What a view hides ---------------------------------------------------------


def test_a_view_shows_no_hand_but_the_own_until_the_round_is_over(http):
    players, _ = create(http, *humans(3), spectators=True, ruleset={"preset": "standard", "target": 10_000})
    view = players[0].play(DEAL)
    for _ in range(8):
        for player in players:
            hands = player.view()["round"]["hands"]
            assert [hand["seat"] for hand in hands if "cards" in hand] == [player.seat]
        public = http.get(f"/v1/games/{players[0].game}").json()
        assert not [hand for hand in public["round"]["hands"] if "cards" in hand]
        assert (public["you"], public["legal_moves"]) == (None, [])
        assert fetched(players[0], "/record")["rounds"] == []
        view = step(players, view)
    while view["turn"]["phase"] != "round_over":
        view = step(players, view)
    assert all("cards" in hand for hand in players[1].view()["round"]["hands"])


def test_computer_players_answer_at_once_until_a_human_is_on_turn(http):
    (ann,), _ = create(http, *humans(1), *[BOT] * 5, first_dealer=0)
    view = ann.play(DEAL)
    assert [seen["seat"] for seen in view["round"]["public"]] == [1, 2, 3, 4, 5]
    assert view["turn"] == {"seat": 0, "phase": "draw", "deadline": None}


# --- Refusals ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"seats": [*humans(1)]}, "request_refused"),
        ({"seats": [BOT, BOT, BOT]}, "no_human_seat"),
        ({"seats": [*humans(1), {"bot": "hard"}]}, "bot_not_available"),
        ({"seats": [*humans(3)], "first_dealer": 3}, "request_refused"),
        ({"ruleset": {"preset": "standard", "ace_points": 11}}, "ruleset_refused"),
        ({"ruleset": {"preset": "standard", "gin_bonus": 25}}, "ruleset_refused"),
        ({"ruleset": "oklahoma"}, "ruleset_refused"),
        ({"seats": [{}] * 7}, "invalid_request"),
    ],
)
def test_a_game_that_is_not_to_be_had_is_refused(http, wanted, code):
    refused = http.post("/v1/games", json={"game": "rummy"} | wanted)
    assert (refused.status_code, refused.json()["code"]) == (422, code)


@pytest.mark.parametrize(
    "move",
    [
        {"type": "knock", "discard": "KS"},
        {"type": "pass"},
        {"type": "meld"},
        {"type": "meld", "cards": "7S7H7D"},
        {"type": "meld", "cards": ["7S"] * 14},
        {"type": "lay_off", "card": "7S"},
        {"type": "lay_off", "card": "7S", "meld": -1},
        {"type": "lay_off", "card": "7S", "meld": "0"},
        {"type": "discard", "card": "1S"},
    ],
    ids=str,
)
def test_a_move_that_the_game_does_not_have_or_of_another_shape_is_refused(http, move):
    (ann, _), _ = create(http, *humans(2), first_dealer=1)
    before = ann.play(DEAL)
    refused = ann.post(move)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert ann.view() == before


def test_what_the_rules_forbid_is_refused_with_its_reason(http):
    (ann, ben), _ = create(http, *humans(2), first_dealer=1)
    ann.play(DEAL)
    for player, move, code in (
        (ben, {"type": "draw", "source": "stock"}, "not_your_turn"),
        (ann, {"type": "discard", "card": "AS"}, "wrong_phase"),
    ):
        refused = player.post(move)
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    view = ann.play({"type": "draw", "source": "discard"})
    taken = view["round"]["taken"]
    for move, code in (
        ({"type": "discard", "card": taken}, "discard_just_taken"),
        ({"type": "meld", "cards": [taken]}, "invalid_meld"),
        ({"type": "lay_off", "card": taken, "meld": 0}, "layoff_does_not_fit"),
    ):
        refused = ann.post(move)
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    assert ann.view() == view


# --- Resigning -----------------------------------------------------------------


def test_when_one_of_three_resigns_the_others_play_on_and_the_record_replays(http):
    (ann, ben, cleo), _ = create(http, *humans(3))
    ann.play(DEAL)
    for _ in range(4):
        step([ann, ben, cleo])
    left = resign(ben).json()
    assert (left["status"], left["legal_moves"]) == ("playing", [])
    for again in (ben.post({"type": "draw", "source": "stock"}), ben.post(DEAL), resign(ben)):
        assert (again.status_code, again.json()["code"]) == (409, "seat_resigned")
    view = play_match([ann, cleo])
    record = assert_sound(ann, view)
    assert {"seat": 1, "type": "resign"} in record["rounds"][0]["moves"]
    assert all(played["seats"] == [0, 2] for played in record["rounds"][1:])


def test_a_resignation_between_two_rounds_leaves_a_record_that_replays(http):
    (ann, ben, cleo), _ = create(http, *humans(3), ruleset={"preset": "standard", "target": 90})
    play_round([ann, ben, cleo])
    assert resign(cleo).status_code == 200
    record = assert_sound(ann, play_match([ann, ben]))
    assert [played["seats"] for played in record["rounds"][:2]] == [[0, 1, 2], [0, 1]]


def test_the_last_human_to_resign_leaves_a_game_that_is_abandoned(http):
    (ann, ben), _ = create(http, *humans(2), BOT, BOT)
    ann.play(DEAL)
    assert resign(ann).json()["status"] == "playing"
    view = resign(ben).json()
    assert (view["status"], view["turn"], view["score"]["winners"]) == ("abandoned", None, [])
    assert fetched(ann, "/record")["end"] == {"kind": "abandoned", "seat": None}


def test_the_last_one_left_wins(http):
    (ann, ben, cleo), _ = create(http, *humans(3))
    ann.play(DEAL)
    resign(ann)
    view = resign(ben).json()
    assert (view["status"], view["score"]["winners"]) == ("finished", [2])
    assert view["last_round"]["kind"] == "resigned"
    assert assert_sound(cleo, view)["end"] == {"kind": "resigned", "seat": 2}


def test_a_guest_who_leaves_a_waiting_table_opens_the_seat_again(http):
    (ann,), invite = create(http, *humans(1), {}, {})
    ben = joined(http, invite, "Ben", client_seed="b")
    left = resign(ben).json()
    assert (left["you"], left["seats"][1]["kind"]) == (None, "open")
    assert ben.post(DEAL).status_code == 401
    cleo, dan = (joined(http, invite, name) for name in ("Cleo", "Dan"))
    assert (cleo.seat, dan.seat) == (1, 2)
    record = assert_sound(ann, play_match([ann, cleo, dan]))
    assert record["rounds"][0]["proof"]["client_seeds"] == [None, None, None]


def test_the_lowest_named_seat_cancels_a_waiting_game(http):
    (ann, _), _ = create(http, *humans(2), {})
    assert resign(ann).json()["status"] == "abandoned"
