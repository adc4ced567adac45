"""What the store promises is read from the running server."""

import pytest
from redis.exceptions import ResponseError

from service.storage.durability import found_promise
from tests.conftest import running_store


@pytest.fixture(scope="module")
def client():
    with running_store() as running:
        yield running.client


@pytest.mark.parametrize(
    ("appendonly", "appendfsync", "found"),
    [
        ("no", "always", "nothing"),
        ("yes", "always", "always"),
        ("yes", "everysec", "everysec"),
        ("yes", "no", "no"),
    ],
)
def test_what_a_crash_leaves_is_told_as_the_server_is_set(client, appendonly, appendfsync, found):
    client.config_set("appendfsync", appendfsync)
    client.config_set("appendonly", appendonly)
    promise = found_promise(client)
    assert promise["append_only_fsync"] == found
    assert promise["settings"] == {
        "appendonly": appendonly,
        "appendfsync": appendfsync,
        "maxmemory-policy": client.config_get("maxmemory-policy")["maxmemory-policy"],
    }
    assert promise["version"][0].isdigit()


def test_a_server_that_tells_none_of_its_settings_promises_nothing_known(client, monkeypatch):
    monkeypatch.setattr(client, "config_get", lambda *_names: {})
    promise = found_promise(client)
    assert (promise["append_only_fsync"], promise["settings"]) == ("unknown", {})


def test_a_server_that_hides_its_settings_promises_nothing_known(client, monkeypatch):
    def hidden(*names):
        raise ResponseError("unknown command 'CONFIG'")

    monkeypatch.setattr(client, "config_get", hidden)
    promise = found_promise(client)
    assert (promise["append_only_fsync"], promise["settings"]) == ("unknown", None)


def test_a_server_that_hides_its_version_is_of_an_unknown_one(client, monkeypatch):
    def refused(*words):
        raise ResponseError("NOPERM this user has no permissions to run the 'info' command")

    monkeypatch.setattr(client, "info", refused)
    assert found_promise(client)["version"] == "unknown"
