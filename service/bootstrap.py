"""The one place where the parts are wired together."""

import logging
import os
import time
from functools import partial

from flask import Flask

from service.config import ConfigError, Settings
from service.play.game import Lifetimes
from service.play.table import Table
from service.storage.durability import found_promise
from service.storage.reaching import connect
from service.storage.redis_feed import RedisFeed
from service.storage.redis_games import RedisGames
from service.storage.redis_quota import RedisQuota
from service.web.app import make_app
from service.web.edge import Edge
from service.web.keys import ApiKeys
from service.web.readiness import Readiness
from service.web.tokens import Signer

log = logging.getLogger("upcard")


def create_app(settings: Settings | None = None) -> Flask:
    """The application for some settings; those of the environment by default. Raises ConfigError."""
    settings = settings or Settings.read(os.environ)
    if settings.redis_url is None:
        raise ConfigError("REDIS_URL", "is needed here; `upcard serve` can run a store of its own")
    client = connect(settings.redis_url, settings.redis_timeout, settings.redis_pool)
    signer = Signer(settings.secrets)
    feed = RedisFeed(client)
    table = Table(
        store=RedisGames(client, settings.write_schema),
        ids=signer,
        feed=feed,
        quota=RedisQuota(client, settings.expire_idle * 1000),
        lifetimes=Lifetimes(settings.expire_waiting, settings.expire_idle, settings.expire_finished),
        sandbox=settings.sandbox,
        most_bytes=settings.game_bytes,
        heartbeat=settings.heartbeat,
        give_way=partial(time.sleep, 0),
    )
    readiness = Readiness(lambda: found_promise(client))
    _log_promise(readiness)
    edge = Edge(
        pool=connect(settings.redis_url, settings.redis_timeout / 2, settings.redis_pool).connection_pool,
        creates=settings.rate_create,
        joins=settings.rate_join,
        analyses=settings.rate_analysis,
        calls=settings.rate_calls,
        failures=settings.rate_failures,
        tenant_games=settings.open_games_tenant,
        address_games=settings.open_games_address,
        waiters=settings.waiters,
        caller_waiters=settings.caller_waiters,
        origins=settings.cors_origins,
        proxies=settings.trusted_proxies,
    )
    return make_app(table, signer, ApiKeys(settings.api_keys), readiness, edge)


def _log_promise(readiness: Readiness) -> None:
    found = readiness.store()
    if found is None:
        log.warning("the store has not answered yet")
    else:
        log.info("the store is %s and its append-only file is synced: %s", found["version"], found["append_only_fsync"])
