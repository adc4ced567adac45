"""Who calls, by the bearer credential: a seat's token or a backend's API key. Checked without any look-up."""

import re
from typing import NamedTuple

from flask import Request

from service.play.callers import Backend, Caller, Viewer
from service.play.errors import CredentialRefused, NoSuchGame
from service.web.current import wired
from service.web.keys import ApiKeys
from service.web.tokens import Bearer, Signer

GAME_ID = re.compile(r"[0-9a-f]{24}")
SHOWN = "upcard.shown"
"""Where the environment of a request keeps what it shows."""


class Shown(NamedTuple):
    """The bearer credential of a request: its text, empty without one, and who shows it if it is a seat's token."""

    text: str
    bearer: Bearer | None


def shown_by(request: Request) -> Shown:
    """What a request shows, read once and kept."""
    kept: Shown | None = request.environ.get(SHOWN)
    if kept is None:
        scheme, _, rest = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        text = rest.strip() if scheme.lower() == "bearer" else ""
        kept = request.environ[SHOWN] = Shown(text, signer().bearer(text))
    return kept


def signer() -> Signer:
    """Who signs and checks what the service gives out."""
    return wired("signer", Signer)


def viewer_of(request: Request, game_id: str) -> Viewer:
    """Who looks at a game: a seat in it, a backend, or an onlooker; a token of another game counts for nothing.

    Raises CredentialRefused for a token of this game that nobody signed.
    """
    text, bearer = shown_by(request)
    if bearer is None:
        return wired("keys", ApiKeys).backend(text)
    if bearer.game_id != game_id:
        return None
    if not bearer.genuine:
        raise CredentialRefused
    return bearer.caller


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
    return wired("keys", ApiKeys).backend(shown_by(request).text)


def genuine_credential(request: Request) -> str | None:
    """The credential of a request if it is one that was given out, be it in force or not."""
    text, bearer = shown_by(request)
    given_out = bearer.genuine if bearer is not None else wired("keys", ApiKeys).backend(text) is not None
    return text if given_out else None


def creator(request: Request) -> Backend | None:
    """Whose game a new one will be; nobody's where the service is open. Raises CredentialRefused."""
    return required_backend(request) if wired("keys", ApiKeys).required else None


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
