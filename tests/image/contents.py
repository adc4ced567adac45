"""What is in the image: the service, what it imports, and the base; nobody can change it, and it can make nothing."""

import json
import re
import stat
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.image.base import base_of
from tests.image.build import LABELS
from tests.image.store import IMAGE, podman, said

ROOT = Path(__file__).parents[2]
OURS = ("opt/upcard", "usr/share/upcard")
TOOLS = {"cc", "gcc", "g++", "ld", "make", "git", "curl", "wget", "pip", "pip3", "uv"}
STORES = {"valkey-server", "redis-server"}


def mounted(name):
    return Path(said(podman("image", "mount", name)))


@pytest.fixture(scope="module")
def tree():
    """The image's files."""
    return mounted(IMAGE)


@pytest.fixture(scope="module")
def packages(tree):
    """The name and version of every Python package of the service."""
    (folder,) = (tree / "opt/upcard/lib").glob("python3.*/site-packages")
    return {(canonical(found.metadata["Name"]), found.version) for found in distributions(path=[str(folder)])}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def config():
    return json.loads(said(podman("image", "inspect", IMAGE)))[0]["Config"]


def test_nothing_is_added_to_the_base_but_the_service_and_the_list_of_what_is_in_it(tree):
    base = mounted(base_of((ROOT / "Dockerfile").read_text()))
    added = {path.relative_to(tree) for path in tree.rglob("*")} - {path.relative_to(base) for path in base.rglob("*")}
    assert added
    assert {path for path in added if not str(path).startswith(OURS)} == set()


def test_the_packages_are_those_that_are_pinned(packages):
    pinned = set(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements/image.txt").read_text(), re.MULTILINE))
    (service,) = packages - pinned
    assert service[0] == "upcard"
    assert {"flask", "gevent", "gunicorn", "redis"} < {name for name, _ in packages}


def test_the_list_of_what_is_in_it_names_every_package(tree, packages):
    listed = json.loads((tree / "usr/share/upcard/sbom.cdx.json").read_text())
    parts = [listed["metadata"]["component"], *listed["components"]]
    assert listed["bomFormat"] == "CycloneDX"
    assert {(canonical(part["name"]), part["version"]) for part in parts} == packages


def test_it_has_no_tools_and_no_store(tree):
    programs = {
        path.name
        for folder in ("usr/bin", "usr/sbin", "usr/local/bin", "opt/upcard/bin")
        for path in (tree / folder).iterdir()
    }
    assert "upcard" in programs
    assert programs & (TOOLS | STORES) == set()
    assert list((tree / "usr/local/lib").glob("python3*/site-packages/pip*")) == []


def test_nobody_but_root_can_write_what_it_runs(tree):
    for path in (path for folder in OURS for path in [tree / folder, *(tree / folder).rglob("*")]):
        facts = path.lstat()
        assert (facts.st_uid, facts.st_gid) == (0, 0), path
        assert stat.S_ISLNK(facts.st_mode) or not facts.st_mode & 0o7022, path


def test_every_module_is_compiled(tree):
    sources = list((tree / "opt/upcard/lib").rglob("*.py"))
    assert len(sources) > 500
    assert [path for path in sources if not list(path.parent.glob(f"__pycache__/{path.stem}.cpython-*.pyc"))] == []


def test_it_is_told_who_it_is_how_it_starts_and_how_it_ends():
    found = config()
    assert found["User"] == "10001:10001"
    assert (found["Entrypoint"], found["StopSignal"]) == (["upcard"], "SIGTERM")
    labels = {name.rpartition(".")[2]: value for name, value in found["Labels"].items()}
    assert {name: labels[name.lower()] for name in LABELS} == LABELS
    assert (labels["title"], labels["licenses"]) == ("Upcard", "Apache-2.0")


def test_its_environment_holds_nothing_of_the_build():
    assert {entry.partition("=")[0] for entry in config()["Env"]} == {
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
    }
