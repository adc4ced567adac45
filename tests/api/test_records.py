"""What a game tells of its past: every finished round with its proof, and nothing of the round in play."""

import re

import pytest

from service.play.replay import replay
from tests.api.playing import choose, deck, on_turn, play_match, play_round, table_of_two
from tests.api.proof import assert_proven
from tests.conftest import new_game

CARDS = re.compile(r'"([A23456789TJQK][SHDC])"')


def record_of(player, token=True):
    return player.http.get(f"/v1/games/{player.game}/record", headers=player.headers if token else {}).json()


def seen_at_the_table(view):
    """The cards that everybody saw this round: passes, takes and throws, the pile's top, and what is laid."""
    round = view["round"]
    seen = {round["discard_top"], round["limit_card"]}
    seen |= {card for turn in round["public"] for card in (turn["took"], turn["threw"])}
    if round["spread"] is not None:
        seen |= {card for meld in round["spread"]["melds"] for card in meld}
        seen |= set(round["spread"]["deadwood_cards"])
    return seen


@pytest.mark.parametrize("preset", ["standard", "oklahoma"])
def test_nothing_that_anybody_can_fetch_during_a_round_shows_a_hidden_card(http, preset):
    players = new_game(http, spectators=True, ruleset=preset)
    players[0].play({"type": "deal"})
    path = f"/v1/games/{players[0].game}"
    for _ in range(10):
        mover = on_turn(players)
        for headers, own in ((players[0].headers, 0), (players[1].headers, 1), ({}, None)):
            answer = http.get(path, headers=headers)
            view = answer.json()
            visible = seen_at_the_table(view)
            if own is not None:
                visible |= set(view["round"]["hands"][own]["cards"])
            assert set(CARDS.findall(answer.text)) <= visible
            for past in ("rounds", "record", "score"):
                assert not CARDS.findall(http.get(f"{path}/{past}", headers=headers).text)
        if mover.play(choose(mover.view()))["turn"]["phase"] == "round_over":
            break


def test_during_a_round_the_record_holds_the_rounds_before_it_only(http):
    ann, ben = table_of_two(http, ruleset={"preset": "standard", "target": 10_000}, seeds=("", "b"))
    assert record_of(ann)["rounds"] == []
    play_round(ann, ben)
    before = record_of(ann)
    assert len(before["rounds"]) == 1
    ann.play({"type": "deal"})
    assert record_of(ben) == before
    mover = on_turn((ann, ben))
    mover.play(choose(mover.view()))
    assert record_of(ann) == before
    assert before["end"] is None
    assert_proven(before, ann.view()["commitment"])


def test_onlookers_read_the_same_record(http):
    players = new_game(http, spectators=True, ruleset={"preset": "eaai", "target": 20})
    play_match(*players)
    assert record_of(players[0]) == record_of(players[1]) == record_of(players[0], token=False)


def test_a_round_from_a_given_deck_has_no_proof_and_the_next_has_one(http):
    given = deck("AS 2S 3S 4S 5H 6H 7H 9C 9D KC", "", upcard="9H")
    ann, ben = table_of_two(
        http, first_dealer=1, ruleset={"preset": "standard", "target": 10_000}, sandbox={"decks": [given]}
    )
    assert ann.view()["sandbox"] is True
    ben.play({"type": "deal"})
    ann.play({"type": "draw", "source": "discard"})
    ann.play({"type": "knock", "discard": "KC"})
    play_round(ann, ben)
    first, second = record_of(ann)["rounds"]
    assert (first["deck"], first["proof"]) == (given, None)
    assert second["proof"]["server_only"] is True
    assert replay(record_of(ann)).differences == ()


def test_the_record_of_a_resigned_round_replays(http):
    ann, ben = table_of_two(http)
    play_round(ann, ben)
    ann.play({"type": "deal"})
    http.post(f"/v1/games/{ann.game}/resign", headers=ben.headers)
    record = record_of(ann)
    assert record["end"] == {"kind": "resigned", "seat": 0}
    assert record["rounds"][-1]["moves"] == [{"seat": 1, "type": "resign"}]
    assert record["rounds"][-1]["result"]["kind"] == "resigned"
    replayed = replay(record)
    assert replayed.differences == ()
    assert_proven(record, ann.view()["commitment"])


def test_a_resignation_between_two_rounds_belongs_to_neither(http):
    ann, ben = table_of_two(http, ruleset={"preset": "standard", "target": 10_000})
    play_round(ann, ben)
    before = record_of(ann)
    http.post(f"/v1/games/{ann.game}/resign", headers=ben.headers)
    after = record_of(ann)
    assert after["rounds"] == before["rounds"]
    assert after["end"] == {"kind": "resigned", "seat": 0}
    assert replay(after).differences == ()


def test_a_cancelled_game_has_an_empty_record_with_its_end(http):
    made = http.post("/v1/games", json={"game": "gin", "spectators": True}).json()
    headers = {"Authorization": f"Bearer {made['tokens'][0]['token']}"}
    http.post(f"/v1/games/{made['game']['id']}/resign", headers=headers)
    record = http.get(f"/v1/games/{made['game']['id']}/record").json()
    assert (record["rounds"], record["end"]) == ([], {"kind": "abandoned", "seat": None})
    assert replay(record).results == ()
