"""A game as Redis holds it: the snapshot, the log entries and the receipts, and what is read is checked."""

from contextlib import suppress
from typing import Annotated, Any, Literal, TypeAlias

import orjson
from msgspec import UNSET, DecodeError, Meta, Struct, UnsetType, json

from service.cards.shuffle import ROOT_BYTES
from service.play.errors import SnapshotCorrupt, SnapshotUnreadable
from service.play.game import Game, Seat
from service.play.log import Entry, decks_doc, read_decks, seat_doc
from service.play.ports import Logged, Receipt
from service.rulebooks.base import Doc, Rulebook
from service.rulebooks.errors import CorruptState
from service.rulebooks.registry import RULEBOOKS

SCHEMA = 2
"""The newest form of a snapshot; older ones are read as well, and the one before this can be written.

2 added `holder`, for whom a game is counted while it is open. A field that is not known is refused, so whoever adds one
to what is stored of a game, or of a match, raises this number.
"""
DEEPEST = 64
"""Metadata is nested no deeper: the service takes less, and could send no more than some 250 levels."""
_YEAR_6429 = 1 << 47
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, lt=_YEAR_6429)]
Root: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * ROOT_BYTES}}}\Z")]


class StoredSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as it is stored: what it has not is left out."""

    name: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    client_seed: str = ""


class Snapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """A game as it is stored, without version and stamp; `match` is the rulebook's own, and schema 1 has no holder."""

    schema: Literal[1, 2]
    game: str
    seats: tuple[StoredSeat, ...]
    root: Root
    commitment: str
    created_at: Milliseconds
    updated_at: Milliseconds
    spectators: bool
    metadata: Doc | None
    tenant: str | None
    decks: list[str] | None
    server_only: bool
    match: Doc
    holder: str | UnsetType | None = UNSET


class _Form(Struct, frozen=True):
    schema: Any


_read_snapshot = json.Decoder(Snapshot).decode
_read_form = json.Decoder(_Form).decode


def encode_game(game: Game, schema: int = SCHEMA) -> bytes:
    """The snapshot of a game; version and stamp are kept beside it. schema: 1 or 2; 1 forgets the holder."""
    return orjson.dumps(
        {
            "schema": schema,
            "game": game.kind,
            "seats": [seat_doc(seat) for seat in game.seats],
            "root": game.root.hex(),
            "commitment": game.commitment,
            "created_at": game.created_at,
            "updated_at": game.updated_at,
            "spectators": game.spectators,
            "metadata": game.metadata,
            "tenant": game.tenant,
            **({"holder": game.holder} if schema > 1 else {}),
            "decks": decks_doc(game.decks),
            "server_only": game.server_only,
            "match": game.rulebook.dump(game.state),
        }
    )


def decode_game(game_id: str, version: int, stamp: str, snapshot: bytes) -> Game:
    """The game of a snapshot. Raises SnapshotUnreadable or SnapshotCorrupt."""
    try:
        stored = _read_snapshot(snapshot)
        rulebook = RULEBOOKS[stored.game]
        state = rulebook.load(stored.match)
        _check_seats(rulebook, state, len(stored.seats))
        _check_depth(stored.metadata, DEEPEST)
        return Game(
            id=game_id,
            kind=stored.game,
            state=state,
            seats=tuple(map(_seat, stored.seats)),
            root=bytes.fromhex(stored.root),
            commitment=stored.commitment,
            created_at=stored.created_at,
            updated_at=stored.updated_at,
            spectators=stored.spectators,
            metadata=stored.metadata,
            tenant=stored.tenant,
            holder=_holder(stored),
            decks=read_decks(stored.decks),
            server_only=stored.server_only,
            version=version,
            stamp=stamp,
        )
    except (CorruptState, KeyError, ValueError, RecursionError) as fault:
        _check_schema(snapshot)
        raise SnapshotCorrupt(f"{type(fault).__name__}: {fault}") from fault


def _check_schema(snapshot: bytes) -> None:
    """Raise SnapshotUnreadable for a snapshot in a form that is not known."""
    with suppress(DecodeError, RecursionError):
        schema = _read_form(snapshot).schema
        if schema not in (1, 2):
            raise SnapshotUnreadable(schema)


def _seat(stored: StoredSeat) -> Seat:
    return Seat(
        None if stored.name is UNSET else stored.name,
        None if stored.bot is UNSET else stored.bot,
        stored.client_seed,
    )


def _holder(stored: Snapshot) -> str | None:
    if (stored.holder is UNSET) != (stored.schema == 1):
        raise CorruptState(f"a holder of schema {stored.schema}")
    return None if stored.holder is UNSET else stored.holder


def _check_seats(rulebook: Rulebook, state: object, seats: int) -> None:
    fewest, most = rulebook.SEATS
    if not fewest <= seats <= most:
        raise CorruptState(f"{seats} seats")
    if not set(rulebook.playing(state) or ()) <= set(range(seats)):
        raise CorruptState("somebody plays without a seat")


def _check_depth(metadata: Any, left: int) -> None:
    if not isinstance(metadata, dict | list):
        return
    if left == 0:
        raise CorruptState(f"metadata is nested more than {DEEPEST} deep")
    for inner in metadata.values() if isinstance(metadata, dict) else metadata:
        _check_depth(inner, left - 1)


def encode_entry(entry: Entry, stamp: str, receipt: str | None) -> bytes:
    """A log entry, with the stamp of its commit and, if the request had a key, the name of its receipt."""
    return orjson.dumps([entry.type, entry.at, stamp, entry.seat, entry.data, *([receipt] if receipt else [])])


def decode_entry(raw: bytes) -> Entry:
    """The entry that `encode_entry` wrote. Raises SnapshotCorrupt."""
    return decode_logged(0, raw).entry


def decode_logged(version: int, raw: bytes) -> Logged:
    """The entry that made a version, with the stamp of its commit. Raises SnapshotCorrupt."""
    kind, at, stamp, seat, data, *_receipt = _entry_fields(raw)
    return Logged(version, stamp, Entry(kind, at, seat, data))


def receipt_of_entry(raw: bytes) -> str | None:
    """The name of the receipt that an entry was written with, or None for a request without a key.

    Raises SnapshotCorrupt.
    """
    _kind, _at, _stamp, _seat, _data, *receipt = _entry_fields(raw)
    return str(receipt[0]) if receipt else None


def _entry_fields(raw: bytes) -> list[Any]:
    try:
        fields = orjson.loads(raw)
    except ValueError as fault:
        raise SnapshotCorrupt(f"a log entry cannot be read: {fault}") from fault
    if type(fields) is not list or len(fields) not in (5, 6):
        raise SnapshotCorrupt("a log entry has not its five or six fields")
    return fields


def encode_receipt(receipt: Receipt) -> bytes:
    """A receipt: one line of what is around the answer's body, then the body."""
    head = [receipt.request, receipt.status, receipt.etag, receipt.location, receipt.secret_id, receipt.generation]
    return orjson.dumps(head) + b"\n" + receipt.body


def decode_receipt(name: str, raw: bytes) -> Receipt:
    """The receipt that `encode_receipt` wrote under a name. Raises SnapshotCorrupt."""
    head, _, body = raw.partition(b"\n")
    try:
        request, status, etag, location, secret_id, generation = orjson.loads(head)
    except (TypeError, ValueError) as fault:
        raise SnapshotCorrupt(f"a receipt cannot be read: {fault}") from fault
    return Receipt(name, request, status, etag, location, secret_id, generation, body)
