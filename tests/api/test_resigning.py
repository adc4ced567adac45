"""Giving up a match of gin: in a round, between rounds, before the first one, while waiting, and after the end."""

import pytest

from service.play.replay import replay
from tests.api.pads import assert_agrees
from tests.api.playing import choose, create, deck, join, on_turn, play_match, play_round, played_on, table_of_two
from tests.api.proof import assert_proven
from tests.conftest import Player, new_game

HAND, DEFENDER = "2S 3S 4S 4C 5C 6C 7D 8D 9D 5D", "KD KC QS QD JS 9S 8H 5H 3H AD"
"""Three runs and 5; no meld and nothing to lay off, 76."""
SLOW = deck("KS QH JD TC 8C 6D 5C 3C 2D 2H", DEFENDER, upcard="7S", stock="TH 4S JH 9C 6S AH QC 7C")
"""Two hands far from any knock."""


def resign(player, **headers):
    return player.http.post(f"/v1/games/{player.game}/resign", headers=player.headers | headers)


def resigned(player):
    """The view of a player who has just given up."""
    answer = resign(player)
    assert answer.status_code == 200, answer.text
    return answer.json()


def record_of(player):
    return player.http.get(f"/v1/games/{player.game}/record", headers=player.headers).json()


def dealt(http, **wanted):
    """Ann and Ben, with the first round dealt by Ben."""
    ann, ben = new_game(http, first_dealer=1, **wanted)
    ben.play({"type": "deal"})
    return ann, ben


def after_a_knock(http, ruleset):
    """Ann has won a round with 76 - 5 = 71 points."""
    ann, ben = dealt(http, ruleset=ruleset, sandbox={"decks": [deck(HAND, DEFENDER, upcard="6H", stock="QC")]})
    ann.play({"type": "pass"})
    ben.play({"type": "pass"})
    ann.play({"type": "draw", "source": "stock"})
    ann.play({"type": "knock", "discard": "QC"})
    ben.play({"type": "spread"})
    return ann, ben


def assert_over(view, *, winner):
    assert (view["status"], view["turn"], view["legal_moves"]) == ("finished", None, [])
    assert (view["score"]["over"], view["score"]["winners"]) == (True, [winner])
    assert_agrees(view["score"])


# --- In a round ---


@pytest.mark.parametrize("seat", [0, 1], ids=["on turn", "out of turn"])
def test_the_other_seat_wins_and_the_round_ends_without_a_winner(http, seat):
    players = dealt(http)
    view = resigned(players[seat])
    assert_over(view, winner=1 - seat)
    result = view["last_round"]
    assert (result["kind"], result["winner"], result["points"], result["knocker"]) == ("resigned", None, 0, None)
    assert (result["lines"], result["layoffs"]) == ([], [])
    assert (view["score"]["totals"], view["score"]["boxes"], view["score"]["margin"]) == ([0, 0], [0, 0], 0)
    assert players[1 - seat].view()["score"] == view["score"]


def test_both_hands_are_open_afterwards_for_everybody(http):
    ann, ben = dealt(http, spectators=True, sandbox={"decks": [deck(HAND, DEFENDER, upcard="6H")]})
    assert "cards" not in ann.view()["round"]["hands"][1]
    resigned(ann)
    for headers in (ann.headers, ben.headers, {}):
        view = http.get(f"/v1/games/{ann.game}", headers=headers).json()
        shown = view["round"]["hands"]
        assert [sorted(each["cards"]) for each in shown] == [sorted(HAND.split()), sorted(DEFENDER.split())]
        assert [each["deadwood"] for each in shown] == view["last_round"]["deadwood"] == [5, 76]


@pytest.mark.parametrize("moves", range(8))
def test_a_seat_may_give_up_in_every_phase(http, moves):
    """After so many moves of a round: in the opening, before a draw, before a throw."""
    players = dealt(http, sandbox={"decks": [SLOW]})
    for _ in range(moves):
        mover = on_turn(players)
        mover.play(choose(mover.view()))
    view = resigned(players[moves % 2])
    assert_over(view, winner=1 - moves % 2)
    assert view["last_round"]["kind"] == "resigned"
    assert replay(record_of(players[0])).differences == ()


@pytest.mark.parametrize("seat", [0, 1], ids=["the knocker", "the defender"])
def test_after_a_knock_the_points_at_stake_are_lost(http, seat):
    """Ann has knocked, and Ben is to spread: whoever gives up, the round brings nobody anything."""
    players = dealt(http, sandbox={"decks": [deck(HAND, DEFENDER, upcard="6H", stock="QC")]})
    ann, ben = players
    ann.play({"type": "pass"})
    ben.play({"type": "pass"})
    ann.play({"type": "draw", "source": "stock"})
    assert ann.play({"type": "knock", "discard": "QC"})["turn"]["phase"] == "spread"
    view = resigned(players[seat])
    assert_over(view, winner=1 - seat)
    assert (view["last_round"]["kind"], view["score"]["totals"]) == ("resigned", [0, 0])
    assert replay(record_of(ann)).differences == ()


def test_points_and_boxes_stand_and_there_is_no_game_bonus_and_no_shutout(http):
    """Ann has 71 and one box of 25; Ben, who wins by her giving up, has nothing, and the margin is 0 - 96."""
    ann, ben = after_a_knock(http, {"preset": "standard", "target": 200})
    ben.play({"type": "deal"})
    view = resigned(ann)
    assert_over(view, winner=1)
    score = view["score"]
    assert (score["points"], score["boxes"], score["totals"], score["margin"]) == ([71, 0], [1, 0], [96, 0], -96)
    assert [(line["seat"], line["part"], line["points"]) for line in score["lines"]] == [
        (0, "deadwood", 71),
        (0, "boxes", 25),
    ]


def test_a_winner_to_whom_the_other_has_given_up_has_no_game_bonus_either(http):
    """71 + 25 = 96 : 0, though Ben has won no round."""
    ann, ben = after_a_knock(http, {"preset": "standard", "target": 200})
    ann.play({"type": "deal"})
    view = resigned(ben)
    assert_over(view, winner=0)
    assert (view["score"]["totals"], view["score"]["margin"]) == ([96, 0], 96)


def test_boxes_that_were_paid_at_once_are_not_paid_again(http):
    """palace: 71 + 10 = 81 : 0."""
    ann, ben = after_a_knock(http, "palace")
    view = resigned(ben)
    assert_over(view, winner=0)
    assert (view["score"]["points"], view["score"]["totals"]) == ([81, 0], [81, 0])
    assert ann.view()["score"] == view["score"]


def test_in_hollywood_open_columns_keep_their_points_and_boxes(http):
    """71 and a box of 25 in the first column, and nothing in the others."""
    ann, ben = after_a_knock(http, "hollywood")
    view = resigned(ben)
    assert_over(view, winner=0)
    assert [column["totals"] for column in view["score"]["columns"]] == [[96, 0], [0, 0], [0, 0]]
    assert ann.view()["score"]["margin"] == 96


def test_the_record_of_a_resigned_round_holds_the_moves_and_replays(http):
    players = table_of_two(http, seeds=("a", "b"), ruleset={"preset": "straight", "target": 10_000})
    play_round(*players)
    players[0].play({"type": "deal"})
    for _ in range(3):
        mover = on_turn(players)
        mover.play(choose(mover.view()))
    last_seat = players[0].view()["turn"]["seat"]
    out_of_turn = players[1 - last_seat]
    resigned(out_of_turn)
    record = record_of(players[0])
    assert record["end"] == {"kind": "resigned", "seat": last_seat}
    last = record["rounds"][-1]
    assert len(last["moves"]) == 4
    assert last["moves"][-1] == {"seat": out_of_turn.seat, "type": "resign"}
    assert (last["result"]["kind"], last["result"]["winner"], last["result"]["points"]) == ("resigned", None, 0)
    replayed = replay(record)
    assert replayed.differences == ()
    assert replayed.score["totals"] == record["score"]["totals"]
    assert_proven(record, players[0].view()["commitment"])


# --- Between rounds, and before the first ---


def test_between_two_rounds_the_last_result_and_the_open_hands_stay(http):
    ann, ben = after_a_knock(http, {"preset": "standard", "target": 200})
    before = ann.view()
    view = resigned(ann)
    assert_over(view, winner=1)
    assert view["last_round"] == before["last_round"]
    assert view["round"] == before["round"]
    record = record_of(ben)
    assert (len(record["rounds"]), record["end"]) == (1, {"kind": "resigned", "seat": 1})
    assert "resign" not in [move["type"] for move in record["rounds"][0]["moves"]]
    assert replay(record).differences == ()


def test_before_the_first_deal_the_other_seat_wins_a_match_without_rounds(http):
    ann, ben = new_game(http)
    view = resigned(ben)
    assert_over(view, winner=0)
    assert (view["round"], view["last_round"], view["score"]["totals"]) == (None, None, [0, 0])
    record = record_of(ann)
    assert (record["rounds"], record["end"]) == ([], {"kind": "resigned", "seat": 0})
    assert ann.post({"type": "deal"}).json()["code"] == "game_over"


# --- While waiting ---


def test_while_waiting_the_owner_cancels_the_game(http):
    made = create(http, seats=[{"name": "Ann"}, {}])
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    view = resigned(ann)
    assert (view["status"], view["turn"], view["legal_moves"]) == ("abandoned", None, [])
    assert (view["score"]["winners"], view["score"]["over"], view["you"]) == ([], True, {"seat": 0})
    assert record_of(ann)["end"] == {"kind": "abandoned", "seat": None}
    assert join(http, made["invite"]).json()["code"] == "no_open_seat"
    assert resign(ann).json()["code"] == "game_over"
    assert ann.view() == view


def test_a_guest_who_is_alone_at_the_table_is_its_lowest_named_seat(http):
    """Two open seats, and one guest: nobody else could cancel the game."""
    made = create(http, seats=[{}, {}])
    joined = join(http, made["invite"]).json()
    view = resigned(Player(http, made["game"]["id"], joined["seat"], joined["token"]))
    assert view["status"] == "abandoned"


# --- After the end ---


def test_after_the_end_there_is_nothing_to_give_up(http):
    ann, ben = new_game(http, ruleset={"preset": "eaai", "target": 1})
    play_match(ann, ben)
    before = ann.view()
    for player in (ann, ben):
        refused = resign(player)
        assert (refused.status_code, refused.json()["code"]) == (409, "game_over")
    assert ann.view() == before


def test_a_match_is_given_up_once(http):
    ann, ben = dealt(http)
    view = resigned(ann)
    for player in (ann, ben):
        refused = resign(player)
        assert (refused.status_code, refused.json()["code"]) == (409, "game_over")
    assert ann.view() == view


# --- Safe retries and refusals ---


@pytest.mark.parametrize("begun", [True, False], ids=["in a round", "before the first"])
def test_with_a_key_the_first_answer_comes_again(http, begun):
    ann, _ = dealt(http) if begun else new_game(http)
    first = resign(ann, **{"Idempotency-Key": "give up"})
    again = resign(ann, **{"Idempotency-Key": "give up"})
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.content == first.content
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert ann.view()["version"] == first.json()["version"]


def test_for_another_version_nothing_is_given_up(http):
    ann, ben = dealt(http)
    seen = http.get(f"/v1/games/{ben.game}", headers=ben.headers)
    mover = on_turn((ann, ben))
    mover.play(choose(mover.view()))
    stale = resign(ben, **{"If-Match": seen.headers["ETag"]})
    assert (stale.status_code, stale.json()["code"]) == (412, "stale_version")
    assert stale.json()["version"] == ben.view()["version"]
    assert ben.view()["status"] == "playing"


def test_without_the_token_of_a_seat_nothing_is_given_up(http):
    ann, ben = dealt(http, spectators=True)
    other, _ = new_game(http)
    path = f"/v1/games/{ann.game}/resign"
    for headers in ({}, other.headers, {"Authorization": f"Bearer {ann.token[:-1]}"}, {"Authorization": "Bearer x"}):
        refused = http.post(path, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "credential_refused")
    assert http.post(f"/v1/games/{'0' * 24}/resign").status_code == 401
    assert ben.view()["status"] == "playing"


@pytest.mark.parametrize("body", [{"seat": 1}, {"type": "resign"}, [], "give up"])
def test_giving_up_says_nothing_more(http, body):
    ann, _ = dealt(http)
    refused = http.post(f"/v1/games/{ann.game}/resign", headers=ann.headers, json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert ann.view()["status"] == "playing"
    assert http.post(f"/v1/games/{ann.game}/resign", headers=ann.headers, json={}).status_code == 200


def test_giving_up_is_no_move(http):
    ann, _ = dealt(http)
    refused = ann.post({"type": "resign"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert ann.view()["status"] == "playing"


# --- Against the computer ---


@pytest.mark.parametrize("begun", [True, False], ids=["in a round", "before the first"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_computer_wins_by_a_resignation(http, seat, begun):
    seats = [{"bot": "easy"}, {"bot": "easy"}]
    seats[seat] = {"name": "Ann"}
    made = create(http, seats=seats, sandbox={"decks": [SLOW]})
    ann = Player(http, made["game"]["id"], seat, made["tokens"][0]["token"])
    if begun:
        ann.play({"type": "deal"})
    view = resigned(ann)
    assert_over(view, winner=1 - seat)
    record = record_of(ann)
    assert record["end"] == {"kind": "resigned", "seat": 1 - seat}
    assert len(record["rounds"]) == begun
    assert replay(record).differences == ()


def test_a_long_match_against_the_computer_can_be_given_up_between_rounds(http):
    made = create(http, seats=[{"name": "Ann"}, {"bot": "easy"}], ruleset={"preset": "standard", "target": 10_000})
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    for _, view in played_on(ann):
        if view["round"]["number"] == 3 and view["turn"]["phase"] == "round_over":
            break
    after = resigned(ann)
    assert_over(after, winner=1)
    boxes, points = view["score"]["boxes"], view["score"]["points"]
    assert after["score"]["totals"] == [points[seat] + 25 * boxes[seat] for seat in (0, 1)]
    assert replay(record_of(ann)).differences == ()
