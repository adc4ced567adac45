"""Knocking (rule 4): who may, with which melds, and what the engine lays out where none are named."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import CardNotInHand, InvalidMeld, MeldsOverlap
from service.rulebooks.gin.errors import DeadwoodOverLimit
from tests.builders import about_to_throw, knocked, laid, legal, outcome, play_moves, rules, shown

THREE_RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D"
NO_HELP = "KS QS JC TC 8H 7H 6H 4H 2D AD"
"""Ten cards without a meld."""


def knocks(match, seat=0):
    return {move["discard"] for move in legal(match, seat) if move["type"] == "knock"}


@pytest.mark.parametrize(
    ("limit", "card", "allowed"),
    [
        (10, "KH", True),
        (10, "QH", True),
        (9, "TH", False),
        (9, "9H", True),
        (5, "5H", True),
        (4, "5H", False),
        (1, "AH", True),
        (0, "AH", False),
        (1, "2H", False),
    ],
)
def test_a_knock_needs_deadwood_within_the_limit(limit, card, allowed):
    """Three runs and one card more: the deadwood is what that card counts."""
    match = about_to_throw(f"{THREE_RUNS} {card}", drawn="KC", against="QD", ruleset=rules(knock_limit=limit))
    assert ("KC" in knocks(match)) is allowed
    if allowed:
        assert gin.turn(play_moves(match, "0 knock KC")).phase == "spread"
    else:
        with pytest.raises(DeadwoodOverLimit) as refusal:
            play_moves(match, "0 knock KC")
        points = {"T": 10, "A": 1}.get(card[0]) or int(card[0])
        assert (refusal.value.deadwood, refusal.value.limit) == (points, limit)


def test_a_knock_is_never_forced():
    match = about_to_throw(f"{THREE_RUNS} AH", drawn="KC", against=NO_HELP)
    assert gin.turn(play_moves(match, "0 discard KC")).phase == "draw"


def test_gin_hidden_in_the_best_eleven_cards_is_offered():
    """Only the throw of 6H leaves 2D-5D, three fours and three fives."""
    match = about_to_throw("4S 5S 4C 5C 2D 3D 4D 5D 4H 5H", drawn="6H", ruleset=rules(knock_limit=0))
    assert knocks(match) == {"6H"}
    assert outcome(play_moves(match, "0 knock 6H"))[0] == "gin"


def test_without_melds_the_knock_is_laid_out_so_that_least_can_be_laid_off():
    """Three sets, which three cards extend, not three runs, which six do.

    The defender lays off 5H 6H 7H and melds the fours and the eights: 3S is left, 3 against 1: 2 points.
    """
    held, against = "AS 5S 6S 7S 5C 6C 7C 5D 6D 7D", "3S 4S 8S 4C 8C 4D 8D 5H 6H 7H"
    match = knocked(held, against)
    assert match.round.laid == laid("5S 5D 5C | 6S 6D 6C | 7S 7D 7C | AS")
    assert outcome(play_moves(match, "1 spread")) == ("knock", 0, 2)


def test_the_same_hand_named_as_three_runs_is_undercut():
    """All but 5H 6H 7H are laid off, and those are a run: 0 against 1, undercut 1 + 25."""
    held, against = "AS 5S 6S 7S 5C 6C 7C 5D 6D 7D", "3S 4S 8S 4C 8C 4D 8D 5H 6H 7H"
    match = knocked(held, against, melds="5S6S7S 5C6C7C 5D6D7D")
    assert match.round.laid == laid("5S 6S 7S | 5D 6D 7D | 5C 6C 7C | AS")
    assert outcome(play_moves(match, "1 spread")) == ("undercut", 1, 26)


@pytest.mark.parametrize(
    ("throw", "melds"),
    [("QH", "7S 7H 7D 7C | 8S 9S TS"), ("6S", "7S 8S 9S TS | 7H 7D 7C")],
)
def test_the_throw_is_out_of_the_defenders_reach_when_the_melds_are_chosen(throw, melds):
    """7 is left either way. JS alone extends the first choice, 6S and JS the second: so the first is laid.

    With 6S thrown it is JS for both, and 7S 8S comes before 7S 7H in card order.
    """
    match = knocked("7S 7H 7D 7C 8S 9S TS 2H AD 4H", "KS QS KC QC JC QD JD TH 9H 2D", throw=throw)
    assert match.round.laid == laid(f"{melds} | AD 2H 4H")


def test_named_melds_may_be_worse_than_the_best_as_long_as_they_are_within_the_limit():
    """AS 2S 3S is not named: 1 + 2 + 3 + 1 = 7."""
    match = knocked(f"{THREE_RUNS} AH", NO_HELP.replace("AD", "QD"), melds="7D8D9D 4C5C6C")
    assert shown(match.round.laid) == "7D 8D 9D | 4C 5C 6C | AS 2S 3S AH"
    assert gin.view(match, 1)["round"]["spread"]["deadwood"] == 7


def test_named_melds_are_counted_as_named_against_the_limit():
    """Without 4C 5C 6C the deadwood is 15 + 1."""
    with pytest.raises(DeadwoodOverLimit) as refusal:
        knocked(f"{THREE_RUNS} AH", NO_HELP.replace("AD", "QD"), melds="AS2S3S 7D8D9D")
    assert (refusal.value.deadwood, refusal.value.limit) == (16, 10)


def test_it_is_gin_only_if_the_deadwood_is_0_as_named():
    """All ten could be melded; AS 2S 3S is left out, so it is a knock with 6."""
    match = knocked(f"{THREE_RUNS} TD", NO_HELP, melds="4C5C6C 7D8D9DTD")
    assert gin.turn(match).phase == "spread"
    assert match.round.laid.deadwood == 6


def test_melds_may_be_named_with_their_cards_and_themselves_in_any_order():
    match = knocked(f"{THREE_RUNS} 5H", NO_HELP, melds="5C6C4C 9D7D8D 3SAS2S")
    assert shown(match.round.laid) == "AS 2S 3S | 7D 8D 9D | 4C 5C 6C | 5H"


REFUSED = [
    ("KSQSJS", CardNotInHand, {"card": "KS"}, "a card not in hand"),
    ("KHKCKD", CardNotInHand, {"card": "KH"}, "the card being thrown is no longer in hand"),
    ("AS2S", InvalidMeld, {"cards": ["AS", "2S"]}, "a meld of two"),
    ("AS2S3S 4C5C", InvalidMeld, {"cards": ["4C", "5C"]}, "a good meld and a meld of two"),
    ("AS2S4C", InvalidMeld, {"cards": ["AS", "2S", "4C"]}, "neither set nor run"),
    ("ASAS2S3S", InvalidMeld, {"cards": ["AS", "AS", "2S", "3S"]}, "the same card twice in a meld"),
    ("AS2S3S AS2S3S", MeldsOverlap, {"card": "AS"}, "the same meld twice"),
    ("4C5C6C 5C5H5D", MeldsOverlap, {"card": "5C"}, "overlapping melds"),
    ("5C5H5D AS2S3S 4C5C6C", MeldsOverlap, {"card": "5C"}, "overlapping melds with another in between"),
    ("nothing", DeadwoodOverLimit, {"deadwood": 46, "limit": 10}, "no meld at all"),
    ("AS2S3S", DeadwoodOverLimit, {"deadwood": 40, "limit": 10}, "one meld only"),
]


@pytest.mark.parametrize(("melds", "kind", "facts", "why"), REFUSED, ids=[why for *_, why in REFUSED])
def test_a_knock_with_bad_melds_is_refused_and_nothing_changes(melds, kind, facts, why):
    """KH is thrown; the ten kept count 1 + 2 + 3, 4 + 5 + 6, 7 + 8, 5 + 5: 46 without a meld, 40 with AS 2S 3S."""
    held = "AS 2S 3S 4C 5C 6C 7D 8D 5D 5H"
    match = about_to_throw(held, drawn="KH", against="KS QS JC TC 8H 7H 6H 4H 2D AD")
    before = gin.dump(match)
    with pytest.raises(kind) as refusal:
        play_moves(match, f"0 knock KH {melds}")
    assert refusal.value.facts() == facts
    assert gin.dump(match) == before
    assert gin.view(match, 0)["round"]["hands"][0]["count"] == 11


def test_an_empty_meld_is_no_meld():
    match = about_to_throw(f"{THREE_RUNS} 5H", drawn="KH")
    with pytest.raises(InvalidMeld) as refusal:
        gin.apply(match, 0, gin.read_move({"type": "knock", "discard": "KH", "melds": [[]]}))
    assert refusal.value.cards == []
