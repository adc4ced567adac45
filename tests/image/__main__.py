"""Builds the image and holds it to its promises, on a machine without a container engine: `make image-check`.

It needs root and the Debian packages of requirements/tools/debian.txt. Everything lies in one temporary folder and
runs in namespaces of its own, which end with it. The list of what is in the image is copied to build/sbom.cdx.json.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.image.store import FOLDER

ROOT = Path(__file__).parents[2]
# Who ends the first process ends them all, and takes their mounts along.
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# The service gets its real port, a store of its own beside it, and no way out.
ALONE = [*APART, "--net", "sh", "-c", 'ip link set lo up && "$@"', "sh"]
CLAIMS = ["tests/image/contents.py", "tests/image/running.py"]


def main() -> int:
    """Build, then check; the exit code."""
    missing = [name for name in ("buildah", "debootstrap", "podman", "runc", "ip") if shutil.which(name) is None]
    if os.geteuid() != 0 or missing:
        sys.exit(f"the image check needs root, and these programs: {', '.join(missing) or 'all are there'}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # by way of the end of the block
    with tempfile.TemporaryDirectory(prefix="upcard-image-", dir="/var/tmp") as folder:
        environ = os.environ | {FOLDER: folder, "TMPDIR": folder}
        python = [sys.executable, "-m"]
        if code := subprocess.call([*APART, *python, "tests.image.build"], cwd=ROOT, env=environ):
            return code
        return subprocess.call([*ALONE, *python, "pytest", "--no-cov", *CLAIMS], cwd=ROOT, env=environ)


if __name__ == "__main__":
    sys.exit(main())
