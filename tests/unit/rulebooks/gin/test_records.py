"""Whole rounds that two other engines agree on, played through this one."""

import json
from pathlib import Path

from service.cards.card import card
from service.rulebooks import gin
from tests.builders import deal

ROUNDS = Path(__file__).parents[3] / "vectors" / "rounds.jsonl"


def records():
    return [json.loads(line) for line in ROUNDS.read_text().splitlines()]


def replayed(record):
    """The last result of a record of one round, played move by move; every move must be listed as legal first."""
    values = dict(record["ruleset"])
    (round,) = record["rounds"]
    match = gin.start(gin.read_ruleset(values.pop("preset"), values), 2, round["dealer"])
    match = deal(match, [card(each) for each in round["deck"]], drawn_dealer=1 - round["dealer"])
    for recorded in round["moves"]:
        move = {key: value for key, value in recorded.items() if key != "seat"}
        bare = {key: value for key, value in move.items() if key != "melds"}
        assert bare in [each["move"] for each in gin.view(match, recorded["seat"])["legal_moves"]]
        match = gin.apply(match, recorded["seat"], gin.read_move(move)).state
    return gin.view(match, None)["last_round"]


def test_the_stored_rounds_end_as_two_other_engines_ended_them():
    wrong = []
    for number, record in enumerate(records(), 1):
        expected, result = record["rounds"][0]["result"], replayed(record)
        if {key: result[key] for key in expected} != expected:
            wrong.append((number, expected, result))
    assert wrong == []


def test_the_stored_rounds_are_all_there_and_of_every_kind_they_are_said_to_be():
    kinds = [record["rounds"][0]["result"]["kind"] for record in records()]
    assert {kind: kinds.count(kind) for kind in kinds} == {"knock": 72, "gin": 22, "undercut": 18, "void": 8}
