"""A match as it is stored, and back: the same match, in every phase, through JSON."""

import json

import pytest

from service.rulebooks import rummy
from service.rulebooks.rummy.round import PHASES
from tests.unit.rulebooks.rummy.positions import POSITIONS


def stored(match):
    return json.loads(json.dumps(rummy.dump(match)))


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_is_loaded_as_it_was_stored(name):
    match = POSITIONS[name]
    assert rummy.load(stored(match)) == match
    assert rummy.dump(rummy.load(stored(match))) == rummy.dump(match)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_loaded_shows_every_seat_what_it_showed_before(name):
    match = POSITIONS[name]
    for seat in (*range(match.table), None):
        assert rummy.view(rummy.load(stored(match)), seat) == rummy.view(match, seat)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_loaded_takes_the_same_moves_to_the_same_end(name):
    match = POSITIONS[name]
    loaded = rummy.load(stored(match))
    for seat in range(match.table):
        for listed in rummy.view(match, seat)["legal_moves"]:
            if listed["move"]["type"] != "deal":
                move = rummy.read_move(listed["move"])
                assert rummy.apply(loaded, seat, move) == rummy.apply(match, seat, move)


def test_every_phase_and_kind_of_round_is_among_the_positions():
    matches = POSITIONS.values()
    assert {match.round.phase for match in matches if match.round} == {*PHASES, "round_over"}
    assert {scored.kind for match in matches for scored in match.rounds} == {"out", "rummy", "blocked", "resigned"}
    assert {match.end.kind for match in matches if match.end} == {"target", "resigned", "abandoned"}


def test_cards_are_stored_two_characters_each_and_turns_five():
    round = rummy.dump(POSITIONS["the turn has passed"])["round"]
    assert round["discards"] == "2CJD7S"
    assert round["stock"].startswith("TD")
    assert round["public"] == "0**7S"
    assert round["hands"] == ["5S6S", "4D9C", "QDAC"]
    assert round["table"] == [[1, "KSKHKDKC"]]


def test_only_what_differs_from_the_preset_is_stored_of_the_ruleset():
    assert rummy.dump(POSITIONS["before the first deal, the dealer named"])["ruleset"] == {
        "preset": "bicycle",
        "target": 50,
    }
