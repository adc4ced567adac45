"""A match as it is stored, and back. What is read is checked: a state that contradicts itself is refused, not played.

Cards are written two characters each, packed into one text a pile.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct, convert

from service.cards.arrangement import Arrangement
from service.cards.card import DECK_SIZE, NAMES, Card, card, name
from service.cards.cardset import FULL_DECK, cardset, holds, names, read_cards, read_set
from service.cards.melds import NAMES_OF, joined
from service.rulebooks.base import ROUND_OVER, Doc, End, Line
from service.rulebooks.errors import CorruptState
from service.rulebooks.fields import remembered
from service.rulebooks.gin.match import FinishedRound, Match
from service.rulebooks.gin.moves import Layoff
from service.rulebooks.gin.presets import read_ruleset, write_ruleset
from service.rulebooks.gin.round import HAND_SIZE, PHASES, STOCK_END, Round
from service.rulebooks.gin.ruleset import Ruleset
from service.rulebooks.gin.scoring import RoundScore
from service.rulebooks.gin.showdown import RoundResult
from service.rulebooks.public import pack_public, read_public

_read_ruleset = remembered(read_ruleset)
_PACKED = {meld: "".join(named) for meld, named in NAMES_OF.items()}
_UNPACKED = {packed: meld for meld, packed in _PACKED.items()}
_PHASES = (*PHASES, ROUND_OVER)
_SIZES = {None: [HAND_SIZE, HAND_SIZE], 0: [HAND_SIZE + 1, HAND_SIZE], 1: [HAND_SIZE, HAND_SIZE + 1]}
"""How many cards the hands have, by the seat that has drawn and must throw."""

Seat: TypeAlias = Literal[0, 1]
Kind: TypeAlias = Literal["knock", "gin", "big_gin", "undercut", "tie", "void", "resigned"]
Ending: TypeAlias = Literal["target", "round_limit", "resigned", "abandoned"]
StoredLine: TypeAlias = tuple[str, int, str]
"""Part, points and rule of a line; its seat is the winner's, and its round the one that it is stored with."""


class StoredRound(Struct, frozen=True, forbid_unknown_fields=True):
    """A round as it is stored. What it may not be by its types is refused as it is read."""

    number: int
    dealer: Seat
    phase: str
    turn: Seat | None
    hands: tuple[str, str]
    stock: str
    discards: str
    limit_card: str | None
    public: str
    stock_only: bool
    taken: str | None
    discard_draws: int
    knocker: Seat | None
    laid: list[str] | None


class StoredFinish(Struct, frozen=True, forbid_unknown_fields=True):
    """The last finished round as it is stored; what it was worth is the last of the match's `rounds`."""

    dealer: Seat
    knocker: Seat | None
    spreads: tuple[list[str], list[str]]
    layoffs: list[tuple[str, int]]


class StoredMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match as it is stored. rounds: of each its kind, its winner and its lines."""

    ruleset: Doc
    first_dealer: Seat | None
    round: StoredRound | None
    last: StoredFinish | None
    rounds: list[list[Kind | Seat | StoredLine | None]]
    end: tuple[Ending, Seat | None] | None


def dump(match: Match) -> Doc:
    """The match for storage."""
    return {
        "ruleset": write_ruleset(match.rules),
        "first_dealer": match.first_dealer,
        "round": None if match.round is None else _dump_round(match.round),
        "last": None if match.last is None else _dump_finished(match.last),
        "rounds": [_dump_score(scored) for scored in match.rounds],
        "end": None if match.end is None else [match.end.kind, match.end.seat],
    }


def _dump_round(round: Round) -> Doc:
    return {
        "number": round.number,
        "dealer": round.dealer,
        "phase": round.phase,
        "turn": round.turn,
        "hands": ["".join(names(hand)) for hand in round.hands],
        "stock": _pack(round.stock),
        "discards": _pack(round.discards),
        "limit_card": None if round.limit_card is None else name(round.limit_card),
        "public": pack_public(round.public),
        "stock_only": round.stock_only,
        "taken": None if round.taken is None else name(round.taken),
        "discard_draws": round.discard_draws,
        "knocker": round.knocker,
        "laid": None if round.laid is None else _dump_laid(round.laid),
    }


def _pack(cards: tuple[Card, ...]) -> str:
    return "".join([NAMES[each] for each in cards])


def _dump_laid(laid: Arrangement) -> list[str]:
    return ["".join(names(laid.unmelded)), *[_PACKED[meld] for meld in laid.melds]]


def _dump_finished(last: FinishedRound) -> Doc:
    return {
        "dealer": last.dealer,
        "knocker": last.result.knocker,
        "spreads": [_dump_laid(laid) for laid in last.result.spreads],
        "layoffs": [[name(layoff.card), layoff.meld] for layoff in last.result.layoffs],
    }


def _dump_score(scored: RoundScore) -> list[Any]:
    return [scored.kind, scored.winner, *([line.part, line.points, line.rule] for line in scored.lines)]


def load(doc: Doc) -> Match:
    """The match that `dump` wrote. Raises CorruptState if it is not one, or contradicts itself."""
    try:
        match = _load(convert(doc, StoredMatch))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
        raise CorruptState(f"not a stored match: {fault!r}") from fault
    _check_match(match)
    return match


def _load(stored: StoredMatch) -> Match:
    rules = _read_ruleset(stored.ruleset)
    rounds = tuple([_load_score(number, packed) for number, packed in enumerate(stored.rounds, 1)])
    return Match(
        rules=rules,
        first_dealer=stored.first_dealer,
        round=None if stored.round is None else _load_round(rules, stored.round),
        last=None if stored.last is None else _load_finished(stored.last, rounds),
        rounds=rounds,
        end=None if stored.end is None else End(*stored.end),
    )


def _load_round(rules: Ruleset, stored: StoredRound) -> Round:
    first, second = stored.hands
    return Round(
        rules=rules,
        number=stored.number,
        dealer=stored.dealer,
        phase=stored.phase,
        turn=stored.turn,
        hands=(read_set(first), read_set(second)),
        stock=tuple(read_cards(stored.stock)),
        discards=tuple(read_cards(stored.discards)),
        limit_card=None if stored.limit_card is None else card(stored.limit_card),
        public=read_public(stored.public),
        stock_only=stored.stock_only,
        taken=None if stored.taken is None else card(stored.taken),
        discard_draws=stored.discard_draws,
        knocker=stored.knocker,
        laid=None if stored.laid is None else _load_laid(stored.laid),
    )


def _load_laid(parts: list[str]) -> Arrangement:
    unmelded, *melds = parts
    return Arrangement(tuple([_UNPACKED[meld] for meld in melds]), read_set(unmelded))


def _load_finished(stored: StoredFinish, rounds: tuple[RoundScore, ...]) -> FinishedRound:
    first, second = stored.spreads
    score = rounds[-1]
    result = RoundResult(
        kind=score.kind,
        winner=score.winner,
        knocker=stored.knocker,
        spreads=(_load_laid(first), _load_laid(second)),
        layoffs=tuple([Layoff(card(text), meld) for text, meld in stored.layoffs]),
    )
    return FinishedRound(len(rounds), stored.dealer, result, score)


def _load_score(number: int, packed: list[Any]) -> RoundScore:
    kind, winner, *lines = packed
    if not isinstance(kind, str) or isinstance(winner, str | tuple):
        raise TypeError("a round is scored without its kind or its winner")
    if winner is None and lines:
        raise ValueError("points that nobody won")
    return RoundScore(kind, winner, tuple([_load_line(winner, number, line) for line in lines]))


def _load_line(winner: Any, number: int, line: Any) -> Line:
    if not isinstance(line, tuple):
        raise TypeError("points without a rule")
    return Line(winner, number, *line)


def _check_match(match: Match) -> None:
    """Refuse a match that no play leads to."""
    if (match.last is None) != (not match.rounds):
        raise CorruptState("the last finished round is not among the rounds")
    in_play = match.round is not None and match.round.phase != ROUND_OVER
    if match.end is not None and match.end.kind != "abandoned" and in_play:
        raise CorruptState("the match is over and a round is in play")
    if match.round is None:
        if match.rounds:
            raise CorruptState("rounds are scored and none was dealt")
        return
    _check_round(match.round)
    played = len(match.rounds) + (match.round.phase != ROUND_OVER)
    if match.round.number != played:
        raise CorruptState(f"round {match.round.number} cannot follow {len(match.rounds)} finished rounds")


def _check_round(round: Round) -> None:
    if round.phase not in _PHASES:
        raise CorruptState(f"unknown phase {round.phase!r}")
    if (round.phase == ROUND_OVER) != (round.turn is None):
        raise CorruptState(f"turn {round.turn} in the phase {round.phase}")
    first, second = round.hands
    cards = first.bit_count() + second.bit_count() + len(round.stock) + len(round.discards)
    # As many bits as a deck has cards add up to the full deck only if no two of them are the same.
    if cards != DECK_SIZE or first + second + cardset(round.stock) + cardset(round.discards) != FULL_DECK:
        raise CorruptState(f"{cards} cards that are not the deck")
    if len(round.stock) < STOCK_END:
        raise CorruptState(f"{len(round.stock)} cards are left in the stock")
    if (round.rules.knock_limit == "upcard") != (round.limit_card is not None):
        raise CorruptState("the card that sets the knock limit is missing, or nothing asks for it")
    if round.phase != ROUND_OVER:
        _check_play(round)


def _check_play(round: Round) -> None:
    """Refuse a round that is said to be in play, and that no play leads to."""
    sizes = [hand.bit_count() for hand in round.hands]
    if sizes != _SIZES[round.turn if round.phase == "discard" else None]:
        raise CorruptState(f"hands of {sizes} cards in the phase {round.phase}")
    spent = len(round.stock) == STOCK_END
    if (round.phase == "fiftieth" and not spent) or (round.phase in ("opening", "draw") and spent):
        raise CorruptState(f"{len(round.stock)} cards of the stock are left in the phase {round.phase}")
    if round.phase == "discard":
        if not round.public or round.public[-1].seat != round.turn:
            raise CorruptState("the turn in play was never begun")
        if round.taken is not None and not holds(round.hands[round.public[-1].seat], round.taken):
            raise CorruptState("the card just taken is not in the hand")
    elif round.taken is not None or not round.discards:
        raise CorruptState(f"a discard is just taken, or none is there, in the phase {round.phase}")
    _check_laid(round)


def _check_laid(round: Round) -> None:
    if round.laid is None or round.knocker is None:
        if round.phase == "spread" or round.laid is not None or round.knocker is not None:
            raise CorruptState(f"a knock is missing, or half of one is there, in the phase {round.phase}")
        return
    if round.phase != "spread" or round.turn == round.knocker:
        raise CorruptState(f"seat {round.knocker} has knocked, and seat {round.turn} is in the phase {round.phase}")
    parts = (*round.laid.melds, round.laid.unmelded)
    if joined(parts) != round.hands[round.knocker] or sum(map(int.bit_count, parts)) != HAND_SIZE:
        raise CorruptState("the knocker's hand is not what was laid out")
