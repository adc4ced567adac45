"""All that a store keeps of a game, for those who run the service; nothing of it is checked."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis

from service.play.errors import NoSuchGame, SnapshotCorrupt
from service.play.ports import Head
from service.storage.codec import receipt_of_entry
from service.storage.keys import game_key, log_key, receipt_key
from service.storage.reaching import Served
from service.storage.redis_games import read_head


@dataclass(frozen=True, slots=True)
class Held:
    """What is kept of a game.

    log: the entries as they are stored. expiries: how many milliseconds the game's hash and its log have left, by
    key; -1 for ever, -2 if there is no such key. receipts: the same of each receipt that is there.
    """

    game_id: str
    head: Head
    snapshot: bytes
    log: tuple[bytes, ...]
    expiries: dict[str, int]
    receipts: tuple[int, ...]


def held(client: Redis, game_id: str) -> Held:
    """What is kept of a game. Raises NoSuchGame, StoreUnavailable or SnapshotCorrupt."""
    hash_key, list_key = game_key(game_id), log_key(game_id)
    with Served(), client.pipeline() as asked:
        asked.hmget(hash_key, ["v", "x", "g", "s", "b", "r"])
        asked.lrange(list_key, 0, -1)
        (version, stamp, generations, snapshot, logged, rotations), log = cast(Any, asked.execute())
        head = read_head(version, stamp, generations, int(logged or 0) + len(snapshot or b""))
        if head is None:
            raise NoSuchGame
        names = {*_names(log), *filter(None, (rotations or b"").decode().split(","))}
        for key in (hash_key, list_key, *(receipt_key(game_id, name) for name in names)):
            asked.pttl(key)
        first, second, *receipts = cast(list[int], asked.execute())
    return Held(
        game_id,
        head,
        snapshot or b"",
        tuple(log),
        {hash_key: first, list_key: second},
        tuple(sorted(each for each in receipts if each != -2)),
    )


def _names(log: Iterable[bytes]) -> Iterator[str]:
    """The names of the receipts of a log; an entry that cannot be read has none."""
    for entry in log:
        with suppress(SnapshotCorrupt):
            if (name := receipt_of_entry(entry)) is not None:
                yield name
