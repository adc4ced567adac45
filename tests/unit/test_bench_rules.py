"""The rounds that a bench plays are whole rounds: neither engine is spared a move."""

from random import Random

from bench.rules import our_rounds, their_rounds

FEWEST = 2
"""Moves of a round: a draw and a knock."""


def test_both_engines_play_as_many_rounds_as_they_are_asked_for_to_their_end():
    for played in (our_rounds(3, Random(1)), their_rounds(3, Random(1))):
        assert played.rounds == 3
        assert played.moves >= 3 * FEWEST
        assert played.undecided <= 3
        assert played.seconds > 0
