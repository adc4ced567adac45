"""A match as it is stored, and back: the same match, in every phase, through JSON."""

import json

import pytest

from service.rulebooks import gin
from service.rulebooks.gin.round import PHASES
from tests.builders import deal, dealt_match, legal, play_moves
from tests.unit.rulebooks.gin.positions import POSITIONS


def stored(match):
    return json.loads(json.dumps(gin.dump(match)))


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_is_loaded_as_it_was_stored(name):
    match = POSITIONS[name]
    assert gin.load(stored(match)) == match
    assert gin.dump(gin.load(stored(match))) == gin.dump(match)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_loaded_shows_every_seat_what_it_showed_before(name):
    match = POSITIONS[name]
    for seat in (0, 1, None):
        assert gin.view(gin.load(stored(match)), seat) == gin.view(match, seat)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_match_loaded_takes_the_same_moves_to_the_same_end(name):
    match = POSITIONS[name]
    loaded = gin.load(stored(match))
    for seat in (0, 1):
        moves = [move for move in legal(match, seat) if move["type"] != "deal"]
        for move in moves:
            assert gin.apply(loaded, seat, gin.read_move(move)) == gin.apply(match, seat, gin.read_move(move))


def test_every_phase_is_among_the_positions():
    assert {match.round.phase for match in POSITIONS.values() if match.round} == {*PHASES, "round_over"}


def test_several_rounds_are_stored_with_what_each_was_worth():
    match = deal(gin.load(stored(POSITIONS["after gin"])), tuple(range(52)), 0)
    assert gin.load(stored(match)) == match
    assert [each.points for each in gin.load(stored(match)).rounds] == [72]


def test_cards_are_stored_two_characters_each_and_turns_five():
    match = play_moves(dealt_match("QH", "", "KC", "9H TH"), "0 pass", "1 pass", "0 draw stock", "0 discard QH")
    round = gin.dump(match)["round"]
    assert round["discards"] == "KCQH"
    assert round["stock"].startswith("TH")
    assert round["public"] == "0----1----0**QH"
    assert round["hands"][0].endswith("9H")


def test_only_what_differs_from_the_preset_is_stored_of_the_ruleset():
    assert gin.dump(POSITIONS["before the first deal, the dealer named"])["ruleset"] == {
        "preset": "hollywood",
        "gin_bonus": 30,
    }
