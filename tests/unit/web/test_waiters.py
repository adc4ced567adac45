"""Places to wait in: so many in all, so many each, and free again afterwards."""

from contextlib import ExitStack, suppress

from service.web.waiters import Waiters


def taken(waiters, *callers):
    """Take a place for each: whether there was one, and what gives them back."""
    stack = ExitStack()
    return [stack.enter_context(waiters.place(caller, "poll")) for caller in callers], stack


def test_there_are_so_many_places_in_all():
    found, _ = taken(Waiters(2, 2), "a", "b", "c")
    assert found == [True, True, False]


def test_there_are_so_many_places_for_each():
    found, _ = taken(Waiters(9, 2), "a", "a", "a", "b", "a")
    assert found == [True, True, False, True, False]


def test_a_place_is_free_again_after_the_block_however_it_ends():
    waiters = Waiters(1, 1)
    with suppress(RuntimeError), waiters.place("a", "poll") as found:
        assert found
        raise RuntimeError
    with waiters.place("b", "stream") as found:
        assert found


def test_one_who_found_no_place_gives_none_back():
    waiters = Waiters(1, 1)
    _, held = taken(waiters, "a")
    taken(waiters, "a", "b")[1].close()
    assert taken(waiters, "a", "b")[0] == [False, False]
    held.close()
    assert taken(waiters, "b")[0] == [True]


def test_without_places_nobody_waits():
    assert taken(Waiters(0, 5), "a")[0] == [False]
    assert taken(Waiters(5, 0), "a")[0] == [False]
