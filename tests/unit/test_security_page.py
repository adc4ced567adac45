"""What docs/security.md says is there: its tests, an answer to each threat, and no way out of the service."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
THREATS = re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]
CALLERS = ("aiohttp", "ftplib", "http.client", "httpx", "requests", "smtplib", "urllib.request", "urllib3")
"""Modules that call other servers."""


@pytest.mark.parametrize(("path", "function"), NAMED)
def test_a_test_that_the_page_names_is_there(path, function):
    tree = ast.parse((ROOT / path).read_text())
    assert not function or function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_threat_has_an_answer_tests_and_an_end():
    for text in THREATS:
        name, _, said = text.partition("\n")
        if name == "OWASP API Security Top 10, 2023":
            continue
        assert "**Threat" in said, name
        assert "**Held by**\n- `tests/" in said, name
        assert "**Not covered.** " in said, name


def test_all_ten_of_owasp_are_on_the_page_in_order():
    assert re.findall(r"^### API(\d+): ", PAGE, re.MULTILINE) == [str(number) for number in range(1, 11)]


def test_the_links_of_the_page_lead_somewhere_and_others_lead_to_it():
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    assert all((ROOT / "docs" / link).exists() for link in links)
    for page in ("README.md", "SECURITY.md"):
        assert "](docs/security.md)" in (ROOT / page).read_text()


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, and the names that it takes from them as if they were modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{each.name}" for each in node.names))


def test_nothing_in_the_service_can_call_another_server():
    for path in (ROOT / "service").rglob("*.py"):
        assert not set(CALLERS) & set(imported(path)), path
