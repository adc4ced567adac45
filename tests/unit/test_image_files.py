"""The properties of the Dockerfile and of the example for compose that must not get lost.

`make image-check` builds and runs the image; here is what can be read off the files, and the store's own command.
"""

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
import yaml
from redis import Redis
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as RedisConnectionError

from service.storage.embedded import find_server
from tests.image.container import LOCKED_UP

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
COMPOSE = yaml.safe_load((ROOT / "examples/compose.yaml").read_text())


def instructions(name):
    return re.findall(rf"^{name} +(.*)$", DOCKERFILE, re.MULTILINE)


def test_the_base_has_a_whole_version_and_can_be_held_to_a_digest():
    assert re.fullmatch(r"\S+/python:3\.\d+-slim-[a-z]+", re.search(r"^ARG BASE=(\S+)$", DOCKERFILE, re.MULTILINE)[1])
    assert {line.split(" AS ")[0] for line in instructions("FROM")} == {"${BASE}${BASE_DIGEST:+@$BASE_DIGEST}"}


def test_packages_are_fetched_by_their_hashes_alone():
    """Each command of pip either holds what it fetches to a hash, or fetches nothing."""
    commands = [
        part
        for line in instructions("RUN")
        for part in line.split("&&")
        if re.search(r"\bpip\b.*\b(install|wheel)\b", part)
    ]
    assert len(commands) == 4
    assert all(("--require-hashes" in command) != ("--no-index" in command) for command in commands)


def test_the_service_runs_as_a_user_without_rights():
    assert instructions("USER") == ["10001:10001"]


def test_signals_reach_the_service_and_not_a_shell():
    assert json.loads(instructions("ENTRYPOINT")[0]) == ["upcard"]
    assert json.loads(instructions("CMD")[0])[0] == "serve"
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_the_health_check_asks_the_service_without_a_shell_or_curl():
    (check,) = instructions("HEALTHCHECK")
    program, _, code = json.loads(check.partition("CMD ")[2])
    assert program == "python"
    assert "/healthz" in code


@pytest.mark.parametrize("label", ["title", "description", "licenses", "version", "revision", "source"])
def test_the_image_says_what_it_is(label):
    assert f"org.opencontainers.image.{label}=" in instructions("LABEL")[0]


def test_nothing_is_sent_to_the_build_unless_it_is_listed():
    listed = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert listed[0] == "*"
    assert {line[1:] for line in listed if line[0] == "!"} == {
        "pyproject.toml", "README.md", "LICENSE", "NOTICE", "openapi.yaml", "service",
        "requirements/image.txt", "requirements/image-build.txt",
    }  # fmt: skip


def test_the_page_locks_it_up_as_the_check_does():
    page = (ROOT / "docs/image.md").read_text()
    assert all(option in page for option in LOCKED_UP)


@pytest.mark.parametrize("name", ["upcard", "store"])
def test_in_the_example_each_container_is_locked_up(name):
    container = COMPOSE["services"][name]
    assert container["read_only"] is True
    assert (container["cap_drop"], container["security_opt"]) == (["ALL"], ["no-new-privileges:true"])
    assert re.search(r":\d[\w.-]*$", container["image"])
    assert container.get("user") != "root"


def test_in_the_example_the_service_is_for_this_machine_and_the_store_for_nobody_else():
    assert COMPOSE["services"]["upcard"]["ports"] == ["127.0.0.1:8000:8000"]
    assert "ports" not in COMPOSE["services"]["store"]
    assert COMPOSE["networks"]["back"] == {"internal": True}


def test_in_the_example_no_secret_stands_in_the_file():
    given = {name: value for each in COMPOSE["services"].values() for name, value in each["environment"].items()}
    assert all(re.search(r"\$\{[A-Z_]+:[?-]", value) for value in given.values())


def test_in_the_example_the_store_needs_its_password_and_writes_each_move_to_disk():
    """Its own command, but for the folder, and for a socket in place of its port."""
    with tempfile.TemporaryDirectory(prefix="upcard-") as folder:  # a socket's path must be short
        Path(folder, "valkey-server").symlink_to(find_server())
        script = COMPOSE["services"]["store"]["command"][2].replace("$$", "$")
        script = script.replace("--dir /data", f"--dir {folder} --port 0 --unixsocket {folder}/s")
        environ = {"PATH": f"{folder}:/usr/bin:/bin", "REDISCLI_AUTH": "hush"}
        with subprocess.Popen(["sh", "-c", script], env=environ, stdout=subprocess.DEVNULL) as store:
            try:
                holds_what_the_example_promises(store, f"{folder}/s")
            finally:
                store.terminate()
        assert store.returncode == 0


def holds_what_the_example_promises(store, address):
    with Redis(unix_socket_path=address, password="hush", decode_responses=True) as client:
        wait_for(client, store)
        found = client.config_get("append*", "maxmemory-policy")
        assert (found["appendonly"], found["appendfsync"]) == ("yes", "always")
        assert found["maxmemory-policy"] == "noeviction"
    with Redis(unix_socket_path=address) as stranger, pytest.raises(AuthenticationError):
        stranger.ping()
    assert "hush" not in Path(f"/proc/{store.pid}/cmdline").read_text()


def wait_for(client, server):
    end = time.monotonic() + 10
    while True:
        try:
            return client.ping()
        except RedisConnectionError:
            assert server.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
