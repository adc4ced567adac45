"""A match of gin rummy: rounds dealt one after the other, until a seat reaches the target, resigns, or nobody can."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.cards.card import Card
from service.cards.shuffle import CHAIN
from service.rulebooks.base import DEAL, ROUND_OVER, End, Turn
from service.rulebooks.errors import GameOver, WrongPhase
from service.rulebooks.gin.moves import TYPES, Move
from service.rulebooks.gin.round import Played, Round, dealt, over, play
from service.rulebooks.gin.ruleset import Ruleset
from service.rulebooks.gin.scoreboard import leader, reached_target
from service.rulebooks.gin.scoring import RoundScore, price
from service.rulebooks.gin.showdown import RoundResult, settle_unknocked

SEATS = (0, 1)
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

    round: the one in play or, after its end, the last one. rounds: what each finished round was worth, in order.
    """

    rules: Ruleset
    first_dealer: int | None
    round: Round | None = None
    last: FinishedRound | None = None
    rounds: tuple[RoundScore, ...] = ()
    end: End | None = None


def start(ruleset: Ruleset, seats: int, first_dealer: int | None) -> Match:
    """A match before its first deal. seats: 2. first_dealer: None if the shuffle is to draw it."""
    assert seats == len(SEATS)
    return Match(ruleset, first_dealer)


def turn(match: Match) -> Turn | None:
    """Who is to act; None once the match is over."""
    if match.end is not None:
        return None
    if match.round is None:
        return Turn(None, ROUND_OVER)
    return Turn(match.round.turn, match.round.phase)


def deal(match: Match, deck: Sequence[Card], seats: Sequence[int], drawn_dealer: int) -> Match:
    """The match with its next round dealt. seats: both. Raises GameOver, or WrongPhase during a round."""
    if match.end is not None:
        raise GameOver
    if match.round is not None and match.round.phase != ROUND_OVER:
        raise WrongPhase(DEAL, match.round.phase)
    assert tuple(seats) == SEATS
    dealer = _next_dealer(match, drawn_dealer)
    return replace(match, round=dealt(match.rules, len(match.rounds) + 1, dealer, deck))


def _next_dealer(match: Match, drawn_dealer: int) -> int:
    """Who deals next. Source: the ruleset's `next_dealer` and, after a round that nobody won, `void_dealer`."""
    if match.last is None:
        return drawn_dealer if match.first_dealer is None else match.first_dealer
    last, winner = match.last.dealer, match.last.score.winner
    if winner is None:
        return last if match.rules.void_dealer == "same" else 1 - last
    return {"alternate": 1 - last, "winner": winner, "loser": 1 - winner}[match.rules.next_dealer]


def submit(match: Match, seat: int, move: Move) -> tuple[Match, Played]:
    """The match after a seat's move, and how the round took it. Raises RuleViolation; then nothing has changed."""
    if match.end is not None:
        raise GameOver
    if match.round is None:
        raise WrongPhase(TYPES[type(move)], ROUND_OVER)
    played = play(match.round, seat, move)
    moved = replace(match, round=played.round)
    if played.result is None:
        return moved, played
    finished = _finish(moved, played.round, played.result)
    return replace(finished, end=end_after(finished.rules, finished.rounds)), played


def _finish(match: Match, round: Round, result: RoundResult) -> Match:
    scored = price(result, round.number, match.rules, round.limit_card)
    last = FinishedRound(round.number, round.dealer, result, scored)
    return replace(match, last=last, rounds=(*match.rounds, scored))


def end_after(rules: Ruleset, rounds: Sequence[RoundScore]) -> End | None:
    """The end that the last of some finished rounds brings: at the target, or at the most rounds there can be."""
    end = reached_target(rules, rounds)
    if end is None and len(rounds) >= MOST_ROUNDS:
        return End("round_limit", leader(rules, rounds))
    return end


def playing(match: Match) -> tuple[int, ...] | None:
    """The seats that play; None before the first deal."""
    return None if match.round is None else SEATS


def abandoned(match: Match) -> Match:
    """The match given up without a winner. Raises GameOver."""
    if match.end is not None:
        raise GameOver
    return replace(match, end=End("abandoned", None))


def resigned(match: Match, seat: int) -> Match:
    """The match once a seat has given up: the other wins it, and a round in play ends without a winner.

    Raises GameOver.
    """
    if match.end is not None:
        raise GameOver
    if match.round is not None and match.round.phase != ROUND_OVER:
        result = settle_unknocked("resigned", match.round.hands)
        match = _finish(replace(match, round=over(match.round)), match.round, result)
    return replace(match, end=End("resigned", 1 - seat))
