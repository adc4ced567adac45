"""Runs schemathesis against the service, each time with the same requests and, where it can be, the same answers."""

import json
import os
import subprocess
import sys
import tempfile
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest.mock import patch

from service.bootstrap import create_app
from tests.api.backends import made_keys
from tests.conftest import Store, served, settings_for

ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")


class Drawn:
    """Stands for the module `secrets`, so that games have the same names and cards in each run."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def token_bytes(self, size: int) -> bytes:
        return self._chance.randbytes(size)

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        return urlsafe_b64encode(self.token_bytes(size)).rstrip(b"=").decode()


@dataclass(frozen=True)
class Run:
    """What a run came to.

    answers: how many by operation, status and code. checks: all there are. spared: those that some answer was not held
    to. report: as schemathesis prints it.
    """

    passed: bool
    answers: Counter[tuple[str, int, str]]
    checks: frozenset[str]
    spared: frozenset[str]
    report: str


@contextmanager
def service(store: Store, keys: Path) -> Iterator[dict[str, str]]:
    """A service with two backends: what schemathesis has to know of it. keys: where theirs are written."""
    made, listed = made_keys("shop", "club")
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {key}"}]}
        for key, (_, name) in zip(made, listed, strict=True)
    ]
    keys.write_text(json.dumps({"auth": users}), encoding="utf-8")
    app = create_app(settings_for(store.url, listed_keys=listed))
    with patch("service.web.tokens.secrets", Drawn(1)), served(app) as address:
        yield {"UPCARD_FUZZ_ADDRESS": address, "UPCARD_FUZZ_KEY": made[0], "UPCARD_FUZZ_KEYS": str(keys)}


def run(store: Store, *options: str) -> Run:
    """Try a service on an empty store. options: of `schemathesis run`."""
    with tempfile.TemporaryDirectory() as folder, service(store, Path(folder) / "keys.json") as known:
        tally = Path(folder) / "tally.json"
        own = {"SCHEMATHESIS_HOOKS": "tests.fuzz.hooks", "PYTHONPATH": str(ROOT), "UPCARD_FUZZ_TALLY": str(tally)}
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
                *(str(ROOT / "openapi.yaml"), "--url", known["UPCARD_FUZZ_ADDRESS"], "--no-color", *options),
            ],
            env=os.environ | known | own,
            cwd=folder,
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert tally.exists(), done.stdout
        found = json.loads(tally.read_text(encoding="utf-8"))
    return Run(
        passed=done.returncode == 0,
        answers=Counter({(operation, status, code): times for operation, status, code, times in found["answers"]}),
        checks=frozenset(found["checks"]),
        spared=frozenset(found["spared"]),
        report=done.stdout,
    )
