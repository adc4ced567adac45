"""What the store was found to promise, read from the running server and never assumed."""

from typing import cast

from redis import Redis
from redis.exceptions import ResponseError

from service.rulebooks.base import Doc
from service.storage.redis_games import served

SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy")


def found_promise(client: Redis) -> Doc:
    """What survives a crash of the store: `always`, `everysec` or `nothing`, or `unknown` where the server hides it.

    Raises StoreUnavailable.
    """
    with served():
        info = client.info("server")
        values = _settings(client)
    survives = "unknown" if values is None else values["appendfsync"] if values["appendonly"] == "yes" else "nothing"
    return {"version": str(info["redis_version"]), "append_only_fsync": survives, "settings": values}


def _settings(client: Redis) -> dict[str, str] | None:
    """The server's own settings; None where a managed server does not tell them."""
    try:
        found = cast(dict[bytes, bytes], client.config_get(*SETTINGS))
    except ResponseError:
        return None
    return {str(_text(key)): str(_text(value)) for key, value in found.items()}


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
