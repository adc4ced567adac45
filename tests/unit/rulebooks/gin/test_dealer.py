"""Who deals (rule 12)."""

import pytest

from service.rulebooks import gin
from tests.builders import deal, deck, knocked, outcome, play_moves, rules

GIN = "2S 3S 4S 4C 5C 6C 7D 8D 9D TD"
MELDLESS = "5S 7C JD KH KS 2H 3D 9H 8C 6H"


def next_dealer(match):
    """Whoever the shuffle would draw has no say after the first round."""
    dealers = {deal(match, deck(), drawn).round.dealer for drawn in (0, 1)}
    assert len(dealers) == 1
    return dealers.pop()


def won_by_the_non_dealer(dealer, **overrides):
    match = deal(gin.start(rules(target=1000, **overrides), 2, dealer), deck(GIN, MELDLESS, "QH", "KC"), 0)
    first = 1 - dealer
    match = play_moves(match, f"{first} pass", f"{dealer} pass", f"{first} draw stock", f"{first} knock KC")
    assert outcome(match)[:2] == ("gin", first)
    return match


def won_by_the_dealer(dealer, **overrides):
    match = deal(gin.start(rules(target=1000, **overrides), 2, dealer), deck(MELDLESS, GIN, "KC"), 0)
    match = play_moves(match, f"{1 - dealer} pass", f"{dealer} draw discard", f"{dealer} knock TD")
    match = play_moves(match, f"{1 - dealer} spread")
    assert outcome(match)[:2] == ("knock", dealer)
    return match


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_first_dealer_is_the_one_named(dealer):
    for drawn in (0, 1):
        assert deal(gin.start(rules(), 2, dealer), deck(), drawn).round.dealer == dealer


@pytest.mark.parametrize("drawn", [0, 1])
def test_the_first_dealer_is_drawn_if_nobody_was_named(drawn):
    assert deal(gin.start(rules(), 2, None), deck(), drawn).round.dealer == drawn


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_winner_or_the_loser_of_the_round_deals_next(dealer):
    assert next_dealer(won_by_the_non_dealer(dealer, next_dealer="winner")) == 1 - dealer
    assert next_dealer(won_by_the_non_dealer(dealer, next_dealer="loser")) == dealer
    assert next_dealer(won_by_the_dealer(dealer, next_dealer="winner")) == dealer
    assert next_dealer(won_by_the_dealer(dealer, next_dealer="loser")) == 1 - dealer


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_deal_alternates_whoever_wins(dealer):
    assert next_dealer(won_by_the_non_dealer(dealer)) == 1 - dealer
    assert next_dealer(won_by_the_dealer(dealer)) == 1 - dealer


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("rule", ["alternate", "winner", "loser"])
@pytest.mark.parametrize(("void_dealer", "same"), [("same", True), ("alternate", False)])
def test_after_a_void_round_its_own_rule_names_the_dealer(void_dealer, same, rule, dealer):
    ruleset = rules("open", max_discard_draws=1, next_dealer=rule, void_dealer=void_dealer)
    match = deal(gin.start(ruleset, 2, dealer), deck(MELDLESS, GIN, "KC"), 0)
    match = play_moves(match, f"{1 - dealer} draw discard", f"{1 - dealer} discard 5S")
    assert outcome(match)[0] == "void"
    assert next_dealer(match) == (dealer if same else 1 - dealer)


@pytest.mark.parametrize(("void_dealer", "expected"), [("same", 1), ("alternate", 0)])
def test_a_tie_without_a_winner_is_like_a_void_round(void_dealer, expected):
    ruleset = rules(undercut_on_tie=False, next_dealer="winner", void_dealer=void_dealer)
    tied = knocked("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S", ruleset=ruleset)
    match = play_moves(tied, "1 spread AC2C3C 4D5D6D 7H8H9H")
    assert outcome(match)[0] == "tie"
    assert next_dealer(match) == expected


def test_after_a_void_round_the_non_dealer_begins_again_and_the_score_is_as_it_was():
    ruleset = rules("open", max_discard_draws=1)
    match = deal(gin.start(ruleset, 2, 1), deck(MELDLESS, GIN, "KC"), 0)
    match = play_moves(match, "0 draw discard", "0 discard 5S")
    before = gin.score(match)
    match = deal(match, deck(), 0)
    assert (gin.turn(match).seat, match.round.dealer, gin.score(match)) == (0, 1, before)


def test_an_undercut_for_nothing_has_a_winner_who_may_deal():
    """5 against 5 and no bonus: 0 points, and still a round won."""
    ruleset = rules(undercut_bonus=0, next_dealer="loser")
    tied = knocked("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S", ruleset=ruleset)
    match = play_moves(tied, "1 spread AC2C3C 4D5D6D 7H8H9H")
    assert outcome(match) == ("undercut", 1, 0)
    assert next_dealer(match) == 0
    assert gin.score(match)["boxes"] == [0, 1]
