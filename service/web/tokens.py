"""Names and signatures: game ids, seat tokens and invites. Nothing is stored, a secret vouches for all of them."""

import hashlib
import hmac
import os
import re
import secrets
from base64 import urlsafe_b64encode
from functools import lru_cache
from typing import NamedTuple

from service.cards.shuffle import ROOT_BYTES
from service.play.callers import Caller
from service.play.ports import UnknownSecret

TOKEN_PREFIX = "us_"
ASCII_BUT_DOT = r"[\x00-\x2d\x2f-\x7f]*"
TOKEN = re.compile(rf"{TOKEN_PREFIX}({ASCII_BUT_DOT})\.([0-9]{{1,9}})\.([0-9]{{1,9}})\.{ASCII_BUT_DOT}")
"""Game, seat, generation and signature of a token; what is in the first and the last of them nobody has said yet."""
ID_BYTES = 12
MAC_BYTES = 16
STAMP_BYTES = 6
REMEMBERED = 16_384
"""How many tokens a process remembers: players ask again and again with the same ones."""
LONGEST = 80
"""Characters of a text that is remembered; ours are shorter."""


class Signer:
    """Makes and checks signatures under a list of secrets: the first signs, all verify."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._keys = {
            hashlib.sha256(b"upcard-secret-id:" + key.encode()).hexdigest()[:8]: hmac.new(
                key.encode(), digestmod="sha256"
            )
            for key in keys
        }
        self._signing = next(iter(self._keys))
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._bearer)

    def game_ids(self, caller: str, key: str | None) -> tuple[str, ...]:
        """The id for a new game first; then others that the same idempotency key may have made a game under."""
        if key is None:
            return (secrets.token_hex(ID_BYTES),)
        return tuple(self._mac(secret_id, "game", caller, key)[:ID_BYTES].hex() for secret_id in self._keys)

    def root(self) -> bytes:
        """32 random bytes that a match is dealt from."""
        return secrets.token_bytes(ROOT_BYTES)

    def stamp(self) -> str:
        """Eight random characters that tell one commit from any other."""
        return urlsafe_b64encode(os.urandom(STAMP_BYTES)).decode()

    def secret_id(self) -> str:
        """Which secret signs now."""
        return self._signing

    def seat_token(self, game_id: str, seat: int, generation: int, secret_id: str) -> str:
        """The token of a seat. Raises UnknownSecret."""
        return f"{TOKEN_PREFIX}{game_id}.{seat}.{generation}.{self._seat_mac(game_id, seat, generation, secret_id)}"

    def invite(self, game_id: str, secret_id: str) -> str:
        """What lets somebody join a game. Raises UnknownSecret."""
        return f"{game_id}.{self._text_mac(secret_id, 'invite', game_id)}"

    def pseudonym(self, address: str) -> str:
        """What stands for a caller's address where it is kept; it changes with the secret that signs."""
        return self._text_mac(self._signing, "address", address)

    def bearer(self, text: str) -> "Bearer | None":
        """Who shows a seat token; None if the text is none. The answer for a text never changes."""
        return self._remembered(text) if len(text) <= LONGEST else self._bearer(text)

    def _bearer(self, text: str) -> "Bearer | None":
        told = TOKEN.fullmatch(text)
        if told is None:
            return None
        game_id, seat, generation = told[1], int(told[2]), int(told[3])
        tokens = (self.seat_token(game_id, seat, generation, secret_id) for secret_id in self._keys)
        genuine = any(hmac.compare_digest(token, text) for token in tokens)
        return Bearer(game_id, Caller(seat, generation), genuine)

    def vouches_for_invite(self, game_id: str, mac: str) -> bool:
        """Whether a listed secret signed an invite to this game."""
        return mac.isascii() and any(
            hmac.compare_digest(self._text_mac(secret_id, "invite", game_id), mac) for secret_id in self._keys
        )

    def _seat_mac(self, game_id: str, seat: int, generation: int, secret_id: str) -> str:
        return self._text_mac(secret_id, "seat", game_id, str(seat), str(generation))

    def _text_mac(self, secret_id: str, *parts: str) -> str:
        return urlsafe_b64encode(self._mac(secret_id, *parts)[:MAC_BYTES]).rstrip(b"=").decode()

    def _mac(self, secret_id: str, *parts: str) -> bytes:
        key = self._keys.get(secret_id)
        if key is None:
            raise UnknownSecret(secret_id)
        begun = key.copy()
        begun.update("\n".join(("upcard/1", *parts)).encode())
        return begun.digest()


class Bearer(NamedTuple):
    """Who shows a seat token: for which game, the seat that it speaks for, and whether it was given out.

    It was if a listed secret signed it, and it is written as ours are: a number has one spelling.
    """

    game_id: str
    caller: Caller
    genuine: bool
