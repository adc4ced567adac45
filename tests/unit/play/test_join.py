"""Joining: the lowest open seat, once; a preview shows the same game and takes nothing."""

import pytest

from service.play import join
from service.play.errors import NoOpenSeat, NoSuchGame
from service.play.game import Seat
from tests.unit.play.memory import answered, guest, move, new_game, table


@pytest.fixture
def at():
    return table()


@pytest.fixture
def game(at):
    return new_game(at, Seat(), Seat("Ann"), Seat(), kind="rummy")["game"]["id"]


def test_guests_take_the_open_seats_from_the_lowest_on(at, game):
    first, second = answered(guest(at, game, "Ben")), answered(guest(at, game, "Cem", "a seed"))
    assert (first["seat"], second["seat"]) == (0, 2)
    assert second["token"] == f"token secret {game} 2 1"
    assert at.store.games[game].seats == (Seat("Ben"), Seat("Ann"), Seat("Cem", client_seed="a seed"))
    assert second["game"]["status"] == "playing"
    assert [entry.type for entry in at.store.logs[game]] == ["created", "joined", "joined"]


def test_a_full_game_is_joined_by_nobody(at, game):
    guest(at, game)
    guest(at, game)
    for refused in (lambda: guest(at, game), lambda: join.preview(at, game)):
        with pytest.raises(NoOpenSeat):
            refused()


def test_a_game_that_was_started_without_the_open_seat_has_none(at, game):
    guest(at, game)
    move(at, game, 0, {"type": "deal"})
    with pytest.raises(NoOpenSeat):
        guest(at, game)


def test_a_preview_tells_what_is_played_and_who_sits_there(at, game):
    before = at.store.games[game]
    seen = join.preview(at, game)
    assert seen["game"] == "rummy"
    assert seen["commitment"] == before.commitment
    assert [seat["kind"] for seat in seen["seats"]] == ["open", "human", "open"]
    assert at.store.games[game] == before


def test_a_preview_of_nothing_finds_nothing(at):
    with pytest.raises(NoSuchGame):
        join.preview(at, "nowhere")
