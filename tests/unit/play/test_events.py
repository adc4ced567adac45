"""Events: the log as everybody at the table may know it, in pages, and as it grows."""

import pytest
from msgspec.structs import replace

from service.play import events, manage
from service.play.callers import Backend, Caller
from service.play.errors import CredentialRefused, NoSuchGame, StoreUnavailable
from service.play.events import LOOK_AGAIN, PAGE, RETRY_SECONDS, Happened, Mark, Quiet, Reset
from service.play.game import Seat
from service.play.log import Entry
from service.play.table import Conditions
from tests.unit.play.memory import answered, guest, move, new_game, table

ANN = Caller(0, 1)
SHOP = Backend("shop")


@pytest.fixture
def at():
    return table()


def legal(view):
    return view["legal_moves"][0]["move"]


def played(at, rounds=1):
    """A game of two humans in which the first legal move is made until so many rounds are over."""
    game = new_game(at, backend=SHOP)["game"]["id"]
    view = answered(move(at, game, 0, {"type": "deal"}))
    while True:
        seat = view["turn"]["seat"]
        if seat is None:
            rounds -= 1
            if not rounds:
                return game
            seat = 0
        seen = at.store.games[game].rulebook.view(at.store.games[game].state, seat)
        view = answered(move(at, game, seat, legal(seen)))


def listed(at, game, after=0, viewer=ANN):
    return events.listed(at, game, viewer, after)


def followed(at, game, since=Mark(0), viewer=ANN, wait=True):  # noqa: B008 - a mark is frozen
    return events.followed(at, game, viewer, since, wait=wait)


def versions(news):
    return [each.doc["version"] for each in news if isinstance(each, Happened)]


# --- What an event tells --------------------------------------------------------


def test_there_is_an_event_for_each_version_in_order(at):
    game = played(at)
    page = listed(at, game)
    assert [each["version"] for each in page["items"]] == list(range(1, at.store.games[game].version + 1))
    assert page["next"] is None
    assert [each["type"] for each in page["items"][:2]] == ["created", "dealt"]
    assert page["items"][-1]["type"] == "round"


def test_an_event_names_its_seat_its_time_and_the_stamp_of_its_commit(at):
    game = new_game(at)["game"]["id"]
    move(at, game, 1, {"type": "deal", "client_seed": "secret until the round is over"})
    created, dealt = listed(at, game)["items"]
    stamp = at.store.games[game].stamp
    moment = "2023-11-14T22:13:20.000Z"
    assert dealt == {"version": 2, "stamp": stamp, "at": moment, "type": "dealt", "seat": 1}
    assert created == {"version": 1, "stamp": created["stamp"], "at": moment, "type": "created", "seat": None}
    assert created["stamp"] != stamp


def test_a_move_is_told_as_everybody_sees_it_and_nothing_else_of_the_log_is(at):
    """Whatever a rulebook notes of a move for itself stays out."""
    game = new_game(at)["game"]["id"]
    noted = {"type": "draw", "source": "stock", "card": "AS", "melds": [["KS", "KD", "KC"]]}
    at.store.logs[game].append(Entry("move", 0, 1, {"move": noted, "why": "it hoped for the ace"}))
    at.store.stamps[game].append("x")
    event = listed(at, game, after=1)["items"][0]
    assert event["move"] == {"type": "draw", "source": "stock"}
    assert set(event) == {"version", "stamp", "at", "type", "seat", "move"}


def test_the_move_that_ends_a_round_comes_with_the_result(at):
    game = played(at)
    last = listed(at, game)["items"][-1]
    entry = at.store.logs[game][-1]
    assert (last["type"], last["result"]) == ("round", entry.data["result"])
    assert last["move"]["type"] == entry.data["move"]["type"]


def test_joining_leaving_and_the_end_are_told_without_names(at):
    game = new_game(at, Seat("Ann"), Seat(), backend=SHOP)["game"]["id"]
    guest(at, game, "Ben", client_seed="his")
    manage.end(at, game, SHOP, Conditions())
    joined, ended = listed(at, game, after=1)["items"]
    assert (joined["type"], joined["seat"], set(joined)) == ("joined", 1, {"version", "stamp", "at", "type", "seat"})
    assert (ended["type"], ended["seat"], set(ended)) == ("ended", None, {"version", "stamp", "at", "type", "seat"})


def test_long_logs_come_in_pages(at):
    game = new_game(at)["game"]["id"]
    for _ in range(2 * PAGE - 1):
        at.store.logs[game].append(Entry("dealt", 0, 0, {}))
        at.store.stamps[game].append("x")
    first = listed(at, game)
    second = listed(at, game, after=first["next"])
    assert [len(page["items"]) for page in (first, second)] == [PAGE, PAGE]
    assert (first["next"], second["next"]) == (PAGE, None)
    assert versions(followed(at, game, wait=False)) == list(range(1, 2 * PAGE + 1))


def test_after_the_last_version_there_is_nothing(at):
    game = new_game(at)["game"]["id"]
    assert listed(at, game, after=1) == listed(at, game, after=99) == {"items": [], "next": None}


# --- Who is told -----------------------------------------------------------------


@pytest.mark.parametrize("wait", [False, True])
@pytest.mark.parametrize(
    ("viewer", "refused"),
    [(Caller(0, 2), CredentialRefused), (Caller(7, 1), CredentialRefused), (None, NoSuchGame), (SHOP, NoSuchGame)],
)
def test_who_may_not_look_is_refused_at_once(at, viewer, refused, wait):
    game = new_game(at)["game"]["id"]
    with pytest.raises(refused):
        listed(at, game, viewer=viewer)
    with pytest.raises(refused):
        followed(at, game, viewer=viewer, wait=wait)


def test_onlookers_follow_where_the_game_wants_them(at):
    game = new_game(at, spectators=True)["game"]["id"]
    assert versions(followed(at, game, viewer=None, wait=False)) == [1]


# --- Following -------------------------------------------------------------------


def test_one_who_follows_gets_what_happened_and_then_each_event_once(at):
    game = new_game(at)["game"]["id"]
    at.feed.happens = [
        lambda: move(at, game, 0, {"type": "deal"}),
        lambda: None,
        lambda: move(at, game, 1 - at.store.games[game].state.round.dealer, {"type": "pass"}),
    ]
    assert versions(followed(at, game)) == [1, 2, 3]


def test_a_game_is_gone_on_with_after_the_last_mark(at):
    game = played(at)
    *_, before, last = followed(at, game, wait=False)
    assert list(followed(at, game, before.mark, wait=False)) == [last]
    assert list(followed(at, game, last.mark, wait=False)) == []
    assert list(followed(at, game, Mark(before.mark.version), wait=False)) == [last]


@pytest.mark.parametrize("mark", [Mark(1, "another"), Mark(2, "stamp-3"), Mark(99), Mark(99, "another")])
def test_one_who_knows_another_past_is_told_to_look_anew_and_goes_on_from_there(at, mark):
    """After a failure of the store version 2 may have been made twice, or not exist any more."""
    game = new_game(at)["game"]["id"]
    move(at, game, 0, {"type": "deal"})
    kept = at.store.games[game]
    assert list(followed(at, game, mark, wait=False)) == [Reset(Mark(2, kept.stamp))]


def test_a_past_that_changes_under_one_who_follows_is_told(at):
    game = new_game(at)["game"]["id"]

    def fail_over():
        at.store.stamps[game][0] = "of the other replica"
        at.store.games[game] = replace(at.store.games[game], stamp="of the other replica")

    at.feed.happens = [fail_over]
    *_, last = followed(at, game)
    assert last == Reset(Mark(1, "of the other replica"))


def test_silence_is_broken_by_a_sign_of_life_and_costs_a_look_now_and_then(at, monkeypatch):
    game = new_game(at)["game"]["id"]
    looks = []
    tail = at.store.tail
    monkeypatch.setattr(at.store, "tail", lambda *asked: (looks.append(asked), tail(*asked))[1])
    at.feed.happens = [None] * (2 * LOOK_AGAIN)
    news = list(followed(at, game))
    assert news[1:] == [Quiet()] * (2 * LOOK_AGAIN)
    assert at.feed.waited == [at.heartbeat] * (2 * LOOK_AGAIN + 1)
    assert len(looks) == 3


def erased(at, game):
    manage.erase(at, game, SHOP)


def rotated(at, game):
    manage.rotate(at, game, SHOP, 0, Conditions())


@pytest.mark.parametrize("loss", [erased, rotated])
def test_it_ends_when_the_game_is_gone_or_the_token_is_replaced(at, loss):
    game = new_game(at, backend=SHOP)["game"]["id"]
    at.feed.happens = [lambda: loss(at, game), lambda: None]
    assert versions(followed(at, game)) == [1]
    assert len(at.feed.happens) == 1


@pytest.mark.parametrize("wait", [False, True])
@pytest.mark.parametrize("loss", [erased, rotated])
def test_it_ends_without_a_word_when_that_happens_before_the_first_look(at, loss, wait):
    game = new_game(at, backend=SHOP)["game"]["id"]
    news = followed(at, game, wait=wait)
    loss(at, game)
    assert list(news) == []


def test_it_ends_at_once_when_the_server_closes(at):
    game = new_game(at)["game"]["id"]
    at.feed.happens = [at.feed.close, lambda: None]
    assert versions(followed(at, game)) == [1]
    assert list(followed(at, game)) == []
    assert len(at.feed.happens) == 1


def test_a_store_that_is_away_is_asked_again_until_it_answers(at, monkeypatch):
    game = new_game(at)["game"]["id"]
    tail = at.store.tail

    def away(*asked):
        raise StoreUnavailable("frozen")

    def falls_silent():
        move(at, game, 0, {"type": "deal"})
        monkeypatch.setattr(at.store, "tail", away)

    at.feed.happens = [falls_silent, None, lambda: monkeypatch.setattr(at.store, "tail", tail)]
    assert list(map(type, followed(at, game))) == [Happened, Quiet, Happened]
    assert at.feed.waited == [at.heartbeat, RETRY_SECONDS, RETRY_SECONDS, at.heartbeat]
