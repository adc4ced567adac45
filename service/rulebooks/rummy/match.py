"""A match of basic rummy: rounds dealt one after the other, until a seat reaches the target or one seat is left."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.cards.card import Card
from service.cards.shuffle import CHAIN
from service.rulebooks.base import DEAL, ROUND_OVER, End, Turn
from service.rulebooks.errors import GameOver, WrongPhase
from service.rulebooks.rummy import round as rounds
from service.rulebooks.rummy.moves import TYPES, Move
from service.rulebooks.rummy.round import Played, Round, RoundResult, dealt
from service.rulebooks.rummy.ruleset import Ruleset
from service.rulebooks.rummy.scoring import RoundScore, added, leaders, price

MOST_ROUNDS = CHAIN
"""A match has at most as many rounds as its verifiable shuffle can deal."""


class FinishedRound(Struct, frozen=True):
    """The last finished round: its facts and what they were worth."""

    number: int
    dealer: int
    result: RoundResult
    score: RoundScore


class Match(Struct, frozen=True):
    """A match at any point.

    table: how many seats there are. seats: those that play, None before the first deal or resignation. gone: those of
    them that have resigned. round: the one in play or, after its end, the last one. rounds: what each was worth.
    """

    rules: Ruleset
    table: int
    first_dealer: int | None
    seats: tuple[int, ...] | None = None
    gone: tuple[int, ...] = ()
    round: Round | None = None
    last: FinishedRound | None = None
    rounds: tuple[RoundScore, ...] = ()
    end: End | None = None

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that play and have not resigned; none before the first deal."""
        return tuple(seat for seat in self.seats or () if seat not in self.gone)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat of the table so far."""
        return added([line for scored in self.rounds for line in scored.lines], self.table)


def start(ruleset: Ruleset, seats: int, first_dealer: int | None) -> Match:
    """A match before its first deal, at a table of so many seats. first_dealer: None if the shuffle is to draw it."""
    return Match(ruleset, seats, first_dealer)


def turn(match: Match) -> Turn | None:
    """Who is to act; None once the match is over."""
    if match.end is not None:
        return None
    if match.round is None:
        return Turn(None, ROUND_OVER)
    return Turn(match.round.turn, match.round.phase)


def playing(match: Match) -> tuple[int, ...] | None:
    """The seats that are dealt to, in order; None before the first deal."""
    return None if match.seats is None else match.in_play


def deal(match: Match, deck: Sequence[Card], seats: Sequence[int], drawn_dealer: int) -> Match:
    """The match with its next round dealt. seats: those that are taken, which the first deal keeps.

    A first dealer who was named and whose seat stayed open passes the deal on to the left.
    Raises GameOver, or WrongPhase during a round.
    """
    if match.end is not None:
        raise GameOver
    if match.round is not None and match.round.phase != ROUND_OVER:
        raise WrongPhase(DEAL, match.round.phase)
    seated = _seated(match, seats)
    dealer = _dealer(seated, drawn_dealer)
    number = len(match.rounds) + 1
    return replace(seated, round=dealt(match.rules, number, dealer, deck, seats=seated.in_play, table=match.table))


def _seated(match: Match, seats: Sequence[int]) -> Match:
    return match if match.seats is not None else replace(match, seats=tuple(seats))


def _dealer(match: Match, drawn_dealer: int) -> int:
    """Who deals: the first time the named or drawn seat, then the next to the left of the last dealer."""
    if match.last is None:
        first = drawn_dealer if match.first_dealer is None else match.first_dealer
        return _from(match, first)
    return _from(match, match.last.dealer + 1)


def _from(match: Match, seat: int) -> int:
    """The first seat in play, from one on clockwise."""
    return next((other for other in match.in_play if other >= seat), match.in_play[0])


def submit(match: Match, seat: int, move: Move) -> Match:
    """The match after a seat's move. Raises RuleViolation; then nothing has changed."""
    if match.end is not None:
        raise GameOver
    if match.round is None:
        raise WrongPhase(TYPES[type(move)], ROUND_OVER)
    return _after(match, rounds.play(match.round, seat, move))


def resigned(match: Match, seat: int, seats: Sequence[int]) -> Match:
    """The match once a seat has given up: it is skipped from then on, and the last one left wins.

    seats: those that are taken, which count if nothing was dealt yet. Raises GameOver.
    """
    if match.end is not None:
        raise GameOver
    left = replace(_seated(match, seats), gone=(*match.gone, seat))
    if left.round is not None and left.round.phase != ROUND_OVER:
        left = _after(left, rounds.resigned(left.round, seat))
    if len(left.in_play) == 1:
        return replace(left, end=End("resigned", left.in_play[0]))
    return left


def abandoned(match: Match) -> Match:
    """The match given up without a winner. Raises GameOver."""
    if match.end is not None:
        raise GameOver
    return replace(match, end=End("abandoned", None))


def _after(match: Match, played: Played) -> Match:
    moved = replace(match, round=played.round)
    if played.result is None:
        return moved
    number = len(match.rounds) + 1
    scored = price(played.result, number, match.rules)
    last = FinishedRound(number, played.round.dealer, played.result, scored)
    finished = replace(moved, last=last, rounds=(*match.rounds, scored))
    return replace(finished, end=_end(finished))


def _end(match: Match) -> End | None:
    """The end that the last round brings: at the target, or at the most rounds there can be."""
    reached = any(total >= match.rules.target for total in match.totals)
    if not reached and len(match.rounds) < MOST_ROUNDS:
        return None
    first, *others = leaders(match.rules, match.totals, match.in_play)
    return End("target" if reached else "round_limit", None if others else first)
