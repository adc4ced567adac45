"""Chromium without a window, driven by the protocol of its own driver (W3C WebDriver)."""

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.e2e.conftest import eventually

QUIET = (
    "--headless",
    "--no-sandbox",  # root may not have one
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Browser:
    """A running browser. session: the address of its only window."""

    session: httpx.Client

    def open(self, url: str) -> None:
        self._say("url", {"url": url})

    def run(self, script: str, *given: object) -> object:
        """What the body of an asynchronous function returns in the open page. given: its `arguments`."""
        body = (
            f"const done = arguments[arguments.length - 1]; (async function () {{ {script} }})(...arguments).then(done)"
        )
        return self._say("execute/async", {"script": body, "args": list(given)})

    def text(self, name: str) -> str:
        """What the element of this id shows."""
        return str(self.run("return document.getElementById(arguments[0])?.innerText", name))

    def _say(self, command: str, body: dict) -> object:
        answer = self.session.post(command, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]


@contextmanager
def browser() -> Iterator[Browser]:
    """A new browser for the length of a block, with nothing kept from others. Needs chromedriver and chromium."""
    with tempfile.TemporaryDirectory(prefix="up-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as out:
            driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=out, stderr=subprocess.STDOUT)
        try:
            port = eventually(lambda: re.search(r"started successfully on port (\d+)", log.read_text()))[1]
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                options = {"args": [*QUIET, f"--user-data-dir={folder}/profile"]}
                wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
                made = client.post("/session", json=wanted)
                assert made.status_code == 200, made.text
                session = f"http://127.0.0.1:{port}/session/{made.json()['value']['sessionId']}"
                client.base_url = f"{session}/"
                try:
                    yield Browser(client)
                finally:
                    assert client.delete(session).status_code == 200, "the browser was not told to end"
        finally:
            driver.terminate()
            driver.wait(30)
