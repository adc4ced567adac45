"""What the store was found to promise, read from the running server and never assumed."""

from typing import cast

from redis import Redis
from redis.exceptions import ResponseError

from service.rulebooks.base import Doc
from service.storage.reaching import Served, passing

SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy")


def found_promise(client: Redis) -> Doc:
    """What survives a crash of the store: `always`, `everysec` or `nothing`, or `unknown` where the server hides it.

    Raises StoreUnavailable.
    """
    with Served():
        version = _version(client)
        values = _settings(client)
    return {"version": version, "append_only_fsync": _survives(values), "settings": values}


def _survives(values: dict[str, str] | None) -> str:
    if values is None or not {"appendonly", "appendfsync"} <= values.keys():
        return "unknown"
    return values["appendfsync"] if values["appendonly"] == "yes" else "nothing"


def _settings(client: Redis) -> dict[str, str] | None:
    """The server's own settings; None where a managed server does not tell them."""
    try:
        found = [cast(dict[bytes, bytes], client.config_get(name)) for name in SETTINGS]
    except ResponseError as refused:
        if passing(refused):
            raise
        return None
    return {_text(key): _text(value) for each in found for key, value in each.items()}


def _version(client: Redis) -> str:
    try:
        return str(client.info("server")["redis_version"])
    except ResponseError as refused:
        if passing(refused):
            raise
        return "unknown"


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
