"""Every call that a reader can make, made from openapi.yaml: each operation with each of its parameters.

An operation, a body or a parameter that the tables below do not know fails, so that none is added and forgotten.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from urllib.parse import urlencode

import orjson

from service.play.views import etag
from tests.contract import METHODS, SPEC, deref
from tests.secrets.worlds import HANDS, NOTHING, ends_by_resigning, shown_by
from tests.unit.rulebooks.permuted import World

Doc = dict[str, Any]
STAMP = "steady"
KEY = "a key that nobody else would think of"
LATE = 10_000
"""More versions or rounds than any game has."""
SELDOM = 20
"""Operations that have nothing to do with a game are called for one reader in so many."""


@dataclass(frozen=True)
class Reader:
    """Who calls. role: how it is counted. seat: None for all but players. credential: empty for none."""

    role: str
    seat: int | None
    credential: str


@dataclass(frozen=True)
class Scene:
    """A game and one of its readers. moves: that the reader tries. meanwhile: a move by whoever is on turn, not the
    reader, that shows the reader no card, with the mover's credential; None if there is none.
    """

    world: World
    reader: Reader
    invite: str
    moves: Sequence[Doc]
    meanwhile: tuple[Doc, str] | None
    chance: Random

    @property
    def tag(self) -> str:
        """The entity tag that the reader has of the game."""
        return etag(self.reader.seat, self.world.game.version, STAMP)


@dataclass(frozen=True)
class Call:
    """A request. shows: the kind of world it is compared with. again: sent twice. happens: what comes about each time
    that the service waits: a call, or None for time that passes. damage: of the stored game, before the call.
    """

    operation: str
    method: str
    path: str
    variation: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    shows: str = NOTHING
    again: bool = False
    happens: "tuple[Call | None, ...]" = ()
    damage: str = ""

    @property
    def name(self) -> str:
        """As it is counted."""
        return " ".join(filter(None, (self.operation, self.variation)))

    @property
    def target(self) -> str:
        """The path with its query."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    def under(self, variation: str, **others: Any) -> "Call":
        """The call with something beside it."""
        return replace(self, variation=variation, **others)


SPREAD = ["AS", "2S", "3S", "7D", "8D", "9D", "4C", "5C", "6C", "5H"]
SCATTERED = ["4H", "AD", "2D", "6H", "7H", "8H", "TC", "JC", "QS", "KS"]
SEATS = [{"name": "Cleo"}, {}]
BODIES: dict[str, Callable[[Scene], Sequence[Doc]]] = {
    "createGame": lambda scene: [{"game": scene.world.game.kind, "seats": SEATS}],
    "joinGame": lambda scene: [{"invite": scene.invite, "name": "Cleo"}],
    "submitMove": lambda scene: scene.moves,
    "resignGame": lambda scene: [{}],
    "rotateToken": lambda scene: [{}],
    "analyseHand": lambda scene: [{"hand": SPREAD}],
    "analyseRound": lambda scene: [
        {"ruleset": "standard", "knocker": {"cards": SPREAD}, "defender": {"cards": SCATTERED}}
    ],
    "analyseMatch": lambda scene: [{"ruleset": "standard", "rounds": []}],
}
PATH: dict[str, Callable[[Scene], list[str]]] = {
    "id": lambda scene: [scene.world.game.id],
    "seat": lambda scene: ["0"],
    "number": lambda scene: [str(max(scene.world.finished, 1)), str(LATE)],
    "game": lambda scene: [scene.world.game.kind],
    "name": lambda scene: [scene.world.game.rulebook.presets()[0].name],
}


def _keyed(call: Call, scene: Scene) -> Iterator[Call]:
    yield call.under("replayed", headers=call.headers | {"Idempotency-Key": KEY}, again=True)


def _if_match(call: Call, scene: Scene) -> Iterator[Call]:
    yield call.under("if current", headers=call.headers | {"If-Match": scene.tag})
    yield call.under("if stale", headers=call.headers | {"If-Match": '"stale"'}, shows=NOTHING)


def _if_none_match(call: Call, scene: Scene) -> Iterator[Call]:
    for variation, tag in (("unless current", scene.tag), ("unless stale", '"stale"')):
        yield call.under(variation, headers=call.headers | {"If-None-Match": tag})


def _waiting(call: Call, scene: Scene) -> Iterator[Call]:
    """Waits that nothing ends but time and, where somebody else may move, waits that a move ends."""
    waits = call.under("waiting", headers=call.headers | {"If-None-Match": scene.tag, "Prefer": "wait=5"})
    yield replace(waits, happens=(None,))
    if scene.meanwhile is not None:
        yield waits.under("woken", happens=(_moved(scene),))


def _after(call: Call, scene: Scene) -> Iterator[Call]:
    for after in (1, LATE):
        yield call.under("after", query=call.query | {"after": str(after)})


def _last_event_id(call: Call, scene: Scene) -> Iterator[Call]:
    """A stream that goes on after an event, with a heartbeat and news; and streams of those whose event is unknown."""
    streams = replace(call, headers=call.headers | {"Accept": "text/event-stream"})
    happens = (None,) if scene.meanwhile is None else (None, _moved(scene))
    yield streams.under("streamed", happens=happens)
    for mark in (f"1-{STAMP}", "1-unknown", f"{LATE}-{STAMP}"):
        yield streams.under("resumed", headers=streams.headers | {"Last-Event-ID": mark})


def _asked(name: str) -> Callable[[Call, Scene], Iterator[Call]]:
    def with_it(call: Call, scene: Scene) -> Iterator[Call]:
        """The call with something asked for in the query, which shows nothing then."""
        yield call.under(name, query=call.query | {name: "true"}, shows=NOTHING)

    return with_it


PARAMETERS: dict[str, Callable[[Call, Scene], Iterator[Call]]] = {
    "Idempotency-Key": _keyed,
    "If-Match": _if_match,
    "If-None-Match": _if_none_match,
    "Prefer": _waiting,
    "Last-Event-ID": _last_event_id,
    "after": _after,
    "dry_run": _asked("dry_run"),
    "preview": _asked("preview"),
    "erase": _asked("erase"),
}
OPERATIONS = {
    item[method]["operationId"]: (path, method, item)
    for path, item in SPEC["paths"].items()
    for method in METHODS
    if method in item
}


def calls(scene: Scene) -> Iterator[Call]:
    """All calls of a reader. Of several moves, the first is made in every way, and each other in some."""
    for name, (path, method, item) in OPERATIONS.items():
        of_a_game = "{id}" in path or name == "joinGame"
        if not of_a_game and scene.chance.randrange(SELDOM):
            continue
        varying = [
            PARAMETERS[each["name"]]
            for each in map(deref, (*item.get("parameters", ()), *item[method].get("parameters", ())))
            if each["in"] != "path"
        ]
        for index, call in enumerate(_plain(name, path, method, item, scene)):
            ways = [call, *(found for vary in varying for found in vary(call, scene))]
            yield from ways if index == 0 or method == "get" else scene.chance.sample(ways, 2)
            if method == "get":
                yield call.under("as HEAD", method="HEAD")
    seen = Call("getGame", "GET", f"/v1/games/{scene.world.game.id}")
    yield seen.under("damaged", damage=scene.chance.choice(["cut", "unreadable", "doubled"]))


def _plain(name: str, path: str, method: str, item: Doc, scene: Scene) -> Iterator[Call]:
    """The calls of an operation without any parameter but those of its path."""
    targets = [path]
    for parameter in map(deref, (*item.get("parameters", ()), *item[method].get("parameters", ()))):
        if parameter["in"] == "path":
            part = f"{{{parameter['name']}}}"
            targets = [each.replace(part, value) for each in targets for value in PATH[parameter["name"]](scene)]
    docs: list[Doc | None] = [*BODIES[name](scene)] if "requestBody" in item[method] else [None]
    for target in targets:
        for doc in docs:
            yield _with_body(Call(name, method.upper(), target, shows=_shown(name, doc, scene)), doc)


def _with_body(call: Call, doc: Doc | None) -> Call:
    if doc is None:
        return call
    return replace(call, body=orjson.dumps(doc), headers=call.headers | {"Content-Type": "application/json"})


def _shown(name: str, doc: Doc | None, scene: Scene) -> str:
    """What a call shows its reader by the rules, if it is carried out."""
    if name == "deleteGame" and scene.reader.role == "backend":
        return HANDS
    if scene.reader.seat is None:
        return NOTHING
    if name == "resignGame":
        return ends_by_resigning(scene.world, scene.reader.seat)
    return shown_by(scene.world, scene.reader.seat, doc) if name == "submitMove" and doc is not None else NOTHING


def _moved(scene: Scene) -> Call:
    """The move that somebody else makes meanwhile."""
    assert scene.meanwhile is not None
    move, credential = scene.meanwhile
    call = _with_body(Call("submitMove", "POST", f"/v1/games/{scene.world.game.id}/moves"), move)
    return replace(call, headers=call.headers | {"Authorization": f"Bearer {credential}"})
