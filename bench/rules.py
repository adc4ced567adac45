"""The rules engine beside OpenSpiel's, which is C++ called from Python: CPU time, paired rounds, in turns.

**Deadwood.** The least deadwood of random hands, each given as a list of card numbers. Ours turns the list into a set
and counts. There is no cache on either side: what ours looks up are tables made on import, of all sets of cards of one
suit. OpenSpiel counts eleven cards once one is thrown, and so does ours here. Both number cards by suit and rank and
take the suits in another order, which no count depends on. All counts are compared. OpenSpiel's shortcut for eleven
cards counts too much in a few hands; there ours must be the least of OpenSpiel's own counts of the ten cards left.

**Rounds.** Whole rounds by players who choose at random from the legal moves, which are listed before every move; the
deal and the score at the end are in it. The ruleset is OpenSpiel's own, with the last discard that may be taken to
knock. OpenSpiel draws each card as it is needed, ours shuffles a deck. Both sides draw from a seeded `random.Random`.
A knock is one choice in both: where ours lists a knock for each throw, one of them is drawn once a knock is chosen.
OpenSpiel then asks for the throw, each meld and each layoff by itself; that is some ten choices in one round of sixty.
The moves a round are told, so that it can be seen that the rounds are as long.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pyspiel

from bench.figures import Figure, Part
from service.cards.card import DECK_SIZE
from service.cards.cardset import CardSet, cardset
from service.cards.deadwood import deadwood, deadwood_after_throw
from service.rulebooks import gin
from service.rulebooks.gin.moves import Knock, Move
from service.rulebooks.gin.round import dealt, legal_moves, play
from service.rulebooks.gin.scoring import price

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
ROOT = pyspiel.load_game("gin_rummy", {"gin_bonus": 25, "undercut_bonus": 25}).new_initial_state()
RULES = gin.read_ruleset("eaai", {"fiftieth_card": True})
DEADWOOD_BARS, ROUND_BARS = (1.1, 1.5), (1.2, 3.0)
HANDS, ROUNDS = 4000, 150
"""How many are played or counted at a time, before it is the other side's turn."""
Hands = list[list[int]]


@dataclass(frozen=True)
class Played:
    """Some whole rounds. seconds: of CPU. moves: by players. undecided: rounds that brought nobody points."""

    seconds: float
    rounds: int
    moves: int
    undecided: int


def ours(count: Callable[[CardSet], int], hands: Hands) -> tuple[float, list[int]]:
    """The CPU seconds that counting some hands takes, and the counts."""
    began = time.process_time()
    counts = [count(cardset(hand)) for hand in hands]
    return time.process_time() - began, counts


def theirs(hands: Hands) -> tuple[float, list[int]]:
    """The CPU seconds that counting some hands takes OpenSpiel, and its counts."""
    count = UTILS.min_deadwood
    began = time.process_time()
    counts = [count(hand) for hand in hands]
    return time.process_time() - began, counts


def differing(hands: Hands, here: list[int], there: list[int]) -> int:
    """How many hands are counted in two ways; of each OpenSpiel must count what we do once every throw is tried."""
    unlike = [(hand, mine) for hand, mine, other in zip(hands, here, there, strict=True) if mine != other]
    for hand, mine in unlike:
        assert len(hand) == 11, hand
        _, kept = theirs([[card for card in hand if card != thrown] for thrown in hand])
        assert mine == min(kept), hand
    return len(unlike)


def deadwoods(count: Callable[[CardSet], int], size: int, pairs: int) -> tuple[list[Figure], int]:
    """The figures of hands of one size, and how many of them OpenSpiel's shortcut gets wrong."""
    chance, wrong = Random(size), 0
    costs = []
    for turn in range(pairs):
        dealt = [chance.sample(range(DECK_SIZE), size) for _ in range(HANDS)]
        if turn % 2:
            (mine, here), (other, there) = ours(count, dealt), theirs(dealt)
        else:
            (other, there), (mine, here) = theirs(dealt), ours(count, dealt)
        wrong += differing(dealt, here, there)
        costs.append((mine / HANDS * 1e6, other / HANDS * 1e6))
    bar, aim = DEADWOOD_BARS
    name = f"deadwood of {size} / pyspiel"
    figures = [Figure.of(name, [other / mine for mine, other in costs], bar=bar, aim=aim)]
    for side, cost in zip(("ours", "pyspiel"), zip(*costs, strict=True), strict=True):
        figures.append(Figure.of(f"deadwood of {size}, {side}", cost, unit="us", most=True, compared=False))
    return figures, wrong


def our_rounds(rounds: int, chance: Random) -> Played:
    """Whole rounds of ours."""
    began, moves, undecided = time.process_time(), 0, 0
    for number in range(rounds):
        deck = sorted(range(DECK_SIZE), key=lambda _: chance.random())
        round, result = dealt(RULES, 1, number % 2, deck), None
        while result is None:
            played = play(round, round.turn, chosen(legal_moves(round), chance))
            round, result = played.round, played.result
            moves += 1
        undecided += not price(result, 1, RULES, round.limit_card).points
    return Played(time.process_time() - began, rounds, moves, undecided)


def chosen(legal: Sequence[Move], chance: Random) -> Move:
    """One of the legal moves; all knocks together are as likely as any other move."""
    if not isinstance(legal[-1], Knock):
        return legal[int(chance.random() * len(legal))]
    knocks = [move for move in legal if isinstance(move, Knock)]
    others = legal[: -len(knocks)]
    choices = (*others, knocks[int(chance.random() * len(knocks))])
    return choices[int(chance.random() * len(choices))]


def their_rounds(rounds: int, chance: Random) -> Played:
    """Whole rounds of OpenSpiel's."""
    began, moves, undecided = time.process_time(), 0, 0
    for _ in range(rounds):
        state = ROOT.clone()
        while not state.is_terminal():
            legal = state.legal_actions()
            moves += not state.is_chance_node()
            state.apply_action(legal[int(chance.random() * len(legal))])
        undecided += not any(state.returns())
    return Played(time.process_time() - began, rounds, moves, undecided)


def whole_rounds(pairs: int) -> list[Figure]:
    """The figures of whole rounds."""
    chances = Random(1), Random(1)
    played = [(our_rounds(ROUNDS, chances[0]), their_rounds(ROUNDS, chances[1])) for _ in range(pairs)]
    bar, aim = ROUND_BARS
    figures = [Figure.of("rounds / pyspiel", [them.seconds / us.seconds for us, them in played], bar=bar, aim=aim)]
    for side, part in zip(("ours", "pyspiel"), zip(*played, strict=True), strict=True):
        told: dict[str, list[float]] = {
            "rounds a CPU second": [each.rounds / each.seconds for each in part],
            "moves a CPU second": [each.moves / each.seconds for each in part],
            "moves a round": [each.moves / each.rounds for each in part],
            "rounds without points": [each.undecided / each.rounds for each in part],
        }
        figures += [Figure.of(f"{what}, {side}", values, compared=False) for what, values in told.items()]
    return figures


def measure(full: bool) -> Part:
    """Deadwood of ten and eleven cards, and whole rounds, each beside OpenSpiel's."""
    pairs, rounds = (200, 24) if full else (50, 12)
    of_ten, _ = deadwoods(deadwood, 10, pairs)
    of_eleven, wrong = deadwoods(deadwood_after_throw, 11, pairs)
    details: dict[str, Any] = {"hands": pairs * HANDS, "hands of 11 that pyspiel's shortcut counts too high": wrong}
    return Part("rules", [*of_ten, *of_eleven, *whole_rounds(rounds)], details)
