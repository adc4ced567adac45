"""The page of the guide in a real browser, which loads it from another origin than the service: `make browser`."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.e2e import pages, proxy
from tests.e2e.chromium import browser
from tests.e2e.conftest import starting
from tests.e2e.match import Match

FILES = pages.read(Path(__file__).parents[2] / "docs/api/watching.md").files
SHELL = """<!doctype html><meta charset="utf-8"><title>A table</title>
<p id="version"></p><p id="turn"></p><p id="score"></p>
<script type="module" src="/page.mjs"></script>
"""
ASK = """
    const [url, token, headers] = arguments;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}`, ...headers } });
    return [response.status, Object.fromEntries(response.headers)];
"""
TREATMENTS = {"passed": proxy.passed, "torn": proxy.torn(7), "refused": proxy.refused}


@contextmanager
def site():
    """The player's website. seats: what it knows of the visitor's seat; fill it in."""
    seat = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.removeprefix("/")
            kinds = {
                "": ("text/html", SHELL),
                "empty": ("text/html", ""),
                "seat": ("application/json", json.dumps(seat)),
            }
            kind, text = kinds.get(name) or ("text/javascript", FILES.get(name))
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write((text or "").encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port, seat
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def website():
    with site() as found:
        yield found


@pytest.fixture(scope="module")
def url(tmp_path_factory, website):
    """A service that pages of the website may call, by its one name."""
    folder = tmp_path_factory.mktemp("browser")
    port, _ = website
    environ = {"UPCARD_HEARTBEAT": "1", "UPCARD_SANDBOX": "true", "UPCARD_CORS_ORIGINS": f"http://localhost:{port}"}
    with starting(folder) as start:
        yield start(folder / "data", environ=environ).url()


@pytest.fixture(scope="module")
def window():
    with browser() as found:
        yield found


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_page_follows_a_match_to_its_final_score(treatment, url, website, window, eventually):
    port, seat = website
    with Match(url) as match, proxy.proxied(url, TREATMENTS[treatment]) as between:
        seat |= {"url": match.url.replace(url, between.url), "token": match.token}
        window.open(f"http://localhost:{port}/")
        eventually(between.long_polls if treatment == "refused" else between.streams)
        for view in match.moves():
            eventually(lambda view=view: window.text("version") == str(view["version"]))
        assert window.text("turn") == "finished"
        assert window.text("score") == " : ".join(map(str, match.view["score"]["totals"]))
    assert len(between.streams()) > 2 if treatment == "torn" else bool(between.long_polls()) == (treatment == "refused")


def test_a_page_sends_and_reads_the_headers_that_following_takes(url, website, window):
    window.open(f"http://localhost:{website[0]}/empty")
    with Match(url) as match:
        status, headers = window.run(ASK, match.url, match.token, {})
        assert (status, "preference-applied" in headers) == (200, False)
        asked = {"If-None-Match": headers["etag"], "Prefer": "wait=1"}
        status, headers = window.run(ASK, match.url, match.token, asked)
        assert (status, headers["preference-applied"]) == (304, "wait=1")
        events = f"{match.url}/events"
        status, headers = window.run(ASK, events, match.token, {"Last-Event-ID": "1-x", "Accept": "text/event-stream"})
        assert (status, headers["content-type"]) == (200, "text/event-stream")


def test_a_page_that_is_not_listed_reads_nothing(url, website, window):
    """The same server under its other name is another origin."""
    window.open(f"http://127.0.0.1:{website[0]}/empty")
    with Match(url) as match:
        told = window.run(f"try {{ {ASK} }} catch (fault) {{ return fault.message; }}", match.url, match.token, {})
    assert told == "Failed to fetch"
