"""Bodies of the wrong shape or with values that are not to be had: each refused for its reason, nothing changed."""

import pytest

from tests.api.playing import create, deck, join
from tests.conftest import Player, new_game

FULL = deck()
REFUSED_GAMES = {
    "no game": ({}, "/game"),
    "another game": ({"game": "bridge"}, "/game"),
    "a game by number": ({"game": 1}, "/game"),
    "an unknown field": ({"game": "gin", "players": 2}, "/players"),
    "a field with a slash": ({"game": "gin", "a/b~c": 2}, "/a~1b~0c"),
    "true for the dealer": ({"game": "gin", "first_dealer": True}, "/first_dealer"),
    "a fraction for the dealer": ({"game": "gin", "first_dealer": 0.5}, "/first_dealer"),
    "a text for the dealer": ({"game": "gin", "first_dealer": "1"}, "/first_dealer"),
    "a dealer below 0": ({"game": "gin", "first_dealer": -1}, "/first_dealer"),
    "1 for true": ({"game": "gin", "spectators": 1}, "/spectators"),
    "a text for true": ({"game": "gin", "spectators": "true"}, "/spectators"),
    "null for true": ({"game": "gin", "spectators": None}, "/spectators"),
    "seats by number": ({"game": "gin", "seats": 2}, "/seats"),
    "a seat that is no object": ({"game": "gin", "seats": ["Ann", {}]}, "/seats/0"),
    "a seat with both": ({"game": "gin", "seats": [{"name": "Ann", "bot": "easy"}, {}]}, "/seats/0"),
    "an unknown field of a seat": ({"game": "gin", "seats": [{}, {"nick": "B"}]}, "/seats/1/nick"),
    "a name by number": ({"game": "gin", "seats": [{"name": 7}, {}]}, "/seats/0/name"),
    "no name": ({"game": "gin", "seats": [{"name": None}, {}]}, "/seats/0/name"),
    "a bot by number": ({"game": "gin", "seats": [{"name": "A"}, {"bot": 1}]}, "/seats/1/bot"),
    "too many seats by far": ({"game": "gin", "seats": [{}] * 7}, "/seats"),
    "a ruleset by number": ({"game": "gin", "ruleset": 5}, "/ruleset"),
    "a preset by number": ({"game": "gin", "ruleset": {"preset": 5}}, "/ruleset/preset"),
    "metadata that is a list": ({"game": "gin", "metadata": []}, "/metadata"),
    "metadata over 1 KiB": ({"game": "gin", "metadata": {"text": "x" * 1014}}, "/metadata"),
    "metadata over 1 KiB as bytes": ({"game": "gin", "metadata": {"text": "é" * 507}}, "/metadata"),
    "a sandbox without decks": ({"game": "gin", "sandbox": {}}, "/sandbox/decks"),
    "a sandbox with no deck": ({"game": "gin", "sandbox": {"decks": []}}, "/sandbox/decks"),
    "a deck that is a text": ({"game": "gin", "sandbox": {"decks": ["AS"]}}, "/sandbox/decks/0"),
    "a deck with an unreadable card": (
        {"game": "gin", "sandbox": {"decks": [FULL, ["1S", *FULL[1:]]]}},
        "/sandbox/decks/1/0",
    ),
}


def assert_shape_refused(refused, pointer):
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request"), refused.text
    assert pointer in [fault["pointer"] for fault in refused.json()["errors"]]


@pytest.mark.parametrize(("body", "pointer"), REFUSED_GAMES.values(), ids=REFUSED_GAMES)
def test_a_game_of_the_wrong_shape_is_not_made(http, store, body, pointer):
    before = store.games()
    assert_shape_refused(http.post("/v1/games", json=body), pointer)
    assert store.games() == before


NOT_TO_BE_HAD = {
    "one seat": ({"seats": [{"name": "Ann"}]}, "request_refused", "/seats"),
    "no seats": ({"seats": []}, "request_refused", "/seats"),
    "an unknown bot": ({"seats": [{"name": "A"}, {"bot": "godlike"}]}, "bot_not_available", "/seats/1/bot"),
    "a bot without a level": ({"seats": [{"name": "A"}, {"bot": ""}]}, "bot_not_available", "/seats/1/bot"),
    "bots alone": ({"seats": [{"bot": "easy"}, {"bot": "easy"}]}, "no_human_seat", "/seats"),
    "a dealer who has no seat": ({"first_dealer": 2}, "request_refused", "/first_dealer"),
    "a deck of 51": ({"sandbox": {"decks": [FULL[1:]]}}, "request_refused", "/sandbox/decks/0"),
    "a deck of 53": ({"sandbox": {"decks": [[*FULL, "AS"]]}}, "request_refused", "/sandbox/decks/0"),
    "a doubled card": ({"sandbox": {"decks": [FULL, [FULL[1], *FULL[1:]]]}}, "request_refused", "/sandbox/decks/1"),
}


@pytest.mark.parametrize(("wanted", "code", "field"), NOT_TO_BE_HAD.values(), ids=NOT_TO_BE_HAD)
def test_a_game_that_is_not_to_be_had_is_not_made(http, store, wanted, code, field):
    before = store.games()
    refused = http.post("/v1/games", json={"game": "gin"} | wanted)
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (422, code, field)
    assert store.games() == before


REFUSED_RULES = {
    "an unknown preset": ("casual", "preset", "must be one of standard, classic,"),
    "an unknown preset in an object": ({"preset": "casual"}, "preset", "must be one of"),
    "an unknown field": ({"bonus": 5}, "bonus", "is not a field"),
    "true for 1": ({"target": True}, "target", "must be a whole number from 1 to 10000"),
    "a fraction": ({"preset": "eaai", "gin_bonus": 20.5}, "gin_bonus", "must be a whole number"),
    "a text": ({"gin_bonus": "20"}, "gin_bonus", "must be a whole number"),
    "out of range": ({"knock_limit": 11}, "knock_limit", "from 0 to 10"),
    "null where nothing may be": ({"target": None}, "target", "must be a whole number"),
    "a list": ({"target": [100]}, "target", "must be a whole number"),
    "against another field": ({"oklahoma_ace": "one"}, "oklahoma_ace", "must be null unless knock_limit is upcard"),
    "without another field": ({"columns": 3}, "columns_winner", "must be set when columns is 3"),
}


@pytest.mark.parametrize(("ruleset", "field", "reason"), REFUSED_RULES.values(), ids=REFUSED_RULES)
def test_a_ruleset_that_cannot_be_is_refused_with_field_and_reason(http, store, ruleset, field, reason):
    before = store.games()
    refused = http.post("/v1/games", json={"game": "gin", "ruleset": ruleset})
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (422, "ruleset_refused", field)
    assert reason in refused.json()["reason"]
    assert store.games() == before


BAD_NAMES = {
    "empty": "",
    "blank": "   ",
    "other blanks": "\u2003\u3000",
    "41 characters": "x" * 41,
    "a line break": "Ann\nBen",
    "a zero": "A\0nn",
    "an escape": "\x1b[31mAnn",
    "a delete": "Ann\x7f",
    "a C1 control": "Ann\x9b31m",
    "a line separator": "Ann\u2028Ben",
    "text turned around": "Ann\u202eneB",
    "a right-to-left mark": "Ann\u200f",
    "an Arabic letter mark": "Ann\u061c",
    "an isolate": "Ann\u2066Ben\u2069",
    "private use": "Ann\ue000",
    "no character": "Ann\uffff",
}


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_a_name_that_others_cannot_read_is_refused(http, name):
    made = create(http, seats=[{"name": "Ann"}, {}])
    ann = Player(http, made["game"]["id"], 0, made["tokens"][0]["token"])
    before = ann.view()
    refused = http.post("/v1/games", json={"game": "gin", "seats": [{}, {"name": name}]})
    assert_shape_refused(refused, "/seats/1/name")
    assert_shape_refused(join(http, made["invite"], name=name), "/name")
    assert ann.view() == before


@pytest.mark.parametrize(
    "name", ["x", "x" * 40, "Ann-Kathrin O'Hara", "李小龍", "محمد", "👩\u200d🚀", "é" * 40, "e\u0301" * 20]
)
def test_names_of_all_peoples_are_taken(http, name):
    view = create(http, seats=[{"name": name}, {}])["game"]
    assert 1 <= len(view["seats"][0]["name"]) <= 40


REFUSED_MOVES = {
    "no type": ({}, "/type"),
    "an unknown type": ({"type": "cheat"}, "/type"),
    "a type in capitals": ({"type": "Deal"}, "/type"),
    "a type by number": ({"type": 1}, "/type"),
    "a type that is a list": ({"type": ["deal"]}, "/type"),
    "an unknown field": ({"type": "deal", "card": "AS"}, "/card"),
    "a pass with more": ({"type": "pass", "reason": "bored"}, "/reason"),
    "no source": ({"type": "draw"}, "/source"),
    "an unknown source": ({"type": "draw", "source": "sleeve"}, "/source"),
    "null for a source": ({"type": "draw", "source": None}, "/source"),
    "no card": ({"type": "discard"}, "/card"),
    "an unreadable card": ({"type": "discard", "card": "11"}, "/card"),
    "ten in two digits": ({"type": "discard", "card": "10S"}, "/card"),
    "a suit first": ({"type": "discard", "card": "SA"}, "/card"),
    "a card of another alphabet": ({"type": "discard", "card": "\u0410S"}, "/card"),
    "a card by number": ({"type": "discard", "card": 12}, "/card"),
    "a card that is a list": ({"type": "discard", "card": ["AS"]}, "/card"),
    "null for a card": ({"type": "discard", "card": None}, "/card"),
    "an unreadable knock": ({"type": "knock", "discard": "??"}, "/discard"),
    "an unreadable card in a meld": ({"type": "knock", "discard": "AS", "melds": [["2S", "3X"]]}, "/melds/0/1"),
    "melds that are no lists": ({"type": "knock", "discard": "AS", "melds": ["2S"]}, "/melds/0"),
    "melds by number": ({"type": "big_gin", "melds": 3}, "/melds"),
    "null for melds": ({"type": "big_gin", "melds": None}, "/melds"),
    "twelve melds": ({"type": "big_gin", "melds": [[]] * 12}, "/melds"),
    "a meld of twelve": ({"type": "big_gin", "melds": [["AS"] * 12]}, "/melds/0"),
    "a layoff without a meld": ({"type": "spread", "layoffs": [{"card": "AS"}]}, "/layoffs/0/meld"),
    "a layoff without a card": ({"type": "spread", "layoffs": [{"meld": 0}]}, "/layoffs/0/card"),
    "true for a meld": ({"type": "spread", "layoffs": [{"card": "AS", "meld": True}]}, "/layoffs/0/meld"),
    "a fraction for a meld": ({"type": "spread", "layoffs": [{"card": "AS", "meld": 0.5}]}, "/layoffs/0/meld"),
    "a text for a meld": ({"type": "spread", "layoffs": [{"card": "AS", "meld": "0"}]}, "/layoffs/0/meld"),
    "a meld below 0": ({"type": "spread", "layoffs": [{"card": "AS", "meld": -1}]}, "/layoffs/0/meld"),
    "a layoff that is a list": ({"type": "spread", "layoffs": [["AS", 0]]}, "/layoffs/0"),
    "a seed of 65": ({"type": "deal", "client_seed": "x" * 65}, "/client_seed"),
    "a seed by number": ({"type": "deal", "client_seed": 7}, "/client_seed"),
    "null for a seed": ({"type": "deal", "client_seed": None}, "/client_seed"),
}


@pytest.mark.parametrize(("move", "pointer"), REFUSED_MOVES.values(), ids=REFUSED_MOVES)
def test_a_move_of_the_wrong_shape_is_not_made(http, move, pointer):
    ann, _ = new_game(http)
    before = ann.view()
    assert_shape_refused(ann.post(move), pointer)
    assert ann.view() == before


def test_every_fault_of_a_body_is_told_at_once(http):
    refused = http.post("/v1/games", json={"game": 5, "seats": [{"name": ""}, 7], "x": 1})
    pointers = [fault["pointer"] for fault in refused.json()["errors"]]
    assert pointers == ["/game", "/seats/0/name", "/seats/1", "/x"]
    assert refused.json()["detail"].startswith("/game: ")


def test_a_whole_number_may_be_written_as_a_fraction(http):
    """JSON Schema, and with it the contract, takes 1.0 for an integer."""
    made = http.post("/v1/games", json={"game": "gin", "first_dealer": 1.0, "ruleset": {"target": 2.5e2}})
    assert (made.status_code, made.json()["game"]["ruleset"]["target"]) == (201, 250)
    refused = http.post("/v1/games", json={"game": "gin", "ruleset": {"target": 250.5}})
    assert (refused.status_code, refused.json()["code"]) == (422, "ruleset_refused")


def test_cards_may_be_written_in_lower_case(http):
    ann, ben = new_game(http, sandbox={"decks": [[card.lower() for card in FULL]]}, first_dealer=1)
    ben.play({"type": "deal"})
    thrown = ann.play({"type": "draw", "source": "discard"})["round"]["hands"][0]["cards"][0]
    assert ann.play({"type": "discard", "card": thrown.lower()})["round"]["discard_top"] == thrown


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/invite"),
        ({"invite": "x"}, "/name"),
        ({"invite": 5, "name": "Ben"}, "/invite"),
        ({"invite": "x", "name": "Ben", "seat": 1}, "/seat"),
        ({"invite": "x", "name": "Ben", "client_seed": "x" * 65}, "/client_seed"),
        ({"invite": "x", "name": "Ben", "client_seed": None}, "/client_seed"),
    ],
)
def test_a_join_of_the_wrong_shape_is_refused(http, body, pointer):
    assert_shape_refused(http.post("/v1/join", json=body), pointer)


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "", "1e3", "٣", "9" * 10])
def test_a_page_that_is_no_number_is_refused(http, after):
    ann, _ = new_game(http)
    refused = http.get(f"/v1/games/{ann.game}/rounds", params={"after": after}, headers=ann.headers)
    assert_shape_refused(refused, "?after")


@pytest.mark.parametrize("preview", ["yes", "1", "", "TRUE"])
def test_a_switch_in_the_query_is_true_or_false(http, preview):
    made = create(http, seats=[{"name": "Ann"}, {}])
    refused = http.post("/v1/join", params={"preview": preview}, json={"invite": made["invite"], "name": "Ben"})
    assert_shape_refused(refused, "?preview")
