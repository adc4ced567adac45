"""What runs from the image: it serves, it has no rights, it writes nowhere, it ends when it is told to."""

import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import family
from tests.image.conftest import PASSWORD, SECRET
from tests.image.container import Container, ran, until

ROOT = Path(__file__).parents[2]
ESTABLISHED, LISTENING = "01", "0A"


def test_it_is_alive_and_ready(service):
    assert httpx.get(f"{service.url}/healthz").json() == {"status": "ok"}
    ready = httpx.get(f"{service.url}/readyz").json()
    assert (ready["status"], ready["store"]["append_only_fsync"]) == ("ready", "always")


def test_a_whole_match_is_played_on_it_and_kept_in_the_store(service, redis):
    command = [sys.executable, str(ROOT / "examples/play_match.py"), "--url", service.url]
    played = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert played.returncode == 0, played.stderr
    assert "wins the match" in played.stdout
    assert len(redis.keys("*:game:*")) == 1


def facts(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


def test_every_process_is_the_user_10001_who_has_no_rights_and_can_get_none(service):
    processes = family(service.pid)
    assert len(processes) == 3  # gunicorn and two workers
    for process in map(facts, processes):
        assert process["Uid"] == process["Gid"] == ["10001"] * 4
        assert process["Groups"] == ["10001"]
        assert {int(process[f"Cap{kind}"][0], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
        assert process["NoNewPrivs"] == ["1"]
        assert process["Seccomp"] == ["2"]


def test_the_service_itself_is_the_first_process(service):
    assert facts(service.pid)["NSpid"][-1] == "1"
    assert "gunicorn" in Path(f"/proc/{service.pid}/cmdline").read_text().split("\0")


@pytest.mark.parametrize("place", ["/", "/etc", "/opt/upcard", "/usr/local/bin", "/var/tmp", "/run", "/home"])
def test_nothing_can_be_written_to_the_root_file_system(service, place):
    assert "Read-only file system" in service.inside("touch", f"{place}/new").stderr


def test_what_it_keeps_open_lies_in_memory(service):
    """A worker tells by a file in /dev/shm that it is alive, and counts in files of a folder there."""
    opened = [fd.readlink() for pid in family(service.pid) for fd in Path(f"/proc/{pid}/fd").iterdir()]
    files = [file for file in opened if file.is_absolute() and file != Path("/dev/null")]
    counting, alive = ({file.parent for file in files if (file.suffix == ".db") is counts} for counts in (True, False))
    assert alive == {Path("/dev/shm")}
    assert all(folder.parent == Path("/dev/shm") for folder in counting)


def sockets(state):
    """The local port and the inode of every TCP socket in this state; a connection not yet accepted has inode 0."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {(int(row[1].rpartition(":")[2], 16), int(row[9])) for row in rows if row[3] == state}


def test_it_listens_on_one_port_alone(service):
    listening = {port for port, inode in sockets(LISTENING) if owns(service, inode)}
    assert listening == {8000}


def owns(service, inode):
    links = [str(fd.readlink()) for pid in family(service.pid) for fd in Path(f"/proc/{pid}/fd").iterdir()]
    return f"socket:[{inode}]" in links


def test_its_health_check_succeeds(service):
    assert service.healthy()


def test_its_health_check_fails_where_nobody_listens():
    options = ("--network=none", "--entrypoint=python")
    idle = Container({}, "-c", "import signal; signal.pause()", options=options)
    try:
        assert not idle.healthy()
    finally:
        idle.remove()


def test_the_log_tells_no_secret(service):
    log = service.log()
    assert "GET" in log
    assert SECRET not in log
    assert PASSWORD not in log


def test_told_to_end_it_answers_what_it_was_asked_and_exits_with_0(start):
    """The request is half sent when the signal comes; the rest follows when the door is closed already."""
    service = start("serve", "--host", "0.0.0.0", "--port", "8002", port=8002)
    with socket.create_connection(("127.0.0.1", 8002)) as line:
        line.sendall(b"GET /v1/rulesets HTTP/1.1\r\nHost: upcard\r\n")
        until(lambda: any(port == 8002 and inode for port, inode in sockets(ESTABLISHED)))
        service.told_to_end()
        until(lambda: 8002 not in dict(sockets(LISTENING)))
        line.sendall(b"\r\n")
        assert line.recv(1024).startswith(b"HTTP/1.1 200 OK\r\n")
    assert service.exit_code() == 0


def test_without_a_store_it_says_what_to_set(settings):
    said = ran({})
    assert said.returncode == 1
    assert said.stderr.endswith("or set REDIS_URL and UPCARD_SECRET\n")
    said = ran({"REDIS_URL": settings["REDIS_URL"]})
    assert said.returncode == 2
    assert said.stderr.startswith("Error: UPCARD_SECRET: is needed with REDIS_URL")


def test_the_other_commands_are_in_it_too():
    assert ran({}, "--version").stdout.startswith("upcard ")
    assert ran({}, "keys", "new", "shop").stdout.startswith("key: ")
