"""Reading a game: its view, finished rounds, score and record."""

import orjson

from service.play.callers import Caller, Viewer, check_generation, check_may_look, seat_of
from service.play.errors import NoSuchGame, NoSuchRound
from service.play.game import Game
from service.play.log import Entry
from service.play.record import record_of
from service.play.table import Answer, Table
from service.play.views import etag, game_view
from service.rulebooks.base import Doc

PAGE = 100
"""How many finished rounds are listed at once."""


def view(table: Table, game_id: str, viewer: Viewer, if_none_match: frozenset[str]) -> Answer:
    """The caller's view; 304 if the caller has it already. Raises NoSuchGame or CredentialRefused."""
    if isinstance(viewer, Caller) and if_none_match:
        head = table.store.head(game_id)
        if head is None:
            raise NoSuchGame
        check_generation(head, viewer)
        current = etag(viewer.seat, head.version, head.stamp)
        if not if_none_match.isdisjoint((current, "*")):
            return Answer(304, b"", current)
    game = admitted(table, game_id, viewer)
    seat = seat_of(viewer)
    current = etag(seat, game.version, game.stamp)
    if not if_none_match.isdisjoint((current, "*")):
        return Answer(304, b"", current)
    return Answer(200, orjson.dumps(game_view(game, seat, table.lifetimes)), current)


def awaited_view(table: Table, game_id: str, viewer: Viewer, if_none_match: frozenset[str], seconds: float) -> Answer:
    """The caller's view once it differs from those named; 304 if it does not for so long.

    Raises NoSuchGame or CredentialRefused, also where that becomes true in the meantime.
    """
    with table.feed.watch(game_id) as watch:
        answer = view(table, game_id, viewer, if_none_match)
        while answer.status == 304 and (seconds := watch.wait(seconds)) > 0:
            answer = view(table, game_id, viewer, if_none_match)
    return answer


def score(table: Table, game_id: str, viewer: Viewer) -> Doc:
    """The scoreboard. Raises NoSuchGame or CredentialRefused."""
    game = admitted(table, game_id, viewer)
    return game.rulebook.score(game.state)


def rounds(table: Table, game_id: str, viewer: Viewer, after: int) -> Doc:
    """The finished rounds that follow one, a page of them. Raises NoSuchGame or CredentialRefused."""
    results = _results(_log(table, game_id, viewer))
    page = results[after : after + PAGE]
    return {"items": page, "next": after + PAGE if len(results) > after + PAGE else None}


def one_round(table: Table, game_id: str, viewer: Viewer, number: int) -> Doc:
    """A finished round. Raises NoSuchGame, CredentialRefused or NoSuchRound."""
    results = _results(_log(table, game_id, viewer))
    if not 1 <= number <= len(results):
        raise NoSuchRound(number)
    return results[number - 1]


def record(table: Table, game_id: str, viewer: Viewer) -> Doc:
    """The record of the finished rounds, with the proofs of their deals. Raises NoSuchGame or CredentialRefused."""
    game = admitted(table, game_id, viewer)
    entries = table.store.log(game_id)
    if not entries:
        raise NoSuchGame
    return record_of(entries[: game.version]) | {"score": game.rulebook.score(game.state)}


def _results(entries: list[Entry]) -> list[Doc]:
    return [entry.data["result"] for entry in entries if entry.type == "round"]


def _log(table: Table, game_id: str, viewer: Viewer) -> list[Entry]:
    admitted(table, game_id, viewer)
    return table.store.log(game_id)


def admitted(table: Table, game_id: str, viewer: Viewer) -> Game:
    """A game that a caller may look at. Raises NoSuchGame or CredentialRefused."""
    loaded = table.store.look(game_id)
    if loaded.head is None:
        raise NoSuchGame
    check_generation(loaded.head, viewer)
    game = loaded.game()
    check_may_look(game, viewer)
    return game
