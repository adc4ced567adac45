"""The record is made from the log: the finished rounds with their decks and proofs, and nothing else."""

import pytest

from service.bots.base import POLICIES
from service.cards.card import name
from service.cards.shuffle import commitment, round_seed, shuffled_deck
from service.play import resign
from service.play.callers import Caller
from service.play.game import Seat
from service.play.record import record_of
from service.play.replay import replay
from service.play.table import Conditions
from service.play.verify import verify
from service.play.views import game_view
from tests.unit.play.memory import move, new_game, table

DEAL = {"type": "deal"}
UNENDING = {"target": 10_000}


@pytest.fixture
def at():
    return table()


def play_round(at, game, client_seed=None):
    """Deal a round and play it to its end, everybody by the easy policy."""
    move(at, game, 0, DEAL if client_seed is None else DEAL | {"client_seed": client_seed})
    kept = at.store.games[game]
    while (turn := kept.rulebook.turn(kept.state)) is not None and turn.seat is not None:
        view = game_view(kept, turn.seat, at.lifetimes)
        move(at, game, turn.seat, POLICIES[kept.kind]["easy"](view))
        kept = at.store.games[game]


def test_a_match_that_was_not_dealt_has_an_empty_record(at):
    game = new_game(at, overrides=UNENDING)["game"]["id"]
    assert record_of(at.store.logs[game]) == {
        "format": "upcard-record/1",
        "game": "gin",
        "ruleset": {"preset": "standard", "target": 10_000},
        "rules_revision": 1,
        "rounds": [],
        "end": None,
    }


@pytest.mark.parametrize("kind", ["gin", "rummy"])
def test_each_round_has_the_deck_that_its_seeds_give(at, kind):
    game = new_game(at, Seat("Ann"), Seat("Ben", client_seed="b"), kind=kind, overrides=UNENDING)["game"]["id"]
    for seed in (None, "a", ""):
        play_round(at, game, seed)
    record = record_of(at.store.logs[game])
    root = at.store.games[game].root
    for number, (played, seeds) in enumerate(zip(record["rounds"], ("", "a", ""), strict=True), 1):
        assert played["proof"] == {
            "commitment": commitment(root),
            "seed": round_seed(root, number).hex(),
            "client_seeds": [seeds or None, "b"],
            "server_only": False,
        }
        deck = shuffled_deck(round_seed(root, number), number, (seeds, "b"))
        assert played["deck"] == [name(card) for card in deck]
        assert not any(recorded["type"] == "deal" for recorded in played["moves"])
    assert replay(record).differences == ()
    assert (verify(record).proven, verify(record).faults) == (3, ())


def test_the_round_in_play_is_left_out(at):
    game = new_game(at, overrides=UNENDING)["game"]["id"]
    play_round(at, game)
    before = record_of(at.store.logs[game])
    move(at, game, 0, DEAL)
    assert record_of(at.store.logs[game]) == before
    assert len(before["rounds"]) == 1


def test_given_decks_have_no_proof(at):
    decks = (tuple(range(52)), tuple(reversed(range(52))))
    game = new_game(at, decks=decks, overrides=UNENDING)["game"]["id"]
    for _ in range(3):
        play_round(at, game)
    rounds = record_of(at.store.logs[game])["rounds"]
    assert [played["deck"] for played in rounds[:2]] == [[name(card) for card in deck] for deck in decks]
    assert [played["proof"] is None for played in rounds] == [True, True, False]


def test_what_happens_between_two_rounds_belongs_to_neither(at):
    game = new_game(at, overrides=UNENDING)["game"]["id"]
    play_round(at, game)
    before = record_of(at.store.logs[game])
    resign.resign(at, game, Caller(0, 1), Conditions())
    after = record_of(at.store.logs[game])
    assert after == before | {"end": {"kind": "resigned", "seat": 1}}
    assert replay(after).differences == ()


def test_a_spread_is_recorded_as_it_was_resolved(at):
    game = new_game(at, overrides=UNENDING)["game"]["id"]
    spreads = []
    while not spreads:
        play_round(at, game)
        moves = record_of(at.store.logs[game])["rounds"][-1]["moves"]
        spreads = [recorded for recorded in moves if recorded["type"] == "spread"]
    assert {"seat", "type", "melds", "layoffs"} == spreads[0].keys()
