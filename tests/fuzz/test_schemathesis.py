"""The running service is held to the whole of openapi.yaml: schemathesis makes the requests and judges the answers.

How, and which of its failures are none, is said in `tests/fuzz`; `make fuzz` runs it at length.
"""

import pytest

from tests.conftest import running_store
from tests.contract import operations
from tests.fuzz.run import Run, run

OPERATIONS = sorted(operation.name for _, methods in operations() for operation in methods.values())


@pytest.fixture(scope="module")
def tried() -> Run:
    """A run on a store of its own: what other tests leave behind would make its requests others."""
    with running_store() as store:
        return run(store)


def test_no_answer_departs_from_the_contract(tried):
    assert tried.passed, tried.report


def test_no_answer_is_spared_a_check(tried):
    assert {"not_a_server_error", "negative_data_rejection", "ignored_auth", "Tally"} <= tried.checks
    assert tried.spared == frozenset()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_is_carried_out(tried, operation):
    assert [status for name, status, _ in tried.answers if name == operation and 200 <= status < 300]


@pytest.mark.parametrize(
    ("operation", "codes"),
    [
        ("createGame", {"ruleset_refused", "request_refused", "idempotency_key_reused"}),
        ("joinGame", {"no_open_seat", "stale_version"}),
        ("submitMove", {"wrong_phase", "game_over", "stale_version"}),
        ("resignGame", {"stale_version"}),
        ("deleteGame", {"stale_version"}),
        ("rotateToken", {"seat_not_taken"}),
        ("getRound", {"no_such_round"}),
        ("analyseRound", {"melds_overlap", "ruleset_refused"}),
    ],
)
def test_requests_get_as_far_as_the_refusals_of_rules(tried, operation, codes):
    assert codes <= {code for name, _, code in tried.answers if name == operation}


def test_games_are_joined_ended_and_erased(tried):
    reached = {answer[:2] for answer in tried.answers}
    assert {("joinGame", 200), ("joinGame", 201), ("deleteGame", 200), ("deleteGame", 204)} <= reached
