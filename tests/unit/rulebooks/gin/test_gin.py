"""Gin and big gin (rules 5 and 6): no laying off, no undercut, and eleven cards without a throw."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import CardNotInHand, InvalidMeld
from service.rulebooks.gin.errors import BigGinNotPlayed, DeadwoodOverLimit
from tests.builders import about_to_throw, knocked, last_round, legal, outcome, play_moves, rules

TEN = "2S 3S 4S 4C 5C 6C 7D 8D 9D TD"
DEFENDER = "5S 7C JD KH KS 2H 3D 9H 8C 6H"
BIG = {"type": "big_gin"}


def test_nothing_is_laid_off_on_gin():
    """5 + 7 + 10 + 10 + 10 + 2 + 3 + 9 + 8 + 6 = 70, and 25: 95. With 5S, 7C 8C and JD laid off it would be 65."""
    match = knocked(TEN, DEFENDER)
    assert outcome(match) == ("gin", 0, 95)
    assert last_round(match)["layoffs"] == []
    assert last_round(match)["deadwood"] == [0, 70]


def test_gin_ends_the_round_without_a_spread():
    match = knocked(TEN, DEFENDER)
    assert gin.turn(match).phase == "round_over"
    assert gin.turn(match).seat is None


def test_the_defenders_best_arrangement_counts_against_gin():
    """KS KH KC and 2H 3H 4H are melded: 5S 7C JD 8C are left, 5 + 7 + 10 + 8 = 30, and 25."""
    match = knocked(TEN, "KS KH KC 2H 3H 4H 5S 7C JD 8C", throw="QC")
    assert outcome(match) == ("gin", 0, 55)
    assert last_round(match)["spreads"][1]["melds"] == [["KS", "KH", "KC"], ["2H", "3H", "4H"]]


def test_gin_cannot_be_undercut_by_a_defender_who_has_nothing_left_either():
    """0 - 0 and the bonus of 25 for the knocker."""
    match = knocked(TEN, "KS KH KC 2H 3H 4H JS JH JD JC", throw="QC")
    assert outcome(match) == ("gin", 0, 25)


def test_a_run_of_ten_is_gin():
    assert outcome(knocked("AS 2S 3S 4S 5S 6S 7S 8S 9S TS", DEFENDER.replace("5S", "5D"), throw="QC"))[0] == "gin"


def test_gin_is_legal_at_every_knock_limit():
    for limit in (0, 1, 10):
        assert outcome(knocked(TEN, DEFENDER, ruleset=rules(knock_limit=limit))) == ("gin", 0, 95)


def test_gin_may_be_named_with_its_melds():
    assert outcome(knocked(TEN, DEFENDER, melds="2S3S4S 4C5C6C 7D8D9DTD")) == ("gin", 0, 95)


@pytest.mark.parametrize(("preset", "points"), [("standard", 95), ("classic", 90), ("palace", 95)])
def test_the_gin_bonus_is_the_rulesets(preset, points):
    assert outcome(knocked(TEN, DEFENDER, ruleset=rules(preset))) == ("gin", 0, points)


def test_the_views_mark_a_knock_without_deadwood_as_gin():
    listed = gin.view(about_to_throw(TEN, drawn="KC", against=DEFENDER), 0)["legal_moves"]
    assert {"move": {"type": "knock", "discard": "KC"}, "deadwood": 0, "gin": True} in listed


# --- Big gin ---


def eleven(ruleset=None, **how):
    return about_to_throw(TEN, **(how or {"drawn": "7C"}), against=DEFENDER.replace("7C", "QC"), ruleset=ruleset)


def test_big_gin_ends_the_round_with_eleven_cards_melded_and_no_discard():
    """5 + 10 + 10 + 10 + 10 + 2 + 3 + 9 + 8 + 6 = 73, and 31."""
    match = play_moves(eleven(), "0 big_gin")
    assert outcome(match) == ("big_gin", 0, 104)
    assert len(match.round.discards) == 1
    assert gin.view(match, 1)["round"]["hands"][0]["count"] == 11
    assert last_round(match)["spreads"][0]["melds"] == [
        ["2S", "3S", "4S"],
        ["7D", "8D", "9D", "TD"],
        ["4C", "5C", "6C", "7C"],
    ]


def test_a_card_taken_from_the_discard_pile_may_be_part_of_big_gin():
    assert outcome(play_moves(eleven(taken="7C"), "0 big_gin"))[0] == "big_gin"


def test_a_hand_of_big_gin_may_end_as_plain_gin():
    assert outcome(play_moves(eleven(), "0 knock 7C")) == ("gin", 0, 98)
    assert outcome(play_moves(eleven(), "0 knock TD")) == ("gin", 0, 98)


def test_big_gin_is_listed_when_all_eleven_are_melded_and_not_before():
    assert legal(eleven(), 0).count(BIG) == 1
    assert BIG not in legal(about_to_throw(TEN, drawn="KC"), 0)


def test_big_gin_is_refused_while_a_card_is_unmelded():
    """KC counts 10."""
    with pytest.raises(DeadwoodOverLimit) as refusal:
        play_moves(about_to_throw(TEN, drawn="KC"), "0 big_gin")
    assert (refusal.value.deadwood, refusal.value.limit) == (10, 0)


def test_big_gin_may_be_named_with_its_melds_and_all_must_be_in_them():
    match = eleven()
    assert outcome(play_moves(match, "0 big_gin 7D8D9DTD 4C5C6C7C 2S3S4S"))[0] == "big_gin"
    with pytest.raises(DeadwoodOverLimit) as refusal:
        play_moves(match, "0 big_gin 7D8D9DTD 4C5C6C 2S3S4S")
    assert (refusal.value.deadwood, refusal.value.limit) == (7, 0)


@pytest.mark.parametrize(("melds", "kind"), [("KSKHKD", CardNotInHand), ("2S3S", InvalidMeld)])
def test_big_gin_with_bad_melds_is_refused_and_nothing_changes(melds, kind):
    match = eleven()
    before = gin.dump(match)
    with pytest.raises(kind):
        play_moves(match, f"0 big_gin {melds}")
    assert gin.dump(match) == before


def test_a_ruleset_may_do_without_big_gin():
    match = eleven(ruleset=rules("classic"))
    assert BIG not in legal(match, 0)
    with pytest.raises(BigGinNotPlayed):
        play_moves(match, "0 big_gin")


def test_a_big_gin_bonus_of_0_is_not_the_same_as_no_big_gin():
    match = eleven(ruleset=rules(big_gin_bonus=0))
    assert outcome(play_moves(match, "0 big_gin")) == ("big_gin", 0, 73)


def test_the_event_of_big_gin_tells_its_melds_and_the_result():
    event = gin.apply(eleven(), 0, gin.read_move(BIG)).event
    assert event.move["melds"] == [["2S", "3S", "4S"], ["7D", "8D", "9D", "TD"], ["4C", "5C", "6C", "7C"]]
    assert event.result["points"] == 104
