"""Rounds that nobody knocks in: the end of the stock, the fiftieth card, and the cap on takes (rules 9 to 11)."""

import pytest

from service.cards.card import card
from service.rulebooks import gin
from service.rulebooks.errors import SourceNotOpen, WrongPhase
from service.rulebooks.gin.errors import KnockMustFollow, NoKnockFollows
from tests.builders import dealt_match, last_round, legal, outcome, play_moves, rules, throw_every_draw

TEN = "AS 2S 3S 4C 5C 6C 7D 8D 9D KH"
"""Three runs and a king: TD makes it gin, 5H a knock with 5."""
DRAW, PASS = {"type": "draw", "source": "discard"}, {"type": "pass"}
SCORELESS = "AH 3H 5H 7H 9H JH 2D 4D 6D QS"
"""No meld: 1 + 3 + 5 + 7 + 9 + 10, 2 + 4 + 6 and 10 are 57."""
MELDLESS = "AC 4S 7C TS 2H 5D 8H JD 3C 6S"
"""No meld: 1 + 7 + 3, 4 + 10 + 6, 2 + 8, 5 + 10 are 56."""


def after_turns(turns, ruleset=None, fiftieth="TD", dealer=TEN):
    """All cards are drawn from the stock and thrown at once; seat 0 draws first, and so the 29th as well."""
    match = dealt_match(SCORELESS, dealer, "KC", fiftieth=fiftieth, ruleset=ruleset)
    return throw_every_draw(play_moves(match, "0 pass", "1 pass"), turns)


def test_the_round_is_void_when_two_cards_are_left_after_a_discard():
    match = after_turns(29)
    assert len(match.round.stock) == 2
    assert outcome(match) == ("void", None, 0)
    assert gin.turn(match).phase == "round_over"
    assert legal(match, 0) == legal(match, 1) == [{"type": "deal"}]


def test_with_three_cards_left_the_round_goes_on():
    match = after_turns(28)
    assert len(match.round.stock) == 3
    assert gin.turn(match).phase == "draw"


def test_a_knock_after_the_last_draw_stands():
    """The 29th card is TD: seat 0 holds the three runs this time, and has gin."""
    match = dealt_match(TEN, SCORELESS, "KC", fiftieth="TD")
    match = throw_every_draw(play_moves(match, "0 pass", "1 pass"), 28)
    assert outcome(play_moves(match, "0 draw stock", "0 knock KH"))[:2] == ("gin", 0)


def test_a_void_round_is_scored_without_points_boxes_or_error():
    match = after_turns(29)
    score = gin.score(match)
    assert (score["points"], score["boxes"], score["totals"], score["lines"]) == ([0, 0], [0, 0], [0, 0], [])
    assert last_round(match)["deadwood"] == [57, 10]
    assert (last_round(match)["knocker"], last_round(match)["layoffs"]) == (None, [])


def test_a_round_without_a_single_meld_is_scored():
    match = after_turns(29, dealer=MELDLESS)
    assert outcome(match) == ("void", None, 0)
    assert last_round(match)["deadwood"] == [57, 56]
    assert [each["melds"] for each in last_round(match)["spreads"]] == [[], []]


# --- The fiftieth card ---


def fiftieth(**changes):
    return after_turns(29, ruleset=rules("rubl"), **changes)


def test_the_seat_that_did_not_throw_last_is_asked_for_the_fiftieth_card():
    match = fiftieth()
    assert (gin.turn(match).seat, gin.turn(match).phase) == (1, "fiftieth")
    assert match.round.discards[-1] == card("TD")
    assert legal(match, 1) == [DRAW, PASS]
    assert legal(match, 0) == []


def test_it_is_asked_even_if_no_knock_would_follow():
    """Skipping the question would tell what the hand is not."""
    match = fiftieth(dealer=MELDLESS)
    assert gin.turn(match).phase == "fiftieth"
    assert legal(match, 1) == [PASS]
    with pytest.raises(NoKnockFollows) as refusal:
        play_moves(match, "1 draw discard")
    assert refusal.value.card == "TD"


def test_a_hand_that_could_knock_before_may_not_take_a_card_that_it_would_have_to_keep():
    """Three runs and AC, with a limit of 5: KD may not be thrown back, and 10 is too much to keep."""
    match = after_turns(29, rules("rubl", knock_limit=5), fiftieth="KD", dealer=TEN.replace("KH", "AC"))
    assert legal(match, 1) == [PASS]
    with pytest.raises(NoKnockFollows):
        play_moves(match, "1 draw discard")


def test_passing_the_fiftieth_card_makes_the_round_void():
    assert outcome(play_moves(fiftieth(), "1 pass")) == ("void", None, 0)


def test_the_fiftieth_card_may_be_taken_to_go_gin():
    """57 points of deadwood and 25."""
    match = play_moves(fiftieth(), "1 draw discard", "1 knock KH")
    assert outcome(match) == ("gin", 1, 82)


def test_the_fiftieth_card_may_be_taken_to_knock():
    """5D stays and KH goes: a knock with 5. Of 57, 6D is laid off on 7D 8D 9D: 51 - 5 = 46."""
    match = play_moves(fiftieth(fiftieth="5D"), "1 draw discard", "1 knock KH")
    assert outcome(play_moves(match, "0 spread")) == ("knock", 1, 46)


def test_only_a_knock_may_follow():
    match = play_moves(fiftieth(), "1 draw discard")
    assert {move["type"] for move in legal(match, 1)} == {"knock"}
    before = gin.dump(match)
    with pytest.raises(KnockMustFollow) as refusal:
        play_moves(match, "1 discard KH")
    assert refusal.value.card == "TD"
    assert gin.dump(match) == before


def test_big_gin_may_follow_too():
    """57 and 31; no preset has both, but a ruleset may."""
    match = after_turns(29, ruleset=rules("rubl", big_gin_bonus=31), dealer="AS 2S 3S 4C 5C 6C 7C 7D 8D 9D")
    match = play_moves(match, "1 draw discard")
    assert {move["type"] for move in legal(match, 1)} == {"knock", "big_gin"}
    assert outcome(play_moves(match, "1 big_gin")) == ("big_gin", 1, 88)


@pytest.mark.parametrize("text", ["discard KH", "knock KH", "big_gin", "spread"])
def test_nothing_else_is_possible_for_the_fiftieth_card(text):
    with pytest.raises(WrongPhase) as refusal:
        play_moves(fiftieth(), f"1 {text}")
    assert refusal.value.phase == "fiftieth"


def test_the_two_cards_of_the_stock_are_never_drawn():
    with pytest.raises(SourceNotOpen) as refusal:
        play_moves(fiftieth(), "1 draw stock")
    assert refusal.value.source == "stock"


# --- The cap on takes from the discard pile ---


def taking_for_ever(match):
    """Both seats take what the other threw, and throw another card, until something stops them."""
    takes = 0
    while gin.turn(match).phase == "draw":
        seat = gin.turn(match).seat
        match = play_moves(match, f"{seat} draw discard")
        takes += 1
        throw = next(move for move in legal(match, seat) if move["type"] == "discard")
        match = play_moves(match, f"{seat} discard {throw['card']}")
    return match, takes


def test_two_seats_that_take_each_others_discards_for_ever_are_stopped_after_50():
    match, takes = taking_for_ever(
        throw_every_draw(play_moves(dealt_match(SCORELESS, TEN, "KC"), "0 pass", "1 pass"), 1)
    )
    assert takes == 50
    assert outcome(match) == ("void", None, 0)


def test_taking_the_upcard_in_the_opening_does_not_count():
    match = play_moves(
        dealt_match(SCORELESS, TEN, "KC", ruleset=rules(max_discard_draws=2)), "0 draw discard", "0 discard QS"
    )
    assert taking_for_ever(match)[1] == 2


def test_taking_the_upcard_after_two_passes_counts_by_the_house_rule():
    match = dealt_match(SCORELESS, TEN, "KC", ruleset=rules(max_discard_draws=1, both_pass_draw="either"))
    match = play_moves(match, "0 pass", "1 pass", "0 draw discard", "0 discard QS")
    assert outcome(match) == ("void", None, 0)


def test_draws_from_the_stock_neither_count_nor_start_the_count_again():
    match = dealt_match(SCORELESS, TEN, "KC", "TS JS", ruleset=rules("open", max_discard_draws=2))
    match = play_moves(match, "0 draw discard", "0 discard QS", "1 draw stock", "1 discard TS")
    match = play_moves(match, "0 draw stock", "0 discard JS", "1 draw discard")
    assert gin.turn(match).phase == "discard"
    assert outcome(play_moves(match, "1 discard KH")) == ("void", None, 0)


def test_a_turn_after_the_last_take_but_one_goes_on():
    match = dealt_match(SCORELESS, TEN, "KC", ruleset=rules("open", max_discard_draws=2))
    assert gin.turn(play_moves(match, "0 draw discard", "0 discard QS")).phase == "draw"


def test_a_knock_in_the_turn_of_the_last_take_stands():
    match = dealt_match(TEN, SCORELESS, "TD", ruleset=rules("open", max_discard_draws=1))
    assert outcome(play_moves(match, "0 draw discard", "0 knock KH")) == ("gin", 0, 82)
