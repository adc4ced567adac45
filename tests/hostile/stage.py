"""A real service with games in every phase, whose ids, tokens, keys and cards are the same in every run."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import orjson

from service.web.keys import hash_of
from tests.api.playing import deck
from tests.conftest import Store, running_store

Doc = dict[str, Any]

SECRET = "the-secret-of-a-service-under-attack"
ROOT = Path(__file__).parents[2]
GIN_DECK = deck("AS 2S 3S 4C 5C 6C 7D 8D 9D KH", "AD 2D 3D 4H 5H 6H 9S TS JS QC", upcard="5S")
RUMMY_DECK = deck("AS 2S 3S 4H 5H 6H 9C JC QD KD", "AD 2D 3D 4C 5C 6C 9H JH QS KS", upcard="7S")
RATES = ("CREATE", "JOIN", "ANALYSIS", "CALLS", "FAILURES")
KNOCK = ({"type": "deal"}, {"type": "draw", "source": "discard"}, {"type": "knock", "discard": "KH"})
RUMMY = ({"type": "deal"}, {"type": "draw", "source": "stock"}, {"type": "meld", "cards": ["AS", "2S", "3S"]})
PLAYED: dict[str, tuple[str, tuple[Doc, ...]]] = {
    "gin, waiting": ("gin", ()),
    "gin, undealt": ("gin", ()),
    "gin, opening": ("gin", KNOCK[:1]),
    "gin, draw": ("gin", (KNOCK[0], {"type": "pass"}, {"type": "pass"})),
    "gin, discard": ("gin", KNOCK[:2]),
    "gin, spread": ("gin", KNOCK),
    "gin, round over": ("gin", (*KNOCK, {"type": "spread"})),
    "gin, finished": ("gin", (*KNOCK, {"type": "spread"})),
    "gin, abandoned": ("gin", KNOCK[:1]),
    "gin, computer": ("gin", KNOCK[:2]),
    "gin, watched": ("gin", KNOCK[:2]),
    "rummy, waiting": ("rummy", ()),
    "rummy, draw": ("rummy", RUMMY[:1]),
    "rummy, play": ("rummy", RUMMY),
    "rummy, finished": ("rummy", RUMMY),
}


def _key(tenant: str) -> str:
    return "uk_" + urlsafe_b64encode(sha256(tenant.encode()).digest()).rstrip(b"=").decode()


SHOP, CLUB = _key("shop"), _key("club")


@dataclass(frozen=True)
class Game:
    """A game that no hostile request may change. views: of every seat with a token, by seat."""

    name: str
    id: str
    kind: str
    tokens: dict[int, str]
    invite: str | None
    views: dict[int, Doc]

    def legal(self, seat: int) -> list[Doc]:
        """The moves that a seat could make now."""
        return [each["move"] for each in self.views[seat]["legal_moves"]]


@dataclass(eq=False)
class Stage:
    """A running service. log: what it wrote, by stream."""

    port: int
    store: Store
    log: dict[str, Path]
    games: tuple[Game, ...] = ()
    secrets: frozenset[str] = field(default=frozenset())

    @property
    def http(self) -> httpx.Client:
        """A client of the service, as its friend."""
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=20)

    def seen(self) -> dict[str, Any]:
        """All that the store holds, and what every seat and the backend see of every game with its entity tag."""
        client = self.store.client
        found: dict[str, Any] = {
            key.decode(): (_value(self.store, key), client.pexpiretime(key)) for key in sorted(client.keys())
        }
        with self.http as http:
            for game in self.games:
                for who in (*game.tokens.values(), SHOP):
                    answer = http.get(f"/v1/games/{game.id}", headers={"Authorization": f"Bearer {who}"})
                    found[f"{game.name} for {who}"] = (answer.status_code, answer.headers.get("etag"), answer.content)
        return found


def _value(store: Store, key: bytes) -> Any:
    client = store.client
    match client.type(key):
        case b"hash":
            return client.hgetall(key)
        case b"list":
            return client.lrange(key, 0, -1)
        case b"string":
            return client.get(key)
        case other:
            return other


@contextmanager
def staged() -> Iterator[Stage]:
    """A service under gunicorn with two workers, on a store of its own, with its games; all ends with the block."""
    with running_store() as store, tempfile.TemporaryDirectory(prefix="upcard-") as folder:
        log = {name: Path(folder, name) for name in ("out", "err")}
        with log["out"].open("wb") as out, log["err"].open("wb") as err:
            command = [sys.executable, "-m", "service.cli", "serve", "--port", "0", "--workers", "2"]
            process = subprocess.Popen(command, cwd=ROOT, env=_environ(store), stdout=out, stderr=err)
        try:
            stage = Stage(_port(process, log["err"]), store, log)
            with stage.http as http:
                _wait_until_ready(process, http)
                stage.games = tuple(_played(http, name, *PLAYED[name]) for name in PLAYED)
            stage.secrets = frozenset(_secrets(stage))
            yield stage
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _environ(store: Store) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("UPCARD_", "REDIS_"))}
    listed = ",".join(f"{tenant}:{hash_of(key)}" for tenant, key in (("shop", SHOP), ("club", CLUB)))
    clean |= {"REDIS_URL": store.url, "UPCARD_SECRET": SECRET, "UPCARD_API_KEYS": listed, "UPCARD_SANDBOX": "true"}
    clean |= {f"UPCARD_RATE_{kind}": "0" for kind in RATES}
    # Debugging says the most, a store that shares its cores with the attack is not away yet, and no stream stays open.
    return clean | {"UPCARD_LOG_LEVEL": "debug", "UPCARD_REDIS_TIMEOUT": "10", "UPCARD_WAITERS": "0"}


def _port(process: subprocess.Popen[bytes], log: Path, seconds: float = 20) -> int:
    until = time.monotonic() + seconds
    while (found := re.search(r"http://127\.0\.0\.1:(\d+)", log.read_text())) is None:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.02)
    return int(found[1])


def _wait_until_ready(process: subprocess.Popen[bytes], http: httpx.Client, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            if http.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            assert process.poll() is None, "the service ended"
        assert time.monotonic() < until, "the service is not ready"
        time.sleep(0.02)


def _played(http: httpx.Client, name: str, kind: str, moves: tuple[Doc, ...]) -> Game:
    """A game with these moves, each made by the first seat that may."""
    second: Doc = {"waiting": {}, "computer": {"bot": "easy"}}.get(name.split(", ")[1], {"name": "Ben"})
    wanted = {
        "game": kind,
        "seats": [{"name": "Ann"}, second],
        "first_dealer": 1,
        "spectators": name.endswith("watched"),
        "sandbox": {"decks": [GIN_DECK if kind == "gin" else RUMMY_DECK] * 2},
    }
    headers = {"Authorization": f"Bearer {SHOP}"}
    made = _done(http.post("/v1/games", json=wanted, headers=headers | {"Idempotency-Key": name}))
    game, tokens = made["game"]["id"], {held["seat"]: held["token"] for held in made["tokens"]}

    def views() -> dict[int, Doc]:
        return {
            seat: _done(http.get(f"/v1/games/{game}", headers={"Authorization": f"Bearer {token}"}))
            for seat, token in tokens.items()
        }

    for move in moves:
        mover = next(seat for seat, view in views().items() if move["type"] in _types(view))
        own = {"Authorization": f"Bearer {tokens[mover]}"}
        _done(http.post(f"/v1/games/{game}/moves", json=move, headers=own))
    if name.endswith("finished"):
        _done(http.post(f"/v1/games/{game}/resign", headers={"Authorization": f"Bearer {tokens[0]}"}))
    if name.endswith("abandoned"):
        _done(http.delete(f"/v1/games/{game}", headers=headers))
    return Game(name, game, kind, tokens, made.get("invite"), views())


def _types(view: Doc) -> set[str]:
    return {each["move"]["type"] for each in view["legal_moves"]}


def _done(answer: httpx.Response) -> Doc:
    assert answer.is_success, f"{answer.request.url}: {answer.text}"
    return answer.json()


def _secrets(stage: Stage) -> Iterator[str]:
    """What no log may hold: also the signatures alone, and what the deals come from."""
    yield from (SECRET, SHOP, CLUB)
    for game in stage.games:
        for text in (*game.tokens.values(), *([game.invite] if game.invite else [])):
            yield text
            yield text.rpartition(".")[2]
        (snapshot,) = stage.store.client.hmget(f"{{{game.id[:2]}}}:game:{game.id}", "s")
        yield orjson.loads(snapshot)["root"]
