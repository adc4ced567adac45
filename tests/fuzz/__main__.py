"""Hold the service to the whole contract, at length: `python -m tests.fuzz 500`."""

import sys

from tests.conftest import running_store
from tests.fuzz.run import run


def main(examples: int) -> int:
    """Print what a run of so many requests an operation reached and found; 1 if it found a fault."""
    with running_store() as store:
        tried = run(store, "--max-examples", str(examples))
    for (operation, status, code), times in tried.answers.items():
        print(f"{times:>7,}  {operation} {status} {code}")
    print(tried.report)
    return int(not tried.passed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
