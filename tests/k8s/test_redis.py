"""The Redis of dev, run as its container runs it: its command, its configuration, its probes."""

import os
import shutil
import socket
import subprocess
from contextlib import contextmanager

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, OutOfMemoryError

from service.storage.durability import found_promise
from service.storage.embedded import find_server
from tests.e2e.conftest import eventually
from tests.k8s.test_pods import octets

PASSWORD = "0123456789abcdef" * 4
PATHS = {"/etc/redis/redis.conf": "redis.conf", "/data": "data"}


class Container:
    """The container of the StatefulSet in a folder: same words, other paths and port."""

    def __init__(self, overlay, folder):
        (self.spec,) = overlay.one("StatefulSet", "redis")["spec"]["template"]["spec"]["containers"]
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (config,) = (each for each in overlay.all("ConfigMap") if "redis.conf" in each["data"])
        (folder / "data").mkdir()
        self.program("redis-server", os.environ.get("UPCARD_TEST_REDIS_SERVER") or find_server())
        client = shutil.which("redis-cli")
        assert client is not None, "redis-cli is missing: make tools"
        self.program("redis-cli", f"{client} -p {self.port}")
        (folder / "redis.conf").write_text(
            f"bind 127.0.0.1\nport {self.port}\n{self.moved(config['data']['redis.conf'])}"
        )

    def program(self, name, line):
        path = self.folder / name
        path.write_text(f'#!/bin/sh\nexec {line} "$@"\n')
        path.chmod(0o755)

    def moved(self, text):
        for there, here in PATHS.items():
            text = text.replace(there, str(self.folder / here))
        return text

    def environ(self, password=PASSWORD):
        (variable,) = self.spec["env"]
        return os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}", variable["name"]: password}

    def probed(self, probe, password=PASSWORD):
        """Whether a probe of the container passes."""
        command = self.spec[probe]["exec"]["command"]
        ran = subprocess.run(command, env=self.environ(password), capture_output=True, timeout=30, check=False)
        return ran.returncode == 0

    @contextmanager
    def running(self):
        command = [self.moved(word) for word in self.spec["command"]]
        with (self.folder / "log").open("ab") as log:
            child = subprocess.Popen(command, env=self.environ(), stdout=log)
        try:
            eventually(lambda: self.probed("startupProbe"))
            yield child
        finally:
            child.kill()
            child.wait()

    def client(self, password=PASSWORD):
        return Redis(port=self.port, password=password)


@pytest.fixture
def container(dev, tmp_path):
    return Container(dev, tmp_path)


def test_it_promises_what_the_service_wants_to_find(container):
    with container.running(), container.client() as client:
        promise = found_promise(client)
        assert promise["append_only_fsync"] == "always"
        assert promise["settings"]["maxmemory-policy"] == "noeviction"


def test_an_acknowledged_write_survives_a_kill(container):
    with container.running() as child, container.client() as client:
        client.set("move", "knock")
        child.kill()
    with container.running(), container.client() as client:
        assert client.get("move") == b"knock"


def test_it_refuses_writes_when_it_is_full_and_keeps_what_it_has(container):
    with container.running(), container.client() as client:
        client.set("game", "kept")
        client.config_set("maxmemory", "1mb")
        with pytest.raises(OutOfMemoryError):
            client.set("another", "x" * 2**21)
        assert client.get("game") == b"kept"


def test_nobody_gets_in_without_the_password(container):
    with container.running(), container.client(password=None) as stranger:
        with pytest.raises(AuthenticationError):
            stranger.get("game")
        assert not container.probed("livenessProbe", password="")


def test_the_password_is_no_argument_which_a_process_list_would_show(container):
    container.program("redis-server", "echo")
    ran = subprocess.run(container.spec["command"], env=container.environ(), capture_output=True, text=True, check=True)
    assert ran.stdout == "/etc/redis/redis.conf -\n"


def test_every_probe_passes_while_it_answers_and_fails_when_it_is_gone(container):
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    with container.running():
        assert all(container.probed(probe) for probe in probes)
    assert not any(container.probed(probe) for probe in probes)


def test_it_may_hold_every_page_twice_while_it_rewrites_its_file(container):
    with container.running(), container.client() as client:
        most = int(client.config_get("maxmemory")["maxmemory"])
    assert 0 < 2 * most < octets(container.spec["resources"]["limits"]["memory"])


def test_its_data_lies_on_a_claim(dev, container):
    (claim,) = dev.one("StatefulSet", "redis")["spec"]["volumeClaimTemplates"]
    paths = {mount["mountPath"]: mount["name"] for mount in container.spec["volumeMounts"]}
    assert paths["/data"] == claim["metadata"]["name"]
    with container.running(), container.client() as client:
        assert client.config_get("dir")["dir"] == str(container.folder / "data")
