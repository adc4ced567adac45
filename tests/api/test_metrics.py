"""Figures for operators: what happened is counted, and nobody is named."""

import re
import time

import httpx

from tests.api.following import followed, service, until
from tests.conftest import new_game


def figures(http):
    """Every figure by its name and labels."""
    text = http.get("/metrics").text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def grown(http, before, name):
    return figures(http).get(name, 0) - before.get(name, 0)


def test_games_moves_and_refusals_are_counted(http):
    before = figures(http)
    ann, ben = new_game(http, first_dealer=1)
    ann.play({"type": "deal"})
    ann.play({"type": "pass"})
    assert ann.post({"type": "pass"}).json()["code"] == "not_your_turn"
    assert grown(http, before, 'upcard_games_created_total{game="gin"}') == 1
    assert grown(http, before, 'upcard_log_entries_total{game="gin",type="pass"}') == 1
    assert grown(http, before, 'upcard_log_entries_total{game="gin",type="dealt"}') == 1
    assert grown(http, before, 'upcard_refusals_total{code="not_your_turn"}') == 1
    assert grown(http, before, 'upcard_commit_seconds_count{outcome="written"}') == 3
    assert grown(http, before, 'upcard_request_seconds_count{operation="submit_move",status="200"}') == 2
    assert grown(http, before, 'upcard_request_seconds_count{operation="submit_move",status="409"}') == 1
    assert ben.view()["version"] == 3


def test_an_answer_that_is_given_again_is_counted_as_such(http):
    ann, _ = new_game(http)
    before = figures(http)
    for _ in range(2):
        assert ann.post({"type": "deal"}, **{"Idempotency-Key": "again"}).status_code == 200
    assert grown(http, before, 'upcard_commit_seconds_count{outcome="written"}') == 1


def test_the_time_of_a_commit_is_told(http):
    ann, _ = new_game(http)
    before = figures(http)
    began = time.perf_counter()
    ann.post({"type": "deal"})
    took = time.perf_counter() - began
    assert 0 < grown(http, before, 'upcard_commit_seconds_sum{outcome="written"}') < took


def test_open_streams_are_told_apart_from_long_polls(store):
    stream, poll = 'upcard_waiters{way="stream"}', 'upcard_waiters{way="poll"}'
    with service(store, heartbeat=0.05) as own:
        before = figures(own.http)
        ann, _ = new_game(own.http)
        with followed(own.address, ann):
            until(lambda: grown(own.http, before, stream) == 1, "the stream was not counted")
            assert grown(own.http, before, poll) == 0
        until(lambda: grown(own.http, before, stream) == 0, "the stream was counted after its end")


def test_a_path_that_is_not_there_is_counted_without_being_named(http):
    before = figures(http)
    assert http.get("/v1/nowhere/secret").status_code == 404
    assert grown(http, before, 'upcard_request_seconds_count{operation="none",status="404"}') == 1
    assert "secret" not in http.get("/metrics").text


def test_no_figure_names_a_game_a_player_or_a_card(http):
    ann, ben = new_game(http, seats=[{"name": "Annabella"}, {"name": "Benedict"}])
    ann.play({"type": "deal"})
    text = http.get("/metrics").text
    for secret in (ann.game, ann.token, ben.token, "Annabella"):
        assert secret not in text
    assert not re.search(r'"[A2-9TJQK][SHDC]"', text)


def test_the_pages_of_the_document_are_no_operation(http, address):
    before = figures(http)
    assert httpx.get(f"{address}/docs/").status_code == 200
    assert grown(http, before, 'upcard_request_seconds_count{operation="none",status="200"}') == 1
