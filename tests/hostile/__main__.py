"""Attack a service of its own and report: `python -m tests.hostile 20000 1`."""

import sys

import click

from tests.hostile.run import attack
from tests.hostile.stage import staged


@click.command()
@click.argument("count", type=click.IntRange(1), default=20_000)
@click.argument("seed", type=int, default=1)
def main(count: int, seed: int) -> None:
    """Send COUNT hostile requests of a SEED to a real service; exit with 1 if any did what it must not."""
    with staged() as stage:
        report = attack(stage, seed, count)
    print(report)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
