"""What a seat may see of a match, and the JSON of results and scores.

Views are built from a whitelist: what is not named here cannot be seen. A hand is shown to its own seat; to everybody
once its owner has knocked, or the round is over. Of the discard pile only the top is shown.
"""

from collections.abc import Mapping

from service.cards.arrangement import Arrangement, best_arrangement
from service.cards.card import Card, name
from service.cards.cardset import CardSet, names
from service.cards.deadwood import after_each_throw
from service.rulebooks.base import DEAL, ROUND_OVER, Doc, Turn
from service.rulebooks.gin.match import FinishedRound, Match, turn
from service.rulebooks.gin.moves import Discard, Knock, Move, write_move
from service.rulebooks.gin.round import Round, legal_moves
from service.rulebooks.gin.scoreboard import Score, scoreboard
from service.rulebooks.gin.scoring import RoundScore
from service.rulebooks.gin.showdown import RoundResult
from service.rulebooks.public import show_public


def view(match: Match, seat: int | None) -> Doc:
    """What a seat may see (None: an onlooker): `turn`, `round`, `legal_moves`, `last_round` and `score`."""
    now = turn(match)
    return {
        "turn": None if now is None else {"seat": now.seat, "phase": now.phase, "deadline": None},
        "round": None if match.round is None else _round(match, match.round, seat),
        "legal_moves": _legal(match, now, seat),
        "last_round": None if match.last is None else result_doc(match.last),
        "score": score(match),
    }


def _round(match: Match, round: Round, seat: int | None) -> Doc:
    return {
        "number": round.number,
        "dealer": round.dealer,
        "knock_limit": round.knock_limit,
        "limit_card": None if round.limit_card is None else name(round.limit_card),
        "stock_count": len(round.stock),
        "discard_top": name(round.discards[-1]) if round.discards else None,
        "discard_count": len(round.discards),
        "taken": None if round.taken is None else name(round.taken),
        "public": show_public(round.public),
        "hands": [_hand(match, round, owner, seat) for owner in (0, 1)],
        "spread": None if round.laid is None else _spread(round.knocker, round.laid),
    }


def _hand(match: Match, round: Round, owner: int, seat: int | None) -> Doc:
    hand = round.hands[owner]
    if round.phase == ROUND_OVER and match.last is not None:
        return _open_hand(owner, hand, match.last.result.spreads[owner])
    if round.laid is not None and owner == round.knocker:
        return _open_hand(owner, hand, round.laid)
    if owner == seat or match.end is not None:
        return _open_hand(owner, hand, best_arrangement(hand))
    return {"seat": owner, "count": hand.bit_count()}


def _open_hand(owner: int, hand: CardSet, laid: Arrangement) -> Doc:
    return {
        "seat": owner,
        "count": hand.bit_count(),
        "cards": names(hand),
        "melds": laid.meld_names(),
        "deadwood": laid.deadwood,
    }


def _spread(seat: int | None, laid: Arrangement) -> Doc:
    return {
        "seat": seat,
        "melds": laid.meld_names(),
        "deadwood_cards": names(laid.unmelded),
        "deadwood": laid.deadwood,
    }


def _legal(match: Match, now: Turn | None, seat: int | None) -> list[Doc]:
    if now is None or seat is None:
        return []
    if now.phase == ROUND_OVER:
        return [{"move": {"type": DEAL}}]
    if now.seat != seat or match.round is None:
        return []
    moves = legal_moves(match.round)
    if now.phase != "discard":
        return [{"move": write_move(move)} for move in moves]
    left = after_each_throw(match.round.hands[seat])
    return [_throw(move, left) for move in moves]


def _throw(move: Move, left: Mapping[Card, int]) -> Doc:
    """A throw, a knock or big gin as it is listed, with what the cards kept count."""
    count = left[move.card] if isinstance(move, Discard) else left[move.discard] if isinstance(move, Knock) else 0
    return {"move": write_move(move), "deadwood": count, "gin": count == 0}


def result_doc(finished: FinishedRound) -> Doc:
    """A finished round: what happened, both hands as laid out, and its points line by line."""
    place = {"number": finished.number, "dealer": finished.dealer}
    return place | result_parts(finished.result, finished.score)


def result_parts(result: RoundResult, scored: RoundScore) -> Doc:
    """What happened in a round and what it was worth."""
    return {
        "kind": result.kind,
        "winner": result.winner,
        "points": scored.points,
        "deadwood": list(result.deadwood),
        "knocker": result.knocker,
        "spreads": [_spread(seat, laid) for seat, laid in enumerate(result.spreads)],
        "layoffs": [
            {"seat": 1 - result.knocker, "card": name(layoff.card), "meld": layoff.meld}
            for layoff in result.layoffs
            if result.knocker is not None
        ],
        "lines": [line.doc() for line in scored.lines],
    }


def score(match: Match) -> Doc:
    """The scoreboard with its breakdown."""
    return score_doc(scoreboard(match.rules, match.rounds, match.end))


def score_doc(score: Score) -> Doc:
    """The JSON of a scoreboard; columns are scoreboards without columns."""
    return {
        "points": list(score.points),
        "boxes": list(score.boxes),
        "totals": list(score.totals),
        "margin": score.margin,
        "winners": list(score.winners),
        "over": score.over,
        "columns": None if score.columns is None else [score_doc(column) for column in score.columns],
        "lines": [line.doc() for line in score.lines],
    }
