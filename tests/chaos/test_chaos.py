"""An acknowledged move is a promise: a short run of `make chaos`, with each fault at least once."""

import sys

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.report import improper, percentile, recoveries, refused_while_frozen, report
from tests.chaos.run import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walks /proc; only Linux ends orphans")

MOVES = 240
SEED = 7
GENEROUS = 10.0
"""Seconds, where `make chaos` asks for one or two: this machine may have other work."""


@pytest.fixture(scope="module")
def outcome():
    outcome = run(MOVES, SEED, print)
    print(report(outcome))
    return outcome


def test_no_acknowledged_move_is_lost(outcome):
    assert outcome.traffic.moves >= MOVES
    assert outcome.verdict.promises > MOVES, "creates and joins are promises too"
    assert outcome.verdict.lost == []


def test_no_move_is_made_twice_or_without_being_acknowledged_in_the_end(outcome):
    assert outcome.verdict.twice == []


def test_moves_stand_in_the_log_in_the_order_of_their_acknowledgement(outcome):
    assert outcome.verdict.out_of_order == []


def test_the_log_replays_to_every_answer_that_was_given_and_to_the_snapshot(outcome):
    assert outcome.verdict.differing == []


def test_each_fault_was_met(outcome):
    assert set(outcome.faults) == set(FAULTS)


def test_whatever_fails_is_503_with_a_time_to_come_back(outcome):
    assert any(seen.status == 503 for seen in outcome.traffic.tries)
    assert improper(outcome.traffic.tries) == []


def test_a_change_that_was_made_though_nobody_was_told_is_acknowledged_from_its_receipt(outcome):
    """A worker died between commit and answer, and answers of the store to commits were lost: two at least."""
    assert outcome.verdict.late >= 2


def test_a_frozen_store_keeps_nobody_waiting_and_all_are_served_again_after_the_thaw(outcome):
    assert percentile((seen.took for seen in refused_while_frozen(outcome)), 99) < GENEROUS
    assert max(recoveries(outcome)) < GENEROUS
