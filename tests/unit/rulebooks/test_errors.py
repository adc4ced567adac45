"""Refusals: a code, a sentence with the facts in it, and the facts for a machine."""

from inspect import isclass

import pytest

from service.rulebooks import errors
from service.rulebooks.errors import (
    CardNotInHand,
    CorruptState,
    DiscardJustTaken,
    GameOver,
    InvalidMeld,
    LayoffDoesNotFit,
    MeldsOverlap,
    NotYourTurn,
    RulesetRefused,
    RuleViolation,
    SourceNotOpen,
    WrongPhase,
)
from service.rulebooks.gin import errors as gin_errors
from service.rulebooks.gin.errors import (
    BigGinNotPlayed,
    DeadwoodOverLimit,
    KnockMustFollow,
    NoKnockFollows,
    NoSpreadFollows,
)

REFUSALS = [
    (GameOver(), "game_over", {}),
    (NotYourTurn(1), "not_your_turn", {"turn": 1}),
    (WrongPhase("knock", "draw"), "wrong_phase", {"move": "knock", "phase": "draw"}),
    (CardNotInHand("KH"), "card_not_in_hand", {"card": "KH"}),
    (DiscardJustTaken("KH"), "discard_just_taken", {"card": "KH"}),
    (InvalidMeld(["KH", "KS"]), "invalid_meld", {"cards": ["KH", "KS"]}),
    (MeldsOverlap("KH"), "melds_overlap", {"card": "KH"}),
    (LayoffDoesNotFit("KH", 2), "layoff_does_not_fit", {"card": "KH", "meld": 2}),
    (SourceNotOpen("stock"), "source_not_open", {"source": "stock"}),
    (DeadwoodOverLimit(12, 10), "deadwood_over_limit", {"deadwood": 12, "limit": 10}),
    (BigGinNotPlayed(), "big_gin_not_played", {}),
    (NoKnockFollows("KH"), "no_knock_follows", {"card": "KH"}),
    (KnockMustFollow("KH"), "knock_must_follow", {"card": "KH"}),
    (NoSpreadFollows(), "no_spread_follows", {}),
]


@pytest.mark.parametrize(("refusal", "code", "facts"), REFUSALS, ids=[code for _, code, _ in REFUSALS])
def test_a_refusal_has_a_code_its_facts_and_a_sentence_that_tells_them(refusal, code, facts):
    assert (refusal.code, refusal.facts()) == (code, facts)
    sentence = str(refusal)
    assert sentence.endswith(".")
    assert "{" not in sentence
    for fact in facts.values():
        assert str(fact) in sentence


def test_every_refusal_is_listed_above_and_has_a_code_of_its_own():
    kinds = {
        kind
        for module in (errors, gin_errors)
        for kind in vars(module).values()
        if isclass(kind) and issubclass(kind, RuleViolation) and kind is not RuleViolation
    }
    assert kinds == {type(refusal) for refusal, _, _ in REFUSALS}
    assert len({kind.code for kind in kinds}) == len(kinds)


def test_a_refused_ruleset_names_the_field_and_the_reason():
    assert str(RulesetRefused("target", "must be more")) == "target: must be more"


def test_a_corrupt_state_says_why():
    assert str(CorruptState("51 cards")) == "51 cards"


def test_refusals_are_told_apart_by_what_they_are_not_by_what_they_say():
    assert NotYourTurn(1) != NotYourTurn(1)
