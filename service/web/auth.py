"""Who calls: the seat that the bearer token speaks for. The signature is checked here, without any look-up."""

import re

from flask import Request, current_app

from service.play.errors import CredentialRefused, NoSuchGame
from service.play.table import Caller
from service.web.tokens import Signer, read_token

GAME_ID = re.compile(r"[0-9a-f]{24}")


def signer() -> Signer:
    """The signer that the application was wired with."""
    found = current_app.extensions["signer"]
    assert isinstance(found, Signer)
    return found


def seat_of(request: Request, game_id: str) -> Caller | None:
    """The caller's seat in this game; None without a token of this game, since a token of another counts for nothing.

    Raises CredentialRefused for a token of this game that nobody signed.
    """
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    token = read_token(text.strip()) if scheme.lower() == "bearer" else None
    if token is None or token.game_id != game_id:
        return None
    if not signer().vouches_for_seat(token):
        raise CredentialRefused
    return token.caller


def required_seat(request: Request, game_id: str) -> Caller:
    """The caller's seat, without which the call is refused before any look-up. Raises CredentialRefused."""
    caller = seat_of(request, game_id)
    if caller is None:
        raise CredentialRefused
    return caller


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
