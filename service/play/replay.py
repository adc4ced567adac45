"""Replaying records through the engine, to see whether a file says what the rules say.

RecordFault      where, reason
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.cards.card import DECK_SIZE, Card, card
from service.play.record import FORMAT
from service.rulebooks.base import Doc, Rulebook
from service.rulebooks.errors import RulesetRefused, RuleViolation
from service.rulebooks.registry import RULEBOOKS

RESIGN = "resign"


@dataclass(eq=False)
class RecordFault(Exception):
    """The record cannot be played. where: such as `round 2, move 5`; empty for the record itself."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where else self.reason


@dataclass(frozen=True, slots=True)
class Difference:
    """What a record says of a round, and what the engine says."""

    round: int
    part: str
    recorded: Any
    played: Any

    def __str__(self) -> str:
        return f"round {self.round}: {self.part} is {self.played!r} by the rules, the record says {self.recorded!r}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the engine made of a record: the results of its rounds, the score, and where the record differs."""

    results: tuple[Doc, ...]
    score: Doc
    differences: tuple[Difference, ...]


def replay(record: Any) -> Replayed:
    """Play a record (`upcard-record/1`) through the engine. Raises RecordFault if it cannot be played."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordFault("", f"the format is not {FORMAT}")
    rulebook = RULEBOOKS.get(str(record.get("game")))
    rounds = record.get("rounds")
    if rulebook is None or not isinstance(rounds, list):
        raise RecordFault("", "there is no such game, or no list of rounds")
    state = _start(rulebook, record, rounds)
    results: list[Doc] = []
    differences: list[Difference] = []
    for number, recorded in enumerate(rounds, 1):
        try:
            state, result = _play_round(rulebook, state, recorded, number)
            differences += _differences(rulebook, number, recorded, result)
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise RecordFault(f"round {number}", f"cannot be read: {fault!r}") from fault
        results.append(result)
    return Replayed(tuple(results), rulebook.score(state), tuple(differences))


def _start(rulebook: Rulebook, record: Doc, rounds: list[Doc]) -> Any:
    try:
        values = dict(record["ruleset"])
        ruleset = rulebook.read_ruleset(values.pop("preset"), values)
        first_dealer = rounds[0]["dealer"] if rounds else None
        seats = _seats(rulebook, rounds[0]) if rounds else ()
    except RulesetRefused as refused:
        raise RecordFault("ruleset", str(refused)) from refused
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise RecordFault("", f"cannot be read: {fault!r}") from fault
    if rounds and not _is_seat(first_dealer, seats):
        raise RecordFault("round 1", f"there is no seat {first_dealer!r} to deal")
    return rulebook.start(ruleset, _table(rulebook, record, seats), first_dealer)


def _table(rulebook: Rulebook, record: Doc, seats: Sequence[int]) -> int:
    """How many seats the table has; where the record does not say, as many as the first round needs."""
    fewest, most = rulebook.SEATS
    needed = max(seats, default=fewest - 1) + 1
    table = record.get("table", needed)
    if type(table) is not int or not needed <= table <= most:
        raise RecordFault("", f"the seats {list(seats)} do not fit a table of {table!r}")
    return table


def _seats(rulebook: Rulebook, recorded: Doc) -> tuple[int, ...]:
    """The seats that a recorded round was dealt to; where it does not say, as many as the game has at least."""
    fewest, most = rulebook.SEATS
    seats = tuple(recorded.get("seats", range(fewest)))
    if not fewest <= len(seats) <= most or list(seats) != sorted(set(seats) & set(range(most))):
        raise ValueError(f"{seats} are not seats of this game")
    return seats


def _is_seat(value: Any, seats: Sequence[int]) -> bool:
    return type(value) is int and value in seats


def _play_round(rulebook: Rulebook, state: Any, recorded: Doc, number: int) -> tuple[Any, Doc]:
    """The state after a recorded round, and its result by the rules. A seat that is dealt to no more has resigned.

    Raises RecordFault.
    """
    seats = _seats(rulebook, recorded)
    try:
        for gone in sorted(set(rulebook.playing(state) or ()) - set(seats)):
            state = rulebook.resign(state, gone, seats).state
        state = rulebook.deal(state, _deck(recorded, number), seats, 0)
    except RuleViolation as refused:
        raise RecordFault(f"round {number}", f"the rules refuse it: {refused}") from refused
    dealt = rulebook.view(state, None)["round"]
    if recorded["dealer"] != dealt["dealer"]:
        raise RecordFault(
            f"round {number}", f"seat {dealt['dealer']} deals by the rules, not seat {recorded['dealer']!r}"
        )
    result: Doc | None = None
    for index, recorded_move in enumerate(recorded["moves"], 1):
        where = f"round {number}, move {index}"
        if result is not None:
            raise RecordFault(where, "the round is over before it")
        move = dict(recorded_move)
        seat = move.pop("seat")
        if not _is_seat(seat, seats):
            raise RecordFault(where, f"there is no seat {seat!r}")
        try:
            step = (
                rulebook.resign(state, seat, seats)
                if move["type"] == RESIGN
                else rulebook.apply(state, seat, rulebook.read_move(move))
            )
        except RuleViolation as refused:
            raise RecordFault(where, f"the rules refuse it: {refused}") from refused
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise RecordFault(where, f"cannot be read: {fault!r}") from fault
        state, result = step.state, step.event.result
    if result is None:
        raise RecordFault(f"round {number}", "it is not over after its last move")
    return state, result


def _deck(recorded: Doc, number: int) -> tuple[Card, ...]:
    deck = tuple(card(text) for text in recorded["deck"])
    if len(deck) != DECK_SIZE or len(set(deck)) != DECK_SIZE:
        raise RecordFault(f"round {number}", "the deck is not the 52 cards, each once")
    return deck


def _differences(rulebook: Rulebook, number: int, recorded: Doc, result: Doc) -> list[Difference]:
    said = dict(recorded.get("result") or {})
    return [
        Difference(number, part, said[part], result[part])
        for part in rulebook.RECORDED
        if part in said and said[part] != result[part]
    ]
