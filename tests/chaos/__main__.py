"""Play while everything breaks, and report: `python -m tests.chaos --moves 10000`."""

import sys

import click

from tests.chaos.report import improper, percentile, recoveries, refused_while_frozen, report
from tests.chaos.run import run

LONGEST_REFUSAL = 1.0
LONGEST_RECOVERY = 2.0


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@click.command()
@click.option("--moves", "-n", type=click.IntRange(1), default=10_000, show_default=True, help="How many to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses games, moves and faults.")
def main(moves: int, seed: int) -> None:
    """Play matches while workers and the store are killed, frozen and cut off; exit with 1 if a promise is broken."""
    outcome = run(moves, seed, _tell)
    print(report(outcome))
    in_time = (
        percentile((seen.took for seen in refused_while_frozen(outcome)), 99) < LONGEST_REFUSAL
        and max(recoveries(outcome)) < LONGEST_RECOVERY
    )
    sys.exit(bool(outcome.verdict.faults() or improper(outcome.traffic.tries) or not in_time))


if __name__ == "__main__":
    main()
