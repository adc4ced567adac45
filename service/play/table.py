"""The table: what every use case works with, and the walk that every change of a game takes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import orjson

from service.play.errors import Busy, KeyExpired, KeyReused, NoSuchGame, Stale
from service.play.game import Game, Lifetimes
from service.play.log import Entry
from service.play.ports import (
    Change,
    Committed,
    Head,
    Ids,
    Outdated,
    Receipt,
    Replay,
    Store,
    UnknownSecret,
)
from service.play.views import check_generation, etag
from service.rulebooks.base import Doc

TRIES = 3
"""How often a change is tried again when another came between reading and writing."""
FIRST_GENERATION = 1
"""The generation of a seat's first token."""
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@dataclass(frozen=True, slots=True)
class Table:
    """The ports and settings of the use cases. sandbox: whether clients may give decks."""

    store: Store
    ids: Ids
    lifetimes: Lifetimes
    sandbox: bool = False


@dataclass(frozen=True, slots=True)
class Caller:
    """Who holds a seat's token; its signature has been checked, its generation has not."""

    seat: int
    generation: int


@dataclass(frozen=True, slots=True)
class Keyed:
    """An idempotency key. name: of the receipt. key: as sent. request: SHA-256 of the raw body, hexadecimal."""

    name: str
    key: str
    request: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a request makes its change depend on. if_match: entity tags, of which one must be the current one."""

    keyed: Keyed | None = None
    if_match: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back. body: JSON."""

    status: int
    body: bytes
    etag: str = ""
    location: str = ""
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A change before it is written: the game with its entries, and the answer, with null for each token in it.

    viewer: the seat whose view is in the answer. generations: of the seats' tokens afterwards. generation: of the
    tokens in the answer.
    """

    game: Game
    entries: tuple[Entry, ...]
    doc: Doc
    viewer: int | None
    generations: tuple[int, ...]
    generation: int = FIRST_GENERATION
    status: int = 200
    location: str = ""


def change(
    table: Table,
    game_id: str,
    act: Callable[[Game, Head, int], Draft],
    *,
    caller: Caller | None,
    conditions: Conditions,
    keep_ms: int,
) -> Answer:
    """Load a game, let `act` draft its change at the store's time, and write it, all or nothing.

    A request that was answered before gets that answer again. If others change the game in between, the change is
    drafted anew, unless the request names the version that it is for.
    Raises NoSuchGame, CredentialRefused, KeyReused, Stale or Busy, and what `act` raises; then nothing has changed.
    """
    for _ in range(TRIES + 1):
        loaded = table.store.load(game_id, conditions.keyed.name if conditions.keyed else None)
        if loaded.head is None:
            raise NoSuchGame
        if caller is not None:
            check_generation(loaded.head, caller.seat, caller.generation)
        if loaded.receipt is not None:
            return replayed(table, game_id, conditions, loaded.receipt)
        check_if_match(conditions, loaded.head, caller)
        draft = act(loaded.game(), loaded.head, loaded.now)
        answer = write(table, draft, loaded.head, conditions, keep_ms)
        if answer is not None:
            return answer
    raise Busy


def write(table: Table, draft: Draft, seen: Head | None, conditions: Conditions, keep_ms: int) -> Answer | None:
    """Write a drafted change and give the answer; None if the game is no longer as it was seen."""
    game = replace(draft.game, stamp=table.ids.stamp())
    secret_id = table.ids.secret_id()
    body = orjson.dumps(signed(table.ids, game.id, draft.doc, secret_id, draft.generation))
    answer = Answer(draft.status, body, etag(draft.viewer, game.version, game.stamp), draft.location)
    keyed = conditions.keyed
    outcome = table.store.commit(
        Change(
            game=game,
            entries=draft.entries,
            seen=seen,
            generations=draft.generations,
            expires_at=game.expires_at(table.lifetimes),
            receipt_name=keyed.name if keyed else None,
            receipt=_receipt(keyed, draft, answer, secret_id) if keyed else None,
            receipt_ms=keep_ms,
        )
    )
    match outcome:
        case Committed():
            return answer
        case Replay(receipt):
            return replayed(table, game.id, conditions, receipt)
    assert isinstance(outcome, Outdated)
    return None


def _receipt(keyed: Keyed, draft: Draft, answer: Answer, secret_id: str) -> Receipt:
    return Receipt(
        request=keyed.request,
        status=answer.status,
        etag=answer.etag,
        location=answer.location,
        secret_id=secret_id,
        generation=draft.generation,
        body=orjson.dumps(draft.doc),
    )


def replayed(table: Table, game_id: str, conditions: Conditions, receipt: Receipt) -> Answer:
    """The first answer once more, byte for byte. Raises KeyReused if the body is another, or KeyExpired."""
    if conditions.keyed is None or conditions.keyed.request != receipt.request:
        raise KeyReused
    try:
        doc = signed(table.ids, game_id, orjson.loads(receipt.body), receipt.secret_id, receipt.generation)
    except UnknownSecret as gone:
        raise KeyExpired from gone
    return Answer(receipt.status, orjson.dumps(doc), receipt.etag, receipt.location, replayed=True)


def signed(ids: Ids, game_id: str, doc: Doc, secret_id: str, generation: int) -> Doc:
    """An answer with its null tokens and invite filled in."""

    def with_token(held: Any) -> Any:
        return held | {"token": ids.seat_token(game_id, held["seat"], generation, secret_id)}

    filled = dict(doc)
    if "tokens" in doc:
        filled["tokens"] = [with_token(held) for held in doc["tokens"]]
    if "token" in doc:
        filled |= with_token(doc)
    if "invite" in doc:
        filled["invite"] = ids.invite(game_id, secret_id)
    return filled


def check_if_match(conditions: Conditions, head: Head, caller: Caller | None) -> None:
    """Refuse a change for another version than the current one. Raises Stale, with the current version."""
    if conditions.if_match is None or "*" in conditions.if_match:
        return
    seat = caller.seat if caller is not None else None
    if etag(seat, head.version, head.stamp) not in conditions.if_match:
        raise Stale(head.version)
