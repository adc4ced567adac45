"""The store of games in Redis: a script for each thing that happens at once, and plain commands for the rest."""

from functools import lru_cache
from time import perf_counter
from typing import Any

from msgspec import Struct
from redis import Redis

from service.ops import metrics
from service.play.errors import SnapshotCorrupt
from service.play.game import Game
from service.play.log import Entry
from service.play.ports import Change, Committed, Head, Outcome, Outdated, Receipt, Replay, Tail
from service.storage.codec import (
    SCHEMA,
    decode_entry,
    decode_game,
    decode_logged,
    decode_receipt,
    encode_entry,
    encode_game,
    encode_receipt,
    receipt_of_entry,
)
from service.storage.keys import game_key, log_key, news_channel, receipt_key
from service.storage.pool import Pool, Script
from service.storage.reaching import Served, script

TAIL = Script.of(script("tail"), reads=True)
COMMIT = Script.of(script("commit"), reads=False)
ROTATE = Script.of(script("rotate"), reads=False)
OUTCOMES = {Committed: "written", Outdated: "outdated", Replay: "replayed"}
ERASE = Script.of(script("erase"), reads=False)


class LoadedGame(Struct, frozen=True):
    """What one look at a game found; the snapshot is read only when the game is asked for."""

    game_id: str
    now: int
    head: Head | None
    receipt: Receipt | None
    snapshot: bytes

    def game(self) -> Game:
        """The game. Raises SnapshotUnreadable or SnapshotCorrupt."""
        assert self.head is not None
        return decode_game(self.game_id, self.head.version, self.head.stamp, self.snapshot)


class RedisGames:
    """Games in Redis. Every call raises StoreUnavailable when Redis is away, full, read-only or slow.

    schema: the form in which snapshots are written.
    """

    def __init__(self, client: Redis, schema: int = SCHEMA) -> None:
        self._pool = Pool(client)
        self._schema = schema

    def load(self, game_id: str, receipt_name: str | None = None) -> LoadedGame:
        """The game and, if a name is given, the receipt under it; one round trip.

        The receipt comes last: what has changed a game that was already read has left its receipt by then.
        """
        game = ("HMGET", game_key(game_id), "v", "x", "g", "s", "b")
        receipt = [("GET", receipt_key(game_id, receipt_name))] if receipt_name else []
        with Served():
            (version, stamp, generations, snapshot, logged), (seconds, micros), *kept = self._pool.read_each(
                game, ("TIME",), *receipt
            )
        return LoadedGame(
            game_id=game_id,
            now=int(seconds) * 1000 + int(micros) // 1000,
            head=read_head(version, stamp, generations, int(logged or 0) + len(snapshot or b"")),
            receipt=decode_receipt(receipt_name or "", kept[0]) if kept and kept[0] is not None else None,
            snapshot=snapshot or b"",
        )

    def look(self, game_id: str) -> LoadedGame:
        """The game for one who only looks: a plain command, which costs the store less than a script."""
        with Served():
            version, stamp, generations, snapshot = self._pool.read("HMGET", game_key(game_id), "v", "x", "g", "s")
        return LoadedGame(game_id, 0, read_head(version, stamp, generations), None, snapshot or b"")

    def head(self, game_id: str) -> Head | None:
        """The version, stamp and generations of a game without reading it; None if there is no such game."""
        with Served():
            found = self._pool.read("HMGET", game_key(game_id), "v", "x", "g")
        version, stamp, generations = found
        return read_head(version, stamp, generations)

    def log(self, game_id: str) -> list[Entry]:
        """The whole log of a game, in order; empty if there is no such game."""
        with Served():
            raw = self._pool.read("LRANGE", log_key(game_id), 0, -1)
        return [decode_entry(entry) for entry in raw]

    def tail(self, game_id: str, first: int, most: int) -> Tail | None:
        """Up to `most` entries of the log from a version on, and the head; None if there is no such game."""
        with Served():
            found, raw = self._pool.run(TAIL, [game_key(game_id), log_key(game_id)], [first, most])
        head = read_head(*found)
        if head is None:
            return None
        return Tail(head, tuple(decode_logged(first + index, entry) for index, entry in enumerate(raw)))

    def commit(self, change: Change) -> Outcome:
        """Write a change if the game is still as it was seen; one round trip. Raises SnapshotCorrupt."""
        game = change.game
        keys = [game_key(game.id), log_key(game.id), news_channel(game.id), *_receipt_keys(game.id, change.receipt)]
        arguments = _arguments(change, self._schema)
        began, became = perf_counter(), "failed"
        try:
            with Served():
                told = self._pool.run(COMMIT, keys, arguments)
            outcome = _outcome(told, change.receipt)
            became = OUTCOMES[type(outcome)]
        finally:
            metrics.committed(became, perf_counter() - began)
        if isinstance(outcome, Committed):
            _count(change)
        return outcome

    def rotate(
        self, game_id: str, seen: Head, generations: tuple[int, ...], receipt: Receipt | None, receipt_until: int
    ) -> Outcome:
        """Set the generations of the seats' tokens if they are still as they were seen; one round trip."""
        keys = [game_key(game_id), news_channel(game_id), *_receipt_keys(game_id, receipt)]
        kept, name = (encode_receipt(receipt), receipt.name) if receipt is not None else ("", "")
        arguments = [_joined(seen.generations), _joined(generations), kept, receipt_until, name]
        with Served():
            told = self._pool.run(ROTATE, keys, arguments)
        return _outcome(told, receipt)

    def erase(self, game_id: str, seen: Head) -> bool:
        """Remove a game, its log and its receipts if it is still as it was seen; whether it was.

        The log names the receipts of its entries, and the game those of rotations, which have none.
        """
        with Served():
            raw = self._pool.read("LRANGE", log_key(game_id), 0, -1)
            rotations = self._pool.read("HGET", game_key(game_id), "r") or b""
            names = set(filter(None, map(receipt_of_entry, raw)))
            names.update(filter(None, rotations.decode().split(",")))
            receipts = (receipt_key(game_id, name) for name in names)
            keys = [game_key(game_id), log_key(game_id), news_channel(game_id), *receipts]
            return bool(self._pool.run(ERASE, keys, [seen.version, seen.stamp, _joined(seen.generations)]))


def _receipt_keys(game_id: str, receipt: Receipt | None) -> list[str]:
    return [] if receipt is None else [receipt_key(game_id, receipt.name)]


def _outcome(told: list[bytes], receipt: Receipt | None) -> Outcome:
    match told[0]:
        case b"ok":
            return Committed()
        case b"replay" if receipt is not None:
            return Replay(decode_receipt(receipt.name, told[1]))
        case b"stale" | b"rotated":
            return Outdated()
        case _:
            raise SnapshotCorrupt(told[1].decode())


def _count(change: Change) -> None:
    kind = change.game.kind
    if change.seen is None:
        metrics.created(kind)
    for entry in change.entries:
        metrics.logged(kind, entry.data["move"]["type"] if "move" in entry.data else entry.type)


def _arguments(change: Change, schema: int) -> list[Any]:
    game, seen = change.game, change.seen
    return [
        *((seen.version, seen.stamp, _joined(seen.generations)) if seen is not None else (0, "", "")),
        game.version,
        game.stamp,
        _joined(change.generations),
        encode_game(game, schema),
        change.expires_at,
        encode_receipt(change.receipt) if change.receipt is not None else "",
        change.receipt_until,
        *(encode_entry(entry, game.stamp, change.receipt.name if change.receipt else None) for entry in change.entries),
    ]


@lru_cache(maxsize=1024)
def _joined(generations: tuple[int, ...]) -> str:
    return ",".join(map(str, generations))


@lru_cache(maxsize=1024)
def _generations(joined: bytes) -> tuple[int, ...]:
    """What `_joined` wrote; tokens are seldom replaced, so few of them come again and again."""
    return tuple(map(int, joined.split(b",")))


def read_head(version: bytes | None, stamp: bytes | None, generations: bytes | None, size: int = 0) -> Head | None:
    """The head of a game from the fields of its hash; None if there is no version. Raises SnapshotCorrupt."""
    if version is None:
        return None
    try:
        return Head(int(version), (stamp or b"").decode(), _generations(generations or b""), size)
    except ValueError as fault:
        raise SnapshotCorrupt(f"version or generations cannot be read: {fault}") from fault
