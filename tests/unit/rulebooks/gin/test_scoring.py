"""What a round is worth: each component a line, with the rule that gave it."""

import pytest

from service.cards.card import card
from service.rulebooks.gin.scoring import boxes_of, price
from service.rulebooks.gin.showdown import RoundResult
from tests.builders import laid, rules

FIVE, TWENTY = laid("AS 2S 3S | 4C 5C 6C | 7D 8D 9D | 5H"), laid("JH JD JC | QH QD QC | 9S 9H AC AD")


def result(kind, winner, knocker=0):
    return RoundResult(kind, winner, knocker, (FIVE, TWENTY))


def lines(score):
    return [(line.seat, line.round, line.part, line.points, line.rule) for line in score.lines]


@pytest.mark.parametrize(
    ("kind", "winner", "expected"),
    [
        ("knock", 0, [(0, 7, "deadwood", 15, "knock")]),
        ("gin", 0, [(0, 7, "deadwood", 15, "gin"), (0, 7, "bonus", 25, "gin_bonus")]),
        ("big_gin", 0, [(0, 7, "deadwood", 15, "big_gin"), (0, 7, "bonus", 31, "big_gin_bonus")]),
        ("undercut", 0, [(0, 7, "deadwood", 15, "undercut"), (0, 7, "bonus", 25, "undercut_bonus")]),
    ],
)
def test_a_round_is_the_difference_and_the_bonus_of_its_kind(kind, winner, expected):
    """20 - 5 = 15."""
    score = price(result(kind, winner, knocker=1 if kind == "undercut" else 0), 7, rules(), None)
    assert (score.kind, score.winner, lines(score)) == (kind, winner, expected)
    assert score.points == sum(line[3] for line in expected)


@pytest.mark.parametrize("kind", ["void", "tie", "resigned"])
def test_a_round_without_a_winner_is_worth_nothing(kind):
    score = price(result(kind, None), 1, rules(), None)
    assert (score.kind, score.winner, score.lines, score.points) == (kind, None, (), 0)


@pytest.mark.parametrize(
    ("preset", "kind", "bonus"),
    [
        ("standard", "gin", 25),
        ("classic", "gin", 20),
        ("standard", "undercut", 25),
        ("classic", "undercut", 10),
        ("palace", "undercut", 20),
        ("standard", "big_gin", 31),
    ],
)
def test_the_bonus_is_the_rulesets(preset, kind, bonus):
    assert price(result(kind, 0), 1, rules(preset), None).points == 15 + bonus


def test_a_bonus_of_0_is_still_told():
    assert lines(price(result("gin", 0), 1, rules(gin_bonus=0), None))[1] == (0, 1, "bonus", 0, "gin_bonus")


@pytest.mark.parametrize(("limit_card", "points"), [("KS", 70), ("AS", 70), ("KH", 35), ("KD", 35), ("KC", 35)])
def test_only_spades_double_in_oklahoma(limit_card, points):
    """15 + 20, and once more if a spade set the limit."""
    assert price(result("gin", 0), 1, rules("oklahoma"), card(limit_card)).points == points


def test_the_doubling_is_a_line_of_its_round():
    """15 + 20, and as much again."""
    assert lines(price(result("gin", 0), 7, rules("oklahoma"), card("KS"))) == [
        (0, 7, "deadwood", 15, "gin"),
        (0, 7, "bonus", 20, "gin_bonus"),
        (0, 7, "doubling", 35, "oklahoma_spade_doubles"),
    ]


@pytest.mark.parametrize(("kind", "boxes"), [("knock", 1), ("gin", 3), ("big_gin", 3), ("undercut", 2)])
def test_extra_boxes_are_for_gin_big_gin_and_undercut(kind, boxes):
    assert boxes_of(kind, rules("oklahoma")) == boxes
    assert boxes_of(kind, rules()) == 1
