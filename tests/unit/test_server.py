import logging
import os
import signal
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from gunicorn import config

from service import server


@pytest.fixture(autouse=True)
def _logs():
    """What gunicorn's logger does to its own logs and to ours is undone."""
    logs = [logging.getLogger(name) for name in ("upcard", "gunicorn.error", "gunicorn.access")]
    before = [(log, log.handlers, log.propagate, log.level) for log in logs]
    for log in logs:
        log.handlers = list(log.handlers)
    yield
    for log, handlers, propagate, level in before:
        log.handlers, log.propagate = handlers, propagate
        log.setLevel(level)


@pytest.mark.parametrize(("level", "heard"), [("info", ["started", "away"]), ("error", [])])
def test_what_the_service_says_is_logged_from_the_level_that_is_set(level, heard, capfd):
    known = config.Config()
    known.set("loglevel", level)
    known.set("errorlog", "-")
    server.JsonLogger(known)
    logging.getLogger("upcard").info("started")
    logging.getLogger("upcard.storage").warning("away")
    lines = capfd.readouterr().err.splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == heard


def test_of_an_exception_the_log_tells_debuggers_only_the_kind():
    logger = server.JsonLogger(config.Config())
    heard = []
    logger.error_log = SimpleNamespace(debug=lambda message, *args, **options: heard.append(message % args))
    logger.debug("Ignored premature client disconnection. %s", ValueError("Bearer hidden"))
    logger.debug("%d workers", 2)
    assert heard == ["Ignored premature client disconnection. ValueError", "2 workers"]


def test_gunicorn_takes_every_setting():
    """Gunicorn skips a name that it does not know without a word: none of ours may be one of those."""
    known = config.Config()
    for name in (name for name, value in vars(server).items() if name.islower() and not callable(value)):
        if not name.startswith("_") and not isinstance(getattr(server, name), ModuleType):
            known.set(name, getattr(server, name))
    assert known.control_socket_disable is True
    assert known.max_requests == 0


def test_a_bad_setting_ends_gunicorn_with_one_line(monkeypatch, capsys):
    monkeypatch.setenv("UPCARD_LOG_LEVEL", "loud")
    with pytest.raises(SystemExit) as ended:
        server._log_level()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("Error: UPCARD_LOG_LEVEL: ")


def test_a_worker_that_still_boots_ends_at_once_when_told_to():
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
    before = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        server.post_fork(None, None)
        assert [signal.getsignal(number) for number in numbers] == [signal.SIG_DFL] * 3
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_the_workers_count_in_a_folder_that_goes_with_the_service(monkeypatch, tmp_path):
    monkeypatch.setenv(server.FOLDER, "put aside, so that what is set here goes with the test")
    monkeypatch.delenv(server.FOLDER)
    monkeypatch.setattr(server, "worker_tmp_dir", str(tmp_path))
    server.on_starting(None)
    folder = Path(os.environ[server.FOLDER])
    assert folder.parent == tmp_path
    (folder / "gauge_livesum_7.db").touch()
    (folder / "counter_7.db").touch()
    server.child_exit(None, SimpleNamespace(pid=7))
    assert [file.name for file in folder.iterdir()] == ["counter_7.db"]
    server.on_exit(None)
    assert not folder.exists()


def test_a_folder_of_the_operators_own_is_used_and_left_alone(monkeypatch, tmp_path):
    folder = tmp_path / f"{server.OWN_FOLDER}mine"
    folder.mkdir()
    monkeypatch.setenv(server.FOLDER, str(folder))
    server.on_starting(None)
    server.on_exit(None)
    assert os.environ[server.FOLDER] == str(folder)
    assert folder.exists()
