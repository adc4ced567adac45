"""What is sent: the bytes of a connection, and the calls of openapi.yaml that hostile ones are made from."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from tests import contract
from tests.hostile.stage import SHOP, Game, Stage

Doc = dict[str, Any]
Text = str | bytes
Headers = tuple[tuple[Text, Text], ...]


@dataclass(frozen=True)
class Shot:
    """The bytes of one connection.

    ending: what is done when they are sent. `finish` ends the sending and reads on, `hold` waits, `reset` hangs up.
    """

    kind: str
    data: bytes
    ending: str = "finish"


Maker = Callable[[Random, Stage], Shot]


@dataclass(frozen=True)
class Call:
    """A request that openapi.yaml allows. harmless: it changes nothing even if it is answered with success."""

    operation: str
    method: str
    path: str
    credential: str | None
    body: Doc | None
    harmless: bool

    @property
    def headers(self) -> Headers:
        """The headers that it needs, without a length."""
        found: Headers = (("Host", "upcard"),)
        if self.credential is not None:
            found += (("Authorization", f"Bearer {self.credential}"),)
        if self.body is not None:
            found += (("Content-Type", "application/json"),)
        return found

    @property
    def raw(self) -> bytes:
        """Its body."""
        return b"" if self.body is None else json.dumps(self.body, ensure_ascii=False).encode()

    def sent(self, kind: str, ending: str = "finish") -> Shot:
        """The call as it stands."""
        return Shot(kind, message(self.method, self.path, self.headers, self.raw), ending)

    def fits(self, body: Any) -> bool:
        """Whether the document allows this body."""
        operation = contract.operation_of(self.method, self.path.partition("?")[0])
        assert operation is not None
        assert operation.body is not None
        try:
            contract.check_value("", operation.body, body)
        except AssertionError:
            return False
        return True


def message(method: Text, target: Text, headers: Headers, body: bytes = b"", *, version: Text = "HTTP/1.1") -> bytes:
    """A request, with the length of its body unless its headers say how it is framed."""
    framed = {_bytes(name).lower() for name, _ in headers} & {b"content-length", b"transfer-encoding"}
    if body and not framed:
        headers += (("Content-Length", str(len(body))),)
    lines = [_bytes(method) + b" " + _bytes(target) + b" " + _bytes(version)]
    lines += [_bytes(name) + b": " + _bytes(value) for name, value in headers]
    return b"\r\n".join((*lines, b"", body))


def _bytes(text: Text) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


# --- The calls of the document -------------------------------------------------


@cache
def calls(stage: Stage) -> dict[str, Callable[[Random], Call]]:
    """For every operation of the document a maker of calls that it allows."""
    made: dict[str, Callable[[Random], Call]] = {}
    for path, item in contract.SPEC["paths"].items():
        for method in contract.METHODS:
            if method in item:
                made[item[method]["operationId"]] = _caller(stage, path, method, item[method])
    return made


def _caller(stage: Stage, path: str, method: str, operation: Doc) -> Callable[[Random], Call]:
    bodies = _bodies(operation)
    schemes = {name for each in operation["security"] for name in each}

    def make(dice: Random) -> Call:
        game = dice.choice(stage.games)
        seat = dice.choice(list(game.tokens))
        filled = path.replace("{id}", game.id).replace("{seat}", str(seat)).replace("{number}", "1")
        filled = filled.replace("{game}", game.kind).replace("{name}", "standard")
        body = dice.choice(bodies) if bodies else None
        if body is not None and "invite" in body:
            body = body | {"invite": game.invite}
        credential = game.tokens[seat] if "seatToken" in schemes else SHOP if schemes else None
        harmless = method == "get" or path.startswith("/v1/analysis/")
        return Call(operation["operationId"], method.upper(), filled, credential, body, harmless)

    return make


def _bodies(operation: Doc) -> list[Doc]:
    content = operation.get("requestBody", {}).get("content", {}).get(contract.JSON, {})
    return [contract.deref(example)["value"] for example in content.get("examples", {}).values()]


def any_call(dice: Random, stage: Stage) -> Call:
    """A call of any operation."""
    return dice.choice(list(calls(stage).values()))(dice)


def call_with_body(dice: Random, stage: Stage) -> Call:
    """A call of any operation that takes a body; every move of a game is tried on it, in its turn or not."""
    made = calls(stage)
    while True:
        call = made[dice.choice(["submitMove", *made])](dice)
        if call.body is not None:
            return call


def harmless_call(dice: Random, stage: Stage) -> Call:
    """A call that changes nothing: it reads, analyses, tries a move out, or looks at what an invite is for."""
    made = calls(stage)
    while True:
        call = made[dice.choice(list(made))](dice)
        if call.harmless:
            return call
        if call.operation == "submitMove":
            return replace(call, path=f"{call.path}?dry_run=true", harmless=True)
        if call.operation == "joinGame":
            return replace(call, path=f"{call.path}?preview=true", harmless=True)


def change(dice: Random, stage: Stage) -> tuple[Call, Game]:
    """A call that would change a game if it were carried out: a legal move, giving up, ending, erasing, a new token."""
    game = dice.choice(stage.games)
    movers = [seat for seat in game.tokens if game.legal(seat)]
    seat = dice.choice(movers or list(game.tokens))
    at, token = f"/v1/games/{game.id}", game.tokens[seat]
    options = [
        Call("resignGame", "POST", f"{at}/resign", token, None, harmless=False),
        Call("resignGame", "POST", f"{at}/resign", token, {}, harmless=False),
        Call("deleteGame", "DELETE", at, SHOP, None, harmless=False),
        Call("deleteGame", "DELETE", f"{at}?erase=true", SHOP, None, harmless=False),
        Call("rotateToken", "POST", f"{at}/seats/{seat}/token", SHOP, None, harmless=False),
        Call("createGame", "POST", "/v1/games", SHOP, {"game": game.kind}, harmless=False),
    ]
    if movers:
        options += [_move(at, token, move) for move in dice.choices(game.legal(seat), k=6)]
    return dice.choice(options), game


def _move(at: str, token: str, move: Doc) -> Call:
    return Call("submitMove", "POST", f"{at}/moves", token, move, harmless=False)


def secrets_of(dice: Random, stage: Stage) -> str:
    """Something that must not get into a log: a token, an invite, a key, or cards."""
    game = dice.choice(stage.games)
    cards = [
        card
        for view in game.views.values()
        if view["round"]
        for hand in view["round"]["hands"]
        for card in hand.get("cards") or ()
    ]
    return dice.choice([*game.tokens.values(), str(game.invite), SHOP, ",".join(cards[:5] or ["7D", "8D"])])
