"""Scoring: the ruleset prices what a round came to, line by line; `scoreboard` adds the rounds up."""

from msgspec import Struct

from service.cards.card import Card, suit
from service.rulebooks.base import Line
from service.rulebooks.gin.ruleset import Ruleset
from service.rulebooks.gin.showdown import RoundResult

SPADES = 0


class RoundScore(Struct, frozen=True):
    """A finished round as the match counts it: what kind it was, who won it, and its points without boxes."""

    kind: str
    winner: int | None
    lines: tuple[Line, ...] = ()

    @property
    def points(self) -> int:
        """The winner's points in the round."""
        return sum(line.points for line in self.lines)


def price(result: RoundResult, number: int | None, rules: Ruleset, limit_card: Card | None) -> RoundScore:
    """What a round is worth.

    number: the round's, for its lines, if it has one. limit_card: the card that set the knock limit, if one did.
    Knock: the difference. Undercut: the difference and its bonus. Gin, big gin: the whole deadwood and the bonus.
    Source: pagat.com and Wikipedia, "Scoring"; spades double the points of an Oklahoma round (pagat.com, "Oklahoma").
    """
    winner = result.winner
    if winner is None:
        return RoundScore(result.kind, None)
    bonus_rule = {"gin": "gin_bonus", "big_gin": "big_gin_bonus", "undercut": "undercut_bonus"}.get(result.kind)
    lines = [Line(winner, number, "deadwood", result.deadwood[1 - winner] - result.deadwood[winner], result.kind)]
    if bonus_rule is not None:
        lines.append(Line(winner, number, "bonus", getattr(rules, bonus_rule), bonus_rule))
    if rules.oklahoma_spade_doubles and limit_card is not None and suit(limit_card) == SPADES:
        single = sum(line.points for line in lines)
        lines.append(Line(winner, number, "doubling", single, "oklahoma_spade_doubles"))
    return RoundScore(result.kind, winner, tuple(lines))


def boxes_of(kind: str, rules: Ruleset) -> int:
    """How many boxes the winner of a round gets; big gin counts as gin."""
    extra = {
        "gin": rules.gin_extra_boxes,
        "big_gin": rules.gin_extra_boxes,
        "undercut": rules.undercut_extra_boxes,
    }
    return 1 + extra.get(kind, 0)
