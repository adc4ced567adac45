"""Giving up: a match in play, a game that nobody has joined yet, or a seat in one."""

from msgspec.structs import replace

from service.play.callers import Caller
from service.play.game import Game, Seat, seats_dealt
from service.play.log import Entry, entry_of
from service.play.moves import answered, check_plays
from service.play.ports import Head
from service.play.table import HOUR_MS, Answer, Conditions, Draft, GiveWay, Table, stay
from service.play.views import game_view
from service.play.walk import change


def resign(table: Table, game_id: str, caller: Caller, conditions: Conditions) -> Answer:
    """Give up: 200 with the caller's new view.

    In play, the last seat left wins the match; where several are left they play on, unless all of them are computers:
    then the game is abandoned. While the game waits for players, its lowest named seat cancels it; any other seat is
    opened again, and its token is dead from then on.
    Raises NoSuchGame, CredentialRefused, Stale, Busy, KeyReused, SeatResigned or GameOver.
    """

    def act(game: Game, head: Head, now: int) -> Draft:
        seat = caller.seat
        if game.status == "waiting" and seat != _lowest_named(game):
            return _leave(table, game, head, seat, now)
        after, entries = _cancel(game, now) if game.status == "waiting" else given_up(game, seat, now, table.give_way)
        return Draft(after, entries, game_view(after, seat, table.lifetimes), seat, head.generations)

    return change(table, game_id, act, caller=caller, conditions=conditions, keep_ms=HOUR_MS)


def _lowest_named(game: Game) -> int:
    return next(index for index, seat in enumerate(game.seats) if seat.kind == "human")


def given_up(game: Game, seat: int, now: int, give_way: GiveWay = stay) -> tuple[Game, tuple[Entry, ...]]:
    """The game after a seat has given up a match in play, and the answers of computer players, with an entry for each.

    give_way: called before each computer player thinks. Raises SeatResigned or GameOver; then nothing has changed.
    """
    check_plays(game, seat)
    step = game.rulebook.resign(game.state, seat, seats_dealt(game))
    left = replace(game, state=step.state)
    if game.rulebook.end(left.state) is None and not _humans(left):
        left = replace(left, state=game.rulebook.abandon(left.state))
    return answered(left, entry_of(step.event, now), now, give_way)


def _humans(game: Game) -> list[int]:
    """The humans who still play."""
    return [seat for seat in game.rulebook.playing(game.state) or () if game.seats[seat].kind == "human"]


def _cancel(game: Game, now: int) -> tuple[Game, tuple[Entry, ...]]:
    cancelled = replace(game, state=game.rulebook.abandon(game.state), version=game.version + 1, updated_at=now)
    return cancelled, (Entry("ended", now, None, {"kind": "abandoned"}),)


def _leave(table: Table, game: Game, head: Head, seat: int, now: int) -> Draft:
    left = replace(game.with_seat(seat, Seat()), version=game.version + 1, updated_at=now)
    generations = tuple(each + (index == seat) for index, each in enumerate(head.generations))
    shown = game_view(left, None, table.lifetimes)
    return Draft(left, (Entry("left", now, seat, {}),), shown, None, generations)
