"""The players: greedy ones that knock, some that wait for gin, and some that come where players hardly ever come."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from service.cards.card import POINTS, Card
from service.cards.cardset import CardSet, cards_in, holds
from service.cards.deadwood import best_throws, deadwood
from service.cards.melds import is_meld, melds_in
from service.rulebooks.gin.moves import BigGin, Discard, Draw, Knock, Layoff, Move, NamedMelds, Pass, Spread
from service.rulebooks.gin.round import Round
from tests.oracle.legal import Legal

Player: TypeAlias = Callable[[Round, Sequence[Legal], Random], Move]
TAKE, STOCK = Draw("discard"), Draw("stock")


def greedy(round: Round, legal: Sequence[Legal], chance: Random) -> Move:
    """Takes what lowers its deadwood, knocks as soon as it may, lays off all that helps."""
    if round.phase == "discard":
        return _end(legal) or _least(legal)
    if round.phase == "spread":
        return Spread()
    return _take_if_it_helps(round, legal)


def gin_seeker(round: Round, legal: Sequence[Legal], chance: Random) -> Move:
    """As greedy, but knocks with deadwood only once in a while."""
    if round.phase == "discard" and not round.knock_must_follow:
        ending = _end(legal)
        gin = any(each.deadwood == 0 and not isinstance(each.move, Discard) for each in legal)
        return ending if ending is not None and (gin or chance.random() < 0.02) else _least(legal)
    return greedy(round, legal, chance)


def wild(round: Round, legal: Sequence[Legal], chance: Random) -> Move:
    """Draws anywhere, throws mostly well, knocks by any legal knock, names melds of its own and lays off anything."""
    if round.phase == "spread":
        return _any_spread(round, chance)
    if round.phase != "discard":
        return chance.choice(legal).move
    discards = [each for each in legal if isinstance(each.move, Discard)]
    endings = [each for each in legal if not isinstance(each.move, Discard)]
    if endings and (not discards or chance.random() < 0.6):
        return _with_melds(round, chance.choice(endings).move, chance)
    return _least(legal) if chance.random() < 0.8 else chance.choice(discards).move


def staller(round: Round, legal: Sequence[Legal], chance: Random) -> Move:
    """Draws from the stock, never knocks before its end, then knocks if it may."""
    moves = [each.move for each in legal]
    if round.phase == "discard" and not round.knock_must_follow:
        return _least(legal)
    if round.phase in {"opening", "draw"}:
        return Pass() if Pass() in moves else STOCK
    return greedy(round, legal, chance)


def taker(round: Round, legal: Sequence[Legal], chance: Random) -> Move:
    """Takes nearly every discard; does not knock before the cap, and then mostly."""
    moves = [each.move for each in legal]
    if round.phase in {"opening", "draw"}:
        return TAKE if TAKE in moves and chance.random() < 0.98 else moves[0] if TAKE not in moves else moves[-1]
    if round.phase == "discard" and round.discard_draws < 50 and not round.knock_must_follow:
        return _least(legal)
    if round.phase == "discard" and chance.random() < 0.7:
        ending = _end(legal)
        return _least(legal) if ending is None else ending
    return wild(round, legal, chance)


PAIRS: tuple[tuple[int, tuple[Player, Player]], ...] = (
    (24, (greedy, gin_seeker)),
    (14, (gin_seeker, gin_seeker)),
    (24, (wild, greedy)),
    (24, (wild, wild)),
    (8, (staller, staller)),
    (6, (taker, taker)),
)
"""Which players meet where it is not two greedy ones, and in how many of a hundred rounds."""


def _end(legal: Sequence[Legal]) -> Move | None:
    """Big gin, else the knock that leaves the least."""
    endings = [each for each in legal if not isinstance(each.move, Discard)]
    best = min(endings, key=lambda each: (not isinstance(each.move, BigGin), each.deadwood or 0), default=None)
    return None if best is None else best.move


def _least(legal: Sequence[Legal]) -> Move:
    """The discard that leaves the least, the dearest such card."""
    discards = [each for each in legal if isinstance(each.move, Discard)]
    return min(discards, key=lambda each: (each.deadwood, -_worth(each.move))).move


def _worth(move: Move) -> int:
    return POINTS[move.card] if isinstance(move, Discard) else 0


def _take_if_it_helps(round: Round, legal: Sequence[Legal]) -> Move:
    moves = [each.move for each in legal]
    assert round.turn is not None
    hand = round.hands[round.turn]
    top = round.discards[-1]
    if TAKE in moves and (round.phase == "fiftieth" or best_throws(hand | 1 << top, top)[0] < deadwood(hand)):
        return TAKE
    return next(move for move in moves if move != TAKE)


def _with_melds(round: Round, move: Move, chance: Random) -> Move:
    """The same knock, in two of three cases with melds of its own that keep it within the limit."""
    if not isinstance(move, Knock) or chance.random() < 0.33:
        return move
    assert round.turn is not None
    ten = round.hands[round.turn] ^ 1 << move.discard
    for _ in range(8):
        melds, left = _some_melds(ten, chance)
        if sum(POINTS[card] for card in cards_in(left)) <= round.knock_limit:
            return Knock(move.discard, melds)
    return move


def _some_melds(hand: CardSet, chance: Random) -> tuple[NamedMelds, CardSet]:
    """Disjoint melds of a hand taken at random, and what is left."""
    melds: list[tuple[Card, ...]] = []
    while (choice := melds_in(hand)) and chance.random() < 0.95:
        meld = chance.choice(choice)
        melds.append(tuple(cards_in(meld)))
        hand ^= meld
    return tuple(melds), hand


def _any_spread(round: Round, chance: Random) -> Move:
    """Layoffs at random, as many as there are or fewer; the melds named in half the cases."""
    if chance.random() < 0.15:
        return Spread()
    assert round.turn is not None
    assert round.laid is not None
    hand, grown = round.hands[round.turn], list(round.laid.melds)
    layoffs: list[Layoff] = []
    while chance.random() < 0.97:
        fitting = [
            Layoff(card, index)
            for index, meld in enumerate(grown)
            for card in cards_in(hand)
            if not holds(meld, card) and is_meld(meld | 1 << card)
        ]
        if not fitting:
            break
        layoff = chance.choice(fitting)
        layoffs.append(layoff)
        grown[layoff.meld] |= 1 << layoff.card
        hand ^= 1 << layoff.card
    melds = _some_melds(hand, chance)[0] if chance.random() < 0.5 else None
    return Spread(melds, tuple(layoffs))
