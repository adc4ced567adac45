"""A move tried out: what the mover's own cards would come to. It tells nothing that the mover's view does not."""

from service.cards.arrangement import Arrangement, best_arrangement
from service.cards.cardset import names
from service.rulebooks.base import Doc
from service.rulebooks.gin.match import Match, submit
from service.rulebooks.gin.moves import BigGin, Discard, Knock, Move, Spread
from service.rulebooks.gin.round import Played


def preview(match: Match, seat: int, move: Move) -> Doc:
    """What a legal move leaves of the mover's hand: after a throw the cards kept, after a spread what is not laid off.

    A draw or a pass tells of the hand as it is: what would be drawn is nobody's to know. Raises RuleViolation.
    """
    _, played = submit(match, seat, move)
    assert match.round is not None
    laid = _laid(match.round.hands[seat], seat, move, played)
    return {
        "legal": True,
        "deadwood": laid.deadwood,
        "gin": laid.deadwood == 0 and isinstance(move, Discard | Knock | BigGin),
        "melds": laid.meld_names(),
        "deadwood_cards": names(laid.unmelded),
    }


def _laid(hand: int, seat: int, move: Move, played: Played) -> Arrangement:
    match move:
        case Discard(card):
            return best_arrangement(hand ^ 1 << card, thrown=1 << card)
        case Knock() | BigGin() if played.round.laid is not None:
            return played.round.laid
        case Spread() if played.result is not None:
            return played.result.spreads[seat]
        case _:
            return best_arrangement(hand)
