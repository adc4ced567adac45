"""Builds the image as the Dockerfile says, from the stand-in for its base, with this machine's settings for pip."""

import ast
import shutil
import sys
import time
from pathlib import Path

from tests.image.base import base_of, make_base
from tests.image.store import IMAGE, buildah, folder, podman, said

ROOT = Path(__file__).parents[2]
LABELS = {"VERSION": "1.2.3", "REVISION": "c0ffee", "SOURCE": "https://upcard.example/source"}
PASSED_ON = ("cert", "default-timeout", "index-url", "proxy", "timeout", "trusted-host")


def settings_of_pip() -> dict[str, str]:
    """How this machine's pip reaches its index; the environment comes before the files."""
    listed = said([sys.executable, "-m", "pip", "config", "list"]).splitlines()
    found = {}
    for line in sorted(listed, reverse=True):
        name, _, value = line.partition("=")
        found[name.rpartition(".")[2]] = ast.literal_eval(value)
    return {name: value for name, value in found.items() if name in PASSED_ON}


def build(digest: str) -> None:
    """Build the image without a cache. digest: what its base is held to."""
    pip = settings_of_pip()
    conf = folder() / "pip.conf"
    conf.write_text("[global]\n" + "".join(f"{name} = {value}\n" for name, value in pip.items()))
    certificates = [f"--volume={pip['cert']}:{pip['cert']}:ro"] if "cert" in pip else []
    buildah(
        *("build", "--isolation=chroot", "--format=docker", "--pull-never", "--layers=false", "--quiet"),
        *(f"--build-arg={name}={value}" for name, value in {**LABELS, "BASE_DIGEST": digest}.items()),
        *(f"--secret=id=pip.conf,src={conf}", *certificates, f"--tag={IMAGE}", str(ROOT)),
    )


def main() -> None:
    """Make the base, then build on it."""
    began = time.monotonic()
    name = base_of((ROOT / "Dockerfile").read_text())
    make_base(name)
    print(f"{name}: a stand-in from Debian's packages, in {time.monotonic() - began:.0f} s")
    began = time.monotonic()
    build(buildah("images", "--format={{.Digest}}", name))
    print(f"{IMAGE}: built in {time.monotonic() - began:.0f} s")
    (ROOT / "build").mkdir(exist_ok=True)
    shutil.copy(Path(said(podman("image", "mount", IMAGE)), "usr/share/upcard/sbom.cdx.json"), ROOT / "build")


if __name__ == "__main__":
    main()
