"""Columns and score pads against a plain second way that adds everything up again after each round; and their cost."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.rulebooks.base import Line
from service.rulebooks.errors import GameOver
from service.rulebooks.gin import analysis, scoreboard
from service.rulebooks.gin.analysis import PadRound
from service.rulebooks.gin.errors import BigGinNotPlayed
from service.rulebooks.gin.match import MOST_ROUNDS, end_after
from service.rulebooks.gin.scoring import RoundScore, boxes_of
from service.rulebooks.gin.view import score_doc
from tests.builders import rules

WON = st.builds(
    PadRound, st.sampled_from(["knock", "gin", "undercut", "big_gin"]), st.integers(0, 1), st.integers(0, 40)
)
PADS = st.lists(WON | st.sampled_from([PadRound("void", None, 0), PadRound("tie", None, 0)]), max_size=14)
RULESETS = st.builds(
    rules,
    st.sampled_from(["hollywood", "hollywood", "standard", "palace"]),
    target=st.integers(1, 90),
    box_timing=st.sampled_from(["end", "per_round"]),
    gin_extra_boxes=st.integers(0, 1),
    big_gin_bonus=st.sampled_from([None, 31]),
)


def scored(pads):
    return tuple(_scored(number, pad) for number, pad in enumerate(pads, 1))


def _scored(number, pad):
    lines = () if pad.winner is None else (Line(pad.winner, number, "round", pad.points, pad.kind),)
    return RoundScore(pad.kind, pad.winner, lines)


def worth(ruleset, pad):
    """What a round adds to the points of its winner."""
    return pad.points + (boxes_of(pad.kind, ruleset) * ruleset.box_bonus if ruleset.box_timing == "per_round" else 0)


def filled(ruleset, pads):
    """The numbers of the rounds that count in each of three columns, with every sum made anew for every round."""
    columns = [[], [], []]

    def is_open(column):
        return all(
            sum(worth(ruleset, pads[number - 1]) for number in column if pads[number - 1].winner == seat)
            < ruleset.target
            for seat in (0, 1)
        )

    for number, pad in enumerate(pads, 1):
        if pad.winner is None:
            continue
        entered = [any(pads[other - 1].winner == pad.winner for other in column) for column in columns]
        right = len(entered) - entered[::-1].index(True) if any(entered) else 0
        next_one = [column for column in columns[right:] if is_open(column)][:1]
        for column in [column for column, mine in zip(columns, entered, strict=True) if mine and is_open(column)]:
            column.append(number)
        for column in next_one:
            column.append(number)
    return columns, [not is_open(column) for column in columns]


@settings(max_examples=400, deadline=None)
@given(PADS, RULESETS.filter(lambda ruleset: ruleset.columns == 3))
def test_the_columns_are_those_that_adding_up_again_after_each_round_fills(pads, ruleset):
    numbers, closed = filled(ruleset, pads)
    found = scoreboard.scoreboard(ruleset, scored(pads), None).columns
    assert [column.over for column in found] == closed
    for column, counted in zip(found, numbers, strict=True):
        won = [pads[number - 1] for number in counted]
        assert column.points == tuple(sum(worth(ruleset, pad) for pad in won if pad.winner == seat) for seat in (0, 1))
        assert column.boxes == tuple(
            sum(boxes_of(pad.kind, ruleset) for pad in won if pad.winner == seat) for seat in (0, 1)
        )
        assert list(dict.fromkeys(line.round for line in column.lines if line.round is not None)) == counted


def walked(ruleset, pads):
    """The scoreboard of a pad or the refusal, with the end asked for after each round."""
    rounds, end = (), None
    for pad in pads:
        if end is not None:
            return GameOver
        if pad.kind == "big_gin" and ruleset.big_gin_bonus is None:
            return BigGinNotPlayed
        rounds = scored(pads[: len(rounds) + 1])
        end = end_after(ruleset, rounds)
    return score_doc(scoreboard.scoreboard(ruleset, rounds, end))


def told(ruleset, pads):
    try:
        return analysis.match(ruleset, pads)
    except (GameOver, BigGinNotPlayed) as refused:
        return type(refused)


BIG_GIN = PadRound("big_gin", 0, 90)


@settings(max_examples=600, deadline=None)
@given(PADS, RULESETS)
@example([BIG_GIN, BIG_GIN], rules("classic", target=50))
@example([PadRound("gin", 0, 50), BIG_GIN], rules("classic", target=50))
@example([PadRound("gin", 0, 40), BIG_GIN, BIG_GIN], rules("classic", target=50))
def test_a_pad_is_told_as_if_the_end_was_asked_for_after_each_round(pads, ruleset):
    assert told(ruleset, pads) == walked(ruleset, pads)


@pytest.mark.parametrize("preset", ["standard", "hollywood"])
def test_a_pad_may_have_as_many_rounds_as_a_match_and_no_more(preset):
    ruleset = rules(preset, target=10_000)
    rounds = [PadRound("knock", 0, 1)] * MOST_ROUNDS
    assert (told(ruleset, rounds)["over"], told(ruleset, rounds[1:])["over"]) == (True, False)
    for more in (1, 2, 50):
        assert told(ruleset, rounds + rounds[:more]) is GameOver


# --- Cost ---


def pad_added_up(ruleset, pads):
    analysis.match(ruleset, pads)


def match_added_up(ruleset, pads):
    scoreboard.scoreboard(ruleset, scored(pads), None)


@pytest.mark.parametrize("preset", ["standard", "hollywood"])
@pytest.mark.parametrize("add_up", [pad_added_up, match_added_up])
def test_every_round_is_added_up_a_fixed_number_of_times(monkeypatch, add_up, preset):
    """Fifty rounds more cost the same whether they follow fifty or a hundred."""
    ruleset = rules(preset, target=10_000, box_timing="per_round")
    added = []
    monkeypatch.setattr(scoreboard, "boxes_of", lambda *given: added.append(given) or boxes_of(*given))

    def cost(rounds):
        added.clear()
        add_up(ruleset, [PadRound("knock", number % 2, 1) for number in range(rounds)])
        return len(added)

    assert cost(150) - cost(100) == cost(100) - cost(50) > 0
