"""Do the tests notice a change? Mutants of the cards and of the rules of gin, each run against their tests.

python -m tests.mutants service/cards/melds.py

`[tool.mutmut]` in pyproject.toml names the modules, and mutmut makes the mutants. It would run them in one process that
has imported the service before, where what is computed on import (the melds, the points, the deadwood of a suit) stays
as it was. Here each mutant is planted into a child process that imports the service anew.
"""

import difflib
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType

import libcst
import pytest
from hypothesis import Phase, settings
from mutmut.configuration import config
from mutmut.mutation.file_mutation import Mutation, create_mutations

TESTS = {"cards": ("cards", "rulebooks/gin"), "gin": ("rulebooks/gin",)}
"""The folders of tests/unit that are run for the modules of a folder."""
LAST, NEVER = ("naive", "fairness"), ("laws",)
"""Slow tests, run when all others have passed; and those that play whole rounds, not run."""
PYTEST = ("-x", "--quiet", "--noconftest", "--assert=plain", "-p", "no:cacheprovider")
CPU_SECONDS, MEMORY = 20, 4 << 30
"""What a mutant may use, in bytes for the memory; the tests need 5 to 9 seconds when they all pass."""
WANTED = 90


@dataclass(frozen=True)
class Mutant:
    """One change of a module."""

    path: Path
    number: int

    def code(self) -> str:
        """The module with the change in it."""
        module, mutations = changes(self.path)
        change = mutations[self.number]
        mutated = module.deep_replace(change.original_node, change.mutated_node)
        assert isinstance(mutated, libcst.Module)
        return mutated.code.replace("@staticmethod", "@property")

    def __str__(self) -> str:
        """Where the change is, and the lines before and after it."""
        lines, changed = self.path.read_text().splitlines(), self.code().splitlines()
        compared = difflib.SequenceMatcher(None, lines, changed, autojunk=False)
        _, start, end, there, thither = next(each for each in compared.get_opcodes() if each[0] != "equal")
        before = [f"  - {line.strip()}" for line in lines[start:end]]
        after = [f"  + {line.strip()}" for line in changed[there:thither]]
        return "\n".join([f"{self.path}:{start + 1}", *before, *after])


@cache
def changes(path: Path) -> tuple[libcst.Module, list[Mutation]]:
    """A module and all changes to it; mutmut passes over properties, but not over static methods."""
    source = path.read_text()
    assert "@staticmethod" not in source
    module, mutations, *_ = create_mutations(str(path), source.replace("@property", "@staticmethod"))
    return module, mutations


class Planted(SourceFileLoader):
    """Finds and loads one module, with other code than its file has."""

    def __init__(self, path: Path, code: str) -> None:
        super().__init__(".".join(path.with_suffix("").parts), str(path))
        self.code = code

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.code, self.path, "exec")


def tests_of(path: Path) -> list[str]:
    """The test files to run for a module, those most likely to notice first."""
    files = (test for folder in TESTS[path.parent.name] for test in Path("tests/unit", folder).glob("test_*.py"))

    def order(test: Path) -> tuple[bool, bool, bool, Path]:
        slow = any(word in test.stem for word in LAST)
        return slow, test.stem != f"test_{path.stem}", test.parent.name != path.parent.name, test

    return [str(test) for test in sorted(files, key=order) if not any(word in test.stem for word in NEVER)]


def begin(path: Path, mutant: Mutant | None) -> int:
    """Run the tests of a module in a child process, which exits with 0 if they pass; taking too long is failing."""
    child = os.fork()
    if child:
        return child
    failed = True
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        if sys.platform == "linux":  # macOS knows no such limit
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if mutant is not None:
            sys.meta_path.insert(0, Planted(path, mutant.code()))
        likely, *others = tests_of(path)
        failed = any(pytest.main([*PYTEST, *tests]) != pytest.ExitCode.OK for tests in ([likely], others))
    finally:
        os._exit(failed)


def survivors(mutants: list[Mutant]) -> Iterator[Mutant]:
    """The mutants that no test noticed."""
    running: dict[int, Mutant] = {}
    waiting = mutants[::-1]
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            mutant = waiting.pop()
            running[begin(mutant.path, mutant)] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        if status == 0:
            yield mutant
        if sys.stderr.isatty():
            print(f"\r  {len(waiting)} to go ", end="", file=sys.stderr, flush=True)


def row(name: str, made: int, left: int) -> str:
    """A line of the table."""
    return f"| {name} | {made} | {made - left} | {left} | {100 * (made - left) / made:.1f} |"


def main(names: list[str]) -> None:
    """Run the mutants of some modules, or of all; exit with 1 if fewer than 90 % are killed."""
    began = time.monotonic()
    paths = [path for pattern in config().only_mutate for path in sorted(Path().glob(pattern))]
    paths = [path for path in paths if not names or str(path) in names]
    for path in {path.parent: path for path in paths}.values():
        assert os.waitpid(begin(path, None), 0)[1] == 0, f"the tests for {path} fail without any change"
    mutants = [Mutant(path, number) for path in paths for number in range(len(changes(path)[1]))]
    made, left = Counter(mutant.path for mutant in mutants), Counter[Path]()
    for mutant in survivors(mutants):
        print(mutant, flush=True)
        left[mutant.path] += 1
    print("\n| module | mutants | killed | survived | killed, % |\n|---|---|---|---|---|")
    for path in made:
        print(row(f"`{path}`", made[path], left[path]))
    print(row("all", made.total(), left.total()))
    print(f"\n{(time.monotonic() - began) / 60:.0f} minutes")
    sys.exit(100 * (made.total() - left.total()) < WANTED * made.total())


if __name__ == "__main__":
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # The examples are the same for every mutant, and the first that fails is enough.
    settings.register_profile("mutants", derandomize=True, database=None, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")
    main(sys.argv[1:])
