"""Whole matches against the computer, for every published ruleset; what each call tells agrees with the others."""

import pytest

from service.play.replay import replay
from service.rulebooks.registry import RULEBOOKS
from service.storage.keys import log_key
from tests.api.playing import create, played_on, table_of_two
from tests.api.proof import assert_proven, first_dealer
from tests.conftest import Player

PRESETS = [preset.name for preset in RULEBOOKS["gin"].presets()]
SHORTER = {"target": 60}
"""A match to 500 takes its time and shows nothing more; the default ruleset is played to its own target."""


def assert_lines_add_up(score):
    for seat, total in enumerate(score["totals"]):
        assert sum(line["points"] for line in score["lines"] if line["seat"] == seat) == total
    for column in score["columns"] or ():
        assert_lines_add_up(column)


def assert_rounds_listed_as_played(player, results):
    path, headers = f"/v1/games/{player.game}", player.headers
    assert player.http.get(f"{path}/rounds", headers=headers).json() == {"items": results, "next": None}
    for number, result in enumerate(results, 1):
        assert player.http.get(f"{path}/rounds/{number}", headers=headers).json() == result
    assert player.http.get(f"{path}/rounds/{len(results) + 1}", headers=headers).json()["code"] == "no_such_round"


def assert_record_as_played(player, view, results):
    record = player.http.get(f"/v1/games/{player.game}/record", headers=player.headers).json()
    assert [played["result"] for played in record["rounds"]] == [
        {part: result[part] for part in ("kind", "winner", "points", "deadwood")} for result in results
    ]
    assert record["score"] == view["score"]
    assert record["end"]["seat"] in view["score"]["winners"]
    assert_proven(record, view["commitment"])
    replayed = replay(record)
    assert replayed.differences == ()
    assert list(replayed.results) == results
    assert replayed.score["totals"] == view["score"]["totals"]
    return record


@pytest.mark.parametrize("preset", PRESETS)
def test_a_match_against_the_computer(http, store, preset):
    ruleset = {"preset": preset} | ({} if preset == "standard" else SHORTER)
    made = create(http, ruleset=ruleset, seats=[{"name": "Ann"}, {"bot": "easy"}])
    player = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    assert made["game"]["ruleset"]["preset"] == preset
    version, results = 1, []
    for _, view in played_on(player):
        assert view["turn"] is None or view["turn"]["seat"] in (0, None), "the computer has not answered"
        assert view["version"] > version
        assert view["version"] == store.client.llen(log_key(player.game))
        assert_lines_add_up(view["score"])
        version, last = view["version"], view["last_round"]
        if last is not None and last["number"] > len(results):
            results.append(last)
    assert (view["status"], view["turn"], view["legal_moves"]) == ("finished", None, [])
    assert view["score"]["over"] is True
    assert [result["number"] for result in results] == list(range(1, len(results) + 1))
    assert player.view() == view
    assert http.get(f"/v1/games/{player.game}/score", headers=player.headers).json() == view["score"]
    assert player.post({"type": "deal"}).json()["code"] == "game_over"
    assert player.post({"type": "draw", "source": "stock"}).json()["code"] == "game_over"
    assert_rounds_listed_as_played(player, results)
    record = assert_record_as_played(player, view, results)
    assert all(played["proof"]["server_only"] for played in record["rounds"])


def test_two_players_whose_seeds_go_into_every_deck(http):
    ann, ben = table_of_two(http, seeds=("", "Ben's own"), ruleset={"preset": "eaai", "target": 60})
    commitment = ann.view()["commitment"]
    view = ben.play({"type": "deal"})
    assert view["round"]["server_only"] is False
    deals = iter([{"client_seed": "Ann's own"}, {"client_seed": ""}, {}])
    seeds, expected = [None, "Ben's own"], [[None, "Ben's own"]]
    while view["status"] == "playing":
        for _, view in played_on(ann, ben):
            if view["turn"] is None or view["turn"]["phase"] == "round_over":
                break
        if view["status"] == "playing":
            given = next(deals, {})
            seeds = [given.get("client_seed", seeds[0]) or None, "Ben's own"]
            view = ann.play({"type": "deal"} | given)
            expected.append(seeds)
    record = http.get(f"/v1/games/{ann.game}/record", headers=ann.headers).json()
    assert [played["proof"]["client_seeds"] for played in record["rounds"]] == expected
    assert_proven(record, commitment)
    first_seed = bytes.fromhex(record["rounds"][0]["proof"]["seed"])
    assert record["rounds"][0]["dealer"] == first_dealer(first_seed, expected[0])


def test_a_named_first_dealer_deals_first(http):
    for dealer in (0, 1):
        ann, _ = table_of_two(http, first_dealer=dealer)
        assert ann.play({"type": "deal"})["round"]["dealer"] == dealer


def test_a_long_match_lists_its_rounds_in_pages(http, monkeypatch):
    """A cap of one take from the discard pile: two moves more and the round is void."""
    monkeypatch.setattr("service.play.look.PAGE", 5)
    ann, ben = table_of_two(http, ruleset={"preset": "open", "max_discard_draws": 1}, first_dealer=1)
    for _ in range(8):
        seat = ann.play({"type": "deal"})["turn"]["seat"]
        mover = (ann, ben)[seat]
        view = mover.play({"type": "draw", "source": "discard"})
        throws = [each["move"] for each in view["legal_moves"] if each["move"]["type"] == "discard"]
        assert mover.play(throws[0])["last_round"]["kind"] == "void"
    path = f"/v1/games/{ann.game}/rounds"
    first = http.get(path, headers=ann.headers).json()
    rest = http.get(path, params={"after": first["next"]}, headers=ann.headers).json()
    assert (len(first["items"]), first["next"], len(rest["items"]), rest["next"]) == (5, 5, 3, None)
    assert [each["number"] for each in first["items"] + rest["items"]] == list(range(1, 9))
    assert http.get(path, params={"after": 500}, headers=ann.headers).json() == {"items": [], "next": None}
