"""Moves: the human's and the computers' answers are one change, with an entry for each."""

from dataclasses import replace

import pytest

from service.bots.base import POLICIES
from service.play.callers import Caller
from service.play.errors import CredentialRefused, NoSuchGame, SeatsOpen
from service.play.game import Seat
from service.play.log import from_created, grown
from service.play.moves import dry_run
from service.play.views import game_view
from service.rulebooks.errors import GameOver, NotYourTurn, WrongPhase
from tests.unit.play.memory import answered, guest, move, new_game, table

DEAL = {"type": "deal"}


@pytest.fixture
def at():
    return table()


def choose(at, game):
    view = game_view(at.store.games[game], 0, at.lifetimes)
    return DEAL if view["turn"]["seat"] is None else POLICIES["gin"]["easy"](view)


def test_before_every_seat_is_taken_nobody_moves(at):
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    for doc in (DEAL, {"type": "pass"}):
        with pytest.raises(SeatsOpen):
            move(at, game, 0, doc)
    guest(at, game)
    assert answered(move(at, game, 1, DEAL))["round"]["number"] == 1


def test_any_seat_may_deal_and_a_seed_goes_into_the_deal(at):
    for seat in (0, 1):
        game = new_game(at)["game"]["id"]
        view = answered(move(at, game, seat, DEAL | {"client_seed": "mine"}))
        assert view["round"]["server_only"] is False
        assert at.store.logs[game][-1].data == {"client_seed": "mine"}
        assert at.store.games[game].seats[seat].client_seed == "mine"


def test_a_refused_move_changes_nothing(at):
    game = new_game(at, first_dealer=1)["game"]["id"]
    move(at, game, 0, DEAL)
    before = at.store.games[game]
    for seat, doc, refusal in (
        (0, DEAL, WrongPhase),
        (1, {"type": "pass"}, NotYourTurn),
        (0, {"type": "discard", "card": "AS"}, WrongPhase),
    ):
        with pytest.raises(refusal):
            move(at, game, seat, doc)
    assert at.store.games[game] == before


def test_the_computer_answers_in_the_same_change(at):
    game = new_game(at, Seat("Ann"), Seat(bot="easy"), first_dealer=0)["game"]["id"]
    view = answered(move(at, game, 0, DEAL))
    assert view["turn"]["seat"] in (0, None)
    change = at.store.changes[-1]
    assert [entry.seat for entry in change.entries][:2] == [0, 1]
    assert view["version"] == 1 + len(change.entries) == len(at.store.logs[game])


def test_others_are_let_go_first_before_each_computer_thinks():
    ways = []
    at = replace(table(), give_way=lambda: ways.append(len(ways)))
    game = new_game(at, Seat("Ann"), *[Seat(bot="easy")] * 3, kind="rummy", first_dealer=0)["game"]["id"]
    move(at, game, 0, DEAL)
    by_computers = [entry for entry in at.store.changes[-1].entries if entry.seat != 0]
    assert len(ways) == len(by_computers) > 3


def test_a_whole_match_grows_again_from_its_log(at):
    game = new_game(at, Seat("Ann"), Seat(bot="easy"), overrides={"target": 40})["game"]["id"]
    while at.store.games[game].status == "playing":
        move(at, game, 0, choose(at, game))
    kept = at.store.games[game]
    assert kept.status == "finished"
    entries = at.store.logs[game]
    assert (entries[-1].type, entries[-1].data) == ("ended", {"kind": "target"})
    grew = from_created(entries[0])
    for entry in entries[1:]:
        grew = grown(grew, entry)
    assert (grew.state, grew.seats, grew.version) == (kept.state, kept.seats, kept.version)
    with pytest.raises(GameOver):
        move(at, game, 0, DEAL)


# --- Dry runs ---


def test_a_dry_run_says_what_a_move_would_and_changes_nothing(at):
    game = new_game(at)["game"]["id"]
    before = at.store.head(game)
    assert dry_run(at, game, Caller(0, 1), lambda kind: DEAL)["legal"] is True
    with pytest.raises(WrongPhase):
        dry_run(at, game, Caller(0, 1), lambda kind: {"type": "pass"})
    assert at.store.head(game) == before


def test_a_dry_run_is_for_a_game_that_is_there_and_a_token_in_force(at):
    game = new_game(at)["game"]["id"]
    with pytest.raises(CredentialRefused):
        dry_run(at, game, Caller(0, 2), lambda kind: DEAL)
    with pytest.raises(NoSuchGame):
        dry_run(at, "nowhere", Caller(0, 1), lambda kind: DEAL)
