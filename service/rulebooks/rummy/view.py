"""What a seat may see of a match of basic rummy, and the JSON of results and scores. Built from a whitelist."""

from service.cards.card import name
from service.cards.cardset import CardSet, names
from service.rulebooks.base import DEAL, ROUND_OVER, Doc
from service.rulebooks.public import show_public
from service.rulebooks.rummy.match import FinishedRound, Match, turn
from service.rulebooks.rummy.moves import write_move
from service.rulebooks.rummy.round import Round, legal_moves
from service.rulebooks.rummy.ruleset import Ruleset
from service.rulebooks.rummy.scoring import count, winners


def view(match: Match, seat: int | None) -> Doc:
    """What a seat may see (None: an onlooker): `turn`, `round`, `legal_moves`, `last_round` and `score`."""
    now = turn(match)
    return {
        "turn": None if now is None else {"seat": now.seat, "phase": now.phase, "deadline": None},
        "round": None if match.round is None else _round(match.round, seat, match.end is not None),
        "legal_moves": _legal(match, seat),
        "last_round": None if match.last is None else result_doc(match, match.last),
        "score": score(match),
    }


def _round(round: Round, seat: int | None, over: bool) -> Doc:
    open_to_all = over or round.phase == ROUND_OVER
    return {
        "number": round.number,
        "dealer": round.dealer,
        "stock_count": len(round.stock),
        "discard_top": name(round.discards[-1]) if round.discards else None,
        "discard_count": len(round.discards),
        "taken": None if round.taken is None else name(round.taken),
        "public": show_public(round.public),
        "hands": [_hand(round, owner, open_to_all or owner == seat) for owner in round.seats],
        "table": [
            {"meld": index, "seat": meld.seat, "cards": names(meld.cards)} for index, meld in enumerate(round.table)
        ],
    }


def _hand(round: Round, owner: int, shown: bool) -> Doc:
    hand = round.hands[owner]
    covered: Doc = {"seat": owner, "count": hand.bit_count()}
    return covered | {"cards": names(hand), "deadwood": count(hand, round.rules)} if shown else covered


def _legal(match: Match, seat: int | None) -> list[Doc]:
    now = turn(match)
    if now is None or seat is None or seat in match.gone:
        return []
    if now.phase == ROUND_OVER:
        return [{"move": {"type": DEAL}}]
    if now.seat != seat or match.round is None:
        return []
    return [{"move": write_move(move)} for move in legal_moves(match.round)]


def result_doc(match: Match, finished: FinishedRound) -> Doc:
    """A finished round: what happened, what each seat held, and its points line by line."""
    result = finished.result
    return {
        "number": finished.number,
        "dealer": finished.dealer,
        "kind": result.kind,
        "winner": finished.score.winner,
        "scores": list(finished.score.points(match.table)),
        "deadwood": [count(hand, match.rules) for hand in result.hands],
        "spreads": [_held(seat, result.hands[seat], match.rules) for seat in result.seats],
        "lines": [line.doc() for line in finished.score.lines],
    }


def _held(seat: int, hand: CardSet, rules: Ruleset) -> Doc:
    return {"seat": seat, "melds": [], "deadwood_cards": names(hand), "deadwood": count(hand, rules)}


def score(match: Match) -> Doc:
    """The scoreboard with its breakdown: the points of all rounds, and who has won."""
    totals = list(match.totals)
    return {
        "points": totals,
        "boxes": [0] * match.table,
        "totals": totals,
        "margin": None,
        "winners": list(winners(match.rules, totals, match.in_play, match.end)),
        "over": match.end is not None,
        "columns": None,
        "lines": [line.doc() for scored in match.rounds for line in scored.lines],
    }
