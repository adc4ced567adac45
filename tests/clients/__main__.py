"""Clients are generated from openapi.yaml, compiled and type checked, and each plays a match of both games.

python -m tests.clients
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from service.bootstrap import create_app
from service.web.keys import hash_of, new_key
from tests.clients.matches import MATCHES, PLAYED
from tests.conftest import running_store, served, settings_for
from tests.contract import SPEC

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
CONTRACT, MODULES = ROOT / "openapi.yaml", ROOT / ".tools/node_modules"
OBJECTS = [name for name, schema in SPEC["components"]["schemas"].items() if schema.get("type") == "object"]


def run(*command: object, folder: Path) -> str:
    """What a command prints; if it fails or complains, all of it, and the end of this run."""
    ran = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode or ran.stderr:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def check_nothing_is_lost(folder: Path, suffix: str, declared: str) -> None:
    """Each object of the contract must be a type of that name: `declared` is how the language begins one."""
    source = "".join(path.read_text() for path in folder.rglob(f"*{suffix}"))
    lost = [name for name in OBJECTS if not re.search(rf"^{declared} {name}\b", source, re.MULTILINE)]
    assert not lost, f"the client has no {', '.join(lost)}"


def python_client(folder: Path) -> list[object]:
    """Make, compile and check the Python client and what uses it; the command that plays."""
    client = folder / "upcard_client"
    python = (sys.executable, "-m")
    generator = (*python, "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none")
    run(*generator, "--path", CONTRACT, "--config", HERE / "python.yaml", "--output-path", client, folder=folder)
    check_nothing_is_lost(client, ".py", "class")
    for name in ("play.py", "examples.py"):
        (folder / name).write_text((HERE / name).read_text())
    run(*python, "compileall", "-q", ".", folder=folder)
    run(*python, "mypy", "--strict", ".", folder=folder)
    run(sys.executable, "examples.py", CONTRACT, folder=folder)
    return [sys.executable, "play.py"]


def typescript_client(folder: Path) -> list[object]:
    """Make the TypeScript client and compile it with what uses it; the command that plays."""
    client = folder / "upcard_client"
    generator = MODULES / "@hey-api/openapi-ts/bin/run.js"
    run("node", generator, "-i", CONTRACT, "-o", client, "-c", "@hey-api/client-fetch", folder=folder)
    check_nothing_is_lost(client, ".ts", "export type")
    for name in ("play.ts", "tsconfig.json"):
        (folder / name).write_text((HERE / name).read_text())
    run("node", MODULES / "typescript/bin/tsc", "--typeRoots", MODULES / "@types", folder=folder)
    return ["node", "play.js"]


CLIENTS: dict[str, Callable[[Path], list[object]]] = {"Python": python_client, "TypeScript": typescript_client}


@contextmanager
def service() -> Iterator[tuple[str, str]]:
    """Where a service answers, with a store of its own, and the key of a backend that may create games there."""
    key = new_key()
    with running_store() as store:
        settings = settings_for(store.url, listed_keys=((hash_of(key), "backend"),))
        with served(create_app(settings)) as url:
            yield url, key


def main() -> None:
    """Make the clients and let them play."""
    with tempfile.TemporaryDirectory(prefix="upcard-") as parent, service() as (url, key):
        matches = Path(parent, "matches.json")
        matches.write_text(json.dumps(MATCHES))
        for language, make in CLIENTS.items():
            folder = Path(parent, language)
            folder.mkdir()
            played = json.loads(run(*make(folder), url, key, matches, folder=folder))
            assert played == PLAYED, f"{language}: {played}"
            print(f"The {language} client has played")


if __name__ == "__main__":
    main()
