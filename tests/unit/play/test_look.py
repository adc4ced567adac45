"""Reading a game: for seats with a token that lives, for onlookers where it is allowed, and cheaply if unchanged."""

import pytest

from service.play import look
from service.play.callers import Caller
from service.play.errors import CredentialRefused, NoSuchGame, NoSuchRound
from service.play.views import etag
from tests.unit.play.memory import Memory, answered, move, new_game, table

ANN = Caller(0, 1)
NOTHING = frozenset()


@pytest.fixture
def at():
    return table()


@pytest.fixture
def game(at):
    """A game with a void round: the next is dealt and in play."""
    made = new_game(at, preset="open", overrides={"max_discard_draws": 1}, first_dealer=1, spectators=True)
    game = made["game"]["id"]
    move(at, game, 0, {"type": "deal"})
    view = answered(move(at, game, 0, {"type": "draw", "source": "discard"}))
    thrown = next(each["move"] for each in view["legal_moves"] if each["move"]["type"] == "discard")
    move(at, game, 0, thrown)
    move(at, game, 1, {"type": "deal"})
    return game


def every_look(at, game, caller):
    yield lambda: look.view(at, game, caller, NOTHING)
    yield lambda: look.view(at, game, caller, frozenset(['"x"']))
    yield lambda: look.rounds(at, game, caller, 0)
    yield lambda: look.one_round(at, game, caller, 1)
    yield lambda: look.score(at, game, caller)
    yield lambda: look.record(at, game, caller)


def test_every_look_is_answered_to_seats_and_onlookers(at, game):
    for caller in (ANN, Caller(1, 1), None):
        for looked in every_look(at, game, caller):
            assert looked()


def test_no_look_finds_a_game_that_is_not_there(at):
    for caller in (ANN, None):
        for looked in every_look(at, "nowhere", caller):
            with pytest.raises(NoSuchGame):
                looked()


def test_no_look_is_answered_to_a_token_that_was_replaced(at, game):
    for caller in (Caller(0, 2), Caller(2, 1)):
        for looked in every_look(at, game, caller):
            with pytest.raises(CredentialRefused):
                looked()


def test_no_look_is_answered_to_onlookers_where_the_game_wants_none(at):
    game = new_game(at)["game"]["id"]
    for looked in every_look(at, game, None):
        with pytest.raises(NoSuchGame):
            looked()


def test_an_unchanged_view_is_not_read(at, game, monkeypatch):
    tag = etag(0, at.store.games[game].version, at.store.games[game].stamp)
    monkeypatch.setattr(Memory, "load", None)
    for known in ([tag], ["*"], ['"x"', tag]):
        answer = look.view(at, game, ANN, frozenset(known))
        assert (answer.status, answer.body, answer.etag) == (304, b"", tag)


def test_an_onlooker_has_a_tag_too(at, game):
    first = look.view(at, game, None, NOTHING)
    assert first.status == 200
    for known in (first.etag, "*"):
        assert look.view(at, game, None, frozenset([known])).status == 304
    assert look.view(at, game, None, frozenset([etag(0, 5, "x")])).status == 200


def test_only_finished_rounds_are_found(at, game):
    assert look.one_round(at, game, ANN, 1)["kind"] == "void"
    for number in (0, 2, -1, 10**9):
        with pytest.raises(NoSuchRound):
            look.one_round(at, game, ANN, number)
    assert [each["number"] for each in look.rounds(at, game, ANN, 0)["items"]] == [1]
    assert look.rounds(at, game, ANN, 1) == {"items": [], "next": None}


def test_rounds_come_in_pages(at, game, monkeypatch):
    monkeypatch.setattr(look, "PAGE", 1)
    at.store.logs[game] += at.store.logs[game][-2:-1] * 2
    assert look.rounds(at, game, ANN, 0)["next"] == 1
    assert look.rounds(at, game, ANN, 2)["next"] is None


def test_a_record_ends_where_the_game_that_was_looked_at_ends(at, game):
    """A round that ends between the look at the game and the one at its log is not in the answer."""
    whole = look.record(at, game, ANN)
    at.store.logs[game] += at.store.logs[game][-2:]
    assert look.record(at, game, ANN) == whole


def test_a_game_that_expires_while_its_record_is_read_is_gone(at, game, monkeypatch):
    monkeypatch.setattr(Memory, "log", lambda self, game_id: [])
    with pytest.raises(NoSuchGame):
        look.record(at, game, ANN)


# --- Waiting for the next view ---------------------------------------------------


def awaited(at, game):
    """What the next view of Ann is, if one comes within twenty seconds."""
    known = look.view(at, game, ANN, NOTHING).etag
    return look.awaited_view(at, game, ANN, frozenset([known]), 20.0)


def test_a_wait_goes_on_through_news_that_change_nothing_and_ends_with_what_does(at):
    """Each wake leaves half of the time in this feed."""
    game = new_game(at)["game"]["id"]
    at.feed.happens = [lambda: None, lambda: move(at, game, 1, {"type": "deal"}), lambda: None]
    seen = awaited(at, game)
    assert (seen.status, answered(seen)["version"]) == (200, 2)
    assert at.feed.waited == [20.0, 10.0]


def test_a_wait_ends_with_nothing_when_its_time_is_up(at):
    game = new_game(at)["game"]["id"]
    at.feed.happens = [None, lambda: move(at, game, 1, {"type": "deal"})]
    seen = awaited(at, game)
    assert (seen.status, seen.body) == (304, b"")
    assert at.feed.waited == [20.0]
