"""A match of basic rummy as it is stored, and back; a state that contradicts itself is refused."""

from typing import Any, Literal, TypeAlias

from msgspec import Struct, convert

from service.cards.card import DECK_SIZE, card, name
from service.cards.cardset import CardSet, cardset, holds, names, read_cards, read_set
from service.cards.melds import joined
from service.rulebooks.base import ROUND_OVER, Doc, End, Line
from service.rulebooks.errors import CorruptState
from service.rulebooks.fields import remembered
from service.rulebooks.public import pack_public, read_public
from service.rulebooks.rummy.match import FinishedRound, Match
from service.rulebooks.rummy.melds import is_rummy_meld
from service.rulebooks.rummy.round import PHASES, Round, RoundResult, TableMeld
from service.rulebooks.rummy.ruleset import Ruleset, read_ruleset, write_ruleset
from service.rulebooks.rummy.scoring import RoundScore

_read_ruleset = remembered(read_ruleset)

Kind: TypeAlias = Literal["out", "rummy", "blocked", "resigned"]
Ending: TypeAlias = Literal["target", "round_limit", "resigned", "abandoned"]
StoredLine: TypeAlias = tuple[int, str, int, str]
"""Seat, part, points and rule of a line; its round is the one that it is stored with."""


class StoredRound(Struct, frozen=True, forbid_unknown_fields=True):
    """A round as it is stored. What it may not be by its types is refused as it is read."""

    number: int
    dealer: int
    phase: str
    turn: int | None
    seats: tuple[int, ...]
    gone: tuple[int, ...]
    hands: list[str]
    stock: str
    discards: str
    table: list[tuple[int, str]]
    public: str
    taken: str | None
    melded: bool
    laid_off: bool
    begun: tuple[int, ...]
    takes: int
    turned: int


class StoredFinish(Struct, frozen=True, forbid_unknown_fields=True):
    """The last finished round as it is stored; what it was worth is the last of the match's `rounds`."""

    dealer: int
    out: int | None
    seats: tuple[int, ...]
    gone: tuple[int, ...]
    hands: list[str]


class StoredMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match as it is stored. rounds: of each its kind, its winner and its lines."""

    ruleset: Doc
    table: int
    first_dealer: int | None
    seats: tuple[int, ...] | None
    gone: tuple[int, ...]
    round: StoredRound | None
    last: StoredFinish | None
    rounds: list[list[Kind | int | StoredLine | None]]
    end: tuple[Ending, int | None] | None


def dump(match: Match) -> Doc:
    """The match for storage."""
    return {
        "ruleset": write_ruleset(match.rules),
        "table": match.table,
        "first_dealer": match.first_dealer,
        "seats": match.seats,
        "gone": match.gone,
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
        "seats": round.seats,
        "gone": round.gone,
        "hands": [_pack(hand) for hand in round.hands],
        "stock": "".join(map(name, round.stock)),
        "discards": "".join(map(name, round.discards)),
        "table": [[meld.seat, _pack(meld.cards)] for meld in round.table],
        "public": pack_public(round.public),
        "taken": None if round.taken is None else name(round.taken),
        "melded": round.melded,
        "laid_off": round.laid_off,
        "begun": round.begun,
        "takes": round.takes,
        "turned": round.turned,
    }


def _pack(hand: CardSet) -> str:
    return "".join(names(hand))


def _dump_finished(last: FinishedRound) -> Doc:
    result = last.result
    return {
        "dealer": last.dealer,
        "out": result.out,
        "seats": result.seats,
        "gone": result.gone,
        "hands": [_pack(hand) for hand in result.hands],
    }


def _dump_score(scored: RoundScore) -> list[Any]:
    lines = ([line.seat, line.part, line.points, line.rule] for line in scored.lines)
    return [scored.kind, scored.winner, *lines]


def load(doc: Doc) -> Match:
    """The match that `dump` wrote. Raises CorruptState if it is not one, or contradicts itself."""
    try:
        match = _load(convert(doc, StoredMatch))
        _check_match(match)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
        raise CorruptState(f"not a stored match: {fault!r}") from fault
    return match


def _load(stored: StoredMatch) -> Match:
    rules = _read_ruleset(stored.ruleset)
    rounds = tuple([_load_score(number, packed) for number, packed in enumerate(stored.rounds, 1)])
    return Match(
        rules=rules,
        table=stored.table,
        first_dealer=stored.first_dealer,
        seats=stored.seats,
        gone=stored.gone,
        round=None if stored.round is None else _load_round(rules, stored.round),
        last=None if stored.last is None else _load_finished(stored.last, rounds),
        rounds=rounds,
        end=None if stored.end is None else End(*stored.end),
    )


def _load_round(rules: Ruleset, stored: StoredRound) -> Round:
    return Round(
        rules=rules,
        number=stored.number,
        dealer=stored.dealer,
        phase=stored.phase,
        turn=stored.turn,
        seats=stored.seats,
        gone=stored.gone,
        hands=tuple(map(read_set, stored.hands)),
        stock=tuple(read_cards(stored.stock)),
        discards=tuple(read_cards(stored.discards)),
        table=tuple([TableMeld(seat, read_set(cards)) for seat, cards in stored.table]),
        public=read_public(stored.public),
        taken=None if stored.taken is None else card(stored.taken),
        melded=stored.melded,
        laid_off=stored.laid_off,
        begun=stored.begun,
        takes=stored.takes,
        turned=stored.turned,
    )


def _load_finished(stored: StoredFinish, rounds: tuple[RoundScore, ...]) -> FinishedRound:
    score = rounds[-1]
    result = RoundResult(
        kind=score.kind,
        out=stored.out,
        seats=stored.seats,
        gone=stored.gone,
        hands=tuple(map(read_set, stored.hands)),
    )
    return FinishedRound(len(rounds), stored.dealer, result, score)


def _load_score(number: int, packed: list[Any]) -> RoundScore:
    kind, winner, *lines = packed
    if not isinstance(kind, str) or isinstance(winner, str | tuple):
        raise TypeError("a round is scored without its kind or its winner")
    return RoundScore(kind, winner, tuple([_load_line(number, line) for line in lines]))


def _load_line(number: int, line: Any) -> Line:
    if not isinstance(line, tuple):
        raise TypeError("points without a rule")
    seat, part, points, rule = line
    return Line(seat, number, part, points, rule)


def _check_match(match: Match) -> None:
    """Refuse a match that no play leads to."""
    if (match.last is None) != (not match.rounds):
        raise CorruptState("the last finished round is not among the rounds")
    _check_seats(match)
    if match.last is not None:
        _check_last(match.last.dealer, match.last.result, match)
    if match.end is not None:
        _check_end(match.end, match)
    if match.round is None:
        if match.rounds:
            raise CorruptState("rounds are scored and none was dealt")
        return
    _check_round(match.round, match.table)
    played = len(match.rounds) + (match.round.phase != ROUND_OVER)
    if match.round.number != played:
        raise CorruptState(f"round {match.round.number} cannot follow {len(match.rounds)} finished rounds")


def _check_seats(match: Match) -> None:
    seated = set(match.seats or ())
    dealt = set() if match.round is None else set(match.round.seats)
    if not seated <= set(range(match.table)) or not dealt | set(match.gone) <= seated:
        raise CorruptState(f"seats {match.seats} at a table of {match.table}, with others dealt to or gone")
    for number, scored in enumerate(match.rounds, 1):
        if not {*(line.seat for line in scored.lines), *_known(scored.winner)} <= seated:
            raise CorruptState(f"round {number} is scored for somebody else than seats {match.seats}")


def _check_last(dealer: int, result: RoundResult, match: Match) -> None:
    if not {dealer, *result.gone, *_known(result.out)} <= set(result.seats) or not set(result.seats) <= set(
        match.seats or ()
    ):
        raise CorruptState(f"seats {result.seats} in the last round, of {match.seats}")
    if len(result.hands) != match.table:
        raise CorruptState(f"{len(result.hands)} hands at the end of a round at a table of {match.table}")


def _check_end(end: End, match: Match) -> None:
    if match.round is not None and match.round.phase != ROUND_OVER and end.kind != "abandoned":
        raise CorruptState("the match is over and a round is in play")
    if not _known(end.seat) <= set(match.in_play):
        raise CorruptState(f"seat {end.seat} has won and is not in play")


def _known(seat: int | None) -> set[int]:
    return set() if seat is None else {seat}


def _check_round(round: Round, table: int) -> None:
    if round.phase not in PHASES and round.phase != ROUND_OVER:
        raise CorruptState(f"unknown phase {round.phase!r}")
    if (round.phase == ROUND_OVER) != (round.turn is None):
        raise CorruptState(f"turn {round.turn} in the phase {round.phase}")
    laid = {meld.seat for meld in round.table}
    if len(round.hands) != table or not {round.dealer, *round.gone, *round.begun, *laid} <= set(round.seats):
        raise CorruptState(f"seats {round.seats} at a table of {table}")
    if round.turn is not None and round.turn not in round.in_play:
        raise CorruptState(f"seat {round.turn} is not in play")
    _check_cards(round)
    if round.phase == "draw":
        _check_draw(round)
    if round.phase == "play":
        _check_play(round)


def _check_cards(round: Round) -> None:
    piles = [*round.hands, *(meld.cards for meld in round.table), cardset(round.stock), cardset(round.discards)]
    cards = sum(map(int.bit_count, piles[:-2])) + len(round.stock) + len(round.discards)
    distinct = 0
    for pile in piles:
        distinct |= pile
    if cards != DECK_SIZE or distinct.bit_count() != DECK_SIZE:
        raise CorruptState(f"{cards} cards that are not the deck")
    if not all(is_rummy_meld(meld.cards, round.high_ace) for meld in round.table):
        raise CorruptState("what lies on the table is no meld")


def _check_draw(round: Round) -> None:
    if not round.stock:
        raise CorruptState("a turn began without a stock")
    if round.taken is not None or round.melded or round.laid_off:
        raise CorruptState("cards were taken or laid before the draw")


def _check_play(round: Round) -> None:
    if not round.public or round.public[-1].seat != round.turn:
        raise CorruptState("the turn in play was never begun")
    owned = round.hands[round.public[-1].seat] | joined(tuple(meld.cards for meld in round.table))
    if round.taken is not None and not holds(owned, round.taken):
        raise CorruptState("the card just taken is neither in the hand nor on the table")
