"""`upcard serve` is stopped, killed and started again, and keeps its promise: an acknowledged move is never lost."""

import os
import signal
import socket
import sys

import httpx
import pytest

from service.storage.data_folder import opened
from service.storage.embedded import EmbeddedValkey
from service.web.keys import hash_of, new_key

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="walks /proc; only Linux ends orphans")


@pytest.fixture(params=["shallow", "deep"])
def data(request, tmp_path):
    """A data folder; the deep one lies 90 folders down, in more than 900 characters."""
    return tmp_path / "data" if request.param == "shallow" else tmp_path.joinpath(*["ten-chars1"] * 90)


def created(url):
    answer = httpx.post(f"{url}/v1/games", json={"game": "gin"}, timeout=5)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return body["game"]["id"], body["game"]["version"], body["tokens"][0]["token"]


def version(url, game, token):
    answer = httpx.get(f"{url}/v1/games/{game}", headers={"Authorization": f"Bearer {token}"}, timeout=5)
    return answer.json()["version"] if answer.status_code == 200 else None


def test_a_stop_and_a_start_find_the_same_game(serve, data):
    first = serve(data)
    game, number, token = created(first.url())
    assert first.ends(signal.SIGTERM) == 0
    second = serve(data)
    assert version(second.url(), game, token) == number
    assert second.ends(signal.SIGINT) == 0


def test_a_kill_of_every_process_loses_no_game(serve, data):
    first = serve(data)
    game, number, token = created(first.url())
    first.dies()
    second = serve(data)
    assert version(second.url(), game, token) == number


def test_when_the_supervisor_is_killed_nothing_is_orphaned(serve, tmp_path):
    run = serve(tmp_path, "--workers", "2")
    run.url()
    assert len(run.members) == 5, "supervisor, Valkey, gunicorn and its two workers"
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    run.leaves_nothing(seconds=5)


def test_when_gunicorn_is_killed_all_of_it_ends(serve, tmp_path):
    run = serve(tmp_path)
    run.url()
    os.kill(run.command("gunicorn"), signal.SIGKILL)
    assert run.process.wait(15) == 128 + signal.SIGKILL
    run.leaves_nothing()


def test_when_valkey_alone_is_killed_it_is_started_again_and_nothing_is_lost(serve, tmp_path, eventually):
    run = serve(tmp_path)
    url = run.url()
    game, number, token = created(url)
    os.kill(run.command("valkey-server"), signal.SIGKILL)
    assert eventually(lambda: version(url, game, token), seconds=2) == number
    assert created(url)
    assert "starting it again" in run.said()


def test_a_hang_up_renews_the_workers_and_the_service_goes_on(serve, tmp_path, eventually, running):
    run = serve(tmp_path)
    url = run.url()
    before = run.members[-1]
    run.process.send_signal(signal.SIGHUP)
    eventually(lambda: not running(before))
    assert run.url() == url


def test_a_second_serve_on_the_same_folder_is_refused_and_the_first_goes_on(serve, tmp_path):
    first = serve(tmp_path)
    url = first.url()
    second = serve(tmp_path)
    assert second.process.wait(15) == 1
    assert second.said() == (
        f"Error: the data folder {tmp_path} is in use by another `upcard serve` (process {first.process.pid}); "
        "give --data\n"
    )
    assert created(url)


@pytest.mark.parametrize("environ", [{}, {"REDIS_URL": "redis://127.0.0.1:1", "UPCARD_SECRET": "e" * 32}])
def test_a_port_in_use_is_one_line_and_leaves_nothing(serve, tmp_path, environ):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = serve(tmp_path / "data", "--port", str(port), environ=environ)
        assert run.process.wait(15) == 1
    assert run.said() == f"Error: cannot listen on 127.0.0.1 port {port}: Address already in use\n"
    assert not (tmp_path / "data").exists()


def test_a_bad_setting_is_one_line_and_exit_code_2(serve, tmp_path):
    run = serve(tmp_path / "data", environ={"UPCARD_REDIS_POOL": "many"})
    assert run.process.wait(15) == 2
    assert run.said() == "Error: UPCARD_REDIS_POOL: Not a valid integer.\n"


def test_with_a_redis_of_its_own_the_process_becomes_gunicorn(serve, tmp_path):
    with opened(tmp_path / "redis") as folder, EmbeddedValkey(folder) as valkey:
        run = serve(tmp_path / "unused", environ={"REDIS_URL": valkey.url, "UPCARD_SECRET": "e" * 32})
        game, number, token = created(run.url())
        assert version(run.url(), game, token) == number
        assert run.command("gunicorn") == run.process.pid
        assert len(run.members) == 2, "gunicorn and its worker"
        assert run.ends(signal.SIGTERM) == 0
    assert not (tmp_path / "unused").exists()


def test_the_first_line_is_for_a_person(serve, tmp_path):
    run = serve(tmp_path)
    url = run.url()
    assert run.said().splitlines()[0] == (
        f"upcard: {url} - games are kept in {tmp_path} - "
        "open mode: no API keys, whoever reaches this port may create games"
    )


def test_once_a_key_is_listed_the_first_line_says_so_and_nothing_is_created_without_it(serve, tmp_path):
    key = new_key()
    run = serve(tmp_path, environ={"UPCARD_API_KEYS": f"shop:{hash_of(key)}"})
    url = run.url()
    assert run.said().splitlines()[0].endswith(" - API keys are needed to create games")
    headers = {"Authorization": f"Bearer {key}"}
    made = [httpx.post(f"{url}/v1/games", json={"game": "gin"}, headers=sent) for sent in ({}, headers)]
    assert [answer.status_code for answer in made] == [401, 201]
    assert key not in run.said()


def test_the_log_holds_the_address_that_a_trusted_proxy_tells_and_that_of_a_request_that_is_none(
    serve, tmp_path, eventually
):
    run = serve(tmp_path, environ={"UPCARD_TRUSTED_PROXIES": "1"})
    url = run.url()
    httpx.get(f"{url}/v1/rulesets?hidden=1", headers={"X-Forwarded-For": "192.0.2.7", "Authorization": "Bearer hidden"})
    eventually(lambda: '"remote":"192.0.2.0","method":"GET","path":"/v1/rulesets"' in run.said())
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as line:
        line.sendall(b"no request\r\n\r\n")
        line.recv(1024)
    eventually(lambda: "Refused what is not HTTP from 127.0.0.0" in run.said())
    assert "hidden" not in run.said()
