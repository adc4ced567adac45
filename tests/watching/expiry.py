"""Games that nobody plays on expire with all their keys: none before its time, and nothing is left of them."""

import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime

import orjson
from redis import Redis

from service.bootstrap import create_app
from service.play import create, join, manage, moves, resign
from service.play.callers import Backend, Caller
from service.play.create import NewGame
from service.play.game import Seat
from service.play.table import Answer, Conditions, Holder, Keyed, Table
from service.rulebooks.base import Doc
from service.storage.keys import game_key, log_key
from tests.conftest import Store, settings_for

LIFETIMES = {"expire_waiting": 3, "expire_idle": 4, "expire_finished": 2}
"""In seconds."""
BATCH = 50
LOOK_SECONDS = 0.02
SHOP, HOLDER = Backend("shop"), Holder("tenant:shop", 1_000_000)
BEN = Caller(1, 1)
DEAL = {"type": "deal"}
LOOK = """
local time, there = redis.call('TIME'), {}
for index, key in ipairs(KEYS) do there[index] = redis.call('EXISTS', key) end
return {time[1] * 1000 + math.floor(time[2] / 1000), there}
"""


@dataclass
class Expired:
    """What became of the games.

    keys: how many they had. looks: how often all were looked for. left: the keys at the end, with ID for each game.
    wrong: what is not as it should be, in words.
    """

    games: int = 0
    keys: int = 0
    looks: int = 0
    left: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"{self.games:,} games with {self.keys:,} keys, all looked for {self.looks:,} times; "
            f"{len(self.wrong)} wrong; left at the end: {', '.join(self.left) or 'nothing'}; {self.seconds:.1f} s"
        )


def expired(store: Store, games: int) -> Expired:
    """Make games of every status with receipts of every kind, and look for them until all are gone."""
    began, found = time.monotonic(), Expired(games)
    table: Table = create_app(settings_for(store.url, **LIFETIMES)).extensions["table"]
    until: dict[str, int] = {}
    made = threading.Event()
    looking = threading.Thread(target=_look_for_all, args=(store.client, until, made, found))
    looking.start()
    try:
        for first in range(0, games, BATCH):
            batch = dict(_made(table, number) for number in range(first, min(first + BATCH, games)))
            _check_keys(store.client, batch, found)
            until |= batch
    finally:
        made.set()
        looking.join()
    found.left = sorted({re.sub("[0-9a-f]{24}", "ID", key.decode()) for key in store.client.keys("*")})
    found.seconds = time.monotonic() - began
    return found


def _made(table: Table, number: int) -> tuple[str, int]:
    """A new game to which some things have happened, each with a key: its id, and when it expires.

    Of eight, two wait, two are played, and four have ended; half of them have given a seat another token.
    """
    waits, rotated, ended = number % 4 == 0, number % 2 == 0, number % 8 >= 4
    wanted = NewGame("gin", "standard", {}, (Seat("Ann"), Seat()))
    shown = _doc(create.create(table, wanted, SHOP, HOLDER, _keyed("create")))["game"]
    game = shown["id"]
    if not waits:
        shown = _doc(join.join(table, game, "Ben", "", _keyed("join")))["game"]
        shown = _doc(moves.submit(table, game, BEN, lambda kind: DEAL, _keyed("deal")))
    if rotated:
        manage.rotate(table, game, SHOP, 0, _keyed("rotate"))
    if ended and rotated:
        shown = _doc(manage.end(table, game, SHOP, _keyed("end")))
    elif ended:
        shown = _doc(resign.resign(table, game, BEN, _keyed("resign")))
    return game, int(datetime.fromisoformat(shown["expires_at"]).timestamp() * 1000 + 0.5)


def _keyed(name: str) -> Conditions:
    """Receipts lie beside their game, so a name need not be unique."""
    return Conditions(Keyed(name, secrets.token_hex(16), "body"))


def _doc(answer: Answer) -> Doc:
    doc: Doc = orjson.loads(answer.body)
    return doc


def _check_keys(client: Redis, until: dict[str, int], found: Expired) -> None:
    """The hash and the log of a game expire when its view says, and no receipt later."""
    keys = [key.decode() for key in client.keys("*") if _game_of(key.decode()) in until]
    found.keys += len(keys)
    with client.pipeline(transaction=False) as asked:
        for key in keys:
            asked.pexpiretime(key)
        moments = dict(zip(keys, asked.execute(), strict=True))
    for key, moment in moments.items():
        expected = until[_game_of(key)]
        right = 0 < moment <= expected if ":once:" in key else moment == expected
        if not right and moment != -2:
            found.wrong.append(f"{key} expires at {moment}, its game at {expected}")


def _game_of(key: str) -> str:
    """The game that a key belongs to; empty if it belongs to none."""
    parts = key.split(":")
    return parts[2] if parts[0].startswith("{") else ""


def _look_for_all(client: Redis, until: dict[str, int], made: threading.Event, found: Expired) -> None:
    """Look for the hash and the log of every game that is not gone yet, until all are."""
    look = client.register_script(LOOK)
    gone: set[str] = set()
    while not made.is_set() or len(gone) < len(until):
        games = [game for game in tuple(until) if game not in gone]
        now, there = look(keys=[key(game) for game in games for key in (game_key, log_key)])
        found.looks += 1
        for game, hash_is_there, log_is_there in zip(games, there[::2], there[1::2], strict=True):
            if hash_is_there != log_is_there:
                found.wrong.append(f"{game}: one of hash and log is gone, the other is not")
            if not hash_is_there and now < until[game]:
                found.wrong.append(f"{game} is gone {until[game] - now} ms before its time")
            if hash_is_there and now > until[game]:
                found.wrong.append(f"{game} is there {now - until[game]} ms after its time")
            if not hash_is_there or now > until[game]:
                gone.add(game)
        time.sleep(LOOK_SECONDS)
