"""Giving up: in play, while the game waits, and as one of several."""

import pytest

from service.play import resign
from service.play.callers import Caller
from service.play.errors import CredentialRefused, SeatResigned
from service.play.game import Seat
from service.play.log import from_created, grown
from service.play.moves import dry_run
from service.play.record import record_of
from service.play.replay import replay
from service.play.table import Conditions
from service.rulebooks.errors import GameOver
from tests.unit.play.memory import LIFETIMES, NOW, answered, guest, move, new_game, table

DEAL = {"type": "deal"}


@pytest.fixture
def at():
    return table()


def give_up(at, game, seat, generation=1):
    return answered(resign.resign(at, game, Caller(seat, generation), Conditions()))


def assert_grows_again(at, game):
    first, *later = at.store.logs[game]
    grew = from_created(first)
    for entry in later:
        grew = grown(grew, entry)
    kept = at.store.games[game]
    assert (grew.state, grew.seats, grew.version, grew.status) == (kept.state, kept.seats, kept.version, kept.status)


def test_in_play_the_other_seat_wins(at):
    game = new_game(at)["game"]["id"]
    move(at, game, 0, DEAL)
    view = give_up(at, game, 1)
    assert (view["status"], view["score"]["winners"], view["turn"]) == ("finished", [0], None)
    assert [entry.type for entry in at.store.logs[game]] == ["created", "dealt", "round", "ended"]
    assert at.store.changes[-1].expires_at == NOW + LIFETIMES.finished * 1000
    with pytest.raises(GameOver):
        give_up(at, game, 0)
    assert_grows_again(at, game)


def test_before_the_first_deal_the_other_seat_wins_too(at):
    game = new_game(at)["game"]["id"]
    assert give_up(at, game, 0)["score"]["winners"] == [1]
    assert [entry.type for entry in at.store.logs[game]] == ["created", "move", "ended"]
    assert_grows_again(at, game)


def test_the_lowest_named_seat_cancels_a_waiting_game(at):
    game = new_game(at, Seat(), Seat("Ann"))["game"]["id"]
    view = give_up(at, game, 1)
    assert (view["status"], view["turn"], view["legal_moves"]) == ("abandoned", None, [])
    assert at.store.logs[game][-1].data == {"kind": "abandoned"}
    assert_grows_again(at, game)
    with pytest.raises(GameOver):
        give_up(at, game, 1)


def test_another_seat_leaves_a_waiting_game_and_its_token_dies(at):
    game = new_game(at, Seat("Ann"), Seat(), Seat(), kind="rummy", spectators=True)["game"]["id"]
    guest(at, game, "Ben", "his seed")
    view = give_up(at, game, 1)
    assert (view["you"], view["status"], view["seats"][1]["kind"]) == (None, "waiting", "open")
    assert at.store.generations[game] == (1, 2, 1)
    with pytest.raises(CredentialRefused):
        give_up(at, game, 1)
    joined = answered(guest(at, game, "Cem"))
    assert (joined["seat"], joined["token"]) == (1, f"token secret {game} 1 2")
    assert at.store.games[game].seats[1] == Seat("Cem")
    assert_grows_again(at, game)


def test_the_record_of_a_game_that_somebody_left_is_whole(at):
    """The seed of the one who left goes into no deal."""
    game = new_game(at, Seat("Ann"), Seat(), Seat(), kind="rummy")["game"]["id"]
    guest(at, game, "Ben", "his seed")
    give_up(at, game, 1)
    assert record_of(at.store.logs[game])["rounds"] == []
    guest(at, game, "Cem")
    guest(at, game, "Dan", "seed")
    move(at, game, 0, DEAL)
    give_up(at, game, 1, generation=2)
    give_up(at, game, 0)
    (played,) = record_of(at.store.logs[game])["rounds"]
    assert played["proof"]["client_seeds"] == [None, None, "seed"]
    assert replay(record_of(at.store.logs[game])).differences == ()


def test_of_several_the_others_play_on_and_the_one_is_out(at):
    game = new_game(at, Seat("Ann"), Seat("Ben"), Seat("Cem"), kind="rummy")["game"]["id"]
    move(at, game, 0, DEAL)
    view = give_up(at, game, 1)
    assert view["status"] == "playing"
    with pytest.raises(SeatResigned):
        give_up(at, game, 1)
    with pytest.raises(SeatResigned):
        move(at, game, 1, DEAL)
    assert give_up(at, game, 2)["score"]["winners"] == [0]
    assert_grows_again(at, game)
    assert replay(record_of(at.store.logs[game])).differences == ()


@pytest.mark.parametrize("moves", [(), (DEAL,)], ids=["before the first deal", "in a round"])
@pytest.mark.parametrize("kind", ["gin", "rummy"])
def test_once_the_match_is_over_that_is_what_the_seat_that_gave_up_is_told(at, kind, moves):
    game = new_game(at, kind=kind)["game"]["id"]
    for doc in moves:
        move(at, game, 0, doc)
    assert give_up(at, game, 0)["status"] == "finished"
    for seat in (0, 1):
        for doc in (DEAL, {"type": "draw", "source": "stock"}):
            with pytest.raises(GameOver):
                move(at, game, seat, doc)
            with pytest.raises(GameOver):
                dry_run(at, game, Caller(seat, 1), lambda kind, doc=doc: doc)
        with pytest.raises(GameOver):
            give_up(at, game, seat)


def test_once_the_others_have_finished_it_is_over_for_the_one_who_left_as_well(at):
    game = new_game(at, Seat("Ann"), Seat("Ben"), Seat("Cem"), kind="rummy")["game"]["id"]
    move(at, game, 0, DEAL)
    give_up(at, game, 1)
    give_up(at, game, 2)
    with pytest.raises(GameOver):
        move(at, game, 1, DEAL)
    with pytest.raises(GameOver):
        give_up(at, game, 1)


def test_a_game_that_only_computers_still_play_is_abandoned(at):
    game = new_game(at, Seat("Ann"), Seat(bot="easy"), Seat(bot="easy"), kind="rummy")["game"]["id"]
    move(at, game, 0, DEAL)
    assert give_up(at, game, 0)["status"] == "abandoned"
    assert_grows_again(at, game)
    with pytest.raises(GameOver):
        give_up(at, game, 0)
