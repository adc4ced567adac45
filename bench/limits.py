"""What ours is held against: the same server and framework, doing nothing but the round trips that a request needs.

    hello      a JSON answer, no round trip
    limit-1    and one HGET of a stored game
    limit-2    one HGET of a game that is in play, and the script that writes its next step

The client is the leanest we know: a connection of redis-py, used directly, one for each request that is under way. The
framework is Flask as it comes (`app`); in `bare` it is without what the service does not use, as the service has it.
"""

import os
import secrets
import time
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import orjson
from flask import Flask, Response
from hiredis import pack_command
from redis.connection import UnixDomainSocketConnection

from service.web.application import Application
from service.web.conditional import Whole

HELLO = orjson.dumps({"hello": "world"})
GAME = "{00}:game:000000000000000000000000"
KEPT_SECONDS = 20
STEPS = 60
SNAPSHOT = "s" * 850
ENTRY = "e" * 75

idle: list[Any] = []
script: list[str] = []
games: list[tuple[str, int]] = []
"""Games that nobody writes now, each with its version."""


def connection() -> Any:
    """A connection that nobody uses now."""
    if idle:
        return idle.pop()
    made: Any = UnixDomainSocketConnection(path=os.environ["REDIS_URL"].removeprefix("unix://"), protocol=2)
    made.connect()
    return made


def ask(*command: object) -> Any:
    """One round trip."""
    used = connection()
    used.send_packed_command([pack_command(command)], check_health=False)
    told = used.read_response()
    idle.append(used)
    return told


def commit_script() -> Any:
    """The name under which Redis knows the script that writes a move."""
    return ask("SCRIPT", "LOAD", files("service.storage").joinpath("scripts/commit.lua").read_text())


def hello() -> bytes:
    """No round trip."""
    return HELLO


def limit_1() -> bytes:
    """One read."""
    ask("HGET", GAME, "s")
    return HELLO


def limit_2() -> bytes:
    """One read, and one write of a snapshot and an entry as large as ours, to a game in play as a move is.

    After as many steps as a round has the next game is begun; the old one soon expires.
    """
    script.extend([] if script else [commit_script()])
    game, version = games.pop() if games else (secrets.token_hex(12), 0)
    keys = (f"{{00}}:game:{game}", f"{{00}}:log:{game}", f"{{00}}:news:{game}")
    ask("HGET", keys[0], "s")
    based_on = (version, "stamp123", "1,1") if version else (0, "", "")
    expires_at = int((time.time() + KEPT_SECONDS) * 1000)
    after = (version + 1, "stamp123", "1,1", SNAPSHOT, expires_at, "", 0, ENTRY)
    assert ask("EVALSHA", script[0], 3, *keys, *based_on, *after) == [b"ok"]
    if version < STEPS:
        games.append((game, version + 1))
    return HELLO


def serving(app: Flask, answer: Callable[[bytes], Response]) -> Flask:
    """An application that answers with nothing but these."""
    for path, method, made in (("hello", "GET", hello), ("limit-1", "GET", limit_1), ("limit-2", "POST", limit_2)):
        app.add_url_rule(f"/{path}", path, lambda made=made: answer(made()), methods=[method])
    app.extensions["drain"] = lambda: None
    return app


def plain(body: bytes) -> Response:
    """An answer as Flask makes it."""
    return Response(body, content_type="application/json")


def whole(body: bytes) -> Response:
    """An answer as ours are made."""
    return Whole("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))], body)


app = serving(Flask(__name__, static_folder=None), plain)
bare = serving(Application(__name__), whole)
