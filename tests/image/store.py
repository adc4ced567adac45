"""The images of one check, in a folder of its own; and how to run buildah and podman on them."""

import os
import subprocess
from pathlib import Path

FOLDER = "UPCARD_IMAGE_CHECK"
IMAGE = "localhost/upcard:check"
# It would log as an error that nobody times the health check.
WITHOUT_SYSTEMD = ("--runtime=runc", "--cgroup-manager=cgroupfs", "--log-level=fatal")


def folder() -> Path:
    """The temporary folder of this check."""
    return Path(os.environ[FOLDER])


def buildah(*words: str) -> str:
    """What `buildah ...` printed. Progress goes to standard error as it comes."""
    return said(["buildah", *_kept(), *words])


def podman(*words: str) -> list[str]:
    """The command `podman ...`. runc does with cgroups of any version; nothing of it needs systemd."""
    return ["podman", *_kept(), f"--tmpdir={folder()}/podman", *WITHOUT_SYSTEMD, *words]


def said(command: list[str]) -> str:
    """The standard output of a command that must not fail, without the last line break."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip("\n")


def _kept() -> list[str]:
    return [f"--root={folder()}/images", f"--runroot={folder()}/run"]
