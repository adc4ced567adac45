"""The log makes the game again, and what it says must be what the rules allow."""

import pytest

from service.play.game import Seat
from service.play.log import Entry, from_created, grown
from service.rulebooks.errors import NotYourTurn, RuleViolation
from tests.unit.play.memory import guest, new_game, table


@pytest.fixture
def logged():
    """The game as its first entries make it, and as it was kept."""
    at = table()
    wanted = {"spectators": True, "metadata": {"a": 1}, "decks": (tuple(range(52)),), "first_dealer": 1}
    game = new_game(at, Seat("Ann", client_seed="hers"), Seat(), overrides={"target": 30}, **wanted)["game"]["id"]
    guest(at, game, "Ben", "his")
    first, joined = at.store.logs[game]
    return grown(from_created(first), joined), at.store.games[game]


def test_the_first_entry_holds_all_that_a_game_was_made_with(logged):
    grew, kept = logged
    assert (grew.state, grew.seats, grew.root, grew.commitment) == (kept.state, kept.seats, kept.root, kept.commitment)
    assert (grew.spectators, grew.metadata, grew.decks) == (kept.spectators, kept.metadata, kept.decks)
    assert (grew.version, grew.created_at, grew.id) == (2, kept.created_at, kept.id)


def test_every_entry_raises_the_version_and_sets_the_time(logged):
    grew, _ = logged
    after = grown(grew, Entry("dealt", 99, 0, {"client_seed": "newer"}))
    assert (after.version, after.updated_at) == (3, 99)
    assert after.seats[0] == Seat("Ann", client_seed="newer")
    assert grown(after, Entry("ended", 100, 1, {"kind": "target"})).state == after.state


def test_a_log_that_says_what_the_rules_refuse_is_refused(logged):
    grew, _ = logged
    dealt = grown(grew, Entry("dealt", 99, 0, {}))
    with pytest.raises(NotYourTurn):
        grown(dealt, Entry("move", 100, 1, {"move": {"type": "pass"}}))
    with pytest.raises(RuleViolation):
        grown(dealt, Entry("dealt", 100, 1, {}))


@pytest.mark.parametrize("kind", ["created", "moved", ""])
def test_an_entry_of_no_known_type_is_refused(logged, kind):
    with pytest.raises(ValueError, match="a log has no entry of the type"):
        grown(logged[0], Entry(kind, 1, 0, {}))
