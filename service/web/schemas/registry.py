"""The shapes of each game's moves, by game and type of move."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from marshmallow import Schema

from service.rulebooks.base import Doc
from service.web.body import InvalidRequest, parse, parse_json
from service.web.schemas import gin, rummy

MOVES: Mapping[str, Mapping[str, Schema]] = {"gin": gin.MOVES, "rummy": rummy.MOVES}
SHORT = 64
"""Bytes of a move that names one card at most. There are few of them, and they are most of all moves."""
REMEMBERED = 1024


class SentMove:
    """A move as it was sent. Whether it has the shape of one is seen once it is known of which game."""

    def __init__(self, raw: bytes) -> None:
        """raw: the body of the request. Raises MalformedJson."""
        self._value = parse_json(raw)
        self._read: dict[str, Doc] = {}

    def of(self, game: str) -> Doc:
        """The move of this game. Raises InvalidRequest."""
        found = self._read.get(game)
        if found is None:
            found = self._read[game] = read_move(game, self._value)
        return dict(found)


def sent_move(raw: bytes) -> SentMove:
    """The move in a body; a short one is read once and remembered, but for a deal's. Raises MalformedJson."""
    return _short_move(raw) if len(raw) <= SHORT and b"client_seed" not in raw else SentMove(raw)


_short_move = lru_cache(maxsize=REMEMBERED)(SentMove)


def read_move(game: str, value: Any) -> Doc:
    """A move of this game, of the right shape. Raises InvalidRequest."""
    kind = value.get("type") if isinstance(value, dict) else None
    shapes = MOVES[game]
    if not isinstance(kind, str) or kind not in shapes:
        raise InvalidRequest([("/type", f"must be one of {', '.join(shapes)}")])
    return parse(shapes[kind], value)
