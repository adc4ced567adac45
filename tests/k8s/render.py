"""The overlays of k8s/ as kubectl renders them: `python -m tests.k8s.render FOLDER` writes a file for each."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
KUBECTL = ROOT / ".tools/venv/bin/kubectl"
OVERLAYS = ("dev", "prod")
PAGE = (ROOT / "docs/kubernetes.md").read_text()
YOURS = shutil.ignore_patterns("secrets.env", "api-keys")
# What would need a cluster prints instead what it was given.
SHIMS = {
    "kubectl": f'case "$1 $2" in "apply -f") echo ---; cat "${{3/#-//dev/stdin}}";; *) exec "{KUBECTL}" "$@";; esac',
    "upcard": f'exec "{sys.executable}" -m service.cli "$@"',
}


def documented(word: str) -> str:
    """The one block of commands in docs/kubernetes.md that has the word."""
    (block,) = (block for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if word in block)
    return str(block)


@contextmanager
def checkout() -> Iterator[Path]:
    """A folder with k8s/ as it is committed, and the programs that the documented commands call in bin/."""
    with tempfile.TemporaryDirectory(prefix="upcard-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "k8s", folder / "k8s", ignore=YOURS)
        (folder / "bin").mkdir()
        for program, line in SHIMS.items():
            (folder / "bin" / program).write_text(f"#!/bin/bash\n{line}\n")
            (folder / "bin" / program).chmod(0o755)
        yield folder


def typed(commands: str, folder: Path) -> str:
    """What the commands print when somebody types them in the folder."""
    environ = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return ran.stdout


def rendered(overlay: str) -> str:
    """The YAML of an overlay, with secrets made as the documentation says."""
    with checkout() as folder:
        typed(documented("$FILE.example"), folder)
        return typed(documented("kubectl kustomize").replace("overlays/dev", f"overlays/{overlay}"), folder)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for each in OVERLAYS:
        (target / f"{each}.yaml").write_text(rendered(each))
