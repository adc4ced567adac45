"""What `upcard inspect` prints: how a game stands, and never a card, a seed, a token or an answer."""

import random
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from service.cards.card import name
from service.cards.shuffle import round_seed
from service.cli import main
from service.inspector import described, told_with_secrets
from service.play import look
from service.play.callers import Caller
from service.play.game import Seat
from service.storage.codec import encode_entry, encode_game, encode_receipt
from service.storage.inspection import Held, held
from service.storage.keys import game_key, log_key, receipt_key
from service.storage.reaching import connect
from service.storage.redis_games import RedisGames
from tests.unit.play.memory import NOW, answered, guest, keyed, move, new_game, table
from tests.unit.storage.kept import FUTURE, RECEIPT, creation, new_id, next_step
from tests.unit.storage.kept import new_game as kept_game

CARDS = {name(card) for card in range(52)}
SEED = "a seed that nobody else knows"


def played(kind, chance, moves):
    """A table with one game, after so many moves of two humans who take any legal one, and the game's id."""
    at = table()
    game = new_game(at, Seat("Ann"), Seat(), kind=kind, preset="standard")["game"]["id"]
    guest(at, game, client_seed=SEED, conditions=keyed("join"))
    for number in range(moves):
        views = [answered(look.view(at, game, Caller(seat, 1), frozenset())) for seat in (0, 1)]
        able = [seat for seat in (0, 1) if views[seat]["legal_moves"]]
        if not able:
            break
        seat = chance.choice(able)
        move(at, game, seat, chance.choice(views[seat]["legal_moves"])["move"], conditions=keyed(str(number)))
    return at, game


def stored(at, game_id):
    """The game as a store would hold it."""
    memory, head = at.store, at.store.head(game_id)
    log = [encode_entry(entry, "stamp", f"receipt {number}") for number, entry in enumerate(memory.logs[game_id])]
    snapshot = encode_game(memory.games[game_id])
    sized = replace(head, size=len(snapshot) + sum(map(len, log)))
    expiries = {game_key(game_id): 3_600_999, log_key(game_id): 3_600_999}
    return Held(game_id, sized, snapshot, tuple(log), expiries, (5000, 60_000))


def words(lines):
    return set(re.findall(r"[A-Za-z0-9]+", "\n".join(lines)))


@pytest.mark.parametrize("kind", ["gin", "rummy"])
@pytest.mark.parametrize("seed", range(10))
def test_no_card_root_or_seed_is_printed_unless_secrets_are_asked_for(kind, seed):
    chance = random.Random(seed)
    at, game_id = played(kind, chance, chance.randrange(120))
    game = at.store.games[game_id]
    hands = [look_at["round"]["hands"] for look_at in _views(at, game_id) if look_at["round"]]
    held_cards = {card for hand in hands for each in hand for card in each.get("cards", ())}
    hidden = [game.root.hex(), SEED, *(round_seed(game.root, number).hex() for number in range(1, 10))]

    shown = list(described(stored(at, game_id)))
    assert not CARDS & words(shown)
    assert not [secret for secret in hidden if secret in "\n".join(shown)]

    told = list(told_with_secrets(stored(at, game_id)))
    assert game.root.hex() in "\n".join(told)
    assert held_cards <= {card for word in words(told) for card in re.findall("..", word)}


def _views(at, game_id):
    return [answered(look.view(at, game_id, Caller(seat, 1), frozenset())) for seat in (0, 1)]


def test_a_game_is_printed_group_by_group():
    at = table()
    game = new_game(at, Seat("Ann"), Seat(bot="easy"), Seat(), kind="rummy", overrides={"target": 50})["game"]["id"]
    at.store.now += 1500
    guest(at, game)
    found = stored(at, game)
    log, snapshot = sum(map(len, found.log)), len(found.snapshot)
    assert list(described(found)) == [
        f"game      {game}: rummy, playing",
        "          ruleset standard, target 50",
        "          seat 0: Ann",
        "          seat 1: computer player, easy",
        "          seat 2: Ben",
        "          created 2023-11-14T22:13:20.000Z, changed 2023-11-14T22:13:21.500Z",
        "version   2",
        f"stamp     {found.head.stamp}",
        "tokens    generation 1 of seat 0",
        "          generation 1 of seat 1",
        "          generation 1 of seat 2",
        f"bytes     {snapshot + log}: {snapshot} of the snapshot, {log} of the log",
        f"keys      {game_key(game)}: expires in 1:00:00",
        f"          {log_key(game)}: expires in 1:00:00",
        "          receipts: 2, the last expires in 0:01:00",
        "log           1 created  2023-11-14T22:13:20.000Z",
        "              1 joined   2023-11-14T22:13:21.500Z",
    ]


def test_entries_of_a_type_are_counted_with_the_first_and_the_last_time():
    at, game = played("gin", random.Random(1), 2)
    at.store.now = NOW + 60_000
    seat = next(seat for seat in (0, 1) if _views(at, game)[seat]["legal_moves"])
    move(at, game, seat, _views(at, game)[seat]["legal_moves"][0]["move"])
    (line,) = [line for line in described(stored(at, game)) if " move " in line]
    assert line == "              2 move     2023-11-14T22:13:20.000Z to 2023-11-14T22:14:20.000Z"


def test_a_damaged_game_is_printed_as_far_as_it_can_be_read():
    at, game = played("gin", random.Random(2), 1)
    found = stored(at, game)
    broken = replace(found, snapshot=b"{}", log=(found.log[0], b"[]", b"?"), expiries={game_key(game): -1, "log": -2})
    shown = list(described(broken))
    assert shown[0] == f"game      {game}: The stored game is damaged and cannot be played on."
    assert f"keys      {game_key(game)}: never expires" in shown
    assert "          log: missing" in shown
    assert shown[-3:-1] == ["log       entry 2 cannot be read", "          entry 3 cannot be read"]


# --- What is kept ---


def test_what_is_kept_is_read_with_what_each_key_has_left(store):
    """Receipts of the creation and of a rotation are there; that of the step has gone."""
    games, game = RedisGames(connect(store.url, 5.0, 4)), kept_game(new_id())
    games.commit(creation(game, receipt=RECEIPT, receipt_until=FUTURE))
    step = next_step(game, receipt=replace(RECEIPT, name="step"), receipt_until=FUTURE)
    games.commit(step)
    games.rotate(game.id, games.head(game.id), (1, 2), replace(RECEIPT, name="rotation"), FUTURE)
    store.client.delete(receipt_key(game.id, "step"))
    found = held(store.client, game.id)
    assert found.head == games.head(game.id)
    assert (found.snapshot, len(found.log)) == (encode_game(step.game), 2)
    assert found.head.size == len(found.snapshot) + sum(map(len, found.log))
    assert list(found.expiries) == [game_key(game.id), log_key(game.id)]
    seconds, _ = store.client.time()
    for left in (*found.expiries.values(), *found.receipts):
        assert abs(left - (FUTURE - seconds * 1000)) < 10_000
    assert len(found.receipts) == 2


def test_a_log_that_is_damaged_is_read_all_the_same(store):
    games, game = RedisGames(connect(store.url, 5.0, 4)), kept_game(new_id())
    games.commit(creation(game))
    store.client.rpush(log_key(game.id), "?")
    store.client.persist(log_key(game.id))
    found = held(store.client, game.id)
    assert found.log[1:] == (b"?",)
    assert found.expiries[log_key(game.id)] == -1


# --- The command ---


def run(url, *words):
    return CliRunner().invoke(main, ["inspect", *words], env={"REDIS_URL": url, "UPCARD_SECRET": "e" * 32})


def test_the_command_prints_the_game_and_its_secrets_only_if_told_to(store):
    games, game = RedisGames(connect(store.url, 5.0, 4)), kept_game(new_id())
    games.commit(creation(game, receipt=RECEIPT, receipt_until=FUTURE))
    shown, told = run(store.url, game.id), run(store.url, game.id, "--secrets")
    assert (shown.exit_code, told.exit_code) == (0, 0)
    assert shown.output.startswith(f"game      {game.id}: gin, playing\n          ruleset standard, target 50\n")
    assert game.root.hex() not in shown.output
    answer = encode_receipt(RECEIPT).decode()
    assert f"snapshot  {encode_game(game).decode()}\nentries   " in told.output
    assert answer not in told.output


def test_a_game_that_is_not_there_is_one_line(store):
    result = run(store.url, new_id())
    assert (result.exit_code, result.output) == (1, "Error: There is no such game.\n")


def test_a_store_that_does_not_answer_is_one_line():
    result = run("redis://127.0.0.1:1", new_id())
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: the store does not answer: .*refused\.\n", result.output)


def test_a_setting_that_cannot_be_used_is_exit_code_2():
    result = run("nonsense", new_id())
    assert result.exit_code == 2
    assert result.output.startswith("Error: REDIS_URL: ")


def test_a_folder_without_games_is_left_as_it_is(tmp_path):
    result = run(None, new_id(), "--data", str(tmp_path))
    assert result.exit_code == 1
    assert result.output == f"Error: the data folder {tmp_path} cannot be used: no games are kept in it\n"
    assert list(tmp_path.iterdir()) == []
