"""Watching a game as clients do: its events as a stream (WHATWG, Server-Sent Events), and who waits at the moment."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from flask import Flask

from service.bootstrap import create_app
from service.storage.keys import news_channel
from tests.conftest import Player, Store, client_for, served, settings_for
from tests.contract import SPEC, check_answer, check_request_fits, check_value, resolved

Doc = dict[str, Any]
EVENT = resolved(SPEC["components"]["schemas"]["Event"])
COMMENT: Doc = {"": ""}
PATIENCE = 20.0
"""Never waited for in full: a test that does fails."""


@dataclass(frozen=True)
class Service:
    """A service of a test's own, on the store that all share."""

    app: Flask
    address: str
    http: httpx.Client

    def drain(self) -> None:
        self.app.extensions["drain"]()


@contextmanager
def service(store: Store, **settings: object) -> Iterator[Service]:
    """A service with some settings, for the length of a block."""
    app = create_app(settings_for(store.url, **settings))
    with served(app) as address, client_for(address) as http:
        yield Service(app, address, http)


@dataclass(frozen=True)
class Stream:
    """An open stream, after its first block. retry: as that one said. Every event is held to openapi.yaml."""

    response: httpx.Response
    lines: Iterator[str]
    retry: int

    def block(self) -> Doc | None:
        """The fields up to the next empty line, a comment under the name ""; None at the end of the stream."""
        fields: Doc = {}
        for line in self.lines:
            if not line:
                return _checked(fields)
            name, _, value = line.partition(":")
            assert name not in fields, "a field came twice"
            fields[name] = value.removeprefix(" ")
        assert not fields, "the stream broke off between its fields"
        return None

    def event(self) -> Doc:
        """The next event, without its id and whatever signs of life come before it."""
        while (fields := self.block()) == COMMENT:
            pass
        assert fields is not None, "the stream has ended"
        assert "event" not in fields, fields
        event: Doc = fields["data"]
        return event

    def events(self, count: int) -> list[Doc]:
        """The next events, so many."""
        return [self.event() for _ in range(count)]

    def rest(self) -> list[Doc]:
        """All blocks until the stream ends by itself."""
        return list(iter(self.block, None))


def _checked(fields: Doc) -> Doc:
    """A block with its data read, if it is one that the service may send."""
    if fields == COMMENT:
        return fields
    data = json.loads(fields["data"])
    if "event" in fields:
        assert (fields["event"], data) == ("reset", {"version": int(fields["id"].partition("-")[0])})
    else:
        check_value("the event", EVENT, data)
        assert fields["id"] == f"{data['version']}-{data['stamp']}"
    return fields | {"data": data}


@contextmanager
def opened(address: str, game: str, headers: Doc | None = None, **params: object) -> Iterator[httpx.Response]:
    """The answer to one who asks for the events of a game as a stream, before its body; then the client leaves."""
    sent = {"Accept": "text/event-stream"} | (headers or {})
    with (
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
        client.stream("GET", f"/v1/games/{game}/events", params=params, headers=sent) as response,
    ):
        if response.status_code != 200:
            response.read()
        check_answer(response)
        check_request_fits(response)
        yield response


@contextmanager
def streamed(address: str, game: str, headers: Doc | None = None, **params: object) -> Iterator[Stream]:
    """The stream of a game's events, until the end of the block."""
    with opened(address, game, headers, **params) as response:
        lines = response.iter_lines()
        retry = next(lines)
        assert (next(lines), retry.partition(": ")[0]) == ("", "retry")
        yield Stream(response, lines, int(retry.removeprefix("retry: ")))


@contextmanager
def followed(address: str, player: Player, **headers: str) -> Iterator[Stream]:
    """The stream of one who plays."""
    with streamed(address, player.game, player.headers | headers) as stream:
        yield stream


def until(happened: Callable[[], bool], what: str) -> None:
    """Wait for something that cannot be waited for otherwise."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def until_watched(store: Store, game: str, watched: bool = True) -> None:
    """Wait until some service has subscribed to the news of a game, or until none is left that has."""
    channel = news_channel(game)
    until(lambda: (store.client.pubsub_numsub(channel)[0][1] > 0) is watched, f"the game is not watched: {watched}")
