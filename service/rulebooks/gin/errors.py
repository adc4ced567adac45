"""Refusals that only gin rummy knows.

RuleViolation
  DeadwoodOverLimit    deadwood, limit
  BigGinNotPlayed
  NoKnockFollows       card
  KnockMustFollow      card
  NoSpreadFollows
"""

from dataclasses import dataclass

from service.rulebooks.errors import RuleViolation


@dataclass(eq=False)
class DeadwoodOverLimit(RuleViolation):
    """The cards kept count more than the knock limit (0 for big gin)."""

    code = "deadwood_over_limit"
    says = "The cards kept count {deadwood}, more than the limit of {limit}."
    deadwood: int
    limit: int


@dataclass(eq=False)
class BigGinNotPlayed(RuleViolation):
    """The ruleset has no big gin."""

    code = "big_gin_not_played"
    says = "This ruleset has no big gin."


@dataclass(eq=False)
class NoKnockFollows(RuleViolation):
    """The last discard may be taken at the end of the stock only to knock with it."""

    code = "no_knock_follows"
    says = "{card} may be taken now only if a knock follows, and none would."
    card: str


@dataclass(eq=False)
class KnockMustFollow(RuleViolation):
    """After taking the last discard at the end of the stock, the turn must end with a knock."""

    code = "knock_must_follow"
    says = "{card} was taken at the end of the stock: only a knock may follow."
    card: str


@dataclass(eq=False)
class NoSpreadFollows(RuleViolation):
    """The defender has no answer to name: after gin, or where the ruleset lets the engine lay off."""

    code = "no_spread_follows"
    says = "The defender's best arrangement counts here: no melds or layoffs can be named."
