"""Settings: everything that the environment decides, each declared once.

`Settings.read` takes them from a mapping, `table` writes docs/configuration.md from the same declarations.

ConfigError            name, reason
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from environs import Env, EnvError, EnvValidationError, ValidationError, validate

LEVELS = ("debug", "info", "warning", "error", "critical")
SECRET_LENGTH = 32
HOW_TO_MAKE_ONE = 'python -c "import secrets; print(secrets.token_hex(32))"'
DAY = 86_400
TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
HASH = re.compile(r"[0-9a-f]{64}")
ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


class ConfigError(Exception):
    """A setting cannot be used; the message names it and the reason, never its value."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


@dataclass(frozen=True)
class Kind:
    """A type of setting: how its values are described, and how one is read."""

    words: str
    read: Callable[[Env, str], object]


@dataclass(frozen=True)
class Setting:
    """One variable of the environment. shown: its default, as the documentation writes it."""

    name: str
    kind: Kind
    shown: str
    says: str


class _Mapped(Env):
    """Reads the given mapping where environs would read the process's own environment."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        super().__init__()
        self._given = environ

    def _get_value(self, env_key: str, default: Any) -> Any:
        return self._given.get(env_key, default).strip()


def _redis_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        whole = bool(parts.path if parts.scheme == "unix" else parts.hostname and parts.port != 0)
    except ValueError:
        raise ValidationError("is not a URL, or its port is not a number.") from None
    if parts.scheme not in ("redis", "rediss", "unix") or not whole:
        raise ValidationError("must look like redis://host:6379/0, rediss://... or unix:///path.")


def _secrets(env: Env, name: str) -> tuple[str, ...]:
    found = tuple(secret.strip() for secret in env.str(name).split(","))
    if any(len(secret) < SECRET_LENGTH or not (secret.isascii() and secret.isprintable()) for secret in found):
        raise EnvError(
            f"each secret needs at least {SECRET_LENGTH} characters of printable ASCII; make one: {HOW_TO_MAKE_ONE}"
        )
    return found


def _level(env: Env, name: str) -> str:
    return env.str(name, validate=lambda level: validate.OneOf(LEVELS)(level.lower())).lower()


def _api_keys(env: Env, name: str) -> tuple[tuple[str, str], ...]:
    """The hash of each key, and the tenant that holds it."""
    found = []
    for entry in env.str(name).replace("\n", ",").split(","):
        tenant, _, hashed = entry.strip().partition(":")
        if not entry.strip():
            continue
        if not TENANT.fullmatch(tenant) or not HASH.fullmatch(hashed):
            raise EnvError("each key is tenant:sha256; make one with: upcard keys new TENANT")
        found.append((hashed, tenant))
    if not found:
        raise EnvError("no key is in it")
    return tuple(found)


def _api_keys_file(env: Env, name: str) -> tuple[tuple[str, str], ...]:
    try:
        text = Path(env.str(name)).read_text()
    except OSError as fault:
        raise EnvError(f"the file cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise EnvError("the file is no text") from None
    return _api_keys(_Mapped({name: text}), name)


def _origins(env: Env, name: str) -> tuple[str, ...]:
    """The origins as browsers send them: anything else would match no page, or too many."""
    found = tuple(each.strip() for each in env.str(name).split(","))
    if not all(each == "*" or ORIGIN.fullmatch(each) for each in found):
        raise EnvError("each must look like https://example.com, without a path, or be * alone")
    return found


ADDRESS = Kind("URL", lambda env, name: env.str(name, validate=_redis_url))
SECRETS = Kind(f"list by commas, each at least {SECRET_LENGTH} characters", _secrets)
KEYS = Kind("list of tenant:sha256 by commas", _api_keys)
KEYS_FILE = Kind("path", _api_keys_file)
SWITCH = Kind("true or false", lambda env, name: env.bool(name))
# Ten years bound a lifetime: an expiry that Redis cannot hold would fail a script after its first write.
LIFETIME = Kind(
    "whole seconds, 60 to 315360000", lambda env, name: env.int(name, validate=validate.Range(60, 3650 * DAY))
)
TIMEOUT = Kind("seconds, 0.01 to 60", lambda env, name: env.float(name, validate=validate.Range(0.01, 60)))
CONNECTIONS = Kind("whole number, 1 to 10000", lambda env, name: env.int(name, validate=validate.Range(1, 10_000)))
LIMIT = Kind("whole number, 0 for no limit", lambda env, name: env.int(name, validate=validate.Range(0, 1_000_000)))
BYTES = Kind("whole number, 0 for no limit", lambda env, name: env.int(name, validate=validate.Range(0, 1 << 30)))
CAP = Kind("whole number, 0 to 1000000", lambda env, name: env.int(name, validate=validate.Range(0, 1_000_000)))
HEARTBEAT = Kind("seconds, 1 to 60", lambda env, name: env.float(name, validate=validate.Range(1, 60)))
SCHEMAS = Kind("1 or 2", lambda env, name: env.int(name, validate=validate.OneOf((1, 2))))
PROXIES = Kind("whole number, 0 to 10", lambda env, name: env.int(name, validate=validate.Range(0, 10)))
ORIGINS = Kind("list by commas, each scheme://host or scheme://host:port", _origins)
LEVEL = Kind(f"one of {', '.join(LEVELS)}", _level)


def _setting(name: str, kind: Kind, default: Any, says: str, *, shown: str = "", hidden: bool = False) -> Any:
    """A field of `Settings`. shown: words for a default that is no value. hidden: kept out of every repr."""
    declared = Setting(name, kind, shown or f"`{str(default).lower()}`", says)
    return field(default=default, repr=not hidden, metadata={"setting": declared})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the operator decided. Nothing secret is in its repr."""

    redis_url: str | None = _setting(
        "REDIS_URL",
        ADDRESS,
        None,
        "The Redis or Valkey that keeps the games; without it `upcard serve` runs a private one in its data folder. "
        "The user that it names needs the channels `{*}:news:*` too, or nobody who waits is told.",
        shown="none: embedded",
        hidden=True,
    )
    secrets: tuple[str, ...] = _setting(
        "UPCARD_SECRET",
        SECRETS,
        (),
        "What seat tokens are signed with: the first signs, all verify; needed with `REDIS_URL`.",
        shown="none: one is made in the data folder",
        hidden=True,
    )
    listed_keys: tuple[tuple[str, str], ...] = _setting(
        "UPCARD_API_KEYS",
        KEYS,
        (),
        "The API keys of backends; with any, creating games needs one. Two of one tenant are a rotation.",
        shown="none: open mode",
    )
    filed_keys: tuple[tuple[str, str], ...] = _setting(
        "UPCARD_API_KEYS_FILE",
        KEYS_FILE,
        (),
        "A file with more of them, one a line.",
        shown="none",
    )
    sandbox: bool = _setting(
        "UPCARD_SANDBOX", SWITCH, False, "Whether clients may give the decks of a game; for tests and lessons only."
    )
    expire_waiting: int = _setting(
        "UPCARD_EXPIRE_WAITING", LIFETIME, DAY, "How long a game that never started is kept."
    )
    expire_idle: int = _setting(
        "UPCARD_EXPIRE_IDLE", LIFETIME, 30 * DAY, "How long a game in play is kept after its last move."
    )
    expire_finished: int = _setting(
        "UPCARD_EXPIRE_FINISHED", LIFETIME, 7 * DAY, "How long a finished game is kept after its end."
    )
    redis_timeout: float = _setting(
        "UPCARD_REDIS_TIMEOUT", TIMEOUT, 0.5, "How long one trip to Redis may take before the caller is answered 503."
    )
    redis_pool: int = _setting(
        "UPCARD_REDIS_POOL",
        CONNECTIONS,
        32,
        "The most connections to Redis of one worker process for games; as many again may serve quotas, and limits.",
    )
    rate_create: int = _setting(
        "UPCARD_RATE_CREATE", LIMIT, 60, "How many games a backend or an address may create a minute."
    )
    rate_join: int = _setting(
        "UPCARD_RATE_JOIN", LIMIT, 120, "How many joins and previews an address may ask a minute."
    )
    rate_analysis: int = _setting(
        "UPCARD_RATE_ANALYSIS", LIMIT, 120, "How many analyses a backend or an address may ask a minute."
    )
    rate_calls: int = _setting(
        "UPCARD_RATE_CALLS", LIMIT, 50, "How many other calls one credential may make a second and worker process."
    )
    rate_failures: int = _setting(
        "UPCARD_RATE_FAILURES", LIMIT, 30, "How many wrong credentials an address may send a minute and worker process."
    )
    open_games_tenant: int = _setting(
        "UPCARD_OPEN_GAMES_TENANT", LIMIT, 100_000, "How many games a backend may have open at once."
    )
    open_games_address: int = _setting(
        "UPCARD_OPEN_GAMES_ADDRESS",
        LIMIT,
        1000,
        "How many games an address, or an IPv6 network of 64 bits, may have open at once where no API key is needed.",
    )
    game_bytes: int = _setting(
        "UPCARD_GAME_BYTES",
        BYTES,
        4 * 1024 * 1024,
        "How many bytes its state and its log may take in the store for a game still to deal another round.",
    )
    waiters: int = _setting(
        "UPCARD_WAITERS",
        CAP,
        8000,
        "How many callers may wait for news in one worker process; others are answered at once.",
    )
    caller_waiters: int = _setting(
        "UPCARD_CALLER_WAITERS",
        CAP,
        20,
        "How many of them may have the same credential or, without one, the same address.",
    )
    heartbeat: float = _setting(
        "UPCARD_HEARTBEAT", HEARTBEAT, 15.0, "After how long without news an event stream shows that it is alive."
    )
    cors_origins: tuple[str, ...] = _setting(
        "UPCARD_CORS_ORIGINS", ORIGINS, (), "The origins of web pages that may call the API; `*` for any.", shown="none"
    )
    trusted_proxies: int = _setting(
        "UPCARD_TRUSTED_PROXIES", PROXIES, 0, "How many proxies before the service tell the address of the caller."
    )
    write_schema: int = _setting(
        "UPCARD_WRITE_SCHEMA",
        SCHEMAS,
        2,
        "The form in which games are stored; while servers that only know the one before still run, set that one.",
    )
    log_level: str = _setting(
        "UPCARD_LOG_LEVEL",
        LEVEL,
        "info",
        "The least severe entry that is logged; the lines of the access log always are.",
    )

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Self:
        """The settings of an environment; a variable that is missing or blank has its default.

        Raises ConfigError for the first that cannot be used, and for REDIS_URL without UPCARD_SECRET.
        """
        env = _Mapped(environ)
        given = {
            key: _value(env, setting) for key, setting in declared().items() if environ.get(setting.name, "").strip()
        }
        settings = cls(**given)
        if settings.redis_url and not settings.secrets:
            raise ConfigError(
                "UPCARD_SECRET", f"is needed with REDIS_URL, the same for every server; make one: {HOW_TO_MAKE_ONE}"
            )
        if len(settings.api_keys) < len({*settings.listed_keys, *settings.filed_keys}):
            raise ConfigError("UPCARD_API_KEYS", "one key is listed for two tenants")
        return settings

    @property
    def api_keys(self) -> dict[str, str]:
        """The tenant of each API key, by the key's hash."""
        return dict(self.listed_keys + self.filed_keys)


def declared() -> dict[str, Setting]:
    """Every setting by the field of `Settings` that holds it, in the order of the documentation."""
    return {field.name: field.metadata["setting"] for field in fields(Settings)}


def _value(env: Env, setting: Setting) -> Any:
    try:
        return setting.kind.read(env, setting.name)
    except EnvValidationError as error:
        raise ConfigError(setting.name, " ".join(map(str, error.error_messages))) from None
    except EnvError as error:
        raise ConfigError(setting.name, str(error)) from None


def table() -> str:
    """The text of docs/configuration.md."""
    rows = [f"| `{it.name}` | {it.kind.words} | {it.shown} | {it.says} |" for it in declared().values()]
    return "\n".join(
        [
            "# Configuration",
            "",
            "Settings are environment variables; one that is missing or blank has its default, and one that cannot be",
            "used stops the start with its name and the reason. This page is generated:",
            "`python -m service.config > docs/configuration.md`.",
            "",
            "| variable | type | default | meaning |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(table())
