"""What a caller is shown of a game: the frame that all games share, filled by the rulebook's view."""

from datetime import date, timedelta
from functools import lru_cache

from service.play.game import Game, Lifetimes
from service.rulebooks.base import DEAL, Doc

EPOCH = date(1970, 1, 1)


def game_view(game: Game, seat: int | None, lifetimes: Lifetimes) -> Doc:
    """The view of a seat, or the public view (None)."""
    rulebook, status = game.rulebook, game.status
    shown = rulebook.view(game.state, seat)
    if status == "waiting":
        shown |= {"turn": None, "legal_moves": _to_start(game, seat)}
    if shown["round"] is not None:
        shown["round"]["server_only"] = game.server_only
    return {
        "id": game.id,
        "game": game.kind,
        "status": status,
        "version": game.version,
        "ruleset": rulebook.show_ruleset(rulebook.ruleset(game.state)),
        "created_at": rfc3339(game.created_at),
        "updated_at": rfc3339(game.updated_at),
        "expires_at": rfc3339(game.updated_at + lifetimes.of(status)),
        "commitment": game.commitment,
        "sandbox": game.decks is not None,
        "spectators": game.spectators,
        "metadata": game.metadata,
        "rematch": None,
        "you": None if seat is None else {"seat": seat},
        "seats": seats_view(game),
        "clock": None,
        **shown,
    }


def _to_start(game: Game, seat: int | None) -> list[Doc]:
    """What a seat may do before every seat is taken: start without the open ones, if it may."""
    return [{"move": {"type": DEAL}}] if seat is not None and game.may_start(seat) else []


def seats_view(game: Game) -> list[Doc]:
    """Who sits where, as everybody may see it."""
    gone = game.resigned
    return [
        {"seat": index, "name": seat.name, "kind": seat.kind, "bot": seat.bot, "resigned": index in gone}
        for index, seat in enumerate(game.seats)
    ]


def rfc3339(milliseconds: int) -> str:
    """A time in UTC, to the millisecond.

    >>> rfc3339(1_700_000_000_123)
    '2023-11-14T22:13:20.123Z'
    """
    minutes, rest = divmod(milliseconds, 60_000)
    digits = f"{rest:05d}"
    return f"{_minute(minutes)}:{digits[:2]}.{digits[2:]}Z"


@lru_cache(maxsize=4096)
def _minute(minutes: int) -> str:
    """A minute, by its number since 1970: the times that are shown lie in few of them."""
    days, rest = divmod(minutes, 24 * 60)
    return f"{(EPOCH + timedelta(days)).isoformat()}T{rest // 60:02d}:{rest % 60:02d}"


def etag(seat: int | None, version: int, stamp: str) -> str:
    """The entity tag of a view: whose it is, the version, and the stamp of the commit."""
    return f'"{"p" if seat is None else seat}-{version}-{stamp}"'
