"""Refusals that only basic rummy knows.

RuleViolation
  AlreadyMelded
  MeldBeforeLayoffs
  OwnMeldFirst
  LastCardMustBeDiscarded
  TakenCardLeft            card
"""

from dataclasses import dataclass

from service.rulebooks.errors import RuleViolation


@dataclass(eq=False)
class AlreadyMelded(RuleViolation):
    """The ruleset allows one meld a turn."""

    code = "already_melded"
    says = "One meld was laid this turn already."


@dataclass(eq=False)
class MeldBeforeLayoffs(RuleViolation):
    """A meld comes before layoffs, unless the ruleset allows any number of melds."""

    code = "meld_before_layoffs"
    says = "A meld comes before layoffs in a turn."


@dataclass(eq=False)
class OwnMeldFirst(RuleViolation):
    """The ruleset allows layoffs only to those who have a meld on the table."""

    code = "own_meld_first"
    says = "Cards can be laid off only once a meld of your own is on the table."


@dataclass(eq=False)
class LastCardMustBeDiscarded(RuleViolation):
    """The ruleset has the round end with a discard."""

    code = "last_card_must_be_discarded"
    says = "The last card must be discarded."


@dataclass(eq=False)
class TakenCardLeft(RuleViolation):
    """Only the card just taken would be left, which may not be thrown and cannot be laid off."""

    code = "taken_card_left"
    says = "Only {card} would be left, which was just taken and may not be thrown this turn."
    card: str
