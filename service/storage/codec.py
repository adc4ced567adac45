"""A game as Redis holds it: the snapshot, the log entries and the receipts, and what is read is checked."""

from typing import Any

import orjson

from service.cards.shuffle import ROOT_BYTES
from service.play.errors import SnapshotCorrupt, SnapshotUnreadable
from service.play.game import Game, Seat
from service.play.log import Entry, decks_doc, read_decks, seat_doc
from service.play.ports import Logged, Receipt
from service.rulebooks.base import Doc
from service.rulebooks.errors import CorruptState
from service.rulebooks.registry import RULEBOOKS

SCHEMA = 2
"""The newest form of a snapshot; older ones are read as well, and the one before this can be written.

2 added `holder`, for whom a game is counted while it is open.
"""
_YEAR_6429 = 1 << 47


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
        doc = _newest(orjson.loads(snapshot))
        game = Game(
            id=game_id,
            kind=doc["game"],
            state=RULEBOOKS[doc["game"]].load(doc["match"]),
            seats=_seats(doc),
            root=_root(doc["root"]),
            commitment=_typed(doc, "commitment", str),
            created_at=_milliseconds(doc["created_at"]),
            updated_at=_milliseconds(doc["updated_at"]),
            spectators=_typed(doc, "spectators", bool),
            metadata=_typed(doc, "metadata", dict, type(None)),
            tenant=_typed(doc, "tenant", str, type(None)),
            holder=_typed(doc, "holder", str, type(None)),
            decks=read_decks(doc["decks"]),
            server_only=_typed(doc, "server_only", bool),
            version=version,
            stamp=stamp,
        )
        if not set(game.rulebook.playing(game.state) or ()) <= set(range(len(game.seats))):
            raise CorruptState("somebody plays without a seat")
    except (CorruptState, KeyError, TypeError, ValueError, AttributeError) as fault:
        raise SnapshotCorrupt(f"{type(fault).__name__}: {fault}") from fault
    return game


def _newest(doc: Doc) -> Doc:
    """A snapshot in the newest form. Raises SnapshotUnreadable for a form that is not known."""
    match doc["schema"]:
        case 2:
            return doc
        case 1:
            return doc | {"schema": 2, "holder": None}
        case unknown:
            raise SnapshotUnreadable(unknown)


def _seats(doc: Doc) -> tuple[Seat, ...]:
    seats = tuple(Seat(**seat) for seat in doc["seats"])
    if not {type(value) for seat in doc["seats"] for value in seat.values()} <= {str}:
        raise CorruptState("a seat holds something else than texts")
    fewest, most = RULEBOOKS[doc["game"]].SEATS
    if not fewest <= len(seats) <= most:
        raise CorruptState(f"{len(seats)} seats")
    return seats


def _root(text: str) -> bytes:
    root = bytes.fromhex(text)
    if len(root) != ROOT_BYTES:
        raise CorruptState(f"a root of {len(root)} bytes")
    return root


def _milliseconds(value: Any) -> int:
    if type(value) is not int or not 0 <= value < _YEAR_6429:
        raise CorruptState(f"{value!r} is not a time")
    return value


def _typed(doc: Doc, field: str, *kinds: type) -> Any:
    if type(doc[field]) not in kinds:
        raise CorruptState(f"{field} is {doc[field]!r}")
    return doc[field]


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
