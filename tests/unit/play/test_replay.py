"""Replaying records: a right one gives its results, a wrong one is told what is wrong and where."""

import copy
import json
from pathlib import Path

import pytest

from service.play.replay import RecordFault, replay

VECTORS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "vectors/rounds.jsonl").read_text().splitlines()[:60]
]
GONE = object()


def a_record():
    """A record of one round that ended with a knock or an undercut, and was not the dealer's first draw."""
    return copy.deepcopy(next(record for record in VECTORS if record["rounds"][0]["moves"][-1]["type"] == "spread"))


def of_two_rounds():
    """The same cards twice; the deal passes to the other seat, so the seats of the moves change."""
    record = a_record()
    second = copy.deepcopy(record["rounds"][0])
    second["dealer"] = 1 - second["dealer"]
    for move in second["moves"]:
        move["seat"] = 1 - move["seat"]
    del second["result"]
    record["ruleset"] |= {"target": 10_000}
    record["rounds"].append(second)
    return record


def changed(record, path, value):
    *way, last = path
    holder = record
    for key in way:
        holder = holder[key]
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return record


@pytest.mark.parametrize("record", VECTORS, ids=range(len(VECTORS)))
def test_a_right_record_gives_its_results(record):
    replayed = replay(record)
    assert replayed.differences == ()
    (result,) = replayed.results
    recorded = record["rounds"][0]["result"]
    assert {part: result[part] for part in recorded} == recorded
    assert sum(replayed.score["points"]) == result["points"]


def test_rounds_follow_each_other():
    replayed = replay(of_two_rounds())
    first, second = replayed.results
    assert (first["number"], second["number"]) == (1, 2)
    assert first["points"] == second["points"]
    assert second["winner"] == 1 - first["winner"]
    assert sorted(replayed.score["points"]) == [first["points"]] * 2


def test_a_record_without_rounds_is_a_match_before_its_first_deal():
    replayed = replay({"format": "upcard-record/1", "game": "gin", "ruleset": {"preset": "standard"}, "rounds": []})
    assert (replayed.results, replayed.score["totals"]) == ((), [0, 0])


def test_score_end_and_proof_are_not_needed():
    record = a_record()
    for key in record.keys() - {"format", "game", "ruleset", "rounds"}:
        del record[key]
    del record["rounds"][0]["result"]
    assert len(replay(record).results) == 1


def test_the_last_round_may_end_with_a_resignation():
    record = a_record()
    played = record["rounds"][0]
    played["moves"] = [*played["moves"][:4], {"seat": 0, "type": "resign"}]
    played["result"] = {"kind": "resigned", "winner": None, "points": 0}
    assert replay(record).differences == ()


ROUND = ("rounds", 0)
FAULTS = {
    "no object": (lambda record: [record], "", "the format is not upcard-record/1"),
    "another format": (lambda record: record | {"format": "upcard-record/2"}, "", "the format is not"),
    "an unknown game": (lambda record: record | {"game": "bridge"}, "", "no such game"),
    "no game": (lambda record: changed(record, ("game",), GONE), "", "no such game"),
    "a game that is a list": (lambda record: record | {"game": ["gin"]}, "", "no such game"),
    "no rounds": (lambda record: changed(record, ("rounds",), GONE), "", "no list of rounds"),
    "rounds by number": (lambda record: record | {"rounds": 3}, "", "no list of rounds"),
    "no ruleset": (lambda record: changed(record, ("ruleset",), GONE), "", "cannot be read: KeyError"),
    "a ruleset by name": (lambda record: record | {"ruleset": "eaai"}, "", "cannot be read: ValueError"),
    "no preset": (lambda record: record | {"ruleset": {"target": 100}}, "", "cannot be read: KeyError"),
    "a bad ruleset": (
        lambda record: record | {"ruleset": {"preset": "eaai", "target": 0}},
        "ruleset",
        "target: must be",
    ),
    "no such preset": (lambda record: record | {"ruleset": {"preset": "x"}}, "ruleset", "preset: must be one of"),
    "a round that is no object": (lambda record: record | {"rounds": ["x"]}, "", "cannot be read"),
    "no dealer": (lambda record: changed(record, (*ROUND, "dealer"), GONE), "", "cannot be read: KeyError"),
    "a dealer without a seat": (lambda record: changed(record, (*ROUND, "dealer"), 2), "round 1", "there is no seat 2"),
    "a dealer by name": (
        lambda record: changed(record, (*ROUND, "dealer"), "Ann"),
        "round 1",
        "there is no seat 'Ann'",
    ),
    "a table smaller than its seats": (lambda record: changed(record, ("table",), 1), "", "do not fit a table of 1"),
    "a table larger than the game's": (lambda record: changed(record, ("table",), 3), "", "do not fit a table of 3"),
    "true for a dealer": (lambda record: changed(record, (*ROUND, "dealer"), True), "round 1", "there is no seat True"),
    "three seats": (lambda record: changed(record, (*ROUND, "seats"), [0, 1, 2]), "", "are not seats of this game"),
    "a deck of 51": (lambda record: changed(record, (*ROUND, "deck", 0), GONE), "round 1", "not the 52 cards"),
    "a doubled card": (
        lambda record: changed(record, (*ROUND, "deck", 0), record["rounds"][0]["deck"][1]),
        "round 1",
        "not the 52 cards",
    ),
    "an unreadable card": (lambda record: changed(record, (*ROUND, "deck", 0), "ZZ"), "round 1", "'ZZ' is not a card"),
    "no deck": (lambda record: changed(record, (*ROUND, "deck"), GONE), "round 1", "cannot be read: KeyError"),
    "no moves": (lambda record: changed(record, (*ROUND, "moves"), GONE), "round 1", "cannot be read: KeyError"),
    "a move of nobody": (lambda record: changed(record, (*ROUND, "moves", 0, "seat"), GONE), "round 1", "KeyError"),
    "a move of a third": (
        lambda record: changed(record, (*ROUND, "moves", 0, "seat"), 2),
        "round 1, move 1",
        "there is no seat 2",
    ),
    "a resignation of a third": (
        lambda record: changed(record, (*ROUND, "moves", 0), {"seat": 7, "type": "resign"}),
        "round 1, move 1",
        "there is no seat 7",
    ),
    "a move of the wrong seat": (
        lambda record: changed(record, (*ROUND, "moves", 0, "seat"), record["rounds"][0]["dealer"]),
        "round 1, move 1",
        "the rules refuse it: It is the turn of seat",
    ),
    "a move of no type": (
        lambda record: changed(record, (*ROUND, "moves", 1, "type"), GONE),
        "round 1, move 2",
        "cannot be read: KeyError",
    ),
    "a move of another type": (
        lambda record: changed(record, (*ROUND, "moves", 1, "type"), "cheat"),
        "round 1, move 2",
        "cannot be read: ValueError",
    ),
    "a move out of its phase": (
        lambda record: changed(record, (*ROUND, "moves", 0), record["rounds"][0]["moves"][0] | {"type": "spread"}),
        "round 1, move 1",
        "the rules refuse it: A spread is not possible in the phase opening",
    ),
    "a layoff on a meld below 0": (
        lambda record: changed(record, (*ROUND, "moves", -1, "layoffs"), [{"card": "AS", "meld": -9}]),
        "move",
        "the rules refuse it",
    ),
    "a move after the round": (
        lambda record: changed(
            record, (*ROUND, "moves"), [*record["rounds"][0]["moves"], {"seat": 0, "type": "draw", "source": "stock"}]
        ),
        "move",
        "the round is over before it",
    ),
    "a round cut short": (
        lambda record: changed(record, (*ROUND, "moves", -1), GONE),
        "round 1",
        "it is not over after its last move",
    ),
    "a result that is a text": (lambda record: changed(record, (*ROUND, "result"), "won"), "round 1", "cannot be read"),
    "a result that is a list": (lambda record: changed(record, (*ROUND, "result"), [1]), "round 1", "cannot be read"),
}


@pytest.mark.parametrize(("spoil", "where", "reason"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_played_is_told_with_its_place(spoil, where, reason):
    with pytest.raises(RecordFault) as found:
        replay(spoil(a_record()))
    assert found.value.where == where or (where == "move" and found.value.where.startswith("round 1, move "))
    assert reason in found.value.reason
    assert str(found.value) == (f"{found.value.where}: " if found.value.where else "") + found.value.reason


def test_a_later_round_is_named_by_its_number():
    record = of_two_rounds()
    record["rounds"][1]["dealer"] = 1 - record["rounds"][1]["dealer"]
    with pytest.raises(RecordFault, match=r"^round 2: seat . deals by the rules, not seat .$"):
        replay(record)
    record = of_two_rounds()
    record["rounds"][1]["moves"][3] = {"seat": 0, "type": "pass"}
    with pytest.raises(RecordFault, match=r"^round 2, move 4: the rules refuse it"):
        replay(record)


def test_a_round_after_the_end_of_the_match_is_refused():
    record = of_two_rounds()
    record["ruleset"] |= {"target": 1}
    with pytest.raises(RecordFault, match=r"^round 2: the rules refuse it: The match is over\.$"):
        replay(record)


@pytest.mark.parametrize(
    ("part", "said"), [("kind", "gin"), ("winner", None), ("points", -1), ("deadwood", [0, 0]), ("points", "16")]
)
def test_a_result_that_differs_is_told_with_both_sides(part, said):
    record = a_record()
    right = record["rounds"][0]["result"][part]
    record["rounds"][0]["result"][part] = said
    (difference,) = replay(record).differences
    assert (difference.round, difference.part, difference.recorded, difference.played) == (1, part, said, right)
    assert str(difference) == f"round 1: {part} is {right!r} by the rules, the record says {said!r}"
