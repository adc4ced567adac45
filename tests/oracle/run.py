"""Many rounds: each from its own seed, so that any one can be played again, spread over processes if wanted."""

from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from random import Random

from service.rulebooks.errors import RuleViolation
from tests.oracle.duel import dump
from tests.oracle.ledger import Difference, Ledger
from tests.oracle.rounds import begin, play
from tests.oracle.tables import table

BATCH = 50


def play_round(seed: int, number: int, ledger: Ledger) -> None:
    """Play one round of a run; a difference goes into the book with what it takes to see it."""
    chance = Random(f"{seed}/{number}")
    set_table = table(number, chance)
    duel = begin(set_table, chance, ledger)
    ledger.kinds["rounds by greedy players"] += set_table.greedy
    try:
        play(duel)
    except (Difference, RuleViolation) as difference:
        ledger.differences.append(f"round {number} of seed {seed}: {dump(duel, difference)}")
    except Exception as error:
        error.add_note(f"round {number} of seed {seed}: {dump(duel, error)}")
        raise


def play_batch(seed: int, numbers: range) -> Ledger:
    """Play some rounds of a run."""
    ledger = Ledger()
    for number in numbers:
        play_round(seed, number, ledger)
    return ledger


def play_rounds(seed: int, numbers: range, jobs: int) -> Iterator[tuple[int, Ledger]]:
    """Play rounds in batches: how many each was, and its book. jobs: how many processes play."""
    batches = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
    if jobs == 1:
        for batch in batches:
            yield len(batch), play_batch(seed, batch)
        return
    with get_context("spawn").Pool(jobs) as pool:
        books = pool.imap(partial(play_batch, seed), batches)
        for batch, book in zip(batches, books, strict=True):
            yield len(batch), book
