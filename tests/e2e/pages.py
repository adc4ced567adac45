"""Pages that a reader can follow: their commands are run in order, and what comes is held against what they show.

A `console` block has commands (`$ `, continued by `> `) and, below each, what it prints; `...` stands for anything. In
JSON, which may be laid out in any way, `...` at the end of an object or a list stands for the members left out, of
which there must be some. A `python` or `js` block begins with the name of the file that it is saved as, before any
command. A `sh` block is for the reader's other terminal and is not run; the settings before its `make serve` are the
service's.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
MARK = "\x1e"
LEFT_OUT = "members left out"


@dataclass(frozen=True)
class Step:
    """A command of a page, and what the page says that it prints."""

    command: str
    shown: str


@dataclass(frozen=True)
class Page:
    """A page taken apart. settings: of the service that it is for. files: by name."""

    settings: dict[str, str]
    files: dict[str, str]
    steps: tuple[Step, ...]


def read(path: Path) -> Page:
    """A page; it may hold no block that is not one of the kinds above."""
    settings: dict[str, str] = {}
    files: dict[str, str] = {}
    steps: list[Step] = []
    for kind, text in BLOCK.findall(path.read_text()):
        match kind:
            case "console":
                assert "".join(found[0] for found in COMMAND.finditer(text)) == text, f"{path.name}: {text}"
                steps += [Step(found[1].replace("\n> ", "\n"), found[2].strip()) for found in COMMAND.finditer(text)]
            case "python" | "js":
                files[text.partition("\n")[0].lstrip("#/ ")] = text
            case "sh":
                for line in re.findall(r"^(.*)make serve", text, re.MULTILINE):
                    settings |= dict(each.split("=", 1) for each in line.split())
            case _:
                raise AssertionError(f"{path.name}: a block of {kind or 'no kind'}")
    return Page(settings, files, tuple(steps))


def run(page: Page, url: str, folder: Path, given: dict[str, str]) -> list[str]:
    """What each command of a page prints, on either stream. given: what a reader fills in, by how it is printed."""

    def filled(text: str) -> str:
        for printed, value in {ADDRESS: url, **given}.items():
            text = text.replace(printed, value)
        return text

    for name, text in page.files.items():
        (folder / name).write_text(filled(text))
    script = "".join(f"printf '{MARK}'\n{filled(step.command)}\n" for step in page.steps)
    program = f'set -euo pipefail\nupcard() {{ "{sys.executable}" -m service.cli "$@"; }}\n{script}'
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        ["bash", "-c", program],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    return [printed.strip() for printed in ran.stdout.split(MARK)[1:]]


def differences(page: Page, printed: list[str]) -> list[str]:
    """Each command that prints something else than the page shows."""
    assert len(printed) == len(page.steps)
    return [
        f"$ {step.command}\nshows\n{step.shown}\nand prints\n{real}"
        for step, real in zip(page.steps, printed, strict=True)
        if not _prints(step.shown, real)
    ]


def _prints(shown: str, real: str) -> bool:
    if not shown.startswith(("{", "[")):
        return _same_text(shown, real)
    left_out = re.sub(r"\.\.\.(?=\s*})", f'"{LEFT_OUT}": 0', shown)
    left_out = re.sub(r"\.\.\.(?=\s*\])", f'"{LEFT_OUT}"', left_out)
    try:
        found = json.loads(real)
    except json.JSONDecodeError:
        return False
    return _same(json.loads(left_out), found)


def _same(shown: Any, real: Any) -> bool:
    match shown, real:
        case dict(), dict():
            rest = real.keys() - shown.keys()
            named = shown.keys() - {LEFT_OUT}
            return (
                bool(rest) == (LEFT_OUT in shown)
                and named <= real.keys()
                and all(_same(shown[name], real[name]) for name in named)
            )
        case list(), list():
            if shown[-1:] == [LEFT_OUT]:
                shown = shown[:-1]
                real = real[: len(shown)] if len(real) > len(shown) else None
            return real is not None and len(shown) == len(real) and all(map(_same, shown, real))
        case str(), str():
            return _same_text(shown, real)
    return type(shown) is type(real) and bool(shown == real)


def _same_text(shown: str, real: str) -> bool:
    return re.fullmatch(re.escape(shown).replace(r"\.\.\.", ".*"), real, re.DOTALL) is not None
