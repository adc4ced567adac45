"""Where the service meets the network: who may call from where, and how often."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Edge:
    """Limits of 0 set none.

    creates, joins, analyses: calls a minute by backend or address, counted in the store that `pool` connects to.
    calls: all others, a second and credential. failures: credentials that failed, a minute and address. tenant_games,
    address_games: how many games a backend or an address may have open. origins: of web pages that may call. proxies:
    how many stand before the service and tell the caller's address. waiters: how many callers may wait for news in this
    process, none at 0. caller_waiters: how many of them by credential or address.
    """

    pool: Any
    creates: int = 0
    joins: int = 0
    analyses: int = 0
    calls: int = 0
    failures: int = 0
    tenant_games: int = 0
    address_games: int = 0
    waiters: int = 0
    caller_waiters: int = 0
    origins: tuple[str, ...] = ()
    proxies: int = 0
