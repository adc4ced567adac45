"""The scripts, called as the server runs them: whatever a check finds wrong, not one key has changed."""

import time
from dataclasses import astuple, dataclass, replace
from importlib.resources import files

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from service.storage.keys import game_key, log_key, news_channel, receipt_key
from tests.conftest import running_store
from tests.unit.storage.kept import FUTURE, keyspace, new_id

SCRIPTS = files("service.storage") / "scripts"


@dataclass(frozen=True)
class Step:
    """What commit.lua is called with, in the order of its map; a second step of a game by default."""

    version: object = 2
    stamp: str = "x2"
    generations: str = "1,1"
    version_after: object = 3
    stamp_after: str = "x3"
    generations_after: str = "1,2"
    snapshot: str = "third"
    expires_at: object = FUTURE + 1
    receipt: str = "the answer"
    receipt_until: object = FUTURE
    entries: tuple[str, ...] = ("c",)


@dataclass(frozen=True)
class Rotation:
    """What rotate.lua is called with, in the order of its map."""

    generations: str = "1,1"
    generations_after: str = "1,2"
    receipt: str = "the new token"
    receipt_until: object = FUTURE
    name: str = "name"


CREATION = Step(0, "", "", 2, "x2", "1,1", "second", FUTURE, "", 0, ("a", "b"))


class Kept:
    """A game of two log entries, kept by the script itself."""

    def __init__(self, client):
        self.client = client
        self.id = new_id()
        self.hash, self.log, self.receipt = game_key(self.id), log_key(self.id), receipt_key(self.id, "name")
        self.news = news_channel(self.id)
        self._commit = client.register_script((SCRIPTS / "commit.lua").read_text())
        self._rotate = client.register_script((SCRIPTS / "rotate.lua").read_text())
        self._erase = client.register_script((SCRIPTS / "erase.lua").read_text())
        assert self.commit(CREATION, keyed=False) == [b"ok"]

    def commit(self, step, *, keyed=True):
        *arguments, entries = astuple(step)
        keys = [self.hash, self.log, self.news, *([self.receipt] if keyed else [])]
        return self._commit(keys=keys, args=[*arguments, *entries])

    def rotate(self, rotation, *, keyed=True):
        return self._rotate(keys=[self.hash, self.news, *([self.receipt] if keyed else [])], args=astuple(rotation))

    def erase(self, version="2", stamp="x2", generations="1,1", receipts=()):
        return self._erase(keys=[self.hash, self.log, self.news, *receipts], args=[version, stamp, generations])

    def keys(self):
        return keyspace(self.client, self.id)


@pytest.fixture
def kept(store):
    return Kept(store.client)


def test_a_step_writes_hash_log_expiry_and_receipt_at_once(kept):
    assert kept.commit(Step()) == [b"ok"]
    assert kept.client.hgetall(kept.hash) == {b"v": b"3", b"x": b"x3", b"g": b"1,2", b"s": b"third", b"b": b"3"}
    assert kept.client.lrange(kept.log, 0, -1) == [b"a", b"b", b"c"]
    assert kept.client.get(kept.receipt) == b"the answer"
    assert kept.client.pexpiretime(kept.hash) == kept.client.pexpiretime(kept.log) == FUTURE + 1
    assert kept.client.pexpiretime(kept.receipt) == FUTURE
    assert len(kept.keys()) == 3


def test_what_is_written_stays_written_where_the_user_of_the_store_may_not_publish():
    """As Redis 7 makes a new user: no channel is open to it."""
    with running_store() as own:
        own.client.acl_setuser("app", enabled=True, nopass=True, keys=["*"], commands=["+@all"], reset_channels=True)
        kept = Kept(Redis(unix_socket_path=own.client.connection_pool.connection_kwargs["path"], username="app"))
        with pytest.raises(NoPermissionError):
            kept.client.publish(kept.news, "2")
        assert kept.commit(Step()) == [b"ok"]
        assert kept.rotate(Rotation(generations="1,2"), keyed=False) == [b"ok"]
        assert kept.client.hget(kept.hash, "v") == b"3"
        assert kept.erase("3", "x3", "1,2") == 1
        assert kept.client.exists(kept.hash) == 0


def test_without_a_key_no_receipt_is_kept(kept):
    assert kept.commit(Step(receipt_until=0), keyed=False) == [b"ok"]
    assert len(kept.keys()) == 2


def test_one_step_may_add_many_entries(kept):
    assert kept.commit(Step(version_after=102, entries=("m",) * 100)) == [b"ok"]
    assert kept.client.llen(kept.log) == 102


def test_the_keys_of_a_game_expire_together(kept):
    seconds, microseconds = kept.client.time()
    soon = seconds * 1000 + microseconds // 1000 + 40
    assert kept.commit(Step(expires_at=soon, receipt_until=soon)) == [b"ok"]
    until = time.monotonic() + 5
    while kept.client.exists(kept.hash):
        assert time.monotonic() < until
    seconds, microseconds = kept.client.time()
    assert seconds * 1000 + microseconds // 1000 >= soon
    assert kept.keys() == {}


BROKEN_ENTRIES = b"the entries do not lead from one version to the other"
BROKEN_EXPIRY = b"the game has no time to expire at"
BROKEN_RECEIPT = b"the receipt has no time to expire at"
NOT_FOR_REDIS = ("", "0", "-1", "0.5", "5.0", "1e15", "0x10", " 5", "5 ", "nan", "inf", "never", "9" * 16, "9" * 30)
"""Numbers that Lua would take and Redis would refuse, after the first write, among others."""


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        pytest.param(Step(version=1, entries=("b", "c")), [b"stale"], id="an older version"),
        pytest.param(Step(version=3, version_after=4), [b"stale"], id="a version that is not there yet"),
        pytest.param(Step(stamp="x0"), [b"stale"], id="another stamp of the same version"),
        pytest.param(Step(stamp=""), [b"stale"], id="no stamp"),
        pytest.param(Step(generations="1,2"), [b"rotated"], id="rotated generations"),
        pytest.param(Step(version=1, generations="2,1", entries=("b", "c")), [b"rotated"], id="rotated and stale"),
        pytest.param(replace(CREATION, receipt="mine", receipt_until=FUTURE), [b"stale"], id="a new game that exists"),
        pytest.param(Step(version_after=4), [b"broken", BROKEN_ENTRIES], id="too few entries"),
        pytest.param(Step(version_after=2), [b"broken", BROKEN_ENTRIES], id="too many entries"),
        pytest.param(Step(version_after=2, entries=()), [b"broken", BROKEN_ENTRIES], id="no entries"),
        pytest.param(Step(version="two"), [b"broken", BROKEN_ENTRIES], id="a version that is no number"),
        pytest.param(Step(version="2.0"), [b"broken", BROKEN_ENTRIES], id="a version that is no whole number"),
        pytest.param(Step(version_after="three"), [b"broken", BROKEN_ENTRIES], id="no number afterwards"),
        *(
            pytest.param(Step(expires_at=text), [b"broken", BROKEN_EXPIRY], id=f"expiry {text!r}")
            for text in NOT_FOR_REDIS
        ),
        *(
            pytest.param(Step(receipt_until=text), [b"broken", BROKEN_RECEIPT], id=f"receipt until {text!r}")
            for text in NOT_FOR_REDIS
        ),
    ],
)
def test_a_step_that_does_not_fit_changes_no_key(kept, step, outcome):
    before = kept.keys()
    assert kept.commit(step) == outcome
    assert kept.keys() == before


def vanish(kept):
    kept.client.delete(kept.hash, kept.log)


def lose_the_hash(kept):
    kept.client.delete(kept.hash)


def lose_the_log(kept):
    kept.client.delete(kept.log)


def make_the_hash_a_text(kept):
    kept.client.set(kept.hash, "text")


def make_the_hash_a_list(kept):
    kept.client.delete(kept.hash)
    kept.client.rpush(kept.hash, "list")


def make_the_log_a_text(kept):
    kept.client.set(kept.log, "text")


def make_the_log_a_hash(kept):
    kept.client.delete(kept.log)
    kept.client.hset(kept.log, "field", "value")


def shorten_the_log(kept):
    kept.client.rpop(kept.log)


def lengthen_the_log(kept):
    kept.client.rpush(kept.log, "d")


def make_the_receipt_a_list(kept):
    kept.client.rpush(kept.receipt, "list")


def make_the_receipt_a_hash(kept):
    kept.client.hset(kept.receipt, "field", "value")


def lose_the_version(kept):
    kept.client.hdel(kept.hash, "v")


def lose_the_generations(kept):
    kept.client.hdel(kept.hash, "g")


@pytest.mark.parametrize(
    ("spoil", "outcome"),
    [
        (vanish, [b"stale"]),
        (lose_the_hash, [b"stale"]),
        (lose_the_log, [b"broken", b"the log is a none"]),
        (make_the_hash_a_text, [b"broken", b"the game is a string"]),
        (make_the_hash_a_list, [b"broken", b"the game is a list"]),
        (make_the_log_a_text, [b"broken", b"the log is a string"]),
        (make_the_log_a_hash, [b"broken", b"the log is a hash"]),
        (shorten_the_log, [b"broken", b"the log has not one entry a version"]),
        (lengthen_the_log, [b"broken", b"the log has not one entry a version"]),
        (make_the_receipt_a_list, [b"broken", b"the receipt is a list"]),
        (make_the_receipt_a_hash, [b"broken", b"the receipt is a hash"]),
        (lose_the_version, [b"stale"]),
        (lose_the_generations, [b"rotated"]),
    ],
)
def test_a_step_into_a_spoiled_store_changes_no_key(kept, spoil, outcome):
    spoil(kept)
    before = kept.keys()
    assert kept.commit(Step()) == outcome
    assert kept.keys() == before


def test_a_new_game_is_not_written_beside_a_log_that_nobody_knows(kept):
    lose_the_hash(kept)
    before = kept.keys()
    assert kept.commit(CREATION, keyed=False) == [b"broken", b"a new game has a log"]
    assert kept.keys() == before


def test_the_bytes_of_the_log_are_counted(kept):
    """Entries of 1 byte each: two at first, then 3 and 40."""
    assert kept.client.hget(kept.hash, "b") == b"2"
    assert kept.commit(Step(version_after=4, entries=("abc", "d" * 40))) == [b"ok"]
    assert kept.client.hget(kept.hash, "b") == b"45"


def test_the_count_of_bytes_begins_with_the_first_server_that_counts(kept):
    kept.client.hdel(kept.hash, "b")
    assert kept.commit(Step(entries=("abc",))) == [b"ok"]
    assert kept.client.hget(kept.hash, "b") == b"3"


@pytest.mark.parametrize("counted", ["", "many", "-1", "1e3"])
def test_a_game_whose_count_of_bytes_is_no_number_is_not_written(kept, counted):
    kept.client.hset(kept.hash, "b", counted)
    before = kept.keys()
    assert kept.commit(Step()) == [b"broken", b"the bytes of the log are no number"]
    assert kept.keys() == before


@pytest.mark.parametrize("twin", [Step(), Step(stamp="x0"), Step(generations="2,2"), CREATION])
def test_a_twin_gets_the_receipt_of_the_first_and_changes_no_key(kept, twin):
    """The receipt comes before every look at the game, which the first of the twins has changed already."""
    assert kept.commit(Step(receipt="the first answer")) == [b"ok"]
    before = kept.keys()
    assert kept.commit(replace(twin, receipt_until=FUTURE)) == [b"replay", b"the first answer"]
    assert kept.keys() == before


# --- Rotating ------------------------------------------------------------------


def test_a_rotation_writes_the_generations_and_its_receipt_and_nothing_else(kept):
    before = kept.client.pexpiretime(kept.hash)
    assert kept.rotate(Rotation()) == [b"ok"]
    game = {b"v": b"2", b"x": b"x2", b"g": b"1,2", b"s": b"second", b"b": b"2", b"r": b"name"}
    assert kept.client.hgetall(kept.hash) == game
    assert kept.client.get(kept.receipt) == b"the new token"
    assert kept.client.pexpiretime(kept.receipt) == FUTURE
    assert kept.client.pexpiretime(kept.hash) == before
    assert kept.client.lrange(kept.log, 0, -1) == [b"a", b"b"]


def test_a_rotation_without_a_key_keeps_no_receipt(kept):
    assert kept.rotate(Rotation(receipt="", receipt_until=0, name=""), keyed=False) == [b"ok"]
    assert kept.client.hgetall(kept.hash) == {b"v": b"2", b"x": b"x2", b"g": b"1,2", b"s": b"second", b"b": b"2"}
    assert len(kept.keys()) == 2


def test_the_names_of_all_receipts_of_rotations_are_kept(kept):
    assert kept.rotate(Rotation()) == [b"ok"]
    kept.client.delete(kept.receipt)
    assert kept.rotate(Rotation("1,2", "1,3", name="other")) == [b"ok"]
    assert kept.client.hget(kept.hash, "r") == b"name,other"


@pytest.mark.parametrize(
    ("rotation", "outcome"),
    [
        pytest.param(Rotation(generations="1,2"), [b"rotated"], id="rotated meanwhile"),
        pytest.param(Rotation(generations=""), [b"rotated"], id="no generations"),
        *(
            pytest.param(Rotation(receipt_until=text), [b"broken", BROKEN_RECEIPT], id=f"receipt until {text!r}")
            for text in NOT_FOR_REDIS
        ),
    ],
)
def test_a_rotation_that_does_not_fit_changes_no_key(kept, rotation, outcome):
    before = kept.keys()
    assert kept.rotate(rotation) == outcome
    assert kept.keys() == before


@pytest.mark.parametrize(
    ("spoil", "outcome"),
    [
        (vanish, [b"rotated"]),
        (make_the_hash_a_text, [b"broken", b"the game is a string"]),
        (make_the_hash_a_list, [b"broken", b"the game is a list"]),
        (make_the_receipt_a_list, [b"broken", b"the receipt is a list"]),
        (make_the_receipt_a_hash, [b"broken", b"the receipt is a hash"]),
        (lose_the_generations, [b"rotated"]),
    ],
)
def test_a_rotation_in_a_spoiled_store_changes_no_key(kept, spoil, outcome):
    spoil(kept)
    before = kept.keys()
    assert kept.rotate(Rotation()) == outcome
    assert kept.keys() == before


def test_a_twin_of_a_rotation_gets_the_receipt_of_the_first_and_changes_no_key(kept):
    assert kept.rotate(Rotation(receipt="the first answer")) == [b"ok"]
    before = kept.keys()
    assert kept.rotate(Rotation()) == [b"replay", b"the first answer"]
    assert kept.keys() == before


# --- Erasing -------------------------------------------------------------------


def test_erasing_removes_the_game_its_log_and_its_receipts(kept):
    assert kept.commit(Step()) == [b"ok"]
    assert kept.erase("3", "x3", "1,2", [kept.receipt]) == 1
    assert kept.keys() == {}


def test_more_receipts_than_one_call_takes_arguments_are_removed(kept):
    receipts = [receipt_key(kept.id, f"receipt {number}") for number in range(20_000)]
    kept.client.mset(dict.fromkeys(receipts, "answer"))
    assert kept.erase(receipts=receipts) == 1
    assert kept.keys() == {}


@pytest.mark.parametrize("other", [{"version": "1"}, {"stamp": "x1"}, {"generations": "1,2"}, {"stamp": ""}])
def test_a_game_that_has_changed_is_not_erased(kept, other):
    before = kept.keys()
    assert kept.erase(**other) == 0
    assert kept.keys() == before


def test_a_game_that_is_gone_is_not_erased_and_its_log_stays(kept):
    lose_the_hash(kept)
    before = kept.keys()
    assert kept.erase() == 0
    assert kept.keys() == before


def test_what_is_no_game_is_not_erased(kept):
    make_the_hash_a_text(kept)
    before = kept.keys()
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        kept.erase()
    assert kept.keys() == before
