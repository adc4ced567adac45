"""Who calls: a seat, a backend, or an onlooker; and what each may look at."""

from dataclasses import dataclass
from typing import TypeAlias

from service.play.errors import CredentialRefused, NoSuchGame
from service.play.game import Game
from service.play.ports import Head


@dataclass(frozen=True, slots=True)
class Caller:
    """Who holds a seat's token; its signature has been checked, its generation has not."""

    seat: int
    generation: int


@dataclass(frozen=True, slots=True)
class Backend:
    """Who holds an API key. tenant: whose games are its own."""

    tenant: str


Viewer: TypeAlias = Caller | Backend | None
"""None is an onlooker, without a credential for the game."""


def seat_of(viewer: Viewer) -> int | None:
    """The seat whose view a caller gets; None is the public view."""
    return viewer.seat if isinstance(viewer, Caller) else None


def check_generation(head: Head, viewer: Viewer) -> None:
    """Refuse a token that was replaced by a newer one. Raises CredentialRefused."""
    if not isinstance(viewer, Caller):
        return
    if viewer.seat >= len(head.generations) or head.generations[viewer.seat] != viewer.generation:
        raise CredentialRefused


def check_may_look(game: Game, viewer: Viewer) -> None:
    """Refuse the games of others, and onlookers where a game wants none. Raises NoSuchGame: they may not know of it."""
    match viewer:
        case Caller():
            return
        case Backend(tenant) if game.tenant == tenant:
            return
    if not game.spectators:
        raise NoSuchGame


def check_owns(game: Game, backend: Backend) -> None:
    """Refuse to let a backend manage the games of others, onlookers or not. Raises NoSuchGame."""
    if game.tenant != backend.tenant:
        raise NoSuchGame
