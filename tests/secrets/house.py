"""The application itself on a real store: with a clock that stands still, chance that can be foreseen, and ears for
everything that it lets out.

Nothing else is put in its place. The clock of the store, the random stamps of commits and the news of games are ports
of the use cases; they are set at those ports, so that two answers differ only where two games do.
"""

import io
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import orjson
from msgspec import structs
from redis import Redis
from werkzeug.wsgi import ClosingIterator

from service.bootstrap import create_app
from service.config import Settings
from service.ops import metrics
from service.ops.logging import access_line
from service.play.table import Table
from service.storage.codec import encode_entry, encode_game
from service.storage.keys import game_key, log_key
from service.storage.reaching import connect
from service.storage.redis_games import LoadedGame, RedisGames
from service.web.tokens import Signer
from tests.conftest import SECRET, UNLIMITED
from tests.secrets.calls import STAMP, Call
from tests.unit.play.memory import News
from tests.unit.rulebooks.permuted import World

NOW = 4_102_444_800_000
"""The first day of 2100, at which the clock stands; the store keeps what expires after it."""
NEW_GAME = "7f" + "ab" * 11
BY_CHANCE = {"at": "", "request": "", "trace": ""}
"""The members of the access log's line that are another each time, whatever is asked."""
DAMAGES = {
    "cut": lambda snapshot: snapshot[: len(snapshot) // 2],
    "unreadable": lambda snapshot: re.sub(rb'"stock":"..', b'"stock":"XX', snapshot),
    "doubled": lambda snapshot: re.sub(rb'"stock":"(..)..', rb'"stock":"\1\1', snapshot),
}
"""What may happen to a stored game, so that it is answered with a refusal and a line in the log."""


class StillGames(RedisGames):
    """The store of games, whose clock stands still."""

    def load(self, game_id: str, receipt_name: str | None = None) -> LoadedGame:
        return structs.replace(super().load(game_id, receipt_name), now=NOW)


class SteadyNames(Signer):
    """The names and signatures of the service, without chance."""

    def game_ids(self, caller: str, key: str | None) -> tuple[str, ...]:
        return (NEW_GAME,) if key is None else super().game_ids(caller, key)

    def root(self) -> bytes:
        return bytes(32)

    def stamp(self) -> str:
        return STAMP


@dataclass(frozen=True)
class Heard:
    """All that is let out with an answer: to the caller, and to one who reads what the service logs and counts."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    access: bytes
    logged: str
    counted: str

    @property
    def size(self) -> int:
        """In bytes, or characters."""
        headers = sum(len(name) + len(value) for name, value in self.headers)
        return len(self.status) + headers + len(self.body) + len(self.access) + len(self.logged) + len(self.counted)


class House:
    """The application on a database of a store. keys: the hash of each API key with its tenant. ear: hears its log."""

    def __init__(self, url: str, keys: tuple[tuple[str, str], ...], ear: "Ear") -> None:
        settings = Settings(
            redis_url=url, secrets=(SECRET,), sandbox=True, redis_timeout=5.0, listed_keys=keys, **UNLIMITED
        )
        self.app = create_app(settings)
        self.names = SteadyNames((SECRET,))
        self._redis = Redis.from_url(url)
        table = self.app.extensions["table"]
        assert isinstance(table, Table)
        self._table = replace(table, store=StillGames(connect(url, 5.0, 4)), ids=self.names)
        self._kept: tuple[World, str] | None = None
        self._ear = ear

    def keep(self, world: World, damage: str = "") -> None:
        """Let the store hold this game and nothing else."""
        if self._kept is not None and self._kept[0] is world and self._kept[1] == damage:
            return
        game = world.game
        snapshot = encode_game(game)
        entries = [encode_entry(entry, STAMP, None) for entry in world.entries]
        fields = {
            "v": game.version,
            "x": STAMP,
            "g": ",".join("1" for _ in game.seats),
            "s": DAMAGES[damage](snapshot) if damage else snapshot,
            "b": sum(map(len, entries)),
        }
        pipe = self._redis.pipeline(transaction=False)
        pipe.flushdb()
        pipe.hset(game_key(game.id), mapping=fields)
        pipe.rpush(log_key(game.id), *entries)
        pipe.execute()
        self._kept = (world, damage)

    def hear(self, world: World, call: Call, credential: str) -> list[Heard]:
        """What is let out as a call is made once or twice on a game; the store holds it, as it was, before the next."""
        self.keep(world, call.damage)
        heard = [self._heard(call, credential) for _ in range(1 + call.again)]
        made = call.method not in ("GET", "HEAD") and heard[0].status.startswith("2")
        if made or any(call.happens):
            self._kept = None
        return heard

    def _heard(self, call: Call, credential: str) -> Heard:
        happens = [None if each is None else lambda each=each: self._made(each) for each in call.happens]
        self.app.extensions["table"] = replace(self._table, feed=News(happens))
        environ = _environ(call, credential)
        self._ear.lines.clear()
        self._ear.counts.clear()
        status, headers, body = self._asked(environ)
        access = orjson.loads(access_line(status, len(body), environ, timedelta())) | BY_CHANCE
        ear = self._ear
        return Heard(status, headers, body, orjson.dumps(access), "\n".join(ear.lines), "\n".join(ear.counts))

    def _made(self, call: Call) -> None:
        """Make somebody else's move, which must be accepted."""
        status, _, body = self._asked(_environ(call, ""))
        assert status.startswith("200"), (call, body)

    def _asked(self, environ: dict[str, Any]) -> tuple[str, tuple[tuple[str, str], ...], bytes]:
        begun: list[Any] = []
        sent = self.app.wsgi_app(environ, lambda status, headers, fault=None: begun.append((status, headers)))
        with closing(ClosingIterator(sent)) as whole:
            body = b"".join(whole)
        status, headers = begun[-1]
        unlike = {"X-Request-Id"}
        if environ["PATH_INFO"] == "/metrics":  # it adds up all calls so far; `counted` is what each call adds
            unlike, body = unlike | {"Content-Length"}, b""
        return status, tuple(each for each in headers if each[0] not in unlike), body


def _environ(call: Call, credential: str) -> dict[str, Any]:
    """The request as a WSGI server hands it over."""
    headers = {"Authorization": f"Bearer {credential}"} if credential else {}
    fields = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in (headers | call.headers).items()}
    return fields | {
        "REQUEST_METHOD": call.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": call.path,
        "QUERY_STRING": call.target.partition("?")[2],
        "CONTENT_TYPE": call.headers.get("Content-Type", ""),
        "CONTENT_LENGTH": str(len(call.body)),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(call.body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


class Ear(logging.Handler):
    """Hears what is logged, with the story of what failed, and what is counted, but for how long anything took."""

    COUNTS = ("answered", "refused", "created", "logged", "committed", "waiting")

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        self.lines: list[str] = []
        self.counts: list[str] = []

    def counting(self, name: str) -> Callable[..., None]:
        """A function of the metrics that is heard when it is called."""
        count = getattr(metrics, name)

        def heard(*what: Any) -> None:
            self.counts.append(f"{name} {[each for each in what if not isinstance(each, float)]}")
            count(*what)

        return heard

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def listening() -> Iterator[Ear]:
    """An ear for what is logged during a block, from the finest on, and for what is counted."""
    root, ear = logging.getLogger(), Ear()
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.DEBUG)
    silent = {name: getattr(metrics, name) for name in ear.COUNTS}
    for name in ear.COUNTS:
        setattr(metrics, name, ear.counting(name))
    try:
        yield ear
    finally:
        for name, count in silent.items():
            setattr(metrics, name, count)
        root.setLevel(level)
        root.removeHandler(ear)
