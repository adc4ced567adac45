"""The walk that every change of a game takes: load, draft, write all or nothing; and answers that are given again."""

from collections.abc import Callable
from typing import Any

import orjson
from msgspec.structs import replace

from service.play.callers import Backend, Viewer, check_generation, check_owns, seat_of
from service.play.errors import Busy, GameTooLarge, KeyExpired, KeyReused, NoSuchGame, Stale
from service.play.game import Game
from service.play.ports import Change, Committed, Head, Ids, Outdated, Receipt, Replay, UnknownSecret
from service.play.table import TRIES, Answer, Conditions, Draft, Keyed, Table
from service.play.views import etag
from service.rulebooks.base import Doc


def change(
    table: Table,
    game_id: str,
    act: Callable[[Game, Head, int], Draft],
    *,
    caller: Viewer,
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
        check_generation(loaded.head, caller)
        if loaded.receipt is not None:
            return replayed(table, game_id, conditions, loaded.receipt)
        game = loaded.game()
        if isinstance(caller, Backend):
            check_owns(game, caller)
        check_if_match(conditions, loaded.head, caller)
        draft = act(game, loaded.head, loaded.now)
        answer = write(table, draft, loaded.head, conditions, keep_ms)
        if answer is not None:
            return answer
    raise Busy


def write(table: Table, draft: Draft, seen: Head | None, conditions: Conditions, keep_ms: int) -> Answer | None:
    """Write a drafted change and give the answer; None if the game is no longer as it was seen."""
    game = replace(draft.game, stamp=table.ids.stamp())
    answer, receipt = sealed(table, draft, etag(draft.viewer, game.version, game.stamp), conditions.keyed)
    outcome = table.store.commit(
        Change(
            game=game,
            entries=draft.entries,
            seen=seen,
            generations=draft.generations,
            expires_at=game.expires_at(table.lifetimes),
            receipt=receipt,
            receipt_until=table.lifetimes.receipt_until(game, game.updated_at, keep_ms) if receipt else 0,
        )
    )
    match outcome:
        case Committed():
            if game.over and game.holder is not None:
                table.quota.release(game.holder, game.id)
            return answer
        case Replay(receipt):
            return replayed(table, game.id, conditions, receipt)
    assert isinstance(outcome, Outdated)
    return None


def sealed(table: Table, draft: Draft, etag: str, keyed: Keyed | None) -> tuple[Answer, Receipt | None]:
    """The answer of a draft with its tokens signed, and what is kept of it if the request has a key."""
    secret_id = table.ids.secret_id()
    body = orjson.dumps(signed(table.ids, draft.game.id, draft.doc, secret_id, draft.generation))
    answer = Answer(draft.status, body, etag, draft.location)
    if keyed is None:
        return answer, None
    receipt = Receipt(
        name=keyed.name,
        request=keyed.request,
        status=answer.status,
        etag=answer.etag,
        location=answer.location,
        secret_id=secret_id,
        generation=draft.generation,
        body=orjson.dumps(draft.doc),
    )
    return answer, receipt


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


def check_room(table: Table, head: Head) -> None:
    """Refuse that a game grows further once it takes more bytes than one may. Raises GameTooLarge."""
    if table.most_bytes and head.size > table.most_bytes:
        raise GameTooLarge(table.most_bytes)


def check_if_match(conditions: Conditions, head: Head, caller: Viewer) -> None:
    """Refuse a change for another version than the current one. Raises Stale, with the current version."""
    if conditions.if_match is None or "*" in conditions.if_match:
        return
    if etag(seat_of(caller), head.version, head.stamp) not in conditions.if_match:
        raise Stale(head.version)
