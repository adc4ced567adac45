"""A test of the test: leaks planted one at a time into what the service lets out are found where they are."""

import hashlib
import logging
from zlib import crc32

import orjson
import pytest
from msgspec import structs

from service import server
from service.cards.cardset import cards_in
from service.cards.deadwood import deadwood
from service.play import look, walk
from service.rulebooks import gin
from service.storage import redis_games
from service.web import watching
from tests.secrets import house
from tests.secrets.compare import Comparison, Report, compared
from tests.unit.play.leaks import Talkative, dry_runs, events, refusals, shows

ENOUGH, SEED = 600, 1
"""States within which a leak must be found."""


def secret(state):
    """A number that depends on every card, wherever it is."""
    return crc32(orjson.dumps(gin.dump(state)))


@shows(gin)
def a_card_in_the_view(round, seat, shown):
    shown["round"]["stock_top"] = round.stock[0]


@shows(gin)
def the_order_of_the_legal_moves(round, seat, shown):
    if round.stock[0] % 2:
        shown["legal_moves"].reverse()


@dry_runs(gin)
def the_card_that_a_dry_run_would_draw(match, seat, move, told):
    told["next"] = match.round.stock[0]


@refusals(gin)
def a_card_among_the_facts_of_a_refusal(round, seat, refused):
    return Talkative(cards_in(round.hands[1 - seat])[0])


@events(gin)
def the_card_drawn_in_its_event(round, seat, move, step):
    return {"card": round.stock[0]} if round.phase == "draw" else {}


def an_entity_tag_made_of_the_snapshot(monkeypatch):
    honest = redis_games.decode_game

    def leaky(game_id, version, stamp, snapshot):
        return structs.replace(
            honest(game_id, version, stamp, snapshot), stamp=hashlib.sha256(snapshot).hexdigest()[:8]
        )

    monkeypatch.setattr(redis_games, "decode_game", leaky)


def padding_that_shows_in_the_length_alone(monkeypatch):
    honest = watching.view

    def leaky(table, game_id, viewer, known):
        answer = honest(table, game_id, viewer, known)
        padding = b" " * (secret(table.store.look(game_id).game().state) % 7)
        return structs.replace(answer, body=answer.body + padding) if answer.status == 200 else answer

    monkeypatch.setattr(watching, "view", leaky)


def the_decks_to_come_in_the_record(monkeypatch):
    honest = look.record_of

    def leaky(entries):
        written = honest(entries)
        return written | {"next": entries[0].data["decks"][len(written["rounds"]) :]}

    monkeypatch.setattr(look, "record_of", leaky)


def a_receipt_that_looks_at_the_game_again(monkeypatch):
    honest = walk.replayed

    def leaky(table, game_id, conditions, receipt):
        answer = honest(table, game_id, conditions, receipt)
        now = secret(table.store.look(game_id).game().state)
        return structs.replace(answer, body=orjson.dumps(orjson.loads(answer.body) | {"now": now}))

    monkeypatch.setattr(walk, "replayed", leaky)


def a_score_that_counts_the_hands_in_play(monkeypatch):
    honest = gin.score

    def leaky(match):
        hands = match.round.hands if match.round is not None else ()
        return honest(match) | {"deadwood": [deadwood(hand) for hand in hands]}

    monkeypatch.setattr(gin, "score", leaky)


def watched_games(monkeypatch):
    """The games that are looked at, as they are."""
    honest, seen = look.admitted, []

    def noted(table, game_id, viewer):
        game = honest(table, game_id, viewer)
        seen.append(game)
        return game

    monkeypatch.setattr(look, "admitted", noted)
    return seen


def a_number_in_the_access_log(monkeypatch):
    seen, honest = watched_games(monkeypatch), server.access_line

    def leaky(*told):
        return orjson.dumps(orjson.loads(honest(*told)) | {"game": secret(seen[-1].state) if seen else 0}).decode()

    for listener in (server, house):  # whichever name the comparison knows it by
        monkeypatch.setattr(listener, "access_line", leaky, raising=False)


def the_state_in_a_line_of_the_log(monkeypatch):
    honest = look.admitted

    def leaky(table, game_id, viewer):
        game = honest(table, game_id, viewer)
        logging.getLogger("upcard").debug("looked at %s", game.state)
        return game

    monkeypatch.setattr(look, "admitted", leaky)


PLANTED = [
    (a_card_in_the_view, "getGame", "body"),
    (the_order_of_the_legal_moves, "getGame", "body"),
    (the_card_that_a_dry_run_would_draw, "submitMove dry_run", "body"),
    (a_card_among_the_facts_of_a_refusal, "submitMove", "body"),
    (an_entity_tag_made_of_the_snapshot, "getGame", "headers"),
    (padding_that_shows_in_the_length_alone, "getGame as HEAD", "headers"),
    (the_card_drawn_in_its_event, "listEvents streamed", "body"),
    (the_decks_to_come_in_the_record, "getRecord", "body"),
    (a_receipt_that_looks_at_the_game_again, "submitMove replayed", "body"),
    (a_score_that_counts_the_hands_in_play, "getScore", "body"),
    (a_number_in_the_access_log, "getGame", "access"),
    (the_state_in_a_line_of_the_log, "getGame", "logged"),
]


@pytest.fixture(scope="module")
def houses():
    with compared() as comparison:
        yield comparison


def found(call, part):
    def stop(report: Report) -> bool:
        return any((leak.call.name, leak.part) == (call, part) for leak in report.leaks)

    return stop


@pytest.mark.parametrize(("plant", "call", "part"), PLANTED, ids=[plant.__name__ for plant, *_ in PLANTED])
def test_a_planted_leak_is_found_where_it_is(houses, plant, call, part, monkeypatch):
    plant(monkeypatch)
    comparison = Comparison(houses.ours, houses.theirs, houses.key)
    report = comparison.run(ENOUGH, SEED, games=["gin"], readers=2, stop=found(call, part))
    assert found(call, part)(report), str(report)
