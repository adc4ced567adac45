"""Creating a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.bots.base import POLICIES
from service.cards.card import DECK_SIZE, Card
from service.cards.shuffle import commitment
from service.play.callers import Backend
from service.play.errors import (
    BotNotAvailable,
    Busy,
    KeyExpired,
    NoHumanSeat,
    RequestRefused,
    SandboxNotAllowed,
    TooManyGames,
)
from service.play.game import Game, Seat
from service.play.log import created_entry
from service.play.table import DAY_MS, FIRST_GENERATION, TRIES, Answer, Conditions, Draft, Holder, Table
from service.play.views import game_view
from service.play.walk import replayed, write
from service.rulebooks.base import Doc, Rulebook
from service.rulebooks.registry import RULEBOOKS


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a client asks for. seats: None for the caller's and one open. decks: of the first rounds, in a sandbox."""

    kind: str
    preset: str
    overrides: Mapping[str, Any]
    seats: tuple[Seat, ...] | None = None
    first_dealer: int | None = None
    spectators: bool = False
    metadata: Doc | None = None
    decks: tuple[tuple[Card, ...], ...] | None = None


DEFAULT_SEATS = (Seat(name="Player 1"), Seat())


def create(
    table: Table, wanted: NewGame, backend: Backend | None, holder: Holder | None, conditions: Conditions
) -> Answer:
    """A new game: 201 with its view, a token for every named seat, and an invite.

    backend: whose game it will be, if anybody's. holder: whom it is counted for, if anybody. The same idempotency key
    finds the game that it made. Raises RulesetRefused, RequestRefused, TooManyGames, KeyReused or KeyExpired.
    """
    rulebook = RULEBOOKS[wanted.kind]
    ruleset = rulebook.read_ruleset(wanted.preset, wanted.overrides)
    seats = _checked_seats(wanted, rulebook)
    _check_decks(table, wanted)
    keyed, tenant = conditions.keyed, None if backend is None else backend.tenant
    for _ in range(TRIES + 1):
        game_ids = table.ids.game_ids(tenant or "", keyed.key if keyed else None)
        now = 0
        for game_id in game_ids:
            loaded = table.store.load(game_id, keyed.name if keyed else None)
            if loaded.receipt is not None:
                return replayed(table, game_id, conditions, loaded.receipt)
            if loaded.head is not None:
                raise KeyExpired
            now = loaded.now
        _check_quota(table, holder, game_ids[0])
        root = table.ids.root()
        game = Game(
            id=game_ids[0],
            kind=wanted.kind,
            state=rulebook.start(ruleset, len(seats), wanted.first_dealer),
            seats=seats,
            root=root,
            commitment=commitment(root),
            created_at=now,
            updated_at=now,
            spectators=wanted.spectators,
            metadata=wanted.metadata,
            decks=wanted.decks,
            tenant=tenant,
            holder=holder.name if holder else None,
            version=1,
        )
        answer = write(table, _draft(table, game, wanted.first_dealer), None, conditions, DAY_MS)
        if answer is not None:
            return answer
    raise Busy


def _draft(table: Table, game: Game, first_dealer: int | None) -> Draft:
    named = [index for index, seat in enumerate(game.seats) if seat.kind == "human"]
    viewer = named[0] if len(named) == 1 else None
    doc = {
        "game": game_view(game, viewer, table.lifetimes),
        "tokens": [{"seat": seat, "token": None} for seat in named],
        "invite": None,
    }
    location = f"/v1/games/{game.id}"
    generations = (FIRST_GENERATION,) * len(game.seats)
    return Draft(game, (created_entry(game, first_dealer),), doc, viewer, generations, status=201, location=location)


def _checked_seats(wanted: NewGame, rulebook: Rulebook) -> tuple[Seat, ...]:
    seats = DEFAULT_SEATS if wanted.seats is None else wanted.seats
    fewest, most = rulebook.SEATS
    if not fewest <= len(seats) <= most:
        count = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise RequestRefused("/seats", f"{wanted.kind} is played with {count} seats")
    for index, seat in enumerate(seats):
        if seat.bot is not None and seat.bot not in POLICIES[wanted.kind]:
            levels = ", ".join(POLICIES[wanted.kind])
            raise BotNotAvailable(f"/seats/{index}/bot", f"the computer players of {wanted.kind} are: {levels}")
    if all(seat.kind == "bot" for seat in seats):
        raise NoHumanSeat("/seats", "at least one seat must be named or open")
    if wanted.first_dealer is not None and wanted.first_dealer >= len(seats):
        raise RequestRefused("/first_dealer", f"must be a seat from 0 to {len(seats) - 1}")
    return seats


def _check_quota(table: Table, holder: Holder | None, game_id: str) -> None:
    if holder is not None and not table.quota.admit(holder.name, game_id, holder.most):
        raise TooManyGames(holder.most)


def _check_decks(table: Table, wanted: NewGame) -> None:
    if wanted.decks is None:
        return
    if not table.sandbox:
        raise SandboxNotAllowed("/sandbox", "decks may be given only where UPCARD_SANDBOX is on")
    for index, deck in enumerate(wanted.decks):
        if len(deck) != DECK_SIZE or len(set(deck)) != DECK_SIZE:
            raise RequestRefused(f"/sandbox/decks/{index}", "must be the 52 cards, each once")
