"""The law of secrets over HTTP: cards that a reader cannot know change no byte of any answer, and of no log."""

from functools import cache
from random import Random

import pytest

from service.play.game import dealt
from service.rulebooks.base import DEAL as DEALING
from service.storage.codec import encode_game
from tests.secrets import calls as every_call
from tests.secrets.calls import OPERATIONS, Reader, Scene, calls
from tests.secrets.compare import compared
from tests.secrets.report import ROLES
from tests.secrets.states import GAMES, states_of_a_match
from tests.secrets.worlds import DEAL, HANDS, KINDS, NOTHING, TOP, Worlds, shown_by

STATES, SEED, READERS = 160, 381, 3
PHASES = {
    "gin": {"waiting", "round_over", "opening", "draw", "discard", "spread", "fiftieth", "finished"},
    "rummy": {"waiting", "round_over", "draw", "play"},
}


@cache
def report():
    with compared() as comparison:
        return comparison.run(STATES, SEED, readers=READERS)


def test_hidden_cards_change_no_byte_of_what_a_reader_or_the_logs_are_told():
    assert not report().leaks, str(report())


def test_every_operation_of_the_contract_is_compared():
    assert {name.split()[0] for name, _ in report().answers} == set(OPERATIONS)


def test_games_are_compared_in_every_phase_and_for_every_kind_of_reader():
    assert {(game, phase) for game, phase, _ in report().states} >= {
        (game, phase) for game, phases in PHASES.items() for phase in phases
    }
    assert {role for _, _, role in report().states} == set(ROLES)


def test_answers_that_carry_something_out_are_compared_too():
    """Moves that are made, replayed, tried out and refused; games that are joined, resigned, ended and erased."""
    assert all(report().statuses[status] for status in ("200", "201", "204", "304", "401", "404", "409", "412", "500"))
    assert all(report().shown[kind] for kind in KINDS)
    for name in ("submitMove", "submitMove replayed", "submitMove dry_run", "getGame woken", "listEvents streamed"):
        assert report().answers[name, "not on turn"], name


# --- What would be forgotten ----------------------------------------------------


@pytest.fixture
def scene():
    """A seat's, in a game that waits for its other player."""
    state = next(states_of_a_match("gin", Random(1)))
    return Scene(state.world, Reader("not on turn", 0, ""), "invite", state.moves, None, Random(1))


def test_a_new_operation_is_called_without_being_told_of(scene, monkeypatch):
    path, method, item = OPERATIONS["getScore"]
    monkeypatch.setitem(every_call.OPERATIONS, "getHint", (path.replace("score", "hint"), method, item))
    assert "getHint" in {call.operation for call in calls(scene)}


@pytest.mark.parametrize("missing", ["dry_run", "Idempotency-Key", "Prefer", "Last-Event-ID"])
def test_a_parameter_that_nobody_knows_how_to_use_fails(scene, missing, monkeypatch):
    monkeypatch.delitem(every_call.PARAMETERS, missing)
    with pytest.raises(KeyError):
        list(calls(scene))


def test_an_operation_whose_body_nobody_knows_fails(scene, monkeypatch):
    monkeypatch.delitem(every_call.BODIES, "submitMove")
    with pytest.raises(KeyError):
        list(calls(scene))


# --- The other worlds -----------------------------------------------------------


def states(game, phases):
    """Some states of a few matches in these phases, each with the other worlds of a seat."""
    chance = Random(2)
    for _ in range(10):
        for state in states_of_a_match(game, chance):
            if state.phase in phases:
                seat = state.world.on_turn or 0
                yield Worlds(state.world, seat, state.secrets, chance), seat


@pytest.mark.parametrize("game", GAMES)
def test_all_hidden_cards_are_exchanged_where_nothing_comes_to_light(game):
    found = [(each.as_it_is.game.state.round, each.other(NOTHING)) for each, _ in states(game, {"draw"})]
    assert sum(other.differs for _, other in found) >= 5
    assert any(other.world.game.state.round.hands != round.hands for round, other in found)
    assert any(other.world.game.state.round.stock[0] != round.stock[0] for round, other in found if round.stock)


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_of_the_bytes_that_a_game_takes(game):
    """So the limit that they are held to tells nothing of them."""
    for each, _ in states(game, {"draw", "discard", "play", "spread"}):
        sizes = {len(encode_game(world.game)) for world in (each.as_it_is, each.other(NOTHING).world)}
        assert len(sizes) == 1


@pytest.mark.parametrize("game", GAMES)
def test_the_card_that_a_reader_draws_stays_and_the_other_hands_do_not(game):
    compared = 0
    for each, seat in states(game, {"draw"}):
        before, after = each.as_it_is.game.state.round, each.other(TOP).world.game.state.round
        assert before.stock[:1] == after.stock[:1]
        assert before.hands[seat] == after.hands[seat]
        compared += before.hands != after.hands
    assert compared >= 5


@pytest.mark.parametrize("game", GAMES)
def test_all_hands_stay_and_the_stock_does_not_where_a_round_ends(game):
    compared = 0
    for each, _ in states(game, {"draw", "discard", "play"}):
        before, after = each.as_it_is.game.state.round, each.other(HANDS).world.game.state.round
        assert before.hands == after.hands
        compared += before.stock != after.stock
    assert compared >= 5


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_that_a_reader_is_dealt_stays_and_the_others_do_not(game):
    compared = 0
    for each, seat in states(game, {"round_over"}):
        before, after = (dealt(world.game).state.round for world in (each.as_it_is, each.other(DEAL).world))
        assert (before.hands[seat], before.discards) == (after.hands[seat], after.discards)
        compared += before.hands != after.hands and before.stock != after.stock
    assert compared >= 3


def test_what_a_move_shows_is_told_by_the_rules():
    """A draw its card, a deal the hand, a resignation of two all hands, and a refused move nothing."""
    found = {}
    for each, seat in states("gin", {"draw", "round_over"}):
        for move in ({"type": "draw", "source": "stock"}, {"type": DEALING}, {"type": "resign"}):
            found.setdefault((each.as_it_is.phase, move["type"]), shown_by(each.as_it_is, seat, move))
    assert found == {
        ("draw", "draw"): TOP,
        ("draw", "deal"): NOTHING,
        ("draw", "resign"): HANDS,
        ("round_over", "draw"): NOTHING,
        ("round_over", "deal"): DEAL,
        ("round_over", "resign"): HANDS,
    }
