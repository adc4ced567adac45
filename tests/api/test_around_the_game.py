"""Faults that users of other implementations met around the game itself."""

import httpx

from service.bootstrap import create_app
from tests.api.playing import choose, create, deck, join, on_turn, play_round, played_on, table_of_two
from tests.conftest import Player, client_for, new_game, served, settings_for


def against_the_computer(http, **wanted):
    made = create(http, seats=[{"name": "Ann"}, {"bot": "easy"}], **wanted)
    return Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])


def test_the_seat_that_is_not_on_turn_sees_its_own_hand_and_no_other(http):
    players = new_game(http)
    players[0].play({"type": "deal"})
    for _ in range(5):
        mover = on_turn(players)
        for player in players:
            hands = player.view()["round"]["hands"]
            assert [seat for seat in (0, 1) if "cards" in hands[seat]] == [player.seat]
        mover.play(choose(mover.view()))


def test_a_second_draw_in_one_turn_is_refused_and_one_card_is_drawn(http):
    ann, ben = new_game(http, first_dealer=1)
    ben.play({"type": "deal"})
    drawn = ann.play({"type": "draw", "source": "discard"})
    refused = ann.post({"type": "draw", "source": "stock"})
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_phase")
    assert ann.view() == drawn
    assert drawn["round"]["hands"][0]["count"] == 11


def test_a_hundred_games_have_a_hundred_decks_and_whole_seeds(http):
    hands, commitments = set(), set()
    plain = httpx.Client(base_url=http.base_url)  # without the contract, which takes its time
    for _ in range(100):
        ann = new_game(plain)[0]
        view = ann.play({"type": "deal"})
        hands.add((*view["round"]["hands"][0]["cards"], view["round"]["discard_top"]))
        commitments.add(view["commitment"])
    plain.close()
    assert len(hands) == len(commitments) == 100
    assert all(len(bytes.fromhex(commitment)) == 32 for commitment in commitments)


def test_a_finished_match_is_read_again_with_the_same_token(http):
    ann, ben = table_of_two(http, ruleset={"preset": "eaai", "target": 1})
    ann.play({"type": "deal"})
    *_, (mover, last) = played_on(ann, ben)
    assert last["status"] == "finished"
    assert mover.view() == last
    for player in (ann, ben):
        view = player.view()
        assert view["score"]["over"] is True
        assert view["last_round"] == last["last_round"]
        assert all("cards" in hand for hand in view["round"]["hands"])


def test_values_set_at_creation_hold_through_rounds_and_a_restart(http, store):
    """The gin bonus of 20, in an app that starts on the same store with the same secret."""
    ann = against_the_computer(http, ruleset={"preset": "standard", "gin_bonus": 20})
    play_round(ann)
    before = ann.view()
    assert before["ruleset"]["gin_bonus"] == 20
    with served(create_app(settings_for(store.url))) as address, client_for(address) as client:
        after = Player(client, ann.game, ann.seat, ann.token)
        assert after.view() == before
        assert play_round(after)["ruleset"]["gin_bonus"] == 20
    assert ann.view()["round"]["number"] == 2


GIN = "AS 2S 3S 4S 5H 6H 7H 9C 9D 9H"


def test_a_gin_is_priced_with_the_bonus_that_was_set(http):
    """The non-dealer draws the card that completes gin: 20 and what the dealer holds."""
    ann, ben = new_game(
        http,
        ruleset={"preset": "standard", "gin_bonus": 20},
        first_dealer=1,
        sandbox={"decks": [deck(GIN.replace("9H", "KC"), "", upcard="9H")]},
    )
    ben.play({"type": "deal"})
    ann.play({"type": "draw", "source": "discard"})
    view = ann.play({"type": "knock", "discard": "KC"})
    lines = {line["part"]: line["points"] for line in view["last_round"]["lines"]}
    assert (view["last_round"]["kind"], lines["bonus"]) == ("gin", 20)
    assert view["last_round"]["points"] == 20 + view["last_round"]["deadwood"][1]


def test_a_computer_that_opens_after_the_human_passed_moves_in_the_same_request(http):
    """In every round that the computer deals, the human passes first: the answer to that shows what it did."""
    ann = against_the_computer(http, ruleset={"preset": "standard", "target": 1000}, first_dealer=1)
    passed = []
    while len(passed) < 3:
        view = ann.play({"type": "deal"})
        if view["turn"] == {"seat": 0, "phase": "opening", "deadline": None} and view["round"]["dealer"] == 1:
            view = ann.play({"type": "pass"})
            passed.append(view["round"]["number"])
            assert [each["seat"] for each in view["round"]["public"]][:2] == [0, 1]
            assert view["turn"]["seat"] in (0, None)
        while view["turn"]["phase"] != "round_over":
            view = ann.play(choose(view))
            assert view["turn"]["seat"] in (0, None)
    assert passed[-1] > 2


def test_a_computer_that_deals_is_dealt_against_at_once(http):
    """The human deals for it; when the computer is the non-dealer its opening comes with the deal."""
    ann = against_the_computer(http, first_dealer=0)
    view = ann.play({"type": "deal"})
    assert view["round"]["dealer"] == 0
    assert view["version"] > 2
    assert view["turn"]["seat"] == 0


def test_a_computer_that_holds_gin_after_drawing_ends_the_round(http):
    ann = against_the_computer(
        http, first_dealer=0, sandbox={"decks": [deck(GIN.replace("9H", "KC"), "", upcard="9H")]}
    )
    view = ann.play({"type": "deal"})
    assert (view["last_round"]["kind"], view["last_round"]["winner"]) == ("gin", 1)
    assert view["turn"] == {"seat": None, "phase": "round_over", "deadline": None}


def test_after_both_passed_the_non_dealer_draws_from_the_stock_only(http):
    ann, ben = new_game(http, first_dealer=1)
    ben.play({"type": "deal"})
    ann.play({"type": "pass"})
    ben.play({"type": "pass"})
    for player in (ann, ben):
        assert player.view()["turn"] == {"seat": 0, "phase": "draw", "deadline": None}
    assert [each["move"] for each in ann.view()["legal_moves"]] == [{"type": "draw", "source": "stock"}]
    before = ann.view()
    refused = ann.post({"type": "draw", "source": "discard"})
    assert (refused.status_code, refused.json()["code"]) == (409, "source_not_open")
    assert ann.view() == before


def test_both_may_deal_after_a_void_round_and_the_same_dealer_deals_again(http):
    ann, ben = new_game(http, ruleset={"preset": "open", "max_discard_draws": 1}, first_dealer=1)
    ben.play({"type": "deal"})
    view = ann.play({"type": "draw", "source": "discard"})
    thrown = next(each["move"] for each in view["legal_moves"] if each["move"]["type"] == "discard")
    view = ann.play(thrown)
    assert (view["last_round"]["kind"], view["last_round"]["winner"], view["score"]["totals"]) == ("void", None, [0, 0])
    for player in (ann, ben):
        assert player.view()["turn"] == {"seat": None, "phase": "round_over", "deadline": None}
        assert player.view()["legal_moves"] == [{"move": {"type": "deal"}}]
    again = ann.play({"type": "deal"})
    assert (again["round"]["number"], again["round"]["dealer"], again["turn"]["seat"]) == (2, 1, 0)


def test_while_the_defender_is_to_spread_only_the_knocker_lies_open(http):
    knocker, defender = "AS 2S 3S 4C 5C 6C 7D 8D 9D KC", "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S"
    ann, ben = new_game(
        http, first_dealer=1, spectators=True, sandbox={"decks": [deck(knocker, defender, upcard="5H")]}
    )
    ben.play({"type": "deal"})
    ann.play({"type": "draw", "source": "discard"})
    seen_by_ann = ann.play({"type": "knock", "discard": "KC"})
    seen_by_all = http.get(f"/v1/games/{ann.game}").json()
    assert seen_by_ann["turn"] == {"seat": 1, "phase": "spread", "deadline": None}
    for view in (seen_by_ann, seen_by_all, ben.view()):
        assert view["round"]["spread"]["deadwood"] == 5
        assert view["round"]["spread"]["deadwood_cards"] == ["5H"]
        assert len(view["round"]["spread"]["melds"]) == 3
    for view in (seen_by_ann, seen_by_all):
        assert "cards" not in view["round"]["hands"][1]
    result = ben.play({"type": "spread"})["last_round"]
    assert (result["kind"], result["winner"], result["points"]) == ("undercut", 1, 25)


def test_resigning_ends_the_match_for_the_other_seat(http):
    ann, ben = table_of_two(http)
    ann.play({"type": "deal"})
    view = http.post(f"/v1/games/{ann.game}/resign", headers=ann.headers, json={}).json()
    assert (view["status"], view["score"]["winners"], view["last_round"]["kind"]) == ("finished", [1], "resigned")
    assert ben.view()["score"] == view["score"]
    refused = http.post(f"/v1/games/{ann.game}/resign", headers=ben.headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "game_over")
    assert join(http, "x").status_code == 404
