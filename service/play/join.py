"""Joining a game by its invite."""

from msgspec.structs import replace

from service.play.errors import NoOpenSeat, NoSuchGame
from service.play.game import Game, Seat
from service.play.log import Entry
from service.play.ports import Head
from service.play.table import DAY_MS, Answer, Conditions, Draft, Table
from service.play.views import game_view, seats_view
from service.play.walk import change, check_room
from service.rulebooks.base import Doc


def join(table: Table, game_id: str, name: str, client_seed: str, conditions: Conditions) -> Answer:
    """Take the lowest open seat: 201 with the view, the seat and its token.

    Raises NoSuchGame, NoOpenSeat, GameTooLarge, Stale, Busy, KeyReused or KeyExpired.
    """

    def act(game: Game, head: Head, now: int) -> Draft:
        seat = _lowest_open(game)
        check_room(table, head)
        entry = Entry("joined", now, seat, {"name": name, "client_seed": client_seed})
        joined = game.with_seat(seat, Seat(name, client_seed=client_seed))
        joined = replace(joined, version=game.version + 1, updated_at=now)
        doc = {"game": game_view(joined, seat, table.lifetimes), "seat": seat, "token": None}
        return Draft(
            joined,
            (entry,),
            doc,
            seat,
            head.generations,
            generation=head.generations[seat],
            status=201,
            location=f"/v1/games/{game.id}",
        )

    return change(table, game_id, act, caller=None, conditions=conditions, keep_ms=DAY_MS)


def preview(table: Table, game_id: str) -> Doc:
    """What somebody with an invite may know before joining. Raises NoSuchGame or NoOpenSeat."""
    loaded = table.store.load(game_id)
    if loaded.head is None:
        raise NoSuchGame
    game = loaded.game()
    _lowest_open(game)
    ruleset = game.rulebook.show_ruleset(game.rulebook.ruleset(game.state))
    return {"game": game.kind, "ruleset": ruleset, "seats": seats_view(game), "commitment": game.commitment}


def _lowest_open(game: Game) -> int:
    for index, seat in enumerate(game.seats):
        if seat.kind == "open" and game.status == "waiting":
            return index
    raise NoOpenSeat
