"""The spread and laying off (rule 7), and what a knock comes to (rule 8), as it is played."""

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import CardNotInHand, InvalidMeld, LayoffDoesNotFit, MeldsOverlap, WrongPhase
from tests.builders import knocked, last_round, legal, outcome, play_moves, rules

THREE_RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D"
"""Laid as meld 0 in spades, 1 in diamonds, 2 in clubs."""


def test_a_knock_scores_the_difference():
    """8 against 10: 2 points. The jacks, the queens and 2H 3H 4H leave KC."""
    match = knocked(f"{THREE_RUNS} 8H", "JS JH JD QS QH QD 2H 3H 4H KC", throw="KD")
    assert outcome(play_moves(match, "1 spread")) == ("knock", 0, 2)


def test_a_knock_with_4_against_20_scores_16():
    """The jacks and the queens leave 9S 9H AC AD: 9 + 9 + 1 + 1."""
    match = knocked(f"{THREE_RUNS} 4H", "JH JD JC QH QD QC 9S 9H AC AD", throw="KD")
    assert outcome(play_moves(match, "1 spread")) == ("knock", 0, 16)


@pytest.mark.parametrize(("preset", "points"), [("standard", 29), ("classic", 14), ("palace", 24)])
def test_an_undercut_scores_the_difference_and_the_bonus(preset, points):
    """1 against 5: 4, and 25, 10 or 20."""
    match = knocked(f"{THREE_RUNS} 5H", "JH JD JC QH QD QC 9S 9H 9C AD", throw="KD", ruleset=rules(preset))
    assert outcome(play_moves(match, "1 spread")) == ("undercut", 1, points)


TIED = ("AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S")


@pytest.mark.parametrize(("preset", "points"), [("standard", 25), ("classic", 10)])
def test_a_tie_is_an_undercut_with_a_difference_of_0(preset, points):
    """5 against 5, or better for the defender: 3C could go on 4C 5C 6C, but AC 2C would be left."""
    match = knocked(*TIED, ruleset=rules(preset))
    own = "AC2C3C 4D5D6D 7H8H9H"
    assert outcome(play_moves(match, f"1 spread {own}")) == ("undercut", 1, points)


def test_a_tie_is_0_to_0_and_nobodys_where_the_ruleset_says_so():
    match = play_moves(knocked(*TIED, ruleset=rules(undercut_on_tie=False)), "1 spread AC2C3C 4D5D6D 7H8H9H")
    assert outcome(match) == ("tie", None, 0)
    assert gin.score(match)["boxes"] == [0, 0]
    assert last_round(match)["lines"] == []


def test_less_than_the_knocker_is_an_undercut_even_without_one_on_a_tie():
    match = knocked(
        f"{THREE_RUNS} 5H", "JH JD JC QH QD QC 9S 9H 9C AD", throw="KD", ruleset=rules(undercut_on_tie=False)
    )
    assert outcome(play_moves(match, "1 spread")) == ("undercut", 1, 29)


def test_a_defender_without_deadwood_undercuts():
    """5 against 0: 5 and 25."""
    match = knocked(f"{THREE_RUNS} 5H", "JH JD JC QH QD QC 9S 9H 9C QS", throw="KD")
    assert outcome(play_moves(match, "1 spread")) == ("undercut", 1, 30)


# --- Laying off ---

FIVES = "4S 4C 4D 4H 5S 5C 5D 5H 9S TS"
JACKS_UP = ("JS QS KS TC TD TH AS AC AD 2H", FIVES)


def test_the_card_that_opens_a_chain_goes_where_the_chain_goes_on():
    """TS on JS QS KS, then 9S: 0 against 2, undercut 2 + 25. TS on the tens would leave 9S: a knock for 7."""
    match = play_moves(knocked(*JACKS_UP, throw="9C"), "1 spread")
    assert outcome(match) == ("undercut", 1, 27)
    assert last_round(match)["layoffs"] == [
        {"seat": 1, "card": "TS", "meld": meld_of("JS", match)},
        {"seat": 1, "card": "9S", "meld": meld_of("JS", match)},
    ]


def meld_of(first, match):
    melds = gin.view(match, None)["round"]["spread"]["melds"]
    return next(place for place, meld in enumerate(melds) if meld[0] == first)


def test_a_worse_layoff_is_accepted_as_named():
    """TS on the tens, 9S left: 9 - 2 = 7."""
    match = knocked(*JACKS_UP, throw="9C")
    assert outcome(play_moves(match, f"1 spread | TS>{meld_of('TH', match)}")) == ("knock", 0, 7)


LOW = ("5S 6S 7S TD JD QD AH AD AC 2H", "4S 3S 8S 9S TS KD KC KH QH JC")
"""Meld 0 is 5S 6S 7S, 1 the aces, 2 TD JD QD."""


@pytest.mark.parametrize(
    "order",
    ["4S>0", "4S>0 3S>0", "8S>0 9S>0 TS>0", "8S>0 4S>0 9S>0 3S>0 TS>0", "KD>2", "KD>2 8S>0"],
)
def test_runs_grow_at_either_end_and_card_by_card(order):
    match = play_moves(knocked(*LOW, throw="QC"), f"1 spread | {order}")
    assert [f"{each['card']}>{each['meld']}" for each in last_round(match)["layoffs"]] == order.split()
    own = last_round(match)["spreads"][1]
    kept = {card for part in (*own["melds"], own["deadwood_cards"]) for card in part}
    assert kept == set(LOW[1].split()) - {each[:2] for each in order.split()}


@pytest.mark.parametrize(
    ("order", "card", "meld"),
    [
        ("3S>0 4S>0", "3S", 0),
        ("3S>0", "3S", 0),
        ("9S>0", "9S", 0),
        ("4S>0 3S>1", "3S", 1),
        ("QH>2", "QH", 2),
        ("KD>0", "KD", 0),
        ("4S>3", "4S", 3),
        ("4S>40", "4S", 40),
    ],
)
def test_a_layoff_that_does_not_fit_is_refused_and_nothing_changes(order, card, meld):
    match = knocked(*LOW, throw="QC")
    before = gin.dump(match)
    with pytest.raises(LayoffDoesNotFit) as refusal:
        play_moves(match, f"1 spread | {order}")
    assert refusal.value.facts() == {"card": card, "meld": meld}
    assert gin.dump(match) == before


def test_a_layoff_on_a_meld_counted_from_the_end_does_not_fit():
    """Melds are numbered from 0; -1 is none of them."""
    match = knocked(*LOW, throw="QC")
    with pytest.raises(LayoffDoesNotFit):
        gin.apply(match, 1, gin.read_move({"type": "spread", "layoffs": [{"card": "KD", "meld": -1}]}))


def test_nothing_is_laid_off_on_the_knockers_deadwood():
    """AH AD AC and 2H: 3H and 4H would be a run with 2H, which is no meld."""
    match = knocked("5S 6S 7S TD JD QD AH AD AC 2H", "3H 4H 8C 9C TC KC KH KS 2D 2S", throw="QC")
    with pytest.raises(LayoffDoesNotFit):
        play_moves(match, "1 spread | 3H>3")


def test_a_set_grows_to_the_fourth_card_and_no_further():
    match = knocked("KH KD KC 5S 6S 7S AH AD AC 2H", "KS AS 8C 9C TC 3H 6H 9D TD 3S", throw="QC")
    kings, aces = meld_of("KH", match), meld_of("AH", match)
    result = last_round(play_moves(match, f"1 spread | KS>{kings} AS>{aces}"))
    assert [each["card"] for each in result["layoffs"]] == ["KS", "AS"]


def test_the_indexes_count_in_card_order_whatever_order_the_knock_named():
    """4S goes on the spades, which were named last and are laid as meld 0."""
    held, against = f"{THREE_RUNS} 5H", "4S JH JD JC QH QD QC 9S 9H AC"
    match = knocked(held, against, throw="KD", melds="4C5C6C 7D8D9D AS2S3S")
    assert [meld[0] for meld in gin.view(match, 1)["round"]["spread"]["melds"]] == ["AS", "7D", "4C"]
    assert last_round(play_moves(match, "1 spread | 4S>0"))["layoffs"] == [{"seat": 1, "card": "4S", "meld": 0}]
    with pytest.raises(LayoffDoesNotFit):
        play_moves(match, "1 spread | 4S>2")


def test_the_indexes_stay_those_of_the_knockers_spread_as_cards_are_laid():
    """Both diamond runs and the hearts grow in turn; each goes on by the number it was spread with."""
    match = knocked("AD 2D 3D 7D 8D 9D TH JH QH AC", "4D 6D 5D TD KH KS QC 9C 2H 5C", throw="KC")
    chain = f"6D>{meld_of('7D', match)} 4D>{meld_of('AD', match)} TD>{meld_of('7D', match)} KH>{meld_of('TH', match)}"
    assert len(last_round(play_moves(match, f"1 spread | {chain}"))["layoffs"]) == 4


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        ("spread | 5S>0", CardNotInHand, {"card": "5S"}),
        ("spread | 4S>0 4S>0", CardNotInHand, {"card": "4S"}),
        ("spread | QC>0", CardNotInHand, {"card": "QC"}),
        ("spread KDKCKH | KD>2", MeldsOverlap, {"card": "KD"}),
        ("spread 8S9STS | 8S>0", MeldsOverlap, {"card": "8S"}),
        ("spread KDKCKH KDKCKH", MeldsOverlap, {"card": "KD"}),
        ("spread KDKC", InvalidMeld, {"cards": ["KD", "KC"]}),
        ("spread KDKCKS", CardNotInHand, {"card": "KS"}),
        ("spread 8S9STSJC", InvalidMeld, {"cards": ["8S", "9S", "TS", "JC"]}),
    ],
)
def test_a_spread_that_cannot_be_is_refused_and_nothing_changes(text, kind, facts):
    match = knocked(*LOW, throw="QC")
    before = gin.dump(match)
    with pytest.raises(kind) as refusal:
        play_moves(match, f"1 {text}")
    assert refusal.value.facts() == facts
    assert gin.dump(match) == before


# --- What is left to the engine ---

BREAKING = ("KS KC KD 5S 6S 7S 9C TC JC JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H")


def test_the_defender_may_break_a_meld_to_lay_off_more():
    """Twos; 8S 9S on 5S 6S 7S and 8C 7C on 9C TC JC leave AC 8D: 9 against 10 is an undercut of 1 + 20.

    Melding first keeps the three eights and leaves 9S AC 7C: 17.
    """
    match = play_moves(knocked(*BREAKING, throw="3H", ruleset=rules("palace")), "1 spread")
    assert outcome(match) == ("undercut", 1, 21)
    assert last_round(match)["deadwood"] == [10, 9]


def test_melds_alone_lay_nothing_off():
    """Twos and eights: 9 + 1 + 7 = 17, 7 more than the knocker."""
    match = play_moves(knocked(*BREAKING, throw="3H"), "1 spread 2S2C2D2H 8S8C8D")
    assert outcome(match) == ("knock", 0, 7)
    assert last_round(match)["layoffs"] == []


def test_layoffs_alone_meld_the_best_of_the_rest():
    """8S laid off; of 2S 9S AC 2C 7C 8C 2D 8D 2H the twos are melded: 9 + 1 + 7 + 8 + 8 = 33, less 10."""
    match = knocked(*BREAKING, throw="3H")
    match = play_moves(match, f"1 spread | 8S>{meld_of('5S', match)}")
    assert outcome(match) == ("knock", 0, 23)


def test_a_card_laid_off_is_out_of_reach_when_the_rest_is_melded():
    """6S is gone, so JS alone extends 7S-TS as it does 8S 9S TS, and 7S 8S comes before 7S 7H in card order."""
    match = knocked("3S 4S 5S TD JD QD AH AD AC 2H", "6S 7S 7H 7D 7C 8S 9S TS KC 2C", throw="QC")
    match = play_moves(match, f"1 spread | 6S>{meld_of('3S', match)}")
    assert last_round(match)["spreads"][1]["melds"] == [["7S", "8S", "9S", "TS"], ["7H", "7D", "7C"]]


@pytest.mark.parametrize("text", ["spread nothing", "spread nothing | nothing"])
def test_no_melds_means_none_and_not_the_best(text):
    """2 + 8 + 9 + 1 + 2 + 7 + 8 + 2 + 8 + 2 = 49, less 10."""
    assert outcome(play_moves(knocked(*BREAKING, throw="3H"), f"1 {text}")) == ("knock", 0, 39)


def test_no_layoffs_means_none_and_the_best_melds():
    assert outcome(play_moves(knocked(*BREAKING, throw="3H"), "1 spread | nothing")) == ("knock", 0, 7)


def test_layoffs_come_first_and_then_melds_of_what_is_left():
    """9 as in the optimum, named card by card: AC 8D are left."""
    match = knocked(*BREAKING, throw="3H")
    spades, clubs = meld_of("5S", match), meld_of("9C", match)
    text = f"1 spread 2S2C2D2H | 8S>{spades} 9S>{spades} 8C>{clubs} 7C>{clubs}"
    assert outcome(play_moves(match, text)) == ("undercut", 1, 26)


def test_the_record_of_the_spread_says_what_was_resolved():
    event = gin.apply(knocked(*BREAKING, throw="3H"), 1, gin.read_move({"type": "spread"})).event
    assert event.move["melds"] == [["2S", "2H", "2D", "2C"]]
    assert {each["card"] for each in event.move["layoffs"]} == {"8S", "9S", "8C", "7C"}
    assert event.result["kind"] == "undercut"


def test_a_spread_as_it_was_resolved_can_be_played_again():
    match = knocked(*BREAKING, throw="3H")
    step = gin.apply(match, 1, gin.read_move({"type": "spread"}))
    assert gin.apply(match, 1, gin.read_move(step.event.move)).state == step.state


def test_only_a_spread_is_possible_while_the_defender_is_to_answer():
    match = knocked(*BREAKING, throw="3H")
    assert legal(match, 1) == [{"type": "spread"}]
    assert legal(match, 0) == []
    for text in ("pass", "draw stock", "discard 8S", "knock 8S", "big_gin"):
        with pytest.raises(WrongPhase) as refusal:
            play_moves(match, f"1 {text}")
        assert (refusal.value.move, refusal.value.phase) == (text.split()[0], "spread")


def test_laying_off_by_itself_settles_at_once_by_the_optimum():
    """9 against 10, with neither a spread phase nor a move: undercut 1 + 25."""
    match = knocked(*BREAKING, throw="3H", ruleset=rules(layoff="auto"))
    assert match.round.phase == "round_over"
    assert outcome(match) == ("undercut", 1, 26)
    assert {each["card"] for each in last_round(match)["layoffs"]} == {"8S", "9S", "8C", "7C"}


def test_laying_off_by_itself_takes_nothing_off_gin():
    match = knocked("2S 3S 4S 4C 5C 6C 7D 8D 9D TD", "5S 7C JD KH KS 2H 3D 9H 8C 6H", ruleset=rules(layoff="auto"))
    assert outcome(match) == ("gin", 0, 95)
