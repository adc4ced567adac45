"""Basic rummy: the functions of the rulebook protocol."""

from collections.abc import Sequence

from service.rulebooks.base import End, Event, Step
from service.rulebooks.rummy.codec import dump, load
from service.rulebooks.rummy.match import Match, abandoned, deal, playing, resigned, start, submit, turn
from service.rulebooks.rummy.moves import Move, read_move, write_move
from service.rulebooks.rummy.preview import preview
from service.rulebooks.rummy.ruleset import FIELDS, Ruleset, presets, read_ruleset, show_ruleset, write_ruleset
from service.rulebooks.rummy.text import MEANING
from service.rulebooks.rummy.view import result_doc, score, view

NAME = "rummy"
TITLE = "Basic rummy"
SEATS = (2, 6)
REVISION = 1
RECORDED: tuple[str, ...] = ("kind", "winner", "scores", "deadwood")
SEEN: dict[str, tuple[str, ...]] = {
    "draw": ("source",),
    "meld": ("cards",),
    "lay_off": ("card", "meld"),
    "discard": ("card",),
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
    return _step(match, submit(match, seat, move), Event(seat, write_move(move)))


def resign(match: Match, seat: int, seats: Sequence[int]) -> Step:
    """The step that a seat's resignation makes. seats: those that are taken. Raises GameOver."""
    return _step(match, resigned(match, seat, seats), Event(seat, {"type": "resign"}))


def _step(before: Match, after: Match, event: Event) -> Step:
    if after.last is None or len(after.rounds) == len(before.rounds):
        return Step(after, event)
    return Step(after, Event(event.seat, event.move, result_doc(after, after.last)))


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
