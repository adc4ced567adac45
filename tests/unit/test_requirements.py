"""What is pinned is pinned by hashes, and each machine takes it from the index that it is set up for."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "requirements"
LOCK = FOLDER / "tools/package-lock.json"
FILES = [path for path in FOLDER.rglob("*") if path.is_file()]


def without_funding(node):
    """A lock without the pages on which its packages ask for money."""
    match node:
        case dict():
            return {key: without_funding(value) for key, value in node.items() if key != "funding"}
        case list():
            return [without_funding(value) for value in node]
    return node


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_of_requirements_says_where_to_download_from(path):
    text = path.read_text()
    if path == LOCK:
        text = json.dumps(without_funding(json.loads(text)))
    assert re.findall(r"\w+://\S+|\S*registry=\S*|\"resolved\"|-index\S*|--find-links", text) == []


def test_every_package_of_npm_is_pinned_by_a_hash():
    packages = json.loads(LOCK.read_text())["packages"]
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_the_lock_of_npm_is_made_from_what_is_asked_for():
    asked = json.loads((FOLDER / "tools/package.json").read_text())
    locked = json.loads(LOCK.read_text())["packages"]
    assert locked[""]["dependencies"] == asked["dependencies"]
    for name, version in asked["dependencies"].items():
        assert locked[f"node_modules/{name}"]["version"] == version
