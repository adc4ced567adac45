"""What a backend does with its own games, also when others come in between; the games of others are not there."""

from dataclasses import replace

import pytest
from msgspec import structs

from service.play import look, manage
from service.play.callers import Backend, Caller
from service.play.errors import Busy, CredentialRefused, KeyReused, NoSuchGame, SeatNotTaken, Stale
from service.play.game import Lifetimes, Seat
from service.play.replay import replay
from service.play.table import DAY_MS, TRIES, Conditions
from service.play.views import etag
from service.rulebooks.errors import GameOver
from tests.unit.play.memory import NOW, answered, keyed, move, new_game, table

SHOP, CLUB = Backend("shop"), Backend("club")
DEAL = {"type": "deal"}
NOTHING = frozenset()


@pytest.fixture
def at():
    return table()


@pytest.fixture
def game(at):
    return new_game(at, backend=SHOP)["game"]["id"]


def every_call(at, game, backend):
    yield lambda: manage.end(at, game, backend, Conditions())
    yield lambda: manage.end(at, game, backend, Conditions(if_match=frozenset(['"x"'])))
    yield lambda: manage.erase(at, game, backend)
    yield lambda: manage.rotate(at, game, backend, 0, Conditions())


# --- Whose game it is ---


@pytest.mark.parametrize("spectators", [False, True])
@pytest.mark.parametrize("owner", [CLUB, None])
def test_the_games_of_others_cannot_be_managed_even_where_they_may_be_looked_at(at, spectators, owner):
    game = new_game(at, backend=owner, spectators=spectators)["game"]["id"]
    before = at.store.head(game)
    for call in every_call(at, game, SHOP):
        with pytest.raises(NoSuchGame):
            call()
    assert at.store.head(game) == before


def test_a_game_that_is_gone_cannot_be_managed(at):
    for call in every_call(at, "nowhere", SHOP):
        with pytest.raises(NoSuchGame):
            call()


def test_a_backend_looks_at_its_own_game_from_outside(at, game):
    move(at, game, 0, DEAL)
    answer = look.view(at, game, SHOP, NOTHING)
    assert answer.etag == etag(None, 2, at.store.games[game].stamp)
    assert [set(hand) for hand in answered(answer)["round"]["hands"]] == [{"seat", "count"}] * 2
    assert look.view(at, game, SHOP, frozenset([answer.etag])).status == 304
    with pytest.raises(NoSuchGame):
        look.view(at, game, CLUB, NOTHING)


# --- Ending ---


def test_an_end_is_an_entry_of_the_log_and_the_end_of_the_record(at, game):
    move(at, game, 0, DEAL)
    answer = manage.end(at, game, SHOP, Conditions())
    entry = at.store.logs[game][-1]
    assert (entry.type, entry.at, entry.seat, entry.data) == ("ended", NOW, None, {"kind": "abandoned"})
    assert (answered(answer)["status"], answered(answer)["version"]) == ("abandoned", 3)
    record = look.record(at, game, SHOP)
    assert record["end"] == {"kind": "abandoned", "seat": None}
    assert replay(record).differences == ()


def test_what_has_ended_is_not_ended_again(at, game):
    manage.end(at, game, SHOP, Conditions())
    with pytest.raises(GameOver):
        manage.end(at, game, SHOP, Conditions())
    assert at.store.games[game].version == 2


def test_an_end_is_for_the_version_that_it_names(at, game):
    with pytest.raises(Stale):
        manage.end(at, game, SHOP, Conditions(if_match=frozenset(['"x"'])))
    seen = etag(None, 1, at.store.games[game].stamp)
    assert manage.end(at, game, SHOP, Conditions(if_match=frozenset([seen]))).status == 200


# --- Erasing ---


def test_an_erased_game_is_gone(at, game):
    manage.erase(at, game, SHOP)
    assert at.store.head(game) is None
    with pytest.raises(NoSuchGame):
        look.view(at, game, Caller(0, 1), NOTHING)


@pytest.mark.parametrize("late", [1, TRIES])
def test_a_game_that_changes_meanwhile_is_erased_all_the_same(at, game, late):
    at.store.late = late
    manage.erase(at, game, SHOP)
    assert at.store.head(game) is None


def test_a_game_that_keeps_changing_is_not_erased(at, game):
    at.store.late = TRIES + 1
    with pytest.raises(Busy):
        manage.erase(at, game, SHOP)
    assert at.store.head(game) is not None


# --- New tokens ---


def test_a_rotation_raises_one_generation_and_not_the_version(at, game):
    answer = manage.rotate(at, game, SHOP, 1, Conditions())
    assert answered(answer) == {"seat": 1, "token": f"token secret {game} 1 2"}
    assert (at.store.head(game).version, at.store.head(game).generations) == (1, (1, 2))
    assert len(at.store.logs[game]) == 1
    with pytest.raises(CredentialRefused):
        move(at, game, 1, DEAL)
    assert answered(move(at, game, 1, DEAL, generation=2))["version"] == 2


@pytest.mark.parametrize("seat", [1, 2, 3, 99])
def test_only_a_human_has_a_token(at, seat):
    seats = (Seat("Ann"), Seat(bot="easy"), Seat())
    game = new_game(at, *seats, kind="rummy", backend=SHOP)["game"]["id"]
    with pytest.raises(SeatNotTaken) as refused:
        manage.rotate(at, game, SHOP, seat, Conditions())
    assert refused.value.seat == seat
    assert at.store.head(game).generations == (1, 1, 1)


def test_a_rotation_with_a_key_happens_once_and_holds_no_token(at, game):
    first = manage.rotate(at, game, SHOP, 0, keyed())
    assert manage.rotate(at, game, SHOP, 0, keyed()) == structs.replace(first, replayed=True)
    manage.rotate(at, game, SHOP, 0, keyed("another"))
    assert at.store.head(game).generations == (3, 1)
    assert manage.rotate(at, game, SHOP, 0, keyed()).body == first.body
    assert all(b"token secret" not in receipt.body for receipt in at.store.receipts.values())
    with pytest.raises(KeyReused):
        manage.rotate(at, game, SHOP, 0, keyed(body="other"))


@pytest.mark.parametrize(
    ("lifetime_ms", "waited_ms", "kept_ms"),
    [
        pytest.param(30 * DAY_MS, 7, DAY_MS, id="a day"),
        pytest.param(DAY_MS, 7, DAY_MS - 7, id="until the game expires, which a rotation does not put off"),
    ],
)
def test_the_receipt_of_a_rotation_is_kept_for_a_day_but_goes_with_its_game(at, lifetime_ms, waited_ms, kept_ms):
    at = replace(at, lifetimes=Lifetimes(*[lifetime_ms // 1000] * 3))
    game = new_game(at, backend=SHOP)["game"]["id"]
    at.store.now += waited_ms
    manage.rotate(at, game, SHOP, 0, keyed())
    assert at.store.kept_until == {NOW + waited_ms + kept_ms}


@pytest.mark.parametrize("late", range(TRIES + 1))
def test_a_rotation_that_others_came_before_is_tried_again(at, game, late):
    at.store.late = late
    assert answered(manage.rotate(at, game, SHOP, 0, Conditions()))["seat"] == 0


def test_a_rotation_that_others_keep_coming_before_is_given_up(at, game):
    at.store.late = TRIES + 1
    with pytest.raises(Busy):
        manage.rotate(at, game, SHOP, 0, Conditions())
    assert at.store.head(game).generations == (1, 1)


def test_a_twin_of_a_rotation_that_loses_the_race_gets_the_answer_of_the_winner(at, game):
    rotate = at.store.rotate
    winners = []

    def overtaken(*arguments):
        at.store.rotate = rotate
        winners.append(manage.rotate(at, game, SHOP, 0, keyed()))
        return rotate(*arguments)

    at.store.rotate = overtaken
    assert manage.rotate(at, game, SHOP, 0, keyed()) == structs.replace(winners[0], replayed=True)
    assert at.store.head(game).generations == (2, 1)
