"""High card, the smallest game there is: two seats, one card each, and the higher one wins the round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service.cards.card import Card, card, name, rank
from service.rulebooks.base import DEAL, ROUND_OVER, Doc, End, Event, Line, Preset, Step, Turn
from service.rulebooks.errors import CorruptState, GameOver, NotYourTurn, RulesetRefused, WrongPhase
from service.rulebooks.fields import Values, check_ranges

# --- What the game is called, and what can be set ---

NAME = "highcard"
TITLE = "High card"
SEATS = (2, 2)
REVISION = 1
RECORDED = ("kind", "winner")
SEEN = {"show": (), "resign": ()}
FIELDS = {"target": Values(least=1, most=100)}
MEANING = {"target": ("How many rounds win the match.", "this page")}


def presets() -> Sequence[Preset]:
    return (Preset("standard", "this page", "The higher card wins; three rounds win the match.", {"target": 3}),)


@dataclass(frozen=True, slots=True)
class Ruleset:
    preset: str
    target: int


def read_ruleset(preset: str, overrides: Mapping[str, Any]) -> Ruleset:
    if preset != "standard" or overrides.keys() - FIELDS.keys():
        raise RulesetRefused("preset", "must be standard, with no other field than target")
    values = presets()[0].values | overrides
    check_ranges(FIELDS, values)
    return Ruleset(preset, values["target"])


def write_ruleset(ruleset: Ruleset) -> Doc:
    return {"preset": ruleset.preset} | ({} if ruleset.target == 3 else {"target": ruleset.target})


def show_ruleset(ruleset: Ruleset) -> Doc:
    return {"preset": ruleset.preset, "target": ruleset.target}


# --- The match: frozen data, and functions from one state to the next ---


@dataclass(frozen=True, slots=True)
class Match:
    """hands: the card of each seat, none before the first deal. winners: of the finished rounds."""

    rules: Ruleset
    first_dealer: int | None
    dealer: int | None = None
    hands: tuple[Card, ...] = ()
    covered: bool = False
    winners: tuple[int | None, ...] = ()
    end: End | None = None


def start(ruleset: Ruleset, seats: int, first_dealer: int | None) -> Match:
    return Match(ruleset, first_dealer)


def deal(match: Match, deck: Sequence[Card], seats: Sequence[int], drawn_dealer: int) -> Match:
    if match.end is not None:
        raise GameOver
    if match.covered:
        raise WrongPhase(DEAL, "show")
    first = drawn_dealer if match.first_dealer is None else match.first_dealer
    dealer = first if match.dealer is None else 1 - match.dealer
    return replace(match, dealer=dealer, hands=tuple(deck[:2]), covered=True)


def playing(match: Match) -> Sequence[int] | None:
    return (0, 1) if match.hands else None


def apply(match: Match, seat: int, move: str) -> Step:
    now = turn(match)
    if now is None:
        raise GameOver
    if now.seat is None:
        raise WrongPhase(move, now.phase)
    if now.seat != seat:
        raise NotYourTurn(now.seat)
    winner = max((0, 1), key=lambda each: rank(match.hands[each]))
    tied = rank(match.hands[0]) == rank(match.hands[1])
    shown = replace(match, covered=False, winners=(*match.winners, None if tied else winner))
    if not tied and shown.winners.count(winner) == match.rules.target:
        shown = replace(shown, end=End("target", winner))
    return Step(shown, Event(seat, {"type": move}, result(shown, "shown")))


def preview(match: Match, seat: int, move: str) -> Doc:
    apply(match, seat, move)
    return {"legal": True, "deadwood": None, "gin": False, "melds": [], "deadwood_cards": []}


def resign(match: Match, seat: int, seats: Sequence[int]) -> Step:
    if match.end is not None:
        raise GameOver
    left = replace(match, covered=False, end=End("resigned", 1 - seat))
    if not match.covered:
        return Step(left, Event(seat, {"type": "resign"}))
    left = replace(left, winners=(*match.winners, None))
    return Step(left, Event(seat, {"type": "resign"}, result(left, "resigned")))


def abandon(match: Match) -> Match:
    return replace(match, covered=False, end=End("abandoned", None))


def ruleset(match: Match) -> Ruleset:
    return match.rules


def turn(match: Match) -> Turn | None:
    if match.end is not None:
        return None
    return Turn(1 - match.dealer, "show") if match.covered and match.dealer is not None else Turn(None, ROUND_OVER)


def end(match: Match) -> End | None:
    return match.end


def round_number(match: Match) -> int:
    return len(match.winners) + match.covered


# --- What a seat sees ---


def view(match: Match, seat: int | None) -> Doc:
    now = turn(match)
    legal = [] if now is None or seat is None else [DEAL] if now.seat is None else ["show"] if now.seat == seat else []
    return {
        "turn": None if now is None else {"seat": now.seat, "phase": now.phase, "deadline": None},
        "round": _round(match, seat) if match.hands else None,
        "legal_moves": [{"move": {"type": kind}} for kind in legal],
        "last_round": result(match, "shown") if match.winners and not match.covered else None,
        "score": score(match),
    }


def _round(match: Match, seat: int | None) -> Doc:
    hands = [
        {"seat": owner} | ({"card": name(held)} if owner == seat or not match.covered else {})
        for owner, held in enumerate(match.hands)
    ]
    return {"number": round_number(match), "dealer": match.dealer, "hands": hands}


def result(match: Match, kind: str) -> Doc:
    return {
        "number": len(match.winners),
        "dealer": match.dealer,
        "kind": kind,
        "winner": match.winners[-1],
        "spreads": [{"seat": seat, "card": name(held)} for seat, held in enumerate(match.hands)],
    }


def score(match: Match) -> Doc:
    lines = [Line(seat, at, "round", 1, "target") for at, seat in enumerate(match.winners, 1) if seat is not None]
    winner = None if match.end is None else match.end.seat
    return {
        "totals": [match.winners.count(seat) for seat in (0, 1)],
        "winners": [] if winner is None else [winner],
        "over": match.end is not None,
        "lines": [line.doc() for line in lines],
    }


# --- Moves and states as JSON ---


def read_move(doc: Doc) -> str:
    if doc["type"] != "show":
        raise ValueError(f"high card has no move of the type {doc['type']!r}")
    return "show"


def dump(match: Match) -> Doc:
    return {
        "ruleset": write_ruleset(match.rules),
        "first_dealer": match.first_dealer,
        "dealer": match.dealer,
        "hands": [name(held) for held in match.hands],
        "covered": match.covered,
        "winners": match.winners,
        "end": None if match.end is None else [match.end.kind, match.end.seat],
    }


def load(doc: Doc) -> Match:
    try:
        values = dict(doc["ruleset"])
        return Match(
            rules=read_ruleset(values.pop("preset"), values),
            first_dealer=doc["first_dealer"],
            dealer=doc["dealer"],
            hands=tuple(card(held) for held in doc["hands"]),
            covered=doc["covered"],
            winners=tuple(doc["winners"]),
            end=None if doc["end"] is None else End(*doc["end"]),
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise CorruptState(f"not a stored match: {fault!r}") from fault
