"""Who calls, by the bearer credential: a seat's token or a backend's API key. Checked without any look-up."""

import re
from typing import TypeVar

from flask import Request, current_app

from service.play.callers import Backend, Caller, Viewer
from service.play.errors import CredentialRefused, NoSuchGame
from service.web.keys import ApiKeys
from service.web.tokens import Signer, read_token

GAME_ID = re.compile(r"[0-9a-f]{24}")

T = TypeVar("T")


def _wired(name: str, kind: type[T]) -> T:
    """A part that the application was wired with."""
    found = current_app.extensions[name]
    assert isinstance(found, kind)
    return found


def bearer(request: Request) -> str:
    """The bearer credential of a request as it was sent; empty without one."""
    scheme, _, text = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""


def signer() -> Signer:
    """Who signs and checks what the service gives out."""
    return _wired("signer", Signer)


def viewer_of(request: Request, game_id: str) -> Viewer:
    """Who looks at a game: a seat in it, a backend, or an onlooker; a token of another game counts for nothing.

    Raises CredentialRefused for a token of this game that nobody signed.
    """
    text = bearer(request)
    token = read_token(text)
    if token is None:
        return _wired("keys", ApiKeys).backend(text)
    if token.game_id != game_id:
        return None
    if not signer().vouches_for_seat(token):
        raise CredentialRefused
    return token.caller


def required_seat(request: Request, game_id: str) -> Caller:
    """The caller's seat, without which the call is refused before any look-up. Raises CredentialRefused."""
    viewer = viewer_of(request, game_id)
    if not isinstance(viewer, Caller):
        raise CredentialRefused
    return viewer


def required_backend(request: Request) -> Backend:
    """The calling backend, without which the call is refused before any look-up. Raises CredentialRefused."""
    backend = backend_of(request)
    if backend is None:
        raise CredentialRefused
    return backend


def backend_of(request: Request) -> Backend | None:
    """The calling backend; None without an API key that is listed."""
    return _wired("keys", ApiKeys).backend(bearer(request))


def vouched_for(request: Request) -> bool:
    """Whether the credential of a request is one that was given out, be it in force or not."""
    text = bearer(request)
    token = read_token(text)
    if token is None:
        return _wired("keys", ApiKeys).backend(text) is not None
    return signer().vouches_for_seat(token)


def creator(request: Request) -> Backend | None:
    """Whose game a new one will be; nobody's where the service is open. Raises CredentialRefused."""
    return required_backend(request) if _wired("keys", ApiKeys).required else None


def known(game_id: str) -> str:
    """A game id that could be one. Raises NoSuchGame for any other text."""
    if not GAME_ID.fullmatch(game_id):
        raise NoSuchGame
    return game_id


def invited_game(invite: str) -> str:
    """The game that an invite is for. Raises NoSuchGame if nobody signed it."""
    game_id, _, mac = invite.partition(".")
    if not GAME_ID.fullmatch(game_id) or not signer().vouches_for_invite(game_id, mac):
        raise NoSuchGame
    return game_id
