"""API keys of backends: what is kept of one is its hash, so the settings give nobody a key."""

import hashlib
import secrets
from collections.abc import Mapping

from service.play.callers import Backend

KEY_PREFIX = "uk_"
KEY_BYTES = 32


class ApiKeys:
    """The keys that are accepted, by hash. Without any, the service is open: nobody needs one to create games."""

    def __init__(self, tenants: Mapping[str, str]) -> None:
        """tenants: the tenant of each key, by the key's SHA-256 in hexadecimal."""
        self._tenants = dict(tenants)

    @property
    def required(self) -> bool:
        """Whether a key is needed to create games."""
        return bool(self._tenants)

    def backend(self, key: str) -> Backend | None:
        """The backend that holds a key; None if nobody does."""
        if not key.startswith(KEY_PREFIX):
            return None
        tenant = self._tenants.get(hash_of(key))
        return None if tenant is None else Backend(tenant)


def hash_of(key: str) -> str:
    """What the settings hold of a key: its SHA-256, in hexadecimal. A key is random, so it needs no salt."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def new_key() -> str:
    """A new random key."""
    return KEY_PREFIX + secrets.token_urlsafe(KEY_BYTES)
