"""Play rounds against OpenSpiel and report: `python -m tests.oracle --rounds 20000`."""

import os
import sys
import time
from collections.abc import Callable

import click

from tests.oracle import deviations
from tests.oracle.ledger import Ledger
from tests.oracle.run import play_rounds

KINDS = ("knock", "gin", "big_gin", "undercut", "tie", "void")


def report(book: Ledger, rounds: int, seconds: float) -> str:
    """The report of a run, line by line."""
    lines = [f"{rounds:>9,}  rounds, {rounds / seconds:,.0f} a second, {book.comparisons:,} comparisons"]
    lines += [f"{book.kinds[kind]:>9,}  {kind.replace('_', ' ')}" for kind in KINDS]
    lines += [f"{book.kinds[kind]:>9,}  {kind}" for kind in ("rounds with layoffs", "rounds by greedy players")]
    lines += ["", "known deviations, met and as expected:"]
    lines += [f"{book.deviations[name]:>9,}  {name}" for name in deviations.ALL]
    lines += ["", f"{len(book.differences):>9,}  unexplained differences"]
    return "\n".join(lines)


def _bar(rounds: int) -> Callable[[int], None]:
    """Shows how far the run is, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda done: None
    return lambda done: print(
        f"\r  {done:,} of {rounds:,} rounds", end="\n" if done == rounds else "", file=sys.stderr, flush=True
    )


@click.command()
@click.option("--rounds", "-n", type=click.IntRange(1), default=300, show_default=True, help="How many to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses rulesets, players, deals and moves.")
@click.option("--first", type=click.IntRange(0), default=0, help="The number of the first round, to play it again.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes; default: all cores.")
@click.option("--examples", is_flag=True, help="Show an example of each deviation.")
def main(rounds: int, seed: int, first: int, jobs: int, examples: bool) -> None:
    """Play rounds of gin rummy on our engine and OpenSpiel's at once; exit with 1 if a difference is unexplained."""
    book, done, show = Ledger(), 0, _bar(rounds)
    began = time.monotonic()
    for played, batch in play_rounds(seed, range(first, first + rounds), min(jobs, -(-rounds // 50))):
        book.add(batch)
        done += played
        show(done)
    print(report(book, rounds, time.monotonic() - began))
    if examples:
        print(*(f"\n{name}\n  {text}" for name, text in book.examples.items()))
    for difference in sorted(book.differences, key=len)[:3]:
        print(f"\n{difference}\n")
    sys.exit(bool(book.differences))


if __name__ == "__main__":
    main()
