"""Creating a game: what it is made of, who may have it, and under which id it is found again."""

from dataclasses import replace

import pytest

from service.cards.shuffle import commitment
from service.play.create import DEFAULT_SEATS, NewGame, create
from service.play.errors import BotNotAvailable, KeyExpired, NoHumanSeat, RequestRefused, SandboxNotAllowed
from service.play.game import Seat
from service.play.table import Conditions
from service.rulebooks.errors import RulesetRefused
from tests.unit.play.memory import NOW, Names, answered, keyed, new_game, table

DECK = tuple(range(52))


@pytest.fixture
def at():
    return table()


def test_a_game_is_made_of_what_was_asked_for(at):
    made = new_game(
        at, Seat("Ann"), Seat(), spectators=True, metadata={"table": 7}, overrides={"gin_bonus": 20}, decks=(DECK,)
    )
    kept = at.store.games[made["game"]["id"]]
    assert (kept.version, kept.created_at, kept.updated_at) == (1, NOW, NOW)
    assert (kept.spectators, kept.metadata, kept.decks) == (True, {"table": 7}, (DECK,))
    assert kept.commitment == commitment(kept.root) == made["game"]["commitment"]
    assert made["game"]["ruleset"]["gin_bonus"] == 20
    assert (made["game"]["sandbox"], made["game"]["status"]) == (True, "waiting")


def test_tokens_are_for_named_seats_and_the_invite_is_for_the_game(at):
    made = new_game(at, Seat("Ann"), Seat(bot="easy"))
    game = made["game"]["id"]
    assert made["tokens"] == [{"seat": 0, "token": f"token secret {game} 0 1"}]
    assert made["invite"] == f"invite secret {game}"
    assert made["game"]["you"] == {"seat": 0}
    assert at.store.generations[game] == (1, 1)


def test_without_seats_it_is_the_callers_and_an_open_one(at):
    answer = create(at, NewGame("gin", "standard", {}), None, None, Conditions())
    made = answered(answer)
    assert at.store.games[made["game"]["id"]].seats == DEFAULT_SEATS
    assert (answer.status, answer.location) == (201, f"/v1/games/{made['game']['id']}")


@pytest.mark.parametrize(
    ("wanted", "refusal", "field"),
    [
        ({"seats": (Seat("Ann"),)}, RequestRefused, "/seats"),
        ({"seats": (Seat("Ann"),) * 3}, RequestRefused, "/seats"),
        ({"kind": "rummy", "seats": (Seat("Ann"),) * 7}, RequestRefused, "/seats"),
        ({"seats": (Seat("Ann"), Seat(bot="godlike"))}, BotNotAvailable, "/seats/1/bot"),
        ({"seats": (Seat(bot="easy"), Seat(bot="easy"))}, NoHumanSeat, "/seats"),
        ({"first_dealer": 2}, RequestRefused, "/first_dealer"),
        ({"decks": (DECK, DECK[1:])}, RequestRefused, "/sandbox/decks/1"),
        ({"decks": (DECK[1:] + DECK[1:2],)}, RequestRefused, "/sandbox/decks/0"),
    ],
)
def test_what_is_not_to_be_had_is_refused_and_nothing_is_made(at, wanted, refusal, field):
    asked = {"kind": "gin", "preset": "standard", "overrides": {}} | wanted
    with pytest.raises(refusal) as refused:
        create(at, NewGame(**asked), None, None, Conditions())
    assert refused.value.field == field
    assert at.store.games == {}


def test_how_many_seats_there_are_is_said_in_the_refusal(at):
    for kind, count in (("gin", "2 seats"), ("rummy", "2 to 6 seats")):
        with pytest.raises(RequestRefused, match=count):
            create(at, NewGame(kind, "standard", {}, seats=(Seat("Ann"),)), None, None, Conditions())


def test_a_ruleset_that_cannot_be_is_refused(at):
    with pytest.raises(RulesetRefused):
        new_game(at, overrides={"target": 0})


def test_decks_are_for_a_sandbox(at):
    with pytest.raises(SandboxNotAllowed):
        new_game(replace(at, sandbox=False), decks=(DECK,))
    assert new_game(replace(at, sandbox=False))["game"]["sandbox"] is False


def test_the_same_key_finds_the_game_it_made_also_under_an_older_secret(at):
    first = new_game(at, conditions=keyed())
    assert new_game(at, conditions=keyed()) == first
    newer = replace(at, ids=Names(("new", "secret")))
    assert new_game(newer, conditions=keyed()) == first
    assert len(at.store.games) == 1


def test_a_key_whose_answer_is_no_longer_kept_is_expired_while_its_game_exists(at):
    new_game(at, conditions=keyed())
    at.store.receipts.clear()
    with pytest.raises(KeyExpired):
        new_game(at, conditions=keyed())
    at.store.games.clear()
    assert new_game(at, conditions=keyed())["game"]["version"] == 1


def test_a_create_that_others_came_before_is_tried_again(at):
    at.store.late = 2
    new_game(at)
    assert len(at.store.games) == 1
