"""A move tried out: what the mover would hold. It tells nothing that the mover's view does not."""

from service.cards.cardset import names
from service.rulebooks.base import Doc
from service.rulebooks.rummy.match import Match, submit
from service.rulebooks.rummy.moves import Draw, Move
from service.rulebooks.rummy.scoring import count


def preview(match: Match, seat: int, move: Move) -> Doc:
    """What a legal move leaves in the mover's hand; a draw tells of the hand as it is. Raises RuleViolation."""
    after = submit(match, seat, move)
    shown = match.round if isinstance(move, Draw) else after.round
    assert shown is not None
    hand = shown.hands[seat]
    return {
        "legal": True,
        "deadwood": count(hand, match.rules),
        "gin": False,
        "melds": [],
        "deadwood_cards": names(hand),
    }
