"""The frame of a view, which all games share; and the life of a game."""

import pytest

from service.cards.shuffle import commitment
from service.play import resign
from service.play.callers import Caller
from service.play.game import Game, Lifetimes, Seat
from service.play.table import DAY_MS, Conditions
from service.play.views import etag, game_view, rfc3339
from service.rulebooks.registry import RULEBOOKS
from tests.unit.play.memory import NOW, answered, guest, move, new_game, table

KEYS = [
    *("id", "game", "status", "version", "ruleset", "created_at", "updated_at", "expires_at", "commitment", "sandbox"),
    *("spectators", "metadata", "rematch", "you", "seats", "clock"),
    *("turn", "round", "legal_moves", "last_round", "score"),
]


def waiting_game(kind, *seats):
    rulebook = RULEBOOKS[kind]
    state = rulebook.start(rulebook.read_ruleset("standard", {}), len(seats), None)
    root = bytes(32)
    return Game("7f", kind, state, seats, root, commitment(root), NOW, NOW)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_key_is_always_there(seat):
    at = table()
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    assert list(game_view(at.store.games[game], seat, at.lifetimes)) == KEYS
    guest(at, game)
    move(at, game, 0, {"type": "deal"})
    view = game_view(at.store.games[game], seat, at.lifetimes)
    assert list(view) == KEYS
    assert view["you"] == (None if seat is None else {"seat": seat})
    assert (view["rematch"], view["clock"], view["last_round"]) == (None, None, None)


def test_seats_are_shown_without_their_seeds():
    view = game_view(
        waiting_game("rummy", Seat("Ann", client_seed="hers"), Seat(bot="easy"), Seat()), None, Lifetimes(1, 1, 1)
    )
    assert view["seats"] == [
        {"seat": 0, "name": "Ann", "kind": "human", "bot": None, "resigned": False},
        {"seat": 1, "name": None, "kind": "bot", "bot": "easy", "resigned": False},
        {"seat": 2, "name": None, "kind": "open", "bot": None, "resigned": False},
    ]


@pytest.mark.parametrize(
    ("kind", "seats", "may_start"),
    [
        ("gin", (Seat("A"), Seat()), []),
        ("gin", (Seat("A"), Seat("B")), [0, 1]),
        ("rummy", (Seat("A"), Seat(), Seat()), []),
        ("rummy", (Seat(), Seat("A"), Seat("B")), [1]),
        ("rummy", (Seat(bot="easy"), Seat("A"), Seat()), [1]),
        ("rummy", (Seat(bot="easy"), Seat(bot="easy"), Seat()), []),
    ],
)
def test_who_may_start_is_shown_the_deal(kind, seats, may_start):
    """All humans once every seat is taken; in a game for more, the lowest named one of at least two before."""
    game = waiting_game(kind, *seats)
    shown = [seat for seat in range(len(seats)) if game_view(game, seat, Lifetimes(1, 1, 1))["legal_moves"]]
    named = [seat for seat in shown if seats[seat].name]
    assert named == may_start


def test_once_every_seat_is_taken_any_of_them_may_start():
    game = waiting_game("gin", Seat("Ann"), Seat("Ben"))
    listed = [game_view(game, seat, Lifetimes(1, 1, 1))["legal_moves"] for seat in (0, 1)]
    assert (game.status, listed) == ("playing", [[{"move": {"type": "deal"}}]] * 2)


@pytest.mark.parametrize(("status", "seconds"), [("waiting", 60), ("playing", 3600), ("finished", 600)])
def test_a_game_expires_by_its_status(status, seconds):
    at = table()
    game = new_game(at, Seat("Ann"), Seat())["game"]["id"]
    if status != "waiting":
        guest(at, game)
    if status == "finished":
        resign.resign(at, game, Caller(0, 1), Conditions())
    kept = at.store.games[game]
    assert kept.status == status
    assert kept.expires_at(at.lifetimes) == NOW + seconds * 1000
    assert game_view(kept, 0, at.lifetimes)["expires_at"] == rfc3339(NOW + seconds * 1000)


def test_a_change_renews_the_expiry():
    at = table()
    game = new_game(at)["game"]["id"]
    at.store.now += DAY_MS
    view = answered(move(at, game, 0, {"type": "deal"}))
    assert view["updated_at"] == rfc3339(NOW + DAY_MS)
    assert view["created_at"] == rfc3339(NOW)
    assert at.store.changes[-1].expires_at == NOW + DAY_MS + 3_600_000


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_709_164_799_999, "2024-02-28T23:59:59.999Z"),
        (4_102_444_800_001, "2100-01-01T00:00:00.001Z"),
    ],
)
def test_times_are_utc_to_the_millisecond(milliseconds, text):
    assert rfc3339(milliseconds) == text


def test_tags_tell_viewer_version_and_stamp_apart():
    assert len({etag(seat, version, stamp) for seat in (None, 0, 1) for version in (1, 11) for stamp in "ab"}) == 12
    assert etag(None, 1, "x") == '"p-1-x"'
