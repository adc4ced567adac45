"""Dry runs: they accept and refuse as the move itself would, change nothing, and tell nothing that a view does not."""

import secrets

import pytest

from tests.api.backends import assert_refused
from tests.api.playing import Doc, choose, deck, on_turn, table_of_two
from tests.conftest import Player

MOVES = [
    {"type": "deal"},
    {"type": "deal", "client_seed": "s" * 65},
    {"type": "pass"},
    {"type": "draw", "source": "stock"},
    {"type": "draw", "source": "discard"},
    {"type": "draw", "source": "sleeve"},
    {"type": "discard", "card": "KC"},
    {"type": "discard", "card": "AS"},
    {"type": "knock", "discard": "KC"},
    {"type": "knock", "discard": "KC", "melds": [["AS", "2S", "3S"]]},
    {"type": "knock", "discard": "KC", "melds": [["AS", "2S", "7D"]]},
    {"type": "big_gin"},
    {"type": "spread"},
    {"type": "spread", "layoffs": [{"card": "KH", "meld": 0}]},
    {"type": "spread", "melds": [["AS", "AS"]]},
    {"type": "meld", "cards": ["AS", "2S", "3S"]},
    {"type": "meld", "cards": ["AS", "2S", "7D"]},
    {"type": "lay_off", "card": "4S", "meld": 0},
    {"type": "lay_off", "card": "4S", "meld": 9},
    {"type": "resign"},
    {"type": "fold"},
    {"card": "AS"},
    [],
    None,
]
ROUND = ["AS 2S 3S 4C 5C 6C 7D 8D 9D 5H", "4H AD 2D 6H 7H 8H TC JC QS KS", "QH", "KC"]
"""Seat 0 draws KC and can knock with it; seat 1 has 6H 7H 8H, and QS KS to lay off nowhere."""


def tried(player: Player, move: object, **headers: str):
    path = f"/v1/games/{player.game}/moves"
    return player.http.post(path, params={"dry_run": "true"}, json=move, headers=player.headers | headers)


def kept(store, player: Player) -> dict[bytes, bytes]:
    """Everything that is kept of a game."""
    return {key: store.client.dump(key) for key in store.client.scan_iter(f"*{player.game}*", count=1000)}


def played(http, game: str, moves: list[Doc]) -> list[Player]:
    body = {"game": game, "seats": [{"name": "Ann"}, {"name": "Ben"}], "first_dealer": 1}
    decks = {"sandbox": {"decks": [deck(*ROUND[:2], upcard=ROUND[2], stock=ROUND[3])]}}
    made = http.post("/v1/games", json=body | decks).json()
    players = [Player(http, made["game"]["id"], held["seat"], held["token"]) for held in made["tokens"]]
    for move in moves:
        on_turn(tuple(players)).play(move)
    return players


DEAL, PASS, STOCK = {"type": "deal"}, {"type": "pass"}, {"type": "draw", "source": "stock"}
POINTS = {
    "gin before the deal": ("gin", []),
    "gin in the opening": ("gin", [DEAL]),
    "gin before a draw": ("gin", [DEAL, PASS, PASS]),
    "gin before a throw": ("gin", [DEAL, PASS, PASS, STOCK]),
    "gin after a knock": ("gin", [DEAL, PASS, PASS, STOCK, {"type": "knock", "discard": "KC"}]),
    "gin after the round": ("gin", [DEAL, PASS, PASS, STOCK, {"type": "knock", "discard": "KC"}, {"type": "spread"}]),
    "rummy before the deal": ("rummy", []),
    "rummy before a draw": ("rummy", [DEAL]),
    "rummy before a throw": ("rummy", [DEAL, STOCK]),
    "rummy after a meld": ("rummy", [DEAL, STOCK, {"type": "meld", "cards": ["AS", "2S", "3S"]}]),
}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_dry_run_is_refused_byte_for_byte_as_the_move_and_accepted_where_it_is(http, store, point, seat):
    """Tried in one game, and made in another that stands at the same point."""
    trying, making = played(http, *POINTS[point])[seat], played(http, *POINTS[point])[seat]
    before = kept(store, trying)
    for move in MOVES:
        dry, real = tried(trying, move), making.post(move)
        assert dry.status_code == real.status_code, move
        if real.status_code == 200:
            assert (dry.json()["legal"], "etag" in dry.headers) == (True, False)
            making = played(http, *POINTS[point])[seat]
        else:
            assert dry.content == real.content, move
    assert kept(store, trying) == before


def test_every_listed_move_of_a_round_passes_its_dry_run_with_what_the_list_says(http):
    players = table_of_two(http, first_dealer=1)
    players[0].play(DEAL)
    seen = set()
    while (view := on_turn(players).view())["turn"]["phase"] != "round_over":
        mover = on_turn(players)
        for listed in view["legal_moves"]:
            dry = tried(mover, listed["move"]).json()
            seen.add(listed["move"]["type"])
            if "deadwood" in listed:
                assert (dry["deadwood"], dry["gin"]) == (listed["deadwood"], listed["gin"])
        mover.play(choose(view))
    assert {"pass", "draw", "discard"} <= seen


def test_a_dry_run_tells_what_a_throw_would_leave(http):
    ann, _ = played(http, *POINTS["gin before a throw"])
    runs = [["AS", "2S", "3S"], ["7D", "8D", "9D"], ["4C", "5C", "6C"]]
    for move in ({"type": "discard", "card": "KC"}, {"type": "knock", "discard": "KC"}):
        assert tried(ann, move).json() == {
            "legal": True,
            "deadwood": 5,
            "gin": False,
            "melds": runs,
            "deadwood_cards": ["5H"],
        }


def test_a_dry_run_of_a_draw_tells_of_the_hand_as_it_is(http):
    """What lies on top of the stock is told by the draw itself only; KC would be dead."""
    ann, _ = played(http, *POINTS["gin before a draw"])
    assert tried(ann, STOCK).json()["deadwood_cards"] == ["5H"]


def test_a_dry_run_of_a_deal_tells_of_no_card(http):
    ann, _ = played(http, *POINTS["gin before the deal"])
    assert tried(ann, DEAL).json() == {
        "legal": True,
        "deadwood": None,
        "gin": False,
        "melds": [],
        "deadwood_cards": [],
    }


def test_a_dry_run_leaves_no_receipt_and_asks_for_no_version(http):
    ann, _ = played(http, *POINTS["gin before the deal"])
    conditions = {"Idempotency-Key": secrets.token_hex(8), "If-Match": '"old"'}
    assert tried(ann, DEAL, **conditions).status_code == 200
    del conditions["If-Match"]
    made = ann.post(DEAL, **conditions)
    assert (made.status_code, "idempotency-replayed" in made.headers) == (200, False)


def test_a_dry_run_needs_the_seat_and_a_plain_choice(http):
    ann, _ = played(http, *POINTS["gin before the deal"])
    path = f"/v1/games/{ann.game}/moves"
    assert_refused(http.post(path, params={"dry_run": "true"}, json=DEAL), 401, "credential_refused")
    unclear = http.post(path, params={"dry_run": "1"}, json=DEAL, headers=ann.headers)
    assert_refused(unclear, 422, "invalid_request")
    gone = http.post(f"/v1/games/{'0' * 24}/moves", params={"dry_run": "true"}, json=DEAL, headers=ann.headers)
    assert_refused(gone, 401, "credential_refused")


def test_a_dry_run_while_a_seat_is_open_is_refused_as_the_deal_is(http):
    body = {"game": "gin", "seats": [{"name": "Ann"}, {}]}
    made = http.post("/v1/games", json=body).json()
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    assert tried(ann, DEAL).content == ann.post(DEAL).content
    assert_refused(tried(ann, DEAL), 409, "seats_open")
