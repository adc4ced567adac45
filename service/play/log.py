"""The log of a game: one entry a version. It is the record, and replaying it gives the snapshot.

| type      | seat          | data                                                         |
|-----------|---------------|--------------------------------------------------------------|
| `created` | none          | everything that the game was made with, the secret root too  |
| `joined`  | the new one's | `name`, `client_seed`                                        |
| `dealt`   | who dealt     | `client_seed` if one came with the deal                      |
| `move`    | the mover's   | `move` as it was resolved                                    |
| `round`   | the mover's   | `move`, and the `result` of the round that it ended          |
| `ended`   | the winner's  | `kind`                                                       |
| `left`    | the leaver's  | nothing: the seat is open again                              |

A resignation is a `move`, or a `round` if one was in play. A game that is cancelled before its first deal has only an
`ended` of the kind `abandoned`.
"""

from msgspec import Struct
from msgspec.structs import replace

from service.cards.card import name
from service.cards.cardset import read_cards
from service.cards.shuffle import commitment
from service.play.game import Game, Seat, dealt, seats_dealt
from service.rulebooks.base import Doc, Event
from service.rulebooks.registry import RULEBOOKS


class Entry(Struct, frozen=True):
    """What one version of a game added. at: milliseconds since 1970."""

    type: str
    at: int
    seat: int | None
    data: Doc


def created_entry(game: Game, first_dealer: int | None) -> Entry:
    """The first entry of a game, from which it can be made again."""
    return Entry(
        "created",
        game.created_at,
        None,
        {
            "id": game.id,
            "game": game.kind,
            "rules_revision": game.rulebook.REVISION,
            "ruleset": game.rulebook.write_ruleset(game.rulebook.ruleset(game.state)),
            "seats": [seat_doc(seat) for seat in game.seats],
            "first_dealer": first_dealer,
            "root": game.root.hex(),
            "spectators": game.spectators,
            "metadata": game.metadata,
            "tenant": game.tenant,
            "holder": game.holder,
            "decks": decks_doc(game.decks),
        },
    )


def entry_of(event: Event, at: int) -> Entry:
    """The entry of a move, or of a move that ended a round."""
    if event.result is None:
        return Entry("move", at, event.seat, {"move": event.move})
    return Entry("round", at, event.seat, {"move": event.move, "result": event.result})


def grown(game: Game, entry: Entry) -> Game:
    """The game after one more entry of its log. Raises RuleViolation if the rules refuse what the log says."""
    return replace(_after(game, entry), version=game.version + 1, updated_at=entry.at)


def _after(game: Game, entry: Entry) -> Game:
    match entry.type:
        case "joined":
            assert entry.seat is not None
            return game.with_seat(entry.seat, Seat(entry.data["name"], client_seed=entry.data["client_seed"]))
        case "dealt":
            assert entry.seat is not None
            return dealt(seeded(game, entry.seat, entry.data.get("client_seed")))
        case "move" | "round":
            assert entry.seat is not None
            return replace(game, state=replayed(game, entry.seat, entry.data["move"]))
        case "left":
            assert entry.seat is not None
            return game.with_seat(entry.seat, Seat())
        case "ended" if entry.data["kind"] == "abandoned":
            return replace(game, state=game.rulebook.abandon(game.state))
        case "ended":
            return game
    raise ValueError(f"a log has no entry of the type {entry.type!r} here")


def replayed(game: Game, seat: int, move: Doc) -> object:
    """The state of the game after a seat's move or resignation."""
    if move["type"] == "resign":
        return game.rulebook.resign(game.state, seat, seats_dealt(game)).state
    return game.rulebook.apply(game.state, seat, game.rulebook.read_move(move)).state


def seeded(game: Game, seat: int, client_seed: str | None) -> Game:
    """The game with a seat's client seed set; it holds until the seat gives another."""
    if client_seed is None:
        return game
    return game.with_seat(seat, replace(game.seats[seat], client_seed=client_seed))


def from_created(entry: Entry) -> Game:
    """The game that the first entry of a log made."""
    data = entry.data
    rulebook = RULEBOOKS[data["game"]]
    root = bytes.fromhex(data["root"])
    values = dict(data["ruleset"])
    ruleset = rulebook.read_ruleset(values.pop("preset"), values)
    return Game(
        id=data["id"],
        kind=data["game"],
        state=rulebook.start(ruleset, len(data["seats"]), data["first_dealer"]),
        seats=tuple(Seat(**seat) for seat in data["seats"]),
        root=root,
        commitment=commitment(root),
        created_at=entry.at,
        updated_at=entry.at,
        spectators=data["spectators"],
        metadata=data["metadata"],
        tenant=data["tenant"],
        holder=data.get("holder"),
        decks=read_decks(data["decks"]),
        version=1,
    )


def seat_doc(seat: Seat) -> Doc:
    """A seat for storage; what it has not is left out."""
    fields = {"name": seat.name, "bot": seat.bot, "client_seed": seat.client_seed}
    return {key: value for key, value in fields.items() if value}


def decks_doc(decks: tuple[tuple[int, ...], ...] | None) -> list[str] | None:
    """Sandbox decks for storage: each a text of 104 characters."""
    return None if decks is None else ["".join(map(name, deck)) for deck in decks]


def read_decks(packed: list[str] | None) -> tuple[tuple[int, ...], ...] | None:
    """What `decks_doc` wrote."""
    return None if packed is None else tuple(tuple(read_cards(deck)) for deck in packed)
