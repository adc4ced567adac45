"""A store with a password, and the service from the image on it."""

import secrets
import subprocess
from collections.abc import Callable, Iterator

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from service.storage.embedded import find_server
from tests.image.container import Container, until

SECRET = secrets.token_hex(32)
PASSWORD = secrets.token_hex(16)


@pytest.fixture(scope="session")
def redis(tmp_path_factory) -> Iterator[Redis]:
    """A client of the store."""
    folder = tmp_path_factory.mktemp("redis")
    options = ["--bind", "127.0.0.1", "--requirepass", PASSWORD, "--appendonly", "yes", "--appendfsync", "always"]
    server = subprocess.Popen([find_server(), *options, "--save", ""], cwd=folder, stdout=subprocess.DEVNULL)
    client = Redis(password=PASSWORD)
    try:
        until(lambda: answers(client))
        yield client
    finally:
        client.close()
        server.terminate()
        server.wait(10)


def answers(client: Redis) -> bool:
    try:
        return client.ping()
    except RedisConnectionError:
        return False


@pytest.fixture(scope="session")
def settings(redis) -> dict[str, str]:
    """What a container needs to serve on the store."""
    return {"REDIS_URL": f"redis://:{PASSWORD}@127.0.0.1:6379", "UPCARD_SECRET": SECRET}


@pytest.fixture(scope="session")
def start(settings) -> Iterator[Callable[..., Container]]:
    """Starts a container and returns when it answers. words, port: as for Container."""
    started = []

    def run(*words: str, port: int = 8000) -> Container:
        started.append(Container(settings, *words, port=port))
        until(started[-1].alive)
        return started[-1]

    yield run
    for container in started:
        container.remove()


@pytest.fixture(scope="session")
def service(start) -> Container:
    """The service as the image runs it when nothing else is said."""
    return start()
