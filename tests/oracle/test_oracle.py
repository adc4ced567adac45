"""Rounds against OpenSpiel, its known deviations one by one, and faults of ours that the comparison must find.

Without OpenSpiel (`open_spiel`, in the `dev` extra) these tests fail: they are not skipped.
"""

from pathlib import Path

import pytest

from service.rulebooks.gin import scoring, showdown
from tests.oracle import deviations
from tests.oracle.examples import EXAMPLES, Example, play_example
from tests.oracle.ledger import Difference, Ledger
from tests.oracle.run import play_batch
from tests.oracle.theirs import PASS, TAKE, undealt

PAGE = Path(__file__).parents[2] / "docs" / "oracle.md"


@pytest.fixture(scope="module")
def book() -> Ledger:
    return play_batch(1, range(300))


def test_300_rounds_differ_in_nothing_that_is_not_explained(book):
    assert not book.differences, "\n\n".join(sorted(book.differences, key=len)[:3])


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("knock", 100),
        ("gin", 15),
        ("undercut", 5),
        ("void", 5),
        ("rounds with layoffs", 40),
        ("rounds by greedy players", 150),
    ],
)
def test_300_rounds_come_across_every_usual_end(book, kind, least):
    assert book.kinds[kind] >= least


@pytest.mark.parametrize(
    "name",
    [
        "taken_card_thrown_back",
        "taken_card_counts_as_a_throw",
        "shortcut_shows_more",
        "run_of_six",
        "fiftieth_take_ends_the_round",
        "last_discard_always_in_reach",
    ],
)
def test_300_rounds_come_across_the_deviations_that_are_not_rare(book, name):
    assert book.deviations[name]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.shows[0])
def test_each_example_shows_its_deviations(example: Example):
    _, ledger = play_example(example)
    assert {name: ledger.deviations[name] > 0 for name in example.shows} == dict.fromkeys(example.shows, True)


def test_every_deviation_has_an_example():
    assert {name for example in EXAMPLES for name in example.shows} == set(deviations.ALL)


def test_the_page_tells_every_deviation_with_the_cards_of_its_example():
    page = PAGE.read_text()
    missing = [name for name in deviations.ALL if f"`{name}`" not in page]
    cards = [text for example in EXAMPLES for text in example.deal.values() if text not in page]
    assert not missing
    assert not cards


def test_a_deviation_that_does_not_happen_is_a_difference(monkeypatch):
    monkeypatch.setattr("tests.oracle.deviations.DEADWOOD_OF_ELEVEN", (lambda spot, least: least + 1,))
    with pytest.raises(Difference):
        play_example(EXAMPLES[0])


def test_there_two_cards_thrown_back_in_a_row_end_the_round():
    """Not met in any round, since no card may be thrown back here."""
    state = undealt(10, 25, 25).clone()
    for card in range(21):
        state.apply_action(card)
    upcard = 20
    for action in (PASS, TAKE, upcard, TAKE, upcard):
        assert not state.is_terminal()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def _undercut_without_bonus(result, number, rules, limit_card):
    score = scoring.price(result, number, rules, limit_card)
    kept = tuple(line for line in score.lines if line.rule != "undercut_bonus")
    return scoring.RoundScore(score.kind, score.winner, kept)


def _one_card_on_a_run(meld, hand):
    return [chain for chain in _CHAINS(meld, hand) if len(chain) <= 1]


_CHAINS = showdown._chains


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("service.rulebooks.gin.match.price", _undercut_without_bonus),
        ("service.rulebooks.gin.round._throwable", lambda hand, taken: hand),
        ("service.rulebooks.gin.round.deadwood", int.bit_count),
        ("service.rulebooks.gin.round.STOCK_END", 3),
        ("service.rulebooks.gin.showdown._chains", _one_card_on_a_run),
    ],
    ids=["undercut bonus", "taken card thrown", "deadwood", "end of the stock", "layoffs in a chain"],
)
def test_a_fault_of_ours_is_found(monkeypatch, place, fault):
    monkeypatch.setattr(place, fault)
    book = Ledger()
    for start in range(0, 2000, 50):
        book.add(play_batch(1, range(start, start + 50)))
        if book.differences:
            break
    assert book.differences
    assert "deck" in book.differences[0]
