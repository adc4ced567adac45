"""The legal moves of ours with what the cards kept count, for the players to choose by and for the comparison."""

from dataclasses import dataclass

from service.cards.deadwood import deadwood
from service.rulebooks.gin.moves import BigGin, Discard, Knock, Move
from service.rulebooks.gin.round import Round, legal_moves


@dataclass(frozen=True)
class Legal:
    """A move that would be accepted; for throws, knocks and big gin, what the cards kept count."""

    move: Move
    deadwood: int | None = None


def listed(round: Round) -> tuple[Legal, ...]:
    """The legal moves of the seat on turn."""
    return tuple(Legal(move, _left(round, move)) for move in legal_moves(round))


def _left(round: Round, move: Move) -> int | None:
    assert round.turn is not None
    match move:
        case Discard(card) | Knock(card):
            return deadwood(round.hands[round.turn] ^ 1 << card)
        case BigGin():
            return 0
    return None
