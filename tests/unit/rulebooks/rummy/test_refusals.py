"""Every refusal: its code, its facts, the sentence that tells them, and a match that is as it was."""

import pytest

from service.rulebooks import errors, rummy
from service.rulebooks.errors import RuleViolation
from service.rulebooks.rummy import errors as rummy_errors
from tests.unit.rulebooks.rummy.tables import dealt, play, rules, table

KINGS = "1 KS KH KD"
RUN = "0 5S 6S 7S"
STRICT = rules(layoff_after_meld=True, discard_to_go_out=True)


def on_turn(held, card, *laid, draw="stock", **others):
    pile = f"2C {card}" if draw == "discard" else "2C"
    match = table(held, "AH", "AD", pile=pile, stock="" if draw == "discard" else card, laid=laid, **others)
    return play(match, f"0 draw {draw}")


CASES = [
    (play(dealt(2), "0 resign"), "1 draw stock", "game_over", {}),
    (dealt(3, dealer=2), "1 draw stock", "not_your_turn", {"turn": 0}),
    (dealt(3, dealer=2), "0 discard AS", "wrong_phase", {"move": "discard", "phase": "draw"}),
    (dealt(3, dealer=2), "0 lay AS>0", "wrong_phase", {"move": "lay_off", "phase": "draw"}),
    (on_turn("5S KC", "9D"), "0 draw discard", "wrong_phase", {"move": "draw", "phase": "play"}),
    (play(table("AS", "AH", "AD", pile="9D"), "0 draw discard", "0 resign"), "1 draw discard", "source_not_open",
     {"source": "discard"}),
    (on_turn("5S KC", "9D"), "0 discard KD", "card_not_in_hand", {"card": "KD"}),
    (on_turn("5S KC", "9D"), "0 meld 5S9D8D", "card_not_in_hand", {"card": "8D"}),
    (on_turn("5S KC", "9D", draw="discard"), "0 discard 9D", "discard_just_taken", {"card": "9D"}),
    (on_turn("5S 6S KC", "9D"), "0 meld 5SKC9D", "invalid_meld", {"cards": ["5S", "KC", "9D"]}),
    (on_turn("5S 6S KC", "7S"), "0 meld 5S5S6S7S", "invalid_meld", {"cards": ["5S", "5S", "6S", "7S"]}),
    (on_turn("5S KC", "9D", KINGS), "0 lay 9D>0", "layoff_does_not_fit", {"card": "9D", "meld": 0}),
    (on_turn("5S KC", "9D", KINGS), "0 lay KC>1", "layoff_does_not_fit", {"card": "KC", "meld": 1}),
    (play(on_turn("5S 6S 7S 9S 9H", "9D"), "0 meld 5S6S7S"), "0 meld 9S9H9D", "already_melded", {}),
    (play(on_turn("KC 9S 9H 2D", "9D", KINGS), "0 lay KC>0"), "0 meld 9S9H9D", "meld_before_layoffs", {}),
    (on_turn("5S KC", "9D", KINGS, ruleset=STRICT), "0 lay KC>0", "own_meld_first", {}),
    (on_turn("5S 6S", "7S", ruleset=STRICT), "0 meld 5S6S7S", "last_card_must_be_discarded", {}),
    (on_turn("5S 6S 7S", "9D", draw="discard"), "0 meld 5S6S7S", "taken_card_left", {"card": "9D"}),
    (on_turn("KC", "8S", KINGS, RUN, draw="discard", ruleset=STRICT), "0 lay KC>0", "taken_card_left", {"card": "8S"}),
]  # fmt: skip


@pytest.mark.parametrize(("match", "text", "code", "facts"), CASES, ids=[f"{case[2]}: {case[1]}" for case in CASES])
def test_a_refusal_has_its_code_and_facts_and_changes_nothing(match, text, code, facts):
    before = rummy.dump(match)
    with pytest.raises(RuleViolation) as refusal:
        play(match, text)
    assert (refusal.value.code, refusal.value.facts()) == (code, facts)
    sentence = str(refusal.value)
    assert sentence.endswith(".")
    for fact in facts.values():
        assert str(fact) in sentence
    assert rummy.dump(match) == before


def test_every_refusal_of_basic_rummy_and_every_one_that_all_games_have_is_tried():
    """Two cannot come up: here nothing is melded and laid off in one move."""
    codes = {
        kind.code
        for module in (errors, rummy_errors)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, RuleViolation) and kind is not RuleViolation
    }
    assert codes - {case[2] for case in CASES} == {"melds_overlap"}
