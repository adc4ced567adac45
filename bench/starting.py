"""What it takes until the service serves: importing it, and starting it."""

import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

from bench.running import ROOT, SECRET, running_service, running_store

TICK = os.sysconf("SC_CLK_TCK")


def import_milliseconds(times: int) -> list[float]:
    """CPU time that a fresh interpreter takes to import the application, its own start left out."""
    with running_store() as store:
        environ = os.environ | {"REDIS_URL": store.url, "UPCARD_SECRET": SECRET, "UPCARD_LOG_LEVEL": "error"}
        return [
            _cpu_milliseconds("import service.wsgi", environ) - _cpu_milliseconds("pass", environ) for _ in range(times)
        ]


def _cpu_milliseconds(program: str, environ: dict[str, str]) -> float:
    child = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=environ)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    return (used.ru_utime + used.ru_stime) * 1000


def ready_milliseconds(times: int) -> list[float]:
    """From the start of gunicorn with one worker until it answers that it is ready; to ten milliseconds."""
    return [_started() for _ in range(times)]


def _started() -> float:
    with running_service(workers=1) as service, urlopen(f"http://{service.host}:{service.port}/readyz") as answer:
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        assert answer.status == 200, answer.status
        begun = int(Path(f"/proc/{service.master}/stat").read_text().rpartition(")")[2].split()[19]) / TICK
        return (now - begun) * 1000
