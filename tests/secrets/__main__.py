"""Compare what every reader can fetch of games with other secrets: `python -m tests.secrets 20000 1`."""

import sys

import click

from tests.secrets.compare import compared


@click.command()
@click.argument("states", type=click.IntRange(1), default=20_000)
@click.argument("seed", type=int, default=1)
def main(states: int, seed: int) -> None:
    """Compare STATES of games, each for one reader, in which hidden cards really differ; exit with 1 for any leak."""
    with compared() as comparison:
        report = comparison.run(states, seed)
    print(report)
    sys.exit(bool(report.leaks))


if __name__ == "__main__":
    main()
