"""The guide to the API works as it is printed: each page against a fresh service, started as the page says."""

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import pytest

from service.config import Settings, declared
from tests.e2e import pages

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/api"
PAGES = sorted(path for path in GUIDE.glob("*.md") if "```" in path.read_text())
WRITTEN = [*GUIDE.glob("*.md"), ROOT / "docs/privacy.md"]


def a_new_key():
    """A key of the tenant shop, and what is listed of it, as the command line prints them."""
    command = [sys.executable, "-m", "service.cli", "keys", "new", "shop"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    key, listed = re.search(r"(uk_\S+)\nUPCARD_API_KEYS: (shop:\w+)", printed).groups()
    return key, listed


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_of_the_guide_works_as_printed(path, serve, tmp_path):
    page = pages.read(path)
    key, listed = a_new_key()
    environ = {name: value.replace("shop:...", listed) for name, value in page.settings.items()}
    url = serve(tmp_path / "data", environ=environ).url()
    folder = tmp_path / "reader"
    folder.mkdir()
    assert pages.differences(page, pages.run(page, url, folder, {"uk_...": key})) == []


def test_every_page_that_shows_commands_is_among_them():
    named = {"README", "create-and-join", "play", "watching", "scores", "refusals-and-retries", "backends"}
    assert named <= {path.stem for path in PAGES}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_every_link_of_a_page_leads_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_the_limits_in_the_guide_are_those_of_the_settings():
    told = re.findall(r"\| (\d+) a \w+.*\(`(UPCARD_RATE_\w+)`\)", (GUIDE / "backends.md").read_text())
    limits = [(str(getattr(Settings(), field)), it.name) for field, it in declared().items() if "_RATE_" in it.name]
    assert sorted(told) == sorted(limits)


def test_the_example_of_a_retired_call_keeps_the_promise_of_a_year():
    """The date of Deprecation is counted in seconds, that of Sunset is written out, with the right weekday."""
    text = (GUIDE / "versions.md").read_text()
    since = datetime.fromtimestamp(int(re.search(r"`Deprecation: @(\d+)`", text)[1]), UTC)
    written = re.search(r"`Sunset: (.+?)`", text)[1]
    until = parsedate_to_datetime(written)
    assert format_datetime(until, usegmt=True) == written
    assert until - since >= timedelta(days=365)


# --- That a page can fail --------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        ('{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1}'),
        ('{"a": 1, ...}', '{"a":1,"b":2}'),
        ('{"id": "...", "token": "us_..."}', '{"id":"7f","token":"us_7f.0"}'),
        ('[{"a": 1, ...}, ...]', '[{"a":1,"b":2},3]'),
        ("totals: [...] winner: ...", "totals: [1, 2] winner: 0"),
        ("", ""),
    ],
)
def test_what_a_page_may_leave_out(shown, real):
    page = pages.Page({}, {}, (pages.Step("say", shown),))
    assert pages.differences(page, [real]) == []


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        ('{"a": 1}', '{"a":1,"b":2}'),
        ('{"a": 1, ...}', '{"a":2,"b":2}'),
        ('{"a": 1, ...}', '{"a":1}'),
        ('{"a": 1, "c": 1, ...}', '{"a":1,"b":2}'),
        ('{"a": 1}', '{"a":true}'),
        ('{"token": "us_..."}', '{"token":"uk_7f"}'),
        ('{"id": "..."}', '{"id":7}'),
        ("[1, ...]", "[1]"),
        ("[1, 2]", "[1]"),
        ("[1, ...]", "[2, 3]"),
        ('{"a": 1}', "a traceback"),
        ("200 true", "200"),
        ("", "something"),
    ],
)
def test_what_a_page_may_not_say(shown, real):
    page = pages.Page({}, {}, (pages.Step("say", shown),))
    (told,) = pages.differences(page, [real])
    assert "$ say" in told


def test_a_command_that_fails_ends_the_page(tmp_path):
    page = pages.Page({}, {}, (pages.Step("false", ""), pages.Step("echo on", "on")))
    with pytest.raises(AssertionError):
        pages.run(page, "http://127.0.0.1:9", tmp_path, {})


def test_a_block_that_nobody_runs_is_no_part_of_a_page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("```json\n{}\n```\n")
    with pytest.raises(AssertionError, match="a block of json"):
        pages.read(path)
