from redis.crc import key_slot

from service.storage.keys import game_key, log_key, receipt_key
from tests.unit.storage.kept import new_id


def test_all_keys_of_a_game_lie_in_one_slot():
    for _ in range(50):
        game_id = new_id()
        keys = (game_key(game_id), log_key(game_id), receipt_key(game_id, "ab" * 32))
        assert len({key_slot(key.encode()) for key in keys}) == 1
        assert len(set(keys)) == 3


def test_games_are_spread_over_256_slots():
    slots = {key_slot(game_key(f"{partition:02x}{'0' * 22}").encode()) for partition in range(256)}
    assert len(slots) == 256


def test_the_names_are_those_of_the_design():
    assert game_key("7fa0") == "{7f}:game:7fa0"
    assert log_key("7fa0") == "{7f}:log:7fa0"
    assert receipt_key("7fa0", "cd") == "{7f}:once:7fa0:cd"
