"""The shapes of each game's moves, by game and type of move."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema

from service.rulebooks.base import Doc
from service.web.body import InvalidRequest, parse
from service.web.schemas import gin, rummy

MOVES: Mapping[str, Mapping[str, Schema]] = {"gin": gin.MOVES, "rummy": rummy.MOVES}


def read_move(game: str, value: Any) -> Doc:
    """A move of this game, of the right shape. Raises InvalidRequest."""
    kind = value.get("type") if isinstance(value, dict) else None
    shapes = MOVES[game]
    if not isinstance(kind, str) or kind not in shapes:
        raise InvalidRequest([("/type", f"must be one of {', '.join(shapes)}")])
    return parse(shapes[kind], value)
