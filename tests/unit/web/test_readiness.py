import pytest

from service.play.errors import StoreUnavailable
from service.web.readiness import Readiness


def test_a_store_that_answered_once_is_not_asked_again():
    asked = []
    readiness = Readiness(lambda: asked.append(1) or {"version": "9"})
    assert readiness.store() == readiness.store() == {"version": "9"}
    assert asked == [1]


def test_a_store_that_is_away_is_asked_until_it_answers():
    answers = iter([StoreUnavailable("away"), StoreUnavailable("away"), {"version": "9"}])

    def ask():
        answer = next(answers)
        if isinstance(answer, StoreUnavailable):
            raise answer
        return answer

    readiness = Readiness(ask)
    assert [readiness.store() for _ in range(4)] == [None, None, {"version": "9"}, {"version": "9"}]


def test_a_fault_that_is_no_outage_is_not_hidden():
    def ask():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Readiness(ask).store()
