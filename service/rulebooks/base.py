"""What every game is to the floors above: a rulebook, which is a module with the functions of the protocol below.

A rulebook never sees a clock, a store or a source of chance: the deck comes in, a new state and its events go out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from service.cards.card import Card
from service.rulebooks.fields import Values

Doc: TypeAlias = dict[str, Any]
"""A JSON object as Python has it."""


class Event(Struct, frozen=True):
    """One thing that happened: a seat's move as it was resolved, and the result of the round if it ended one."""

    seat: int
    move: Doc
    result: Doc | None = None


class Step(Struct, frozen=True):
    """The state after a move, and what happened."""

    state: Any
    event: Event


class Turn(Struct, frozen=True):
    """Who is to act (None: any player may deal) and in which phase."""

    seat: int | None
    phase: str


DEAL = "deal"
"""The type of the move that starts a round, in every game."""
ROUND_OVER = "round_over"
"""The phase before the first deal and between rounds, in every game."""


class End(Struct, frozen=True):
    """How a match ended (`target`, `round_limit`, `resigned` or `abandoned`) and the seat that won it, if one did."""

    kind: str
    seat: int | None


class Line(Struct, frozen=True):
    """One component of a score: whose it is, the round it is from (None: the match), and the rule that gave it.

    part: what it is, such as `deadwood` or `boxes`. rule: the field of the ruleset that gave the points, or the kind of
    the round.
    """

    seat: int
    round: int | None
    part: str
    points: int
    rule: str

    def doc(self) -> Doc:
        """The line as JSON."""
        return {"seat": self.seat, "round": self.round, "part": self.part, "points": self.points, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Preset:
    """A published ruleset: its name, where the rules are from, all its values, and what they mean in words."""

    name: str
    source: str
    text: str
    values: Doc


class Rulebook(Protocol):
    """The rules of one game. States and moves are the rulebook's own frozen types, and opaque to everybody else."""

    NAME: str
    TITLE: str
    """What people call the game."""
    SEATS: tuple[int, int]
    """The fewest and the most seats."""
    REVISION: int
    """Raised when a rule is mended; records tell by which revision they were played."""
    RECORDED: tuple[str, ...]
    """The members of a result that a record carries, and that a replay compares."""
    SEEN: dict[str, tuple[str, ...]]
    """The members, by its type, of a made move that everybody at the table sees; nothing else of it is told."""
    FIELDS: dict[str, Values]
    """What each field of a ruleset may hold."""
    MEANING: dict[str, tuple[str, str]]
    """What each field of a ruleset decides, and where its values are from."""

    def presets(self) -> Sequence[Preset]:
        """The published rulesets, the default first."""

    def read_ruleset(self, preset: str, overrides: Mapping[str, Any]) -> Any:
        """A preset with some values changed. Raises RulesetRefused."""

    def write_ruleset(self, ruleset: Any) -> Doc:
        """The preset's name and the values that differ from it: what `read_ruleset` takes."""

    def show_ruleset(self, ruleset: Any) -> Doc:
        """The preset's name and every value."""

    def start(self, ruleset: Any, seats: int, first_dealer: int | None) -> Any:
        """A match before its first deal, at a table of so many seats."""

    def deal(self, state: Any, deck: Sequence[Card], seats: Sequence[int], drawn_dealer: int) -> Any:
        """The state once the next round is dealt from a deck.

        seats: those that are taken, of which the first deal keeps note. drawn_dealer: who deals first if nobody was
        named. Raises GameOver, or WrongPhase during a round.
        """

    def playing(self, state: Any) -> Sequence[int] | None:
        """The seats that play, in order; None before the first deal."""

    def apply(self, state: Any, seat: int, move: Any) -> Step:
        """The step that a seat's move makes. Raises RuleViolation; then nothing has changed."""

    def preview(self, state: Any, seat: int, move: Any) -> Doc:
        """What a legal move would leave of the mover's own hand, and nothing that the mover may not know.

        `legal`, `deadwood`, `gin`, `melds` and `deadwood_cards`. Raises RuleViolation.
        """

    def resign(self, state: Any, seat: int, seats: Sequence[int]) -> Step:
        """The step that a seat's resignation makes. seats: those that are taken. Raises GameOver."""

    def ruleset(self, state: Any) -> Any:
        """The ruleset that the match is played by."""

    def abandon(self, state: Any) -> Any:
        """The state of a match that is given up without a winner. Raises GameOver."""

    def turn(self, state: Any) -> Turn | None:
        """Who is to act; None once the match is over."""

    def end(self, state: Any) -> End | None:
        """How the match ended; None while it goes on."""

    def round_number(self, state: Any) -> int:
        """The number of the round last dealt; 0 before the first deal."""

    def view(self, state: Any, seat: int | None) -> Doc:
        """What a seat may see (None: an onlooker): `turn`, `round`, `legal_moves`, `last_round` and `score`."""

    def score(self, state: Any) -> Doc:
        """The scoreboard with its breakdown."""

    def read_move(self, doc: Doc) -> Any:
        """The move that a JSON object of the right shape says. Raises UnreadableCard."""

    def dump(self, state: Any) -> Doc:
        """The state for storage."""

    def load(self, doc: Doc) -> Any:
        """The state that `dump` wrote. Raises CorruptState."""
