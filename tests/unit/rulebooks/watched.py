"""What one who reads or watches a game is sent of it, through the use cases and as bytes."""

from collections.abc import Sequence

import orjson
from msgspec.structs import replace

from service.play.callers import Caller, Viewer
from service.play.events import Mark, followed, listed
from service.play.game import Game
from service.play.log import Entry
from service.play.look import awaited_view
from service.play.table import Answer, Table
from service.web.watching import RETRY_MS, written
from tests.unit.play.memory import Memory, Names, News, Tally
from tests.unit.rulebooks.machine import LIFETIMES

STAMP = "stamp"
ANOTHER = frozenset(['"another"'])


class Desk:
    """Where a reader of a game asks. reader: a seat, or an onlooker (None), whom the game then wants."""

    def __init__(self, game: Game, entries: Sequence[Entry], reader: int | None) -> None:
        game = replace(game, stamp=STAMP, spectators=True)
        self._store = Memory(
            games={game.id: game},
            generations={game.id: (1,) * len(game.seats)},
            logs={game.id: list(entries)},
            stamps={game.id: [STAMP] * len(entries)},
        )
        self._game = game.id
        self._viewer: Viewer = None if reader is None else Caller(reader, 1)

    def view(self, known: frozenset[str] = ANOTHER) -> Answer:
        """The answer to one who is ready to wait for a view, and is woken once where nothing has happened."""
        return awaited_view(self._table(News([lambda: None])), self._game, self._viewer, known, 1.0)

    def events(self) -> bytes:
        """All pages of the events."""
        pages, after = [], 0
        while after is not None:
            pages.append(listed(self._table(), self._game, self._viewer, after))
            after = pages[-1]["next"]
        return orjson.dumps(pages)

    def stream(self, after: int = 0) -> bytes:
        """The stream of one who waits: the events since a version, up to the close of the server."""
        return b"".join(written(followed(self._table(), self._game, self._viewer, Mark(after), wait=True), RETRY_MS))

    def _table(self, feed: News | None = None) -> Table:
        return Table(self._store, Names(), Tally(), feed or News(), LIFETIMES)
