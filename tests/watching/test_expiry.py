"""Games expire with all that is kept of them. `make streams` tries it with ten times as many."""

from tests.conftest import running_store
from tests.watching.expiry import expired


def test_a_thousand_games_expire_with_all_their_keys_and_none_before_its_time():
    """A holder's count of open games, which holds nothing but ids, goes some time after its last game."""
    with running_store() as store:
        found = expired(store, 1000)
    assert found.wrong == []
    assert found.keys > 4000
    assert set(found.left) <= {"open:tenant:shop"}
