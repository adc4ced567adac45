"""What cannot be beaten: the same server and framework, doing nothing but the round trips that a request needs.

    hello      a JSON answer, no round trip
    limit-1    and one HGET of a stored game
    limit-2    and the script that writes a move

The client is the leanest we know: a connection of redis-py, used directly, one for each request that is under way.
"""

import os
import time
from importlib.resources import files
from typing import Any

import orjson
from flask import Flask, Response
from redis.connection import UnixDomainSocketConnection

HELLO = orjson.dumps({"hello": "world"})
GAME = "{00}:game:000000000000000000000000"
KEPT_SECONDS = 20
SNAPSHOT = "s" * 850
ENTRY = "e" * 75

idle: list[Any] = []
app = Flask(__name__, static_folder=None)
app.extensions |= {"drain": lambda: None, "script": "", "number": 0}


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
    used.send_packed_command(used.pack_command(*command), check_health=False)
    told = used.read_response()
    idle.append(used)
    return told


def commit_script() -> Any:
    """The name under which Redis knows the script that writes a move."""
    return ask("SCRIPT", "LOAD", files("service.storage").joinpath("scripts/commit.lua").read_text())


@app.get("/hello")
def hello() -> Response:
    """No round trip."""
    return Response(HELLO, content_type="application/json")


@app.get("/limit-1")
def limit_1() -> Response:
    """One read."""
    ask("HGET", GAME, "s")
    return Response(HELLO, content_type="application/json")


@app.post("/limit-2")
def limit_2() -> Response:
    """One read, and one write of a snapshot and an entry as large as ours. Each makes a game that soon expires."""
    ask("HGET", GAME, "s")
    script = app.extensions["script"] = app.extensions["script"] or commit_script()
    app.extensions["number"] += 1
    game = f"{os.getpid():08x}{app.extensions['number']:016x}"
    keys = (f"{{00}}:game:{game}", f"{{00}}:log:{game}", f"{{00}}:news:{game}")
    expires_at = int((time.time() + KEPT_SECONDS) * 1000)
    ask("EVALSHA", script, 3, *keys, 0, "", "", 1, "stamp123", "1,1", SNAPSHOT, expires_at, "", 0, ENTRY)
    return Response(HELLO, content_type="application/json")
