"""Players who keep a ledger: of each acknowledged change, what the answer promised."""

import hashlib
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
import orjson

from tests.chaos.insist import Client

Doc = dict[str, Any]
TAG = re.compile(r'"(?:p|(\d+))-(\d+)-(.+)"')
LONGEST_GAME = 160
"""After so many moves somebody resigns, so that games begin and end all the time."""
TABLES = (
    ("gin", [{"name": "Ann"}, {"name": "Ben"}]),
    ("gin", [{"name": "Ann"}, {"bot": "easy"}]),
    ("gin", [{"name": "Ann"}, {}]),
    ("rummy", [{"name": "Ann"}, {"name": "Ben"}]),
    ("rummy", [{"bot": "easy"}, {"name": "Ann"}, {"bot": "easy"}]),
    ("rummy", [{"name": "Ann"}, {"bot": "easy"}, {"name": "Ben"}]),
)
FINISHING = ("gin", "big_gin", "knock", "spread", "meld", "lay_off")
"""Moves that a player who wants a round to end does not let pass."""


@dataclass(frozen=True)
class Promise:
    """An acknowledged change. headers, body: as they were sent. answer: its bytes. seat: whose view is in it.

    view: SHA-256 of that view. late: whether it had been made by a try that was not acknowledged.
    """

    path: str
    headers: dict[str, str]
    body: bytes
    answer: bytes
    etag: str
    seat: int | None
    version: int
    stamp: str
    view: str
    late: bool


@dataclass
class Ledger:
    """The acknowledged changes of one game, in the order of their acknowledgement."""

    game: str = ""
    promises: list[Promise] = field(default_factory=list)


def view_of(answer: Doc) -> Doc:
    """The view in an answer: that of a create or a join holds more."""
    view: Doc = answer["game"] if isinstance(answer["game"], dict) else answer
    return view


def digest(view: Doc) -> str:
    return hashlib.sha256(orjson.dumps(view)).hexdigest()


class Table:
    """A game, played by one client for all its human seats, with a key for every change.

    if_match: whether moves name the version that they are for.
    """

    def __init__(self, client: Client, kind: str, seats: list[Doc], *, if_match: bool) -> None:
        self.ledger = Ledger()
        self._client = client
        self._rng = client.rng
        self._if_match = if_match
        self._tokens: dict[int, str] = {}
        self._seen: tuple[int | None, str, Doc] = (None, "", {})
        made = orjson.loads(self._change("/v1/games", {"game": kind, "seats": seats}).content)
        self._tokens = {held["seat"]: held["token"] for held in made["tokens"]}
        if {} in seats:
            joined = orjson.loads(self._change("/v1/join", {"invite": made["invite"], "name": "Ben"}).content)
            self._tokens[joined["seat"]] = joined["token"]

    @property
    def path(self) -> str:
        return f"/v1/games/{self.ledger.game}"

    @property
    def finished(self) -> bool:
        return self._seen[2]["status"] != "playing"

    def play(self) -> None:
        """Make the next move, chosen from the legal moves in the view of the seat on turn."""
        turn = self._seen[2]["turn"]
        seat = turn["seat"] if turn["seat"] is not None else self._rng.choice(list(self._tokens))
        view, etag = self.look(seat)
        move = self._chosen(view["legal_moves"])
        self._change(f"{self.path}/moves", move, seat, etag if self._if_match else "")
        self._client.traffic.moved()

    def resign(self) -> None:
        self._change(f"{self.path}/resign", None, self._rng.choice(list(self._tokens)))

    def look(self, seat: int) -> tuple[Doc, str]:
        """A seat's view and its entity tag: the one just answered, or read anew, and never an older one."""
        seen, etag, view = self._seen
        if seen != seat:
            answer, _ = self._client.insist("GET", self.path, None, self._auth(seat))
            assert answer.status_code == 200, answer.text
            etag, view = answer.headers["ETag"], answer.json()
            latest = self.ledger.promises[-1]
            assert (view["version"], etag.split("-", 2)[2]) == (latest.version, f'{latest.stamp}"'), "another version"
            self._seen = (seat, etag, view)
        return view, etag

    def echo(self, promise: Promise) -> None:
        """Send an acknowledged request again: the same answer, byte for byte."""
        again, _ = self._client.insist("POST", promise.path, promise.body, promise.headers)
        assert again.content == promise.answer, f"another answer under the same key: {again.text}"
        assert again.headers["ETag"] == promise.etag
        assert again.headers.get("Idempotency-Replayed") == "true", "a request was carried out again"

    def echo_some(self) -> None:
        """Echo old promises too, when the game has long moved on."""
        for promise in self._rng.sample(self.ledger.promises, k=min(3, len(self.ledger.promises))):
            self.echo(promise)

    def _change(self, path: str, doc: Doc | None, seat: int | None = None, if_match: str = "") -> httpx.Response:
        headers = {"Idempotency-Key": self._rng.randbytes(20).hex(), "Content-Type": "application/json"}
        headers |= self._auth(seat) if seat is not None else {}
        headers |= {"If-Match": if_match} if if_match else {}
        body = b"" if doc is None else orjson.dumps(doc)
        answer, tries = self._client.insist("POST", path, body, headers)
        assert answer.status_code in (200, 201), f"{path} {body!r}: {answer.status_code} {answer.text}"
        whose, version, stamp = TAG.fullmatch(answer.headers["ETag"]).groups()
        view = view_of(orjson.loads(answer.content))
        self._seen = (None if whose is None else int(whose), answer.headers["ETag"], view)
        self.ledger.game = view["id"]
        self.ledger.promises.append(
            Promise(
                path=path,
                headers=headers,
                body=body,
                answer=answer.content,
                etag=answer.headers["ETag"],
                seat=self._seen[0],
                version=int(version),
                stamp=stamp,
                view=digest(view),
                late="Idempotency-Replayed" in answer.headers,
            )
        )
        if tries > 1 or self._rng.random() < 0.1:
            self.echo(self.ledger.promises[-1])
        return answer

    def _chosen(self, legal: list[Doc]) -> Doc:
        """Often what brings a round to its end, often the throw that leaves least, else anything."""
        ending = [each for each in legal if each["move"]["type"] in FINISHING]
        if self._rng.random() < 0.8:
            legal = ending or legal
            least = min(each.get("deadwood", 0) or 0 for each in legal)
            legal = [each for each in legal if (each.get("deadwood", 0) or 0) == least]
        return self._rng.choice(legal)["move"]

    def _auth(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._tokens[seat]}"}


def play_on(client: Client) -> list[Ledger]:
    """Play one game after another until the traffic is over; the ledgers of all of them."""
    ledgers: list[Ledger] = []
    while not client.traffic.over:
        kind, seats = client.rng.choice(TABLES)
        table = Table(client, kind, seats, if_match=client.rng.random() < 0.5)
        ledgers.append(table.ledger)
        moves = client.rng.randint(LONGEST_GAME // 2, LONGEST_GAME)
        while moves and not table.finished and not client.traffic.over:
            table.play()
            moves -= 1
        if not table.finished and not client.traffic.over:
            table.resign()
        table.echo_some()
    return ledgers


def seeded(seed: int, number: int) -> Random:
    """The chance of one client, the same in each run of a seed."""
    return Random(seed * 1000 + number)
