"""What happened in a game: the entries of its log, as everybody who may look at the game may know them."""

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

from service.play.callers import Viewer, check_generation
from service.play.errors import CredentialRefused, NoSuchGame, StoreUnavailable
from service.play.game import Game
from service.play.look import admitted
from service.play.ports import Logged, Tail
from service.play.table import Table
from service.play.views import rfc3339
from service.rulebooks.base import Doc, Rulebook

PAGE = 200
"""How many events are listed at once."""
AT_ONCE = 20
"""How many a stream reads at once: it holds them for as long as its reader is stuck."""
LOOK_AGAIN = 4
"""After so many heartbeats a game is looked at, news or not: it may have expired."""
RETRY_SECONDS = 1.0
"""How long a stream waits before it asks a store again that did not answer."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Up to where a caller knows a game. stamp: of the commit that made the version; empty if the caller has none."""

    version: int
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event. mark: where the caller is after it."""

    mark: Mark
    doc: Doc


@dataclass(frozen=True, slots=True)
class Reset:
    """The caller knows something else than the game is, and should look at it anew. mark: where the game is."""

    mark: Mark


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing has happened for a while."""


News: TypeAlias = Happened | Reset


def listed(table: Table, game_id: str, viewer: Viewer, after: int) -> Doc:
    """The events since a version, a page of them. Raises NoSuchGame or CredentialRefused."""
    game = admitted(table, game_id, viewer)
    entries = _tail(table, game_id, viewer, after + 1, PAGE + 1).entries
    items = [_event(game.rulebook, logged) for logged in entries[:PAGE]]
    return {"items": items, "next": after + PAGE if len(entries) > PAGE else None}


def followed(
    table: Table, game_id: str, viewer: Viewer, since: Mark, *, wait: bool
) -> Generator[News | Quiet, None, None]:
    """The events since a mark and, if the caller waits, from then on each as it happens.

    They end when the game is gone, the caller's token is replaced, or the server closes. Raises NoSuchGame or
    CredentialRefused at once or never.
    """
    game = admitted(table, game_id, viewer)
    return _following(table, game, viewer, since) if wait else _once(table, game, viewer, since)


def _once(table: Table, game: Game, viewer: Viewer, mark: Mark) -> Generator[News, None, None]:
    with suppress(NoSuchGame, CredentialRefused):
        yield from _caught_up(table, game, viewer, mark)


def _following(table: Table, game: Game, viewer: Viewer, mark: Mark) -> Generator[News | Quiet, None, None]:
    silent = 0
    with table.feed.watch(game.id) as watch:
        while not watch.closing:
            pause = table.heartbeat
            if silent % LOOK_AGAIN == 0:
                try:
                    for news in _caught_up(table, game, viewer, mark):
                        mark = news.mark
                        yield news
                except (NoSuchGame, CredentialRefused):
                    return
                except StoreUnavailable:
                    pause, silent = RETRY_SECONDS, -1
            if watch.wait(pause):
                silent = 0
            elif not watch.closing:
                silent += 1
                yield Quiet()


def _caught_up(table: Table, game: Game, viewer: Viewer, mark: Mark) -> Generator[News, None, None]:
    """What has happened since a mark. Raises NoSuchGame or CredentialRefused."""
    more = True
    while more:
        news = _page(table, game, viewer, mark)
        yield from news
        more = len(news) >= AT_ONCE
        mark = news[-1].mark if more else mark


def _page(table: Table, game: Game, viewer: Viewer, mark: Mark) -> list[News]:
    """Some of what has happened since a mark: all the caller knows already must be in the log still, stamp and all."""
    tail = _tail(table, game.id, viewer, max(mark.version, 1), AT_ONCE + 1)
    fresh = tail.entries
    if mark.version > 0:
        if not fresh or mark.stamp not in ("", fresh[0].stamp):
            return [Reset(Mark(tail.head.version, tail.head.stamp))]
        fresh = fresh[1:]
    return [Happened(Mark(each.version, each.stamp), _event(game.rulebook, each)) for each in fresh]


def _tail(table: Table, game_id: str, viewer: Viewer, first: int, most: int) -> Tail:
    tail = table.store.tail(game_id, first, most)
    if tail is None:
        raise NoSuchGame
    check_generation(tail.head, viewer)
    return tail


def _event(rulebook: Rulebook, logged: Logged) -> Doc:
    """An entry as it may be told: who did what, and of a move what everybody at the table sees."""
    entry = logged.entry
    event: Doc = {
        "version": logged.version,
        "stamp": logged.stamp,
        "at": rfc3339(entry.at),
        "type": entry.type,
        "seat": entry.seat,
    }
    if entry.type in ("move", "round"):
        move = entry.data["move"]
        seen = ("type", *rulebook.SEEN[move["type"]])
        event["move"] = {key: move[key] for key in seen if key in move}
    if entry.type == "round":
        event["result"] = entry.data["result"]
    return event
