"""A service that lists API keys: two of the tenant shop, one of the tenant club."""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from service.bootstrap import create_app
from tests.api.backends import Backend, made_keys
from tests.conftest import Store, client_for, served, settings_for


@dataclass(frozen=True)
class Keyed:
    """Where a service with API keys answers, and the keys that it lists."""

    address: str
    shop: str
    shop_too: str
    club: str


@pytest.fixture(scope="session")
def keyed(store: Store) -> Iterator[Keyed]:
    """The service that the tests share."""
    keys, listed = made_keys("shop", "shop", "club")
    with served(create_app(settings_for(store.url, listed_keys=listed))) as address:
        yield Keyed(address, *keys)


@pytest.fixture
def keyed_http(keyed: Keyed) -> Iterator[httpx.Client]:
    """A client of the service with API keys."""
    with client_for(keyed.address) as client:
        yield client


@pytest.fixture
def shop(keyed: Keyed, keyed_http: httpx.Client) -> Backend:
    """A backend."""
    return Backend(keyed_http, keyed.shop)


@pytest.fixture
def club(keyed: Keyed, keyed_http: httpx.Client) -> Backend:
    """Another backend."""
    return Backend(keyed_http, keyed.club)
