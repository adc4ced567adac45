"""A stand-in for the base image, from Debian's packages, where no registry is reached.

It has the name of the base, the same release of Debian and the same minor version of Python, and is else as bare.
It is not the base: its Python is Debian's, under /usr/bin.
"""

import re
import shutil
import subprocess
from pathlib import Path

from tests.image.store import buildah, folder, said

PACKAGES = "python3,python3-venv,ca-certificates"
ROOM_TAKEN = ("var/cache/apt", "var/lib/apt/lists", "var/log", "usr/share/doc", "usr/share/locale", "usr/share/man")


def base_of(dockerfile: str) -> str:
    """The name of the base, with its tag."""
    return re.search(r"^ARG BASE=(\S+)$", dockerfile, re.MULTILINE)[1]


def make_base(name: str) -> None:
    """Put an image of that name, which ends in the version of Python and the release of Debian, beside the others."""
    python, suite = re.search(r":([\d.]+)-slim-(\w+)$", name).groups()
    tree = folder() / "base"
    tree.mkdir()
    said(["mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", str(tree)])  # dpkg waits for the disk at every file
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, tree, _archive()],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    has = said(["chroot", str(tree), "python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
    assert has == python, f"Debian {suite} has Python {has}, and {name} another"
    for path in ROOM_TAKEN:
        shutil.rmtree(tree / path)
    for path in ("bin/pip", f"lib/python{python}/site-packages/pip/__init__.py"):
        _plant(tree / "usr/local" / path)
    _pack(tree, name)
    said(["umount", str(tree)])


def _plant(file: Path) -> None:
    """An empty file where the base has the pip that is to be removed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()


def _archive() -> str:
    """Where this machine's apt gets Debian from."""
    listed = said(
        ["apt-get", "indextargets", "--format=$(REPO_URI)", "Created-By: Packages", "Origin: Debian", "Label: Debian"]
    )
    assert listed, "apt has no list of Debian's packages: run apt-get update"
    return listed.splitlines()[0]


def _pack(tree: Path, name: str) -> None:
    made = buildah("from", "scratch")
    buildah("add", "--quiet", made, str(tree), "/")
    buildah("config", "--env=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", made)
    buildah("commit", "--quiet", "--format=docker", "--rm", made, name)
