"""How many games a holder may have open, and how large a game may grow."""

import pytest
from msgspec.structs import replace

from service.play import manage, moves, resign
from service.play.callers import Backend, Caller
from service.play.errors import GameTooLarge, TooManyGames
from service.play.game import Seat
from service.play.table import Conditions, Holder
from tests.unit.play.memory import answered, guest, keyed, move, new_game, table

SHOP = Backend("shop")
TWO = Holder("tenant:shop", 2)


def test_no_more_games_are_made_than_the_holder_may_have_open():
    at = table()
    for _ in range(2):
        new_game(at, holder=TWO, backend=SHOP)
    with pytest.raises(TooManyGames) as refused:
        new_game(at, holder=TWO, backend=SHOP)
    assert refused.value.facts() == {"most": 2, "retry_after": 60}
    assert len(at.store.games) == 2
    new_game(at, holder=Holder("tenant:other", 1))
    new_game(at)


def test_a_create_sent_again_counts_once():
    at = table()
    first = new_game(at, holder=TWO, backend=SHOP, conditions=keyed())
    for _ in range(3):
        assert new_game(at, holder=TWO, backend=SHOP, conditions=keyed()) == first
    assert len(at.quota.open[TWO.name]) == 1


def resigned(at, game):
    resign.resign(at, game, Caller(0, 1), Conditions())


def ended(at, game):
    manage.end(at, game, SHOP, Conditions())


def erased(at, game):
    manage.erase(at, game, SHOP)


@pytest.mark.parametrize("over", [resigned, ended, erased])
def test_a_game_that_is_over_makes_room_for_another(over):
    at = table()
    games = [new_game(at, holder=TWO, backend=SHOP)["game"]["id"] for _ in range(2)]
    over(at, games[0])
    assert at.quota.open[TWO.name] == {games[1]}
    new_game(at, holder=TWO, backend=SHOP)


@pytest.mark.parametrize("over", [resigned, ended, erased])
def test_a_game_that_nobody_holds_ends_as_well(over):
    at = table()
    game = new_game(at, backend=SHOP)["game"]["id"]
    over(at, game)
    assert at.quota.open == {}


def test_a_game_in_play_stays_counted():
    at = table()
    game = new_game(at, holder=TWO)["game"]["id"]
    move(at, game, 0, {"type": "deal"})
    assert at.quota.open[TWO.name] == {game}


def test_a_game_that_has_grown_too_large_deals_no_round_and_can_still_be_given_up():
    at = table(most_bytes=1000)
    game = new_game(at)["game"]["id"]
    at.store.size = 1001
    with pytest.raises(GameTooLarge) as refused:
        move(at, game, 0, {"type": "deal"})
    assert refused.value.facts() == {"most": 1000}
    with pytest.raises(GameTooLarge):
        moves.dry_run(at, game, Caller(0, 1), lambda _: {"type": "deal"})
    assert answered(resign.resign(at, game, Caller(0, 1), Conditions()))["status"] == "finished"


def test_a_round_in_play_goes_on_in_a_game_that_has_grown_too_large():
    at = table(most_bytes=1000)
    game = new_game(at)["game"]["id"]
    view = answered(move(at, game, 0, {"type": "deal"}))
    at.store.size = 1001
    seat = view["turn"]["seat"]
    assert answered(move(at, game, seat, {"type": "pass"}))["version"] == view["version"] + 1


def test_nobody_joins_a_game_that_has_grown_too_large():
    """Joining and leaving in turns would let it grow for ever."""
    at = table(most_bytes=1000)
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    at.store.size = 1001
    with pytest.raises(GameTooLarge):
        guest(at, game)


@pytest.mark.parametrize(("most", "size"), [(1000, 1000), (0, 1 << 40)])
def test_a_game_up_to_the_limit_and_any_game_without_one_is_dealt(most, size):
    at = table(most_bytes=most)
    game = new_game(at)["game"]["id"]
    at.store.size = size
    assert answered(move(at, game, 0, {"type": "deal"}))["status"] == "playing"


def test_a_game_keeps_for_whom_it_is_counted_through_its_log():
    from service.play.log import from_created

    at = table()
    game = new_game(at, holder=TWO)["game"]["id"]
    kept = at.store.games[game]
    assert kept.holder == TWO.name
    assert replace(from_created(at.store.logs[game][0]), stamp=kept.stamp) == kept
