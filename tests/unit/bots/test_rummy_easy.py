"""The easy player of basic rummy: what it does with a hand, and that it never does what is not allowed."""

import pytest

from service.bots.base import POLICIES
from service.bots.rummy_easy import choose
from service.cards.shuffle import shuffled_deck
from service.rulebooks import rummy
from tests.unit.rulebooks.rummy.tables import dealt, play, rules, table

TAKE, STOCK = {"type": "draw", "source": "discard"}, {"type": "draw", "source": "stock"}
KINGS = "1 KS KH KD"


def chosen(match):
    return choose(rummy.view(match, rummy.turn(match).seat))


def drawn(held, card, *laid, **others):
    return play(table(held, "AH", "AD", pile="2C", stock=card, laid=laid, **others), "0 draw stock")


def test_it_is_the_easy_level_of_rummy():
    assert POLICIES["rummy"]["easy"] is choose


@pytest.mark.parametrize(
    ("held", "top", "laid", "expected"),
    [
        ("5S 6S 9D", "7S", [], TAKE),
        ("9S 9H 2D", "9D", [], TAKE),
        ("5S 6S 7S 9D", "KC", [], STOCK),
        ("5S 6S 9D", "8S", [], STOCK),
        ("5S 9D", "KC", [KINGS], TAKE),
        ("5S 9D", "QC", [KINGS], STOCK),
        ("5S", "KC", [KINGS], STOCK),
    ],
)
def test_it_takes_the_discard_that_completes_a_meld_or_fits_one_on_the_table(held, top, laid, expected):
    """With a single card in hand it draws from the stock, where whatever comes may be thrown."""
    assert chosen(table(held, "AH", pile=f"2C {top}", laid=laid)) == expected


def test_a_meld_in_hand_already_is_no_reason_to_take_a_card():
    assert chosen(table("5S 6S 7S 9D", "AH", pile="2D")) == STOCK


def test_it_draws_from_the_stock_where_there_is_no_pile():
    match = play(table("AS", "AH", "AD", pile="9D"), "0 draw discard", "0 resign")
    assert chosen(match) == STOCK


def test_it_melds_as_many_cards_as_it_can():
    assert chosen(drawn("5S 6S 7S 8S 5H 5D 9C", "JD")) == {"type": "meld", "cards": ["5S", "6S", "7S", "8S"]}


def test_it_lays_off_what_fits_once_it_has_no_meld_to_lay():
    assert chosen(drawn("5S KC 9D", "JD", KINGS)) == {"type": "lay_off", "card": "KC", "meld": 0}
    match = drawn("5S 6S 7S KC 9D", "JD", KINGS)
    assert chosen(match)["type"] == "meld"
    assert chosen(play(match, "0 meld 5S6S7S")) == {"type": "lay_off", "card": "KC", "meld": 0}


@pytest.mark.parametrize(
    ("held", "card", "thrown"),
    [
        ("5S 5H KC 2D", "9H", "KC"),
        ("5S 5H KC QC", "2D", "2D"),
        ("5S 6S JH 9C", "3D", "JH"),
        ("5S 7S JH KH", "4D", "4D"),
        ("AS 2S 9H 9D", "6C", "6C"),
        ("QS JS QH", "JH", "JS"),
    ],
)
def test_it_throws_the_dearest_card_without_a_companion(held, card, thrown):
    """A companion is of the same rank, or of the same suit within two ranks. Dearest first, then in card order."""
    assert chosen(drawn(held, card)) == {"type": "discard", "card": thrown}


def test_it_never_throws_the_card_it_has_just_taken():
    match = play(table("9S 9H 2C 3D", "AH", pile="4C KD"), "0 draw discard")
    assert chosen(match)["card"] != "KD"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("preset", ["standard", "pagat", "bicycle", "block"])
@pytest.mark.parametrize(
    "overrides",
    [{}, {"layoff_after_meld": True, "discard_to_go_out": True, "ace": "either"}],
    ids=["as published", "strict, and high aces"],
)
def test_it_plays_whole_matches_by_the_rules(seats, preset, overrides):
    """Every move it chooses is one of those listed, and the match comes to an end."""
    match = dealt(seats, ruleset=rules(preset, target=30, **overrides), deck=deck(1))
    number = 1
    while rummy.end(match) is None:
        seat = rummy.turn(match).seat
        if seat is None:
            number += 1
            match = rummy.deal(match, deck(number), range(seats), 0)
            continue
        view = rummy.view(match, seat)
        move = choose(view)
        assert {"move": move} in view["legal_moves"]
        match = rummy.apply(match, seat, rummy.read_move(move)).state
    assert rummy.end(match).kind == "target"
    assert {scored.kind for scored in match.rounds} <= {"out", "rummy", "blocked"}


def deck(number):
    return shuffled_deck(bytes(31) + b"r", number, ("a", "b"))
