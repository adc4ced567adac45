"""Stores with very many games: some that were really played, and copies of them that the store makes itself."""

import os
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from redis import Redis

from bench.calls import Connection
from bench.players import LONG, Pair, shared
from bench.running import SECRET, Service
from service.storage.keys import game_key, log_key
from service.web.tokens import Signer

MOST_MOVES = 80
"""Originals have been played up to so far: into the third round or so."""
KEPT_MS = 30 * 86_400_000
AT_ONCE = 10_000


@dataclass(frozen=True)
class Original:
    """A game that was really played, and what its store held of it."""

    pair: Pair
    game: bytes
    log: bytes


async def originals(service: Service, count: int, api_key: str = "") -> list[Original]:
    """So many games, each played some way, from not dealt at all to `MOST_MOVES`."""
    pairs: list[Pair] = []

    async def play(connection: Connection, moves: int) -> None:
        pair = await Pair.seated(connection, api_key, LONG)
        for _ in range(moves):
            await pair.move(connection)
        pairs.append(pair)

    await shared(service, (MOST_MOVES * number // count for number in range(count)), play)
    dump = service.store.client.dump
    return [Original(pair, dump(game_key(pair.id)), dump(log_key(pair.id))) for pair in pairs]


@dataclass
class Shelf:
    """A store full of copies, each under an id of its own, which are played on like any game.

    Only the id in the first entry of a copy's log is its original's; nothing that is measured reads it.
    """

    store: Redis
    originals: list[Original]
    ids: list[str]
    taken: dict[int, Pair] = field(default_factory=dict)

    @classmethod
    def filled(cls, store: Redis, originals: list[Original], count: int) -> "Shelf":
        """A store with so many copies. Its file is written anew and brought to the disk, so that it is not later."""
        chance = random.Random(count)
        shelf = cls(store, originals, [f"{chance.getrandbits(96):024x}" for _ in range(count)])
        store.config_set("appendonly", "no")
        for original in originals:
            store.restore(game_key(original.pair.id), KEPT_MS, original.game, replace=True)
            store.restore(log_key(original.pair.id), KEPT_MS, original.log, replace=True)
        for first in range(0, count, AT_ONCE):
            shelf.copy(range(first, min(first + AT_ONCE, count)))
        store.config_set("appendonly", "yes")
        while _rewriting(store):
            time.sleep(0.05)
        os.sync()
        return shelf

    def copy(self, numbers: Iterable[int]) -> None:
        """Make some copies as their originals were."""
        with self.store.pipeline(transaction=False) as pipe:
            for number in numbers:
                original, copied = self._original(number).pair.id, self.ids[number]
                pipe.copy(game_key(original), game_key(copied), replace=True)
                pipe.copy(log_key(original), log_key(copied), replace=True)
            pipe.execute()

    def take(self, number: int) -> Pair:
        """A copy to look at and to play on."""
        if number not in self.taken:
            signer, copied = Signer((SECRET,)), self.ids[number]
            tokens = [signer.seat_token(copied, seat, 1, signer.secret_id()) for seat in (0, 1)]
            self.taken[number] = Pair(copied, tokens, self._original(number).pair.view)
        return self.taken[number]

    def put_back(self) -> None:
        """Make all copies that were taken as their originals were."""
        self.copy(self.taken)
        self.taken.clear()

    def _original(self, number: int) -> Original:
        return self.originals[number * len(self.originals) // len(self.ids)]


def _rewriting(store: Redis) -> bool:
    found = store.info("persistence")
    return bool(found["aof_rewrite_in_progress"] or found["aof_rewrite_scheduled"])
