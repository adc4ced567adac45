"""The walk of every change: loaded, drafted, written all or nothing, and tried again when others came between."""

from dataclasses import replace
from itertools import permutations

import pytest
from msgspec import structs

from service.play.errors import Busy, CredentialRefused, KeyExpired, KeyReused, NoSuchGame, Stale
from service.play.game import Lifetimes, Seat
from service.play.table import DAY_MS, HOUR_MS, TRIES, Conditions
from service.play.views import etag
from service.rulebooks.errors import WrongPhase
from tests.unit.play.memory import LIFETIMES, NOW, Names, answered, guest, keyed, move, new_game, table

DEAL = {"type": "deal"}


@pytest.fixture
def at():
    return table()


@pytest.fixture
def game(at):
    return new_game(at)["game"]["id"]


def test_a_change_is_written_with_its_entries_version_stamp_and_expiry(at, game):
    answer = move(at, game, 0, DEAL)
    change = at.store.changes[-1]
    assert [entry.type for entry in change.entries] == ["dealt"]
    assert (change.seen.version, change.game.version) == (1, 2)
    assert change.seen.stamp != change.game.stamp
    assert change.expires_at == NOW + LIFETIMES.idle * 1000
    assert change.receipt is None
    assert answer.etag == etag(0, 2, change.game.stamp)
    assert answered(answer)["version"] == 2


@pytest.mark.parametrize("late", range(TRIES + 1))
def test_a_change_that_others_came_before_is_drafted_anew(late):
    at = table()
    game = new_game(at)["game"]["id"]
    at.store.late = late
    assert answered(move(at, game, 0, DEAL))["version"] == 2


def test_a_change_that_others_keep_coming_before_is_given_up(at, game):
    at.store.late = TRIES + 1
    with pytest.raises(Busy):
        move(at, game, 0, DEAL)
    assert at.store.games[game].version == 1
    at.store.late = TRIES + 1
    with pytest.raises(Busy):
        new_game(at)


def test_a_change_drafted_anew_sees_what_the_others_did(at, game):
    """Two deals at once: the second finds a round in play."""
    commit = at.store.commit

    def overtaken(change):
        at.store.commit = commit
        move(at, game, 1, DEAL)
        return commit(change)

    at.store.commit = overtaken
    with pytest.raises(WrongPhase):
        move(at, game, 0, DEAL)
    assert at.store.games[game].version == 2


def test_a_change_for_a_named_version_is_not_drafted_anew(at, game):
    """It was meant for what the caller saw, and that is gone."""
    tag = etag(0, 1, at.store.games[game].stamp)
    commit = at.store.commit

    def overtaken(change):
        at.store.commit = commit
        move(at, game, 1, DEAL)
        return commit(change)

    at.store.commit = overtaken
    with pytest.raises(Stale) as refused:
        move(at, game, 0, DEAL, conditions=Conditions(if_match=frozenset([tag])))
    assert refused.value.version == 2


def test_a_game_that_is_gone_is_not_changed(at):
    with pytest.raises(NoSuchGame):
        move(at, "nowhere", 0, DEAL)
    with pytest.raises(NoSuchGame):
        guest(at, "nowhere")


@pytest.mark.parametrize(("seat", "generation"), [(0, 2), (0, 0), (2, 1)])
def test_another_generation_or_seat_is_refused(at, game, seat, generation):
    with pytest.raises(CredentialRefused):
        move(at, game, seat, DEAL, generation=generation)


@pytest.mark.parametrize(("keep", "act"), [(HOUR_MS, "move"), (DAY_MS, "join"), (DAY_MS, "create")])
def test_receipts_are_kept_for_an_hour_or_a_day(at, keep, act):
    at = replace(at, lifetimes=Lifetimes(DAY_MS, DAY_MS, DAY_MS))
    _act(at, act)
    assert at.store.changes[-1].receipt_until == NOW + keep


@pytest.mark.parametrize("act", ["move", "join", "create"])
@pytest.mark.parametrize("lifetimes", list(permutations([30, 60, 90])))
def test_receipts_are_kept_no_longer_than_a_game_that_ends_at_once(at, lifetimes, act):
    """The shortest of the three lifetimes is 30 seconds, whether games wait, are played or have ended for so long."""
    at = replace(at, lifetimes=Lifetimes(*lifetimes))
    _act(at, act)
    assert at.store.changes[-1].receipt_until == NOW + 30_000 <= at.store.changes[-1].expires_at


def _act(at, act):
    """Make a game, or join one, or move in one, with a key for that alone."""
    made = new_game(at, Seat("Ann"), Seat(), conditions=keyed("k1") if act == "create" else None)["game"]["id"]
    if act != "create":
        guest(at, made, conditions=keyed("k2") if act == "join" else None)
    if act == "move":
        move(at, made, 0, DEAL, conditions=keyed("k3"))
    assert at.store.changes[-1].receipt is not None


def test_a_receipt_holds_no_token_and_gives_the_same_bytes_again(at):
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    first = guest(at, game, conditions=keyed())
    (receipt,) = at.store.receipts.values()
    assert b"token secret" not in receipt.body
    assert b'"token":null' in receipt.body
    again = guest(at, game, conditions=keyed())
    assert again == structs.replace(first, replayed=True)
    assert answered(again)["token"] == f"token secret {game} 1 1"
    assert at.store.games[game].version == 2


def test_a_twin_that_loses_the_race_gets_the_answer_of_the_winner(at, game):
    """Both found no receipt; the second finds the first one's when it writes."""
    commit = at.store.commit

    def overtaken(change):
        at.store.commit = commit
        winners.append(move(at, game, 0, DEAL, conditions=keyed()))
        return commit(change)

    winners = []
    at.store.commit = overtaken
    assert move(at, game, 0, DEAL, conditions=keyed()) == structs.replace(winners[0], replayed=True)
    assert at.store.games[game].version == 2


def test_another_body_under_the_key_is_refused(at, game):
    move(at, game, 0, DEAL, conditions=keyed())
    with pytest.raises(KeyReused):
        move(at, game, 0, DEAL, conditions=keyed(body="another"))


def test_an_answer_whose_secret_is_gone_cannot_be_given_again(at):
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    guest(at, game, conditions=keyed())
    newer = replace(at, ids=Names(("new", "secret")))
    assert answered(guest(newer, game, conditions=keyed()))["token"].startswith("token secret ")
    without = replace(at, ids=Names(("new",)))
    with pytest.raises(KeyExpired):
        guest(without, game, conditions=keyed())
