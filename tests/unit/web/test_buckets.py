"""Buckets: so many calls at once, then so many a second, and no caller is slowed by another."""

import pytest

from service.play.errors import RateLimited
from service.web import buckets
from service.web.buckets import Buckets


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def taken(bucket, caller="ann", most=1000):
    """How many calls a caller gets through."""
    for number in range(most):
        try:
            bucket.take(caller)
        except RateLimited:
            return number
    return most


def test_a_burst_is_let_pass_and_the_next_call_is_not(clock):
    assert taken(Buckets(2, 10, clock)) == 10


def test_room_comes_back_at_the_rate_and_not_beyond_the_size(clock):
    bucket = Buckets(2, 10, clock)
    taken(bucket)
    clock.now += 1.5
    assert taken(bucket) == 3
    clock.now += 3600
    assert taken(bucket) == 10


def test_a_refused_call_takes_nothing(clock):
    bucket = Buckets(1, 1, clock)
    bucket.take("ann")
    for _ in range(50):
        clock.now += 1 / 128
        assert taken(bucket) == 0
    clock.now += 1 - 50 / 128
    assert taken(bucket) == 1


@pytest.mark.parametrize(("rate", "seconds"), [(50, 1), (1, 1), (0.5, 2), (1 / 60, 60), (0.7, 2)])
def test_who_waits_as_long_as_told_is_let_pass(clock, rate, seconds):
    bucket = Buckets(rate, 1, clock)
    bucket.take("ann")
    with pytest.raises(RateLimited) as refused:
        bucket.take("ann")
    assert refused.value.retry_after == seconds
    clock.now += seconds
    bucket.take("ann")


def test_every_caller_has_a_bucket_of_its_own(clock):
    bucket = Buckets(1, 3, clock)
    assert [taken(bucket, caller) for caller in ("ann", "ben", "ann")] == [3, 3, 0]


def test_a_rate_of_nothing_sets_no_limit(clock):
    assert taken(Buckets(0, 0, clock)) == 1000


def test_of_too_many_callers_the_one_that_was_longest_silent_is_forgotten(clock, monkeypatch):
    monkeypatch.setattr(buckets, "MOST_BUCKETS", 2)
    bucket = Buckets(1, 1, clock)
    bucket.take("ann")
    bucket.take("ben")
    assert taken(bucket, "ann") == 0
    bucket.take("cleo")
    assert [taken(bucket, caller) for caller in ("ann", "ben")] == [0, 1]
