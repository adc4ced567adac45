"""Analysis: what the engine says of cards and scores that come from elsewhere, such as a game at a kitchen table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.cards.arrangement import best_arrangement
from service.cards.card import Card, name
from service.cards.cardset import EMPTY, cardset, holds, names
from service.cards.deadwood import best_throws
from service.rulebooks.base import Doc, Line
from service.rulebooks.errors import CardNotInHand, GameOver, MeldsOverlap
from service.rulebooks.gin.errors import BigGinNotPlayed, NoSpreadFollows
from service.rulebooks.gin.match import end_after
from service.rulebooks.gin.moves import Layoff, NamedMelds
from service.rulebooks.gin.ruleset import Ruleset, knock_limit
from service.rulebooks.gin.scoreboard import scoreboard
from service.rulebooks.gin.scoring import RoundScore, price
from service.rulebooks.gin.showdown import (
    RoundResult,
    checked_answer,
    laid_out,
    settle,
    settle_gin,
)
from service.rulebooks.gin.view import result_parts, score_doc

KNOCKER, DEFENDER = 0, 1
ROLES = ("knocker", "defender")
FULL_HAND = 11


def hand(cards: Sequence[Card], taken: Card | None, limit: int) -> Doc:
    """What a hand of 1 to 11 cards comes to; of eleven cards also the best throws, and how the round may end.

    taken: the card just taken from the discard pile, which may not be thrown. limit: the most deadwood to knock with.
    Raises MeldsOverlap for a card named twice, or CardNotInHand.
    """
    held = _distinct(cards)
    if taken is not None and not holds(held, taken):
        raise CardNotInHand(name(taken))
    laid = best_arrangement(held)
    found: Doc = {
        "deadwood": laid.deadwood,
        "melds": laid.meld_names(),
        "deadwood_cards": names(laid.unmelded),
    }
    if len(cards) < FULL_HAND:
        return found
    least, thrown = best_throws(held, taken)
    return found | {
        "deadwood_after_best_throw": least,
        "best_throws": [name(card) for card in thrown],
        "knock": least <= limit,
        "gin": least == 0,
        "big_gin": laid.deadwood == 0,
    }


@dataclass(frozen=True, slots=True)
class KnockerHand:
    """The hand of a knocker: ten cards kept and perhaps the throw, or eleven for big gin."""

    cards: tuple[Card, ...]
    discard: Card | None = None
    melds: NamedMelds | None = None


@dataclass(frozen=True, slots=True)
class DefenderHand:
    """The ten cards of a defender, and the answer to the knock if it is named."""

    cards: tuple[Card, ...]
    melds: NamedMelds | None = None
    layoffs: tuple[Layoff, ...] | None = None


def round(rules: Ruleset, limit_card: Card | None, knocker: KnockerHand, defender: DefenderHand) -> Doc:
    """The result of a round that ended with these hands, with its lines.

    limit_card: the card that set the knock limit, in Oklahoma. Raises RuleViolation.
    """
    thrown = () if knocker.discard is None else (knocker.discard,)
    _distinct((*knocker.cards, *thrown, *defender.cards))
    result = _settled(rules, knock_limit(rules, limit_card), knocker, defender)
    scored = price(result, None, rules, limit_card)
    return _by_role(result_parts(result, scored))


def _settled(rules: Ruleset, limit: int, knocker: KnockerHand, defender: DefenderHand) -> RoundResult:
    held, answering = cardset(knocker.cards), cardset(defender.cards)
    named = defender.melds is not None or defender.layoffs is not None
    if len(knocker.cards) == FULL_HAND:
        if rules.big_gin_bonus is None:
            raise BigGinNotPlayed
        if named:
            raise NoSpreadFollows
        return settle_gin("big_gin", KNOCKER, laid_out(held, EMPTY, knocker.melds, 0), answering)
    thrown = EMPTY if knocker.discard is None else 1 << knocker.discard
    laid = laid_out(held, thrown, knocker.melds, limit)
    if named and (laid.deadwood == 0 or rules.layoff == "auto"):
        raise NoSpreadFollows
    if laid.deadwood == 0:
        return settle_gin("gin", KNOCKER, laid, answering)
    answer = checked_answer(laid, answering, defender.melds, defender.layoffs)
    return settle(KNOCKER, laid, answer, rules.undercut_on_tie)


def _distinct(cards: Sequence[Card]) -> int:
    seen = EMPTY
    for card in cards:
        if holds(seen, card):
            raise MeldsOverlap(name(card))
        seen |= 1 << card
    return seen


def _by_role(result: Doc) -> Doc:
    """A result with `knocker` and `defender` where a seat would stand."""

    def named(value: Any) -> Any:
        return value if value is None else ROLES[value]

    def with_role(part: Doc) -> Doc:
        return part | {"seat": named(part["seat"])}

    lists = {key: [with_role(part) for part in result[key]] for key in ("spreads", "layoffs", "lines")}
    return result | lists | {"winner": named(result["winner"]), "knocker": named(result["knocker"])}


@dataclass(frozen=True, slots=True)
class PadRound:
    """A round on a score pad: its kind, who won it, and its points without boxes."""

    kind: str
    winner: int | None
    points: int


def match(rules: Ruleset, rounds: Sequence[PadRound]) -> Doc:
    """The scoreboard of a match whose rounds were scored elsewhere.

    Raises GameOver if a round follows the end of the match, or BigGinNotPlayed.
    """
    scored = tuple(_scored(number, pad) for number, pad in enumerate(rounds, 1))
    unplayed = _first_big_gin(rounds) if rules.big_gin_bonus is None else None
    if unplayed is not None:
        raise BigGinNotPlayed if end_after(rules, scored[:unplayed]) is None else GameOver
    end = end_after(rules, scored)
    # Points only grow, so a match that was over before its last round shows it at the last round but one.
    if end is not None and end_after(rules, scored[:-1]) is not None:
        raise GameOver
    return score_doc(scoreboard(rules, scored, end))


def _first_big_gin(rounds: Sequence[PadRound]) -> int | None:
    return next((index for index, pad in enumerate(rounds) if pad.kind == "big_gin"), None)


def _scored(number: int, pad: PadRound) -> RoundScore:
    if pad.winner is None:
        return RoundScore(pad.kind, None)
    return RoundScore(pad.kind, pad.winner, (Line(pad.winner, number, "round", pad.points, pad.kind),))
