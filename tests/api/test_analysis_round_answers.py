"""What a defender may answer to a knock in a round that comes from elsewhere: melds, layoffs, both or nothing."""

import pytest

from tests.api.settling import (
    BREAKING,
    GIN,
    OTHER,
    RUNS,
    assert_refused,
    hand,
    outcome,
    sent,
    settled,
)

# --- The defender's answer ---

SPADES = "5S 6S 7S KC KD KH 2C 3C 4C AH"
"""A run of 5 to 7, kings and a run of clubs, and a deadwood of 1."""


@pytest.mark.parametrize(
    ("layoffs", "refused_card"), [("4S>0 3S>0", None), ("3S>0 4S>0", "3S"), ("3S>0", "3S"), ("4S>0", None)]
)
def test_a_run_grows_card_by_card(http, layoffs, refused_card):
    knocker = hand(SPADES, melds="5S 6S 7S|KC KD KH|2C 3C 4C")
    defender = hand("3S 4S QC QD JH JD 9H 9C 8D 6H", layoffs=layoffs)
    if refused_card is not None:
        assert_refused(sent(http, knocker, defender), "layoff_does_not_fit", card=refused_card, meld=0)
        return
    result = settled(http, knocker, defender)
    assert " ".join(f"{each['card']}>{each['meld']}" for each in result["layoffs"]) == layoffs


def test_three_cards_are_laid_off_one_after_the_other(http):
    """8S 9S TS on 5S 6S 7S: the rest of 10 + 10 + 10 + 10 + 9 + 8 + 6 = 63."""
    defender = hand("8S 9S TS QC QD JH JD 9H 8D 6H", layoffs="8S>0 9S>0 TS>0")
    result = settled(http, hand(SPADES, melds="5S 6S 7S|KC KD KH|2C 3C 4C"), defender)
    assert outcome(result) == ("knock", "knocker", 62, [1, 63])
    best = settled(http, hand(SPADES, melds="5S 6S 7S|KC KD KH|2C 3C 4C"), hand("8S 9S TS QC QD JH JD 9H 8D 6H"))
    assert best["deadwood"] == [1, 63]


def test_melds_alone_lay_nothing_off(http):
    """Twos and eights: 9 + 1 + 7 = 17 against 10."""
    result = settled(http, hand(BREAKING[0]), hand(BREAKING[1], melds="2S 2C 2D 2H|8S 8C 8D"))
    assert outcome(result) == ("knock", "knocker", 7, [10, 17])
    assert result["layoffs"] == []


def test_layoffs_alone_leave_the_best_melds_of_the_rest(http):
    """8S and 9S go on the run; of the rest the four twos are a meld: 1 + 7 + 8 + 8 = 24 against 10."""
    result = settled(http, hand(BREAKING[0]), hand(BREAKING[1], layoffs="8S>0 9S>0"))
    assert result["spreads"][1]["melds"] == [["2S", "2H", "2D", "2C"]]
    assert outcome(result) == ("knock", "knocker", 14, [10, 24])


def test_layoffs_and_melds_are_taken_as_named(http):
    """8S on the run, the twos left unmelded: 9 + 1 + 2 + 2 + 2 + 2 + 7 + 8 + 8 = 41."""
    result = settled(
        http, hand(BREAKING[0], melds="5S 6S 7S|KS KC KD|9C TC JC"), hand(BREAKING[1], layoffs="8S>0", melds="")
    )
    assert outcome(result) == ("knock", "knocker", 31, [10, 41])


def test_empty_lists_are_an_answer_and_no_lists_are_none(http):
    """All ten cards are deadwood, 47 + 6 + 7 + 8 = 68; left out, the lists are made as good as can be."""
    answered = settled(http, hand(RUNS), hand(OTHER, melds="", layoffs=""))
    assert answered["deadwood"][1] == 68
    assert settled(http, hand(RUNS), hand(OTHER))["deadwood"][1] == 47


@pytest.mark.parametrize(
    ("answer", "code", "facts"),
    [
        ({"melds": "6H 7H 9H"}, "card_not_in_hand", {"card": "9H"}),
        ({"melds": "6H 7H"}, "invalid_meld", {"cards": ["6H", "7H"]}),
        ({"melds": "KS QS JC"}, "invalid_meld", {"cards": ["KS", "QS", "JC"]}),
        ({"melds": "6H 7H 8H|8H 7H 6H"}, "melds_overlap", {"card": "8H"}),
        ({"layoffs": "KS>0"}, "layoff_does_not_fit", {"card": "KS", "meld": 0}),
        ({"layoffs": "4S>0 4S>0"}, "card_not_in_hand", {"card": "4S"}),
        ({"layoffs": "TD>3"}, "layoff_does_not_fit", {"card": "TD", "meld": 3}),
        ({"layoffs": "TD>11"}, "layoff_does_not_fit", {"card": "TD", "meld": 11}),
        ({"layoffs": "5H>0"}, "card_not_in_hand", {"card": "5H"}),
        ({"layoffs": "TD>1", "melds": "KS QS TD"}, "melds_overlap", {"card": "TD"}),
    ],
)
def test_answers_that_the_rules_do_not_allow_are_refused(http, answer, code, facts):
    knocker = hand(RUNS, melds="AS 2S 3S|4C 5C 6C|7D 8D 9D")
    defender = hand("KS QS JC TC 8H 7H 6H 4S TD TH", **answer)
    assert_refused(sent(http, knocker, defender), code, **facts)


@pytest.mark.parametrize("answer", [{"melds": ""}, {"layoffs": ""}, {"melds": "6H 7H 8H"}])
@pytest.mark.parametrize(
    ("knocker", "ruleset"),
    [(GIN, "standard"), (f"{GIN} JD", "standard"), (RUNS, {"preset": "standard", "layoff": "auto"})],
)
def test_no_answer_can_be_named_after_gin_or_where_the_engine_lays_off(http, knocker, ruleset, answer):
    assert_refused(sent(http, hand(knocker), hand(OTHER, **answer), ruleset), "no_spread_follows")


def test_the_engine_lays_off_as_the_defender_would_at_best(http):
    by_hand = settled(http, hand(BREAKING[0]), hand(BREAKING[1]))
    assert settled(http, hand(BREAKING[0]), hand(BREAKING[1]), {"preset": "standard", "layoff": "auto"}) == by_hand
