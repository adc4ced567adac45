"""Giving up at a table of several, in rummy: the others play on, and a seat that waits is opened again."""

import pytest

from service.play.replay import replay
from tests.api.playing import create, join
from tests.api.proof import CARD_ORDER, assert_proven
from tests.conftest import Player

NAMES = ("Ann", "Ben", "Cyn")
APART = (
    "KS QH JD 9C 7S 5H 3D",
    "KH QD JC 9S 7H 5D 3C",
    "KD QC JS 9H 7D 5C 3S",
)
"""Three hands without a meld: 10 + 10 + 10 + 9 + 7 + 5 + 3 = 54 each."""
STOCK = "AS 2H 4D 6C 8S TH AD 2C 4S 6H 8D TC"


def dealt_deck(*hands: str, upcard: str = "KC", stock: str = STOCK) -> list[str]:
    """A deck that deals these hands, the first to the dealer's left."""
    split = [hand.split() for hand in hands]
    wanted = [*(card for turn in zip(*split, strict=True) for card in turn), upcard, *stock.split()]
    return wanted + [card for card in CARD_ORDER if card not in wanted]


def seated(http, *seats, **wanted):
    """The players of a new game of rummy; names are humans, `easy` is a computer. The last seat deals first."""
    asked = [{"bot": seat} if seat == "easy" else {"name": seat} for seat in seats]
    made = create(http, **({"game": "rummy", "seats": asked, "first_dealer": len(seats) - 1} | wanted))
    return tuple(Player(http, made["game"]["id"], held["seat"], held["token"]) for held in made["tokens"])


def dealt(http, *seats, **wanted):
    players = seated(http, *seats, **({"sandbox": {"decks": [dealt_deck(*APART)]}} | wanted))
    players[0].play({"type": "deal"})
    return players


def resign(player, **headers):
    return player.http.post(f"/v1/games/{player.game}/resign", headers=player.headers | headers)


def resigned(player):
    answer = resign(player)
    assert answer.status_code == 200, answer.text
    return answer.json()


def record_of(player):
    answer = player.http.get(f"/v1/games/{player.game}/record", headers=player.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def pass_turn(player):
    """Draw from the stock and throw that card, or the first other one."""
    view = player.play({"type": "draw", "source": "stock"})
    thrown = next(each["move"] for each in view["legal_moves"] if each["move"]["type"] == "discard")
    return player.play(thrown)


def refusal(answer):
    return answer.status_code, answer.json()["code"]


def about_to_go_out(http, **overrides):
    """A round in which Ann, once she has drawn AC, holds two sets and one card to throw."""
    deck = dealt_deck("AS AH AD 2S 2H 2D KS", *APART[1:], stock="AC 4D 6C 8S TH")
    ruleset = {"preset": "standard", "melds_per_turn": "any", "target": 10_000} | overrides
    return dealt(http, *NAMES, ruleset=ruleset, sandbox={"decks": [deck]})


def go_out(ann):
    ann.play({"type": "draw", "source": "stock"})
    ann.play({"type": "meld", "cards": ["AS", "AH", "AD", "AC"]})
    ann.play({"type": "meld", "cards": ["2S", "2H", "2D"]})
    return ann.play({"type": "discard", "card": "KS"})


# --- In a round ---


def test_a_seat_on_turn_that_gives_up_is_skipped_and_play_goes_on(http):
    ann, ben, cyn = dealt(http, *NAMES)
    assert pass_turn(ann)["turn"] == {"seat": 1, "phase": "draw", "deadline": None}
    view = resigned(ben)
    assert (view["status"], view["turn"]["seat"], view["turn"]["phase"]) == ("playing", 2, "draw")
    assert (view["last_round"], view["score"]["over"]) == (None, False)
    assert pass_turn(cyn)["turn"]["seat"] == 0
    assert pass_turn(ann)["turn"]["seat"] == 2


def test_a_seat_that_has_drawn_may_give_up_too(http):
    ann, ben, _ = dealt(http, *NAMES)
    ann.play({"type": "draw", "source": "discard"})
    assert resigned(ann)["turn"] == {"seat": 1, "phase": "draw", "deadline": None}
    assert pass_turn(ben)["turn"]["seat"] == 2


def test_a_seat_that_gives_up_out_of_turn_is_skipped_later(http):
    ann, ben, cyn = dealt(http, *NAMES)
    assert resigned(ben)["turn"]["seat"] == 0
    assert pass_turn(ann)["turn"]["seat"] == 2
    assert pass_turn(cyn)["turn"]["seat"] == 0


def test_a_seat_that_has_given_up_may_look_and_do_nothing_more(http):
    ann, ben, _ = dealt(http, *NAMES)
    assert resigned(ben)["legal_moves"] == []
    before = ann.view()
    for move in ({"type": "deal"}, {"type": "draw", "source": "stock"}, {"type": "discard", "card": "KH"}):
        assert refusal(ben.post(move)) == (409, "seat_resigned")
    assert refusal(resign(ben)) == (409, "seat_resigned")
    assert ann.view() == before
    seen = ben.view()
    assert (seen["you"], seen["version"], seen["legal_moves"]) == ({"seat": 1}, before["version"], [])


def test_once_the_match_is_over_nobody_is_told_anything_else(http):
    ann, ben, cyn = dealt(http, *NAMES)
    resigned(ben)
    resigned(ann)
    for player in (ann, ben, cyn):
        for move in ({"type": "deal"}, {"type": "draw", "source": "stock"}):
            assert refusal(player.post(move)) == (409, "game_over")
        assert refusal(resign(player)) == (409, "game_over")


def test_the_hand_that_left_play_is_not_shown_to_the_others(http):
    ann, ben, _ = dealt(http, *NAMES)
    resigned(ben)
    assert [("cards" in hand) for hand in ann.view()["round"]["hands"]] == [True, False, False]


def test_the_last_one_left_wins(http):
    ann, ben, cyn = dealt(http, *NAMES)
    resigned(ann)
    view = resigned(cyn)
    assert (view["status"], view["turn"], view["legal_moves"]) == ("finished", None, [])
    assert (view["score"]["winners"], view["score"]["totals"]) == ([1], [0, 0, 0])
    assert (view["last_round"]["kind"], view["last_round"]["winner"]) == ("resigned", None)
    assert view["last_round"]["scores"] == [0, 0, 0]
    assert all("cards" in hand for hand in view["round"]["hands"])
    assert refusal(resign(ben)) == (409, "game_over")
    record = record_of(ben)
    assert record["end"] == {"kind": "resigned", "seat": 1}
    assert [(move["seat"], move["type"]) for move in record["rounds"][0]["moves"]] == [(0, "resign"), (2, "resign")]
    assert replay(record).differences == ()


def test_a_hand_that_left_play_adds_nothing_when_another_goes_out(http):
    """Of two hands that count 54, only the one whose seat still plays adds it."""
    ann, ben, _ = about_to_go_out(http)
    resigned(ben)
    view = go_out(ann)
    assert (view["last_round"]["kind"], view["last_round"]["winner"]) == ("rummy", 0)
    assert (view["last_round"]["scores"], view["score"]["totals"]) == ([0, 0, 54], [0, 0, 54])


def test_the_lowest_total_wins_only_among_those_who_still_play(http):
    """To 54: Ben, who gave up with 0, is not the winner beside Ann."""
    ann, ben, _ = about_to_go_out(http, target=54)
    resigned(ben)
    view = go_out(ann)
    assert (view["status"], view["score"]["winners"], view["score"]["totals"]) == ("finished", [0], [0, 0, 54])


def test_between_rounds_a_seat_gives_up_and_the_next_round_is_dealt_to_the_others(http):
    """Ann goes out at once; then Ben leaves, and two seats are dealt ten cards each. His 54 stand."""
    ann, ben, cyn = about_to_go_out(http)
    view = go_out(ann)
    assert (view["turn"]["phase"], view["score"]["totals"]) == ("round_over", [0, 54, 54])
    assert resigned(ben)["status"] == "playing"
    assert refusal(ben.post({"type": "deal"})) == (409, "seat_resigned")
    view = cyn.play({"type": "deal"})
    assert (view["round"]["number"], view["round"]["dealer"], view["turn"]["seat"]) == (2, 0, 2)
    assert [(hand["seat"], hand["count"]) for hand in view["round"]["hands"]] == [(0, 10), (2, 10)]
    view = resigned(cyn)
    assert (view["score"]["winners"], view["score"]["totals"]) == ([0], [0, 54, 54])
    record = record_of(ann)
    assert [played["seats"] for played in record["rounds"]] == [[0, 1, 2], [0, 2]]
    assert record["end"] == {"kind": "resigned", "seat": 0}


def test_the_record_of_rounds_with_fewer_and_fewer_seats_replays(http):
    ann, ben, cyn = about_to_go_out(http)
    go_out(ann)
    resigned(ben)
    ann.play({"type": "deal"})
    resigned(cyn)
    assert replay(record_of(ann)).differences == ()


def test_the_record_of_rounds_without_the_last_seat_of_the_table_replays(http):
    ann, ben, cyn = seated(http, *NAMES)
    resigned(cyn)
    ann.play({"type": "deal"})
    resigned(ben)
    assert replay(record_of(ann)).differences == ()


def test_before_the_first_deal_the_others_play_without_the_seat_that_gave_up(http):
    ann, ben, cyn = seated(http, *NAMES)
    view = resigned(ben)
    assert (view["status"], view["turn"]["phase"]) == ("playing", "round_over")
    assert refusal(ben.post({"type": "deal"})) == (409, "seat_resigned")
    view = cyn.play({"type": "deal"})
    assert [hand["seat"] for hand in view["round"]["hands"]] == [0, 2]
    assert resigned(ann)["score"]["winners"] == [2]


def test_with_a_key_a_seat_gives_up_once(http):
    ann, ben, _ = dealt(http, *NAMES)
    first, again = (resign(ben, **{"Idempotency-Key": "give up"}) for _ in range(2))
    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert ann.view()["version"] == first.json()["version"]


# --- With computer players ---


def test_the_computer_whose_turn_comes_by_a_resignation_moves_in_the_same_request(http):
    ann, ben = dealt(http, "Ann", "easy", "Ben")
    view = resigned(ann)
    assert (view["status"], view["turn"]["seat"]) == ("playing", 2)
    assert [seen["seat"] for seen in view["round"]["public"]] == [1]
    assert pass_turn(ben)["turn"]["seat"] == 2


def test_when_all_humans_have_given_up_the_game_is_abandoned(http):
    ann, ben = seated(http, "Ann", "easy", "Ben", "easy")
    ann.play({"type": "deal"})
    assert resigned(ann)["status"] == "playing"
    view = resigned(ben)
    assert (view["status"], view["turn"], view["score"]["winners"]) == ("abandoned", None, [])
    record = record_of(ann)
    assert record["end"] == {"kind": "abandoned", "seat": None}
    assert replay(record).differences == ()


@pytest.mark.parametrize("begun", [True, False], ids=["in a round", "before the first"])
def test_one_human_among_computers_who_gives_up_abandons_the_game(http, begun):
    (ann,) = seated(http, "Ann", "easy", "easy")
    if begun:
        ann.play({"type": "deal"})
    view = resigned(ann)
    assert (view["status"], view["score"]["winners"]) == ("abandoned", [])
    assert refusal(resign(ann))[0] == 409


def test_the_only_computer_left_wins(http):
    ann, ben = seated(http, "Ann", "Ben", "easy")
    ann.play({"type": "deal"})
    view = resigned(ann)
    assert [seat["resigned"] for seat in view["seats"]] == [True, False, False]
    view = resigned(ben)
    assert (view["status"], view["score"]["winners"]) == ("finished", [2])
    assert [seat["resigned"] for seat in view["seats"]] == [True, True, False]


# --- While waiting ---


def waiting(http, **wanted):
    """Ann waits at a table of three; Ben has joined her: their seats, and the invite."""
    made = create(http, game="rummy", seats=[{"name": "Ann"}, {}, {}], **wanted)
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    return ann, joined(http, made["invite"], client_seed="of Ben"), made["invite"]


def joined(http, invite, name="Ben", **others):
    answer = join(http, invite, name, **others)
    assert answer.status_code == 201, answer.text
    return Player(http, answer.json()["game"]["id"], answer.json()["seat"], answer.json()["token"])


def assert_dead(player):
    path = f"/v1/games/{player.game}"
    assert refusal(player.http.get(path, headers=player.headers)) == (401, "credential_refused")
    for call in ("moves", "resign"):
        body = {"type": "deal"} if call == "moves" else {}
        answer = player.http.post(f"{path}/{call}", json=body, headers=player.headers)
        assert refusal(answer) == (401, "credential_refused")
    for past in ("rounds", "score", "record"):
        assert player.http.get(f"{path}/{past}", headers=player.headers).status_code == 401


def test_another_seat_than_the_lowest_opens_its_seat_again(http):
    ann, ben, _ = waiting(http)
    before = ann.view()
    view = resigned(ben)
    assert (view["status"], view["you"], view["version"]) == ("waiting", None, before["version"] + 1)
    assert [seat["kind"] for seat in view["seats"]] == ["human", "open", "open"]
    assert [seat["name"] for seat in ann.view()["seats"]] == ["Ann", None, None]
    assert_dead(ben)


def test_the_next_to_join_gets_the_seat_and_a_token_that_works(http):
    ann, ben, invite = waiting(http)
    old = ben
    for name in ("Bea", "Bob", "Ben"):
        resigned(old)
        new = joined(http, invite, name)
        assert (new.seat, new.view()["you"]) == (1, {"seat": 1})
        assert new.token != old.token
        assert_dead(old)
        old = new
    assert_dead(ben)
    cyn = joined(http, invite, "Cyn")
    assert cyn.seat == 2
    assert [seat["name"] for seat in ann.view()["seats"]] == ["Ann", "Ben", "Cyn"]
    assert old.play({"type": "deal"})["status"] == "playing"


def test_the_seed_of_a_seat_that_left_goes_into_no_deal(http):
    """Ben's seed left with him; Bea gave none, and Cyn one."""
    ann, ben, invite = waiting(http, first_dealer=2)
    resigned(ben)
    bea, cyn = joined(http, invite, "Bea"), joined(http, invite, "Cyn", client_seed="of Cyn")
    view = ann.play({"type": "deal"})
    resigned(ann)
    resigned(bea)
    record = record_of(cyn)
    assert [played["proof"]["client_seeds"] for played in record["rounds"]] == [[None, None, "of Cyn"]]
    assert_proven(record, view["commitment"])
    assert replay(record).differences == ()


def test_a_seat_that_was_left_and_stayed_open_is_left_out_of_the_deal(http):
    """Ann, Ben and later Dan sit at a table of four, and Ben leaves."""
    made = create(http, game="rummy", seats=[{"name": "Ann"}, {}, {}, {}])
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    ben, dan = joined(http, made["invite"]), joined(http, made["invite"], "Dan")
    assert resigned(ben)["status"] == "waiting"
    assert refusal(dan.post({"type": "deal"})) == (409, "seats_open")
    view = ann.play({"type": "deal"})
    assert [hand["seat"] for hand in view["round"]["hands"]] == [0, 2]
    assert refusal(join(http, made["invite"], "Late")) == (409, "no_open_seat")
    assert_dead(ben)


def test_the_lowest_named_seat_cancels_the_game_for_those_who_have_joined_too(http):
    ann, ben, invite = waiting(http)
    view = resigned(ann)
    assert (view["status"], view["score"]["winners"]) == ("abandoned", [])
    assert ben.view()["status"] == "abandoned"
    assert refusal(join(http, invite, "Cyn")) == (409, "no_open_seat")
    for player in (ann, ben):
        assert refusal(resign(player)) == (409, "game_over")


def test_the_record_of_a_table_that_somebody_left_can_be_read(http):
    ann, ben, _ = waiting(http)
    resigned(ben)
    assert (record_of(ann)["rounds"], record_of(ann)["end"]) == ([], None)


def test_whoever_takes_a_seat_after_another_may_use_the_same_key(http):
    """Ben leaves before the deal, and so does Cyn after him, on the seat that was his: each is carried out."""
    made = create(http, game="rummy", seats=[{"name": "Ann"}, {}, {}])
    for name in ("Ben", "Cyn"):
        taken = join(http, made["invite"], name).json()
        guest = Player(http, made["game"]["id"], taken["seat"], taken["token"])
        answer = resign(guest, **{"Idempotency-Key": "resign"})
        assert (answer.status_code, "idempotency-replayed" in answer.headers) == (200, False)
        assert answer.json()["seats"][guest.seat]["kind"] == "open"
