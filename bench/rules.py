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
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pyspiel

from bench.figures import Figure, Part
from service.cards.card import DECK_SIZE
from service.cards.cardset import cardset
from service.cards.deadwood import deadwood, deadwood_after_throw
from service.rulebooks import gin
from service.rulebooks.gin.moves import Knock, Move
from service.rulebooks.gin.round import dealt, legal_moves, play
from service.rulebooks.gin.scoring import price

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
ROOT = pyspiel.load_game("gin_rummy", {"gin_bonus": 25, "undercut_bonus": 25}).new_initial_state()
RULES = gin.read_ruleset("eaai", {"fiftieth_card": True})
DEADWOOD_BARS, ROUND_BARS = (1.1, 1.5), (1.2, 3.0)
Hands = list[list[int]]


@dataclass(frozen=True)
class Played:
    """Some whole rounds. seconds: of CPU. moves: by players. undecided: rounds that brought nobody points."""

    seconds: float
    rounds: int
    moves: int
    undecided: int


def counted(count: Callable[[list[int]], int], hands: Hands) -> tuple[float, list[int]]:
    """The CPU seconds that counting some hands takes, and the counts."""
    began = time.process_time()
    counts = [count(hand) for hand in hands]
    return time.process_time() - began, counts


def ten(hand: list[int]) -> int:
    """The least deadwood of a hand."""
    return deadwood(cardset(hand))


def eleven(hand: list[int]) -> int:
    """The least deadwood of a hand once a card is thrown."""
    return deadwood_after_throw(cardset(hand))


def theirs(hand: list[int]) -> int:
    """OpenSpiel's count of either."""
    return UTILS.min_deadwood(hand)


def agreed(hands: Hands, ours: list[int], others: list[int]) -> int:
    """How many hands are counted differently, each of which OpenSpiel must count as ours does card by card."""
    differing = [(hand, mine) for hand, mine, other in zip(hands, ours, others, strict=True) if mine != other]
    for hand, mine in differing:
        kept = [[card for card in hand if card != thrown] for thrown in hand]
        assert len(hand) == 11
        assert mine == min(map(theirs, kept)), hand
    return len(differing)


def deadwoods(count: Callable[[list[int]], int], size: int, rounds: int, hands: int) -> tuple[list[Figure], int]:
    """The figures of hands of one size, and how many of them OpenSpiel's shortcut gets wrong."""
    chance, wrong = Random(size), 0
    costs = []
    for _ in range(rounds):
        dealt = [chance.sample(range(DECK_SIZE), size) for _ in range(hands)]
        (mine, ours), (other, others) = counted(count, dealt), counted(theirs, dealt)
        wrong += agreed(dealt, ours, others)
        costs.append((mine / hands * 1e6, other / hands * 1e6))
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
            round, _, result = play(round, round.turn, chosen(legal_moves(round), chance))
            moves += 1
        undecided += not price(result, 1, RULES, round.limit_card).points
    return Played(time.process_time() - began, rounds, moves, undecided)


def chosen(legal: tuple[Move, ...], chance: Random) -> Move:
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


def whole_rounds(pairs: int, rounds: int) -> list[Figure]:
    """The figures of whole rounds."""
    chances = Random(1), Random(1)
    played = [(our_rounds(rounds, chances[0]), their_rounds(rounds, chances[1])) for _ in range(pairs)]
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
    pairs, hands, rounds = (24, 40_000, 400) if full else (12, 20_000, 100)
    of_ten, none = deadwoods(ten, 10, pairs, hands)
    of_eleven, wrong = deadwoods(eleven, 11, pairs, hands)
    details: dict[str, Any] = {"hands": pairs * hands, "hands of 11 that pyspiel's shortcut counts too high": wrong}
    assert none == 0
    return Part("rules", [*of_ten, *of_eleven, *whole_rounds(pairs, rounds)], details)
