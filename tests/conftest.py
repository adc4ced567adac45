"""A real store, and the real application behind a real socket; both end with the run."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from flask import Flask
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from werkzeug.serving import WSGIRequestHandler, make_server

from service.bootstrap import create_app
from service.config import Settings
from service.storage.embedded import find_server
from tests.contract import check_answer, check_request_fits

SECRET = "a secret of the tests, long enough to sign with"
LIMITS = ("rate_create", "rate_join", "rate_analysis", "rate_calls", "rate_failures", "open_games_address")
UNLIMITED = dict.fromkeys(LIMITS, 0)
LONG = ("test_laws.py", "test_any_match.py")
"""The files that take minutes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that none of them is left to one process at the end."""
    items.sort(key=lambda item: item.path.name not in LONG)


class Store:
    """A Redis or Valkey of its own, on a unix socket; UPCARD_TEST_REDIS_SERVER names another program to run.

    options: more of the program's own; without `--appendonly yes` nothing outlives a stop.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        program = os.environ.get("UPCARD_TEST_REDIS_SERVER") or str(find_server())
        socket = folder / "redis.sock"
        self._command = [program, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
        self._command += options
        self.url = f"unix://{socket}"
        self.client = Redis.from_url(self.url)
        self.start()

    def start(self) -> None:
        """Run the server, also again after `stop`."""
        self._child = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while True:
            try:
                self.client.ping()
                return
            except RedisConnectionError:
                assert self._child.poll() is None, "the store ended"
                assert time.monotonic() < until, "the store does not answer"
                time.sleep(0.01)

    def games(self) -> set[bytes]:
        """The keys of all games in it."""
        return set(self.client.keys("*:game:*"))

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server takes requests and answers none of them until the end of the block."""
        os.kill(self._child.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._child.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Kill the server, which cannot notice."""
        self.client.close()
        self._child.kill()
        self._child.wait(10)


@contextmanager
def running_store(*options: str) -> Iterator[Store]:
    """A store for the length of a block. A socket's path must be short, so it does not lie in pytest's folders."""
    with tempfile.TemporaryDirectory(prefix="upcard-") as folder:
        store = Store(Path(folder), *options)
        try:
            yield store
        finally:
            store.stop()


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """The store that the tests share; every game has an id of its own."""
    with running_store() as running:
        yield running


class _Quiet(WSGIRequestHandler):
    """Answers like a server that is used, keeping connections, and logs nothing."""

    protocol_version = "HTTP/1.1"

    def log(self, kind: str, message: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of an application, served by threads of this process for the length of a block.

    At its end whoever still waits for news is sent away first, as when a server stops.
    """
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        app.extensions["drain"]()
        server.shutdown()
        thread.join()
        server.server_close()


def settings_for(url: str, **others: object) -> Settings:
    """Settings of a service on this store."""
    given = {"redis_url": url, "secrets": (SECRET,), "sandbox": True, "redis_timeout": 5.0} | UNLIMITED | others
    return Settings(**given)


@pytest.fixture(scope="session")
def address(store: Store) -> Iterator[str]:
    """Where the application answers. Sandbox decks are allowed in it."""
    with served(create_app(settings_for(store.url))) as running:
        yield running


def client_for(address: str) -> httpx.Client:
    """A client that holds every answer, and every accepted request, to openapi.yaml."""

    def held_to_contract(response: httpx.Response) -> None:
        response.read()
        check_answer(response)
        check_request_fits(response)

    return httpx.Client(base_url=address, event_hooks={"response": [held_to_contract]}, timeout=30)


@pytest.fixture
def http(address: str) -> Iterator[httpx.Client]:
    """A client of the application."""
    with client_for(address) as client:
        yield client


@dataclass(frozen=True)
class Player:
    """A seat of a game, as its owner plays it."""

    http: httpx.Client
    game: str
    seat: int
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def view(self) -> dict:
        answer = self.http.get(f"/v1/games/{self.game}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, move: dict, **headers: str) -> httpx.Response:
        return self.http.post(f"/v1/games/{self.game}/moves", json=move, headers=self.headers | headers)

    def play(self, move: dict) -> dict:
        answer = self.post(move)
        assert answer.status_code == 200, answer.text
        return answer.json()


def new_game(http: httpx.Client, **wanted: object) -> tuple[Player, ...]:
    """The named seats of a new game of gin; two humans unless asked for otherwise."""
    body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}]} | wanted
    answer = http.post("/v1/games", json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return tuple(Player(http, made["game"]["id"], held["seat"], held["token"]) for held in made["tokens"])
