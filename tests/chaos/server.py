"""The service's settings of gunicorn, with points at which a worker dies: `gunicorn -c python:tests.chaos.server`.

A file named for a point, in the folder that CHAOS_POINTS names, kills the first worker that comes to the point; taking
the file away decides who is first.
"""

import os
import signal
from pathlib import Path
from typing import Any

from gunicorn import util
from gunicorn.http.wsgi import Response

from service import server
from service.server import *  # noqa: F403 - gunicorn reads its settings from the names of this module

BEFORE_READ = "before the read"
BEFORE_WRITE = "between read and commit"
AFTER_WRITE = "between commit and answer"
IN_ANSWER = "during the answer"
POINTS = (BEFORE_READ, BEFORE_WRITE, AFTER_WRITE, IN_ANSWER)


def post_worker_init(worker: Any) -> None:
    """Do what the service does, and set the points; gunicorn calls it in a ready worker."""
    server.post_worker_init(worker)
    folder = Path(os.environ["CHAOS_POINTS"])
    set_in_store(folder)
    set_in_answer(folder)


def told_to_die(folder: Path, point: str) -> bool:
    try:
        (folder / point).unlink()
    except FileNotFoundError:
        return False
    return True


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def set_in_store(folder: Path) -> None:
    from service.play.ports import Committed
    from service.storage.redis_games import RedisGames

    load, commit = RedisGames.load, RedisGames.commit

    def dying_load(self, game_id, receipt_name=None):
        if receipt_name and told_to_die(folder, BEFORE_READ):
            die()
        return load(self, game_id, receipt_name)

    def dying_commit(self, change):
        if told_to_die(folder, BEFORE_WRITE):
            die()
        outcome = commit(self, change)
        if isinstance(outcome, Committed) and told_to_die(folder, AFTER_WRITE):
            die()
        return outcome

    RedisGames.load, RedisGames.commit = dying_load, dying_commit


def set_in_answer(folder: Path) -> None:
    write = Response.write

    def dying_write(self, part):
        if self.req.method == "POST" and self.status_code == 200 and told_to_die(folder, IN_ANSWER):
            self.send_headers()
            util.write(self.sock, part[: len(part) // 2])
            die()
        write(self, part)

    Response.write = dying_write
