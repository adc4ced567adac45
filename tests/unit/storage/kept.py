"""Games to keep, and what lies in a store under one, byte for byte."""

import secrets

from msgspec.structs import replace
from redis import Redis

from service.cards.shuffle import commitment
from service.play.game import Game, Seat
from service.play.log import Entry, created_entry
from service.play.ports import Change, Head, Receipt
from service.rulebooks import gin

ROOT = bytes(range(32))
FUTURE = 4_000_000_000_000
"""A time in the year 2096."""
NAME = "ab" * 11
RECEIPT = Receipt(NAME, "ab" * 32, 201, '"0-1-x"', "/v1/games/7f", "01234567", 1, b'{"token":null}')


def new_id() -> str:
    return secrets.token_hex(12)


def new_game(game_id: str) -> Game:
    return Game(
        id=game_id,
        kind="gin",
        state=gin.start(gin.read_ruleset("standard", {"target": 50}), 2, None),
        seats=(Seat("Ann", client_seed="a seed"), Seat(bot="easy")),
        root=ROOT,
        commitment=commitment(ROOT),
        created_at=1_700_000_000_000,
        updated_at=1_700_000_000_001,
        spectators=True,
        metadata={"table": 7},
        version=1,
        stamp="stamp-1",
    )


def creation(game: Game, **others: object) -> Change:
    """The change that keeps a new game."""
    wanted = {"seen": None, "generations": (1, 1), "expires_at": FUTURE} | others
    return Change(game, (created_entry(game, None),), **wanted)


def next_step(game: Game, **others: object) -> Change:
    """A change that adds one entry to a kept game."""
    moved = replace(game, version=game.version + 1, stamp=f"stamp-{game.version + 1}", updated_at=game.updated_at + 1)
    entry = Entry("dealt", moved.updated_at, 0, {"client_seed": "another"})
    seen = Head(game.version, game.stamp, (1, 1))
    return Change(moved, (entry,), **({"seen": seen, "generations": (1, 1), "expires_at": FUTURE} | others))


def keyspace(client: Redis, game_id: str) -> dict[bytes, tuple[object, int]]:
    """Every key of a game with what it holds and the moment it expires."""
    return {key: (_held(client, key), client.pexpiretime(key)) for key in client.keys(f"*{game_id}*")}


def _held(client: Redis, key: bytes) -> object:
    """What a key holds; not as DUMP tells it, since that shows the fields of a hash in an order that may change."""
    match client.type(key):
        case b"hash":
            return client.hgetall(key)
        case b"list":
            return client.lrange(key, 0, -1)
    return client.dump(key)
