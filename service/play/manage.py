"""What a backend does with its games: end them, erase them, and give a seat a new token."""

from msgspec.structs import replace

from service.play.callers import Backend, check_owns
from service.play.errors import Busy, NoSuchGame, SeatNotTaken
from service.play.game import Game
from service.play.log import Entry
from service.play.ports import Committed, Head, Loaded, Replay
from service.play.table import DAY_MS, TRIES, Answer, Conditions, Draft, Table
from service.play.views import game_view
from service.play.walk import change, replayed, sealed


def end(table: Table, game_id: str, backend: Backend, conditions: Conditions) -> Answer:
    """End a game without a winner: 200 with the public view. Raises NoSuchGame, GameOver, Stale or Busy."""

    def act(game: Game, head: Head, now: int) -> Draft:
        ended = replace(game, state=game.rulebook.abandon(game.state), version=game.version + 1, updated_at=now)
        entry = Entry("ended", now, None, {"kind": "abandoned"})
        return Draft(ended, (entry,), game_view(ended, None, table.lifetimes), None, head.generations)

    return change(table, game_id, act, caller=backend, conditions=conditions, keep_ms=DAY_MS)


def erase(table: Table, game_id: str, backend: Backend) -> None:
    """Remove a game and everything that is kept of it. Raises NoSuchGame or Busy."""
    for _ in range(TRIES + 1):
        loaded = _own(table, game_id, backend)
        if loaded.head is not None and table.store.erase(game_id, loaded.head):
            if (holder := loaded.game().holder) is not None:
                table.quota.release(holder, game_id)
            return
    raise Busy


def rotate(table: Table, game_id: str, backend: Backend, seat: int, conditions: Conditions) -> Answer:
    """A new token for a human's seat: 200 with the seat and the token; the old token is dead from then on.

    Raises NoSuchGame, SeatNotTaken, KeyReused, KeyExpired or Busy.
    """
    keyed = conditions.keyed
    for _ in range(TRIES + 1):
        loaded = _own(table, game_id, backend, keyed.name if keyed else None)
        if loaded.receipt is not None:
            return replayed(table, game_id, conditions, loaded.receipt)
        game, head = loaded.game(), loaded.head
        assert head is not None
        if seat >= len(game.seats) or game.seats[seat].kind != "human":
            raise SeatNotTaken(seat)
        generations = tuple(each + (index == seat) for index, each in enumerate(head.generations))
        draft = Draft(game, (), {"seat": seat, "token": None}, None, generations, generation=generations[seat])
        answer, receipt = sealed(table, draft, "", keyed)
        until = table.lifetimes.receipt_until(game, loaded.now, DAY_MS)
        match table.store.rotate(game_id, head, generations, receipt, until):
            case Committed():
                return answer
            case Replay(found):
                return replayed(table, game_id, conditions, found)
    raise Busy


def _own(table: Table, game_id: str, backend: Backend, receipt_name: str | None = None) -> Loaded:
    """A game of the backend's. Raises NoSuchGame for any other."""
    loaded = table.store.load(game_id, receipt_name)
    if loaded.head is None:
        raise NoSuchGame
    check_owns(loaded.game(), backend)
    return loaded
