"""Refusals of the rules: each is a class with a stable code, a sentence, and the facts as fields.

RuleViolation
  GameOver
  NotYourTurn          turn
  WrongPhase           move, phase
  SourceNotOpen        source
  CardNotInHand        card
  DiscardJustTaken     card
  InvalidMeld          cards
  MeldsOverlap         card
  LayoffDoesNotFit     card, meld
RulesetRefused         field, reason
CorruptState           reason
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar


@dataclass(eq=False)
class RuleViolation(Exception):
    """The rules forbid the move; nothing has changed.

    code: a stable name of the reason. says: the reason as a sentence, with the facts filled in by name.
    """

    code: ClassVar[str]
    says: ClassVar[str]

    def facts(self) -> dict[str, Any]:
        """What the refusal is about, ready for JSON; cards as names."""
        return asdict(self)

    def __str__(self) -> str:
        return self.says.format(**self.facts())


@dataclass(eq=False)
class GameOver(RuleViolation):
    """The match has ended."""

    code = "game_over"
    says = "The match is over."


@dataclass(eq=False)
class NotYourTurn(RuleViolation):
    """Another seat is to move."""

    code = "not_your_turn"
    says = "It is the turn of seat {turn}."
    turn: int


@dataclass(eq=False)
class WrongPhase(RuleViolation):
    """The move does not belong to this phase."""

    code = "wrong_phase"
    says = "A {move} is not possible in the phase {phase}."
    move: str
    phase: str


@dataclass(eq=False)
class SourceNotOpen(RuleViolation):
    """That pile may not be drawn from now."""

    code = "source_not_open"
    says = "The {source} may not be drawn from now."
    source: str


@dataclass(eq=False)
class CardNotInHand(RuleViolation):
    """A card was named that the hand does not hold, or no longer holds."""

    code = "card_not_in_hand"
    says = "{card} is not in the hand."
    card: str


@dataclass(eq=False)
class DiscardJustTaken(RuleViolation):
    """A card taken from the discard pile may not be thrown in the same turn."""

    code = "discard_just_taken"
    says = "{card} was just taken from the discard pile and may not be thrown in the same turn."
    card: str


@dataclass(eq=False)
class InvalidMeld(RuleViolation):
    """The cards named as a meld are neither a set nor a run."""

    code = "invalid_meld"
    says = "{cards} are neither a set of three or four nor a run of three or more."
    cards: list[str]


@dataclass(eq=False)
class MeldsOverlap(RuleViolation):
    """One card was named in two melds, or laid off and melded."""

    code = "melds_overlap"
    says = "{card} is used twice."
    card: str


@dataclass(eq=False)
class LayoffDoesNotFit(RuleViolation):
    """A card cannot be laid off on the meld named."""

    code = "layoff_does_not_fit"
    says = "{card} cannot be laid off on meld {meld}."
    card: str
    meld: int


@dataclass(eq=False)
class RulesetRefused(ValueError):
    """A ruleset value is out of its range, or makes no sense beside the others."""

    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


@dataclass(eq=False)
class CorruptState(ValueError):
    """A stored state contradicts itself; playing on from it would make up cards or points."""

    reason: str

    def __str__(self) -> str:
        return self.reason
