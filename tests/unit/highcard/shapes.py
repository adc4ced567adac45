"""The shapes of high card's moves."""

from service.web.schemas.moves import Deal, MoveSchema

MOVES = {"deal": Deal(), "show": MoveSchema()}
