"""The easy player of gin rummy: what it does with a hand, and that it never does what is not allowed."""

import hashlib

import pytest

from service.bots.base import POLICIES
from service.bots.gin_easy import choose
from service.cards.shuffle import shuffled_deck
from service.rulebooks import gin
from tests.builders import about_to_throw, deal, dealt_match, knocked, play_moves, rules, throw_every_draw

THREE_RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D"
OTHER = "KS QS JC TC 8H 7H 6H 4H 2D AD"
TAKE, STOCK = {"type": "draw", "source": "discard"}, {"type": "draw", "source": "stock"}


def chosen(match):
    return choose(gin.view(match, gin.turn(match).seat))


def test_it_is_the_easy_level_of_gin():
    assert POLICIES["gin"]["easy"] is choose


@pytest.mark.parametrize(
    ("held", "upcard", "expected"),
    [
        (f"{THREE_RUNS} KH", "TD", TAKE),
        (f"{THREE_RUNS} KH", "5H", TAKE),
        (f"{THREE_RUNS} 5H", "KH", {"type": "pass"}),
        (f"{THREE_RUNS} 5H", "6S", {"type": "pass"}),
    ],
)
def test_it_takes_the_upcard_where_that_lowers_its_deadwood(held, upcard, expected):
    """TD goes with the run and KH away: 0; 5H for KH: 5 for 10. KH or 6S for 5H lowers nothing."""
    assert chosen(dealt_match(held, OTHER, upcard)) == expected


def test_the_second_seat_is_asked_in_its_turn():
    match = play_moves(dealt_match(OTHER, f"{THREE_RUNS} KH", "TD"), "0 pass")
    assert chosen(match) == TAKE


def test_it_opens_by_itself_after_the_other_passed_in_any_round():
    match = deal(knocked(f"{THREE_RUNS} TD", OTHER, ruleset=rules(target=1000)), tuple(range(52)), 0)
    other = gin.turn(match).seat
    match = play_moves(match, f"{other} pass")
    move = chosen(match)
    assert move in [each["move"] for each in gin.view(match, 1 - other)["legal_moves"]]


@pytest.mark.parametrize(("thrown", "expected"), [("TD", TAKE), ("KD", STOCK)])
def test_it_draws_from_the_pile_that_helps(thrown, expected):
    match = dealt_match("AH 3H 5H 7H 9H JH 2D 4D 6D QS", f"{THREE_RUNS} KH", "KC", thrown)
    assert chosen(play_moves(match, "0 pass", "1 pass", "0 draw stock", f"0 discard {thrown}")) == expected


def test_it_draws_from_the_stock_when_only_that_is_open():
    assert chosen(play_moves(dealt_match(f"{THREE_RUNS} KH", OTHER, "TD"), "0 pass", "1 pass")) == STOCK


def test_it_throws_what_leaves_the_least_deadwood():
    """Two runs, and 9H 8C 2H 7H KH: 26 without KH, more with it."""
    match = about_to_throw("AS 2S 3S 4C 5C 6C 9H 8C 2H 7H", drawn="KH", against="QD")
    assert chosen(match) == {"type": "discard", "card": "KH"}


def test_of_throws_that_leave_the_same_it_takes_the_dearest():
    """2S-6S and TS JS QS, and 2D-5D or 3D-6D: the throw of 2D or of 6D leaves nothing."""
    match = about_to_throw("TS 5D 4S 3S QS JS 3D 4D 6D 2S", drawn="2D", against="QD", ruleset=rules("classic"))
    assert chosen(match) == {"type": "knock", "discard": "6D"}


def test_it_knocks_as_soon_as_it_may_with_the_least_deadwood():
    assert chosen(about_to_throw(f"{THREE_RUNS} 5H", drawn="8H", against="QD")) == {"type": "knock", "discard": "8H"}


def test_it_goes_gin_when_it_can():
    assert chosen(about_to_throw(f"{THREE_RUNS} TD", drawn="AH", against="QD")) == {"type": "knock", "discard": "AH"}


def test_it_goes_big_gin_when_it_can():
    assert chosen(about_to_throw(f"{THREE_RUNS} TD", drawn="JD", against="QD")) == {"type": "big_gin"}


def test_it_never_throws_the_card_it_took():
    assert chosen(about_to_throw(f"{THREE_RUNS} 5H", taken="KH", against="QD")) == {"type": "knock", "discard": "5H"}


def test_as_the_defender_it_leaves_the_spread_to_the_engine():
    assert chosen(knocked(f"{THREE_RUNS} 5H", OTHER)) == {"type": "spread"}


@pytest.mark.parametrize(("fiftieth", "expected"), [("TD", TAKE), ("5D", TAKE), ("KD", TAKE), ("JD", {"type": "pass"})])
def test_it_takes_the_fiftieth_card_whenever_a_knock_follows(fiftieth, expected):
    """Three runs and KH with a limit of 10: any of the cards allows a knock. With a limit of 9, JD does not."""
    ruleset = rules("rubl", knock_limit=9 if fiftieth == "JD" else 10)
    match = dealt_match("AH 3H 5H 7H 9H JH 2D 4D 6D QS", f"{THREE_RUNS} KH", "KC", fiftieth=fiftieth, ruleset=ruleset)
    match = throw_every_draw(play_moves(match, "0 pass", "1 pass"), 29)
    assert gin.turn(match).phase == "fiftieth"
    assert chosen(match) == expected


@pytest.mark.parametrize("preset", [preset.name for preset in gin.presets()])
def test_two_of_them_play_a_match_to_its_end_by_legal_moves_alone(preset):
    match = gin.start(rules(preset), 2, 0)
    while gin.end(match) is None:
        number = gin.round_number(match) + 1
        match = deal(match, shuffled_deck(hashlib.sha256(preset.encode()).digest(), number, ("", "")), 0)
        while gin.end(match) is None and gin.turn(match).phase != "round_over":
            seat = gin.turn(match).seat
            view = gin.view(match, seat)
            move = choose(view)
            assert move in [each["move"] for each in view["legal_moves"]]
            match = gin.apply(match, seat, gin.read_move(move)).state
    assert gin.score(match)["winners"] == [gin.end(match).seat]


def test_choosing_changes_nothing_in_the_view():
    view = gin.view(about_to_throw(f"{THREE_RUNS} 5H", drawn="8H", against="QD"), 0)
    move = choose(view)
    move["discard"] = "?"
    assert view == gin.view(about_to_throw(f"{THREE_RUNS} 5H", drawn="8H", against="QD"), 0)
