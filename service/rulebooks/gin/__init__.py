"""Gin rummy: the functions of the rulebook protocol."""

from collections.abc import Sequence

from service.rulebooks.base import End, Event, Step
from service.rulebooks.gin.codec import dump, load
from service.rulebooks.gin.match import Match, abandoned, deal, playing, resigned, start, submit, turn
from service.rulebooks.gin.moves import Move, read_move, write_move
from service.rulebooks.gin.presets import presets, read_ruleset, show_ruleset, write_ruleset
from service.rulebooks.gin.preview import preview
from service.rulebooks.gin.ruleset import FIELDS, Ruleset
from service.rulebooks.gin.text import MEANING
from service.rulebooks.gin.view import result_doc, score, view

NAME = "gin"
TITLE = "Gin rummy"
SEATS = (2, 2)
REVISION = 1
RECORDED: tuple[str, ...] = ("kind", "winner", "points", "deadwood")
SEEN: dict[str, tuple[str, ...]] = {
    "pass": (),
    "draw": ("source",),
    "discard": ("card",),
    "knock": ("discard", "melds"),
    "big_gin": ("melds",),
    "spread": ("melds", "layoffs"),
    "resign": (),
}

__all__ = [
    "FIELDS",
    "MEANING",
    "NAME",
    "RECORDED",
    "REVISION",
    "SEATS",
    "SEEN",
    "TITLE",
    "abandon",
    "apply",
    "deal",
    "dump",
    "end",
    "load",
    "playing",
    "presets",
    "preview",
    "read_move",
    "read_ruleset",
    "resign",
    "round_number",
    "ruleset",
    "score",
    "show_ruleset",
    "start",
    "turn",
    "view",
    "write_ruleset",
]


def apply(match: Match, seat: int, move: Move) -> Step:
    """The step that a seat's move makes. Raises RuleViolation; then nothing has changed."""
    moved, played = submit(match, seat, move)
    result = None if played.result is None or moved.last is None else result_doc(moved.last)
    return Step(moved, Event(seat, write_move(played.move), result))


def resign(match: Match, seat: int, seats: Sequence[int]) -> Step:
    """The step that a seat's resignation makes. seats: both. Raises GameOver."""
    assert seat in seats
    given_up = resigned(match, seat)
    in_play = len(given_up.rounds) > len(match.rounds) and given_up.last is not None
    result = result_doc(given_up.last) if in_play and given_up.last is not None else None
    return Step(given_up, Event(seat, {"type": "resign"}, result))


abandon = abandoned


def end(match: Match) -> End | None:
    """How the match ended; None while it goes on."""
    return match.end


def round_number(match: Match) -> int:
    """The number of the round last dealt; 0 before the first deal."""
    return 0 if match.round is None else match.round.number


def ruleset(match: Match) -> Ruleset:
    """The ruleset that the match is played by."""
    return match.rules
