"""Pairs of players play matches of gin to their end over HTTP, one after the other, as two frontends would.

locust --locustfile bench/locustfile.py --headless --host http://127.0.0.1:8000 --users 20 --think 4

Each player looks at the own view at first and after each move, and waits for the other by long polls. Standard output
gets a line of JSON for each seat that is taken, each match that was played to its end, each call that had to be sent
again, and each error.
"""

import json
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gevent.queue import Queue
from locust import FastHttpUser, events, stats, task
from locust.argument_parser import LocustArgumentParser
from locust.contrib.fasthttp import FastResponse
from locust.exception import RescheduleTask

EXPECTED = {"create": {201}, "join": {201}, "view": {200}, "move": {200}, "wait": {200, 304}}
"""Calls, as they are counted, and the statuses that players who keep to the rules get; `wait` are long polls."""
LIKED = ("big_gin", "knock", "spread", "discard", "pass", "draw", "deal")
"""Types of moves, those first that a player here likes best."""
INVITES: Queue[str] = Queue()
"""To tables where somebody waits for another."""

stats.bucket_response_time = partial(round, ndigits=1)  # by itself, locust counts whole milliseconds


@events.init_command_line_parser.add_listener
def add_options(parser: LocustArgumentParser) -> None:
    parser.add_argument("--target", type=int, default=100, help="the points that end a match")
    parser.add_argument("--think", type=float, default=0, help="seconds before a move, on average")


@events.user_error.add_listener
def tell_error(exception: Exception, **_: object) -> None:
    tell(error=repr(exception))


def tell(**what: str) -> None:
    print(json.dumps(what), flush=True)


class Player(FastHttpUser):
    abstract = True

    def wait_time(self) -> float:
        """Seconds until the next move, or the next match."""
        return random.expovariate(1) * self.environment.parsed_options.think

    def call(self, name: str, path: str, headers: Mapping[str, str] | None = None, body: object = None) -> FastResponse:
        """Make one call; send again, as browsers do, if a connection was closed for idleness just when it was used."""
        send = partial(self.client.request, "POST" if body else "GET", path, name=name, json=body, headers=headers)
        answer = send()
        if answer.status_code == 0:
            tell(resent=name)
            answer = send()
        if answer.status_code not in EXPECTED[name]:
            tell(error=f"{name}: {answer.status_code} {answer.text or answer.error!r}")
            raise RescheduleTask
        return answer

    def play(self, game: str, seat: int, token: str) -> None:
        """Play a match to its end."""
        tell(game=game, token=token)
        path, me = f"/v1/games/{game}", {"Authorization": f"Bearer {token}"}
        answer = self.call("view", path, me)
        while (view := answer.json())["status"] != "finished":
            if to_move(view, seat):
                self.wait()
                self.call("move", f"{path}/moves", me, choice(view["legal_moves"]))
                answer = self.call("view", path, me)
            else:
                answer = self.changed(path, me, answer.headers["ETag"])

    def changed(self, path: str, me: Mapping[str, str], known: str) -> FastResponse:
        """The next view after the known one, by long polls."""
        headers = {**me, "If-None-Match": known, "Prefer": "wait=25"}
        while (answer := self.call("wait", path, headers)).status_code == 304:
            pass
        since = datetime.now(UTC) - datetime.fromisoformat(answer.json()["updated_at"])
        seen = {"name": "seen", "response_time": since.total_seconds() * 1000, "response_length": 0}
        self.environment.events.request.fire(request_type="", exception=None, **seen)
        return answer


class Host(Player):
    @task
    def match(self) -> None:
        ruleset = {"preset": "standard", "target": self.environment.parsed_options.target}
        body = {"game": "gin", "ruleset": ruleset, "seats": [{"name": "Ann"}, {}]}
        made = self.call("create", "/v1/games", body=body).json()
        INVITES.put(made["invite"])
        self.play(made["game"]["id"], **made["tokens"][0])
        tell(finished=made["game"]["id"])


class Guest(Player):
    @task
    def match(self) -> None:
        joined = self.call("join", "/v1/join", body={"invite": INVITES.get(), "name": "Ben"}).json()
        self.play(joined["game"]["id"], joined["seat"], joined["token"])


def to_move(view: Mapping[str, Any], seat: int) -> bool:
    """Whether it is for a seat to move; the next round is dealt by seat 0."""
    turn = view["turn"]
    return turn is not None and seat == (turn["seat"] or 0)


def choice(legal: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Knock as soon as it is possible, throw what leaves the least deadwood, and draw from the stock."""
    return min(legal, key=lambda each: (LIKED.index(each["move"]["type"]), each.get("deadwood", 0)))["move"]
