"""How many games each holder has open, in Redis: a set of ids for each holder, in a slot of its own.

A game leaves the set when it ends or is erased. One that expired is found only when its holder has no room left: then
the games that nobody has looked for lately are looked for, some at a time.
"""

import logging
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError

from service.storage.keys import game_key, open_games_key
from service.storage.reaching import Served, script

LOOKED_FOR = 20
"""How many games are looked for at once."""
SURE_MS = 60_000
"""So long a game counts without being looked for: it may just be in the making."""

log = logging.getLogger("upcard.storage")


class RedisQuota:
    """The count of open games. keep_ms: how long it is kept after a holder's last new game. sure_ms: see SURE_MS."""

    def __init__(self, client: Redis, keep_ms: int, sure_ms: int = SURE_MS) -> None:
        self._client = client
        self._keep_ms = keep_ms
        self._sure_ms = sure_ms
        self._admit = client.register_script(script("admit"))

    def admit(self, holder: str, game_id: str, most: int) -> bool:
        """Count a game unless the holder has `most` open already; whether it was counted. Raises StoreUnavailable."""
        arguments: list[str | int] = [game_id, most, self._keep_ms, self._sure_ms, LOOKED_FOR]
        with Served():
            told = cast(list[Any], self._admit(keys=[open_games_key(holder)], args=arguments))
            if not told[0] and self._dropped(holder, *told[1:]):
                told = cast(list[Any], self._admit(keys=[open_games_key(holder)], args=arguments))
        return bool(told[0])

    def release(self, holder: str, game_id: str) -> None:
        """Count a game no longer. Where the store fails or refuses, the game is found once it has expired.

        The game has ended by then, so nothing may be raised that would say it has not.
        """
        try:
            self._client.zrem(open_games_key(holder), game_id)
        except RedisError as fault:
            log.warning("a game that ended stays counted until it expires: %s: %s", type(fault).__name__, fault)

    def _dropped(self, holder: str, now: int, *unseen: bytes) -> bool:
        """Drop those of some games that are gone, and note that the others were there; whether any was gone."""
        with self._client.pipeline(transaction=False) as asked:
            for game_id in unseen:
                asked.exists(game_key(game_id.decode()))
            there = dict(zip(unseen, asked.execute(), strict=True))
        key = open_games_key(holder)
        gone = [game_id for game_id in unseen if not there[game_id]]
        seen = {game_id: now for game_id in unseen if there[game_id]}
        if seen:
            self._client.zadd(key, seen, xx=True)
        if gone:
            self._client.zrem(key, *gone)
        return bool(gone)
