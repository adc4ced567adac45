"""The proofs of watching and of expiry in full: `python -m tests.watching --streams 200`."""

import asyncio
import sys

import click

from tests.conftest import running_store
from tests.watching.drain import drained
from tests.watching.expiry import expired
from tests.watching.resume import resumed
from tests.watching.serving import serving
from tests.watching.slow import slowed

GAMES = 8
PROOFS = ("resume", "restart", "drain", "slow", "expire")


@click.command()
@click.option("--streams", "-n", type=click.IntRange(GAMES), default=200, show_default=True, help="That are cut.")
@click.option("--moves", type=click.IntRange(GAMES), default=2000, show_default=True, help="That are made meanwhile.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses the moves and the cuts.")
@click.option("--only", type=click.Choice(PROOFS), multiple=True, default=PROOFS, help="A proof to run; default: all.")
def main(streams: int, moves: int, seed: int, only: tuple[str, ...]) -> None:
    """Put the service under load in five ways and print what came of it; exit with 1 if anything went wrong."""
    wrong = []
    for kills in [kills for name, kills in (("resume", 0), ("restart", 3)) if name in only]:
        with serving() as service:
            seen = asyncio.run(resumed(service, streams=streams, games=GAMES, moves=moves, kills=kills, seed=seed))
            print(f"cut and resumed, the store killed {kills} times: {seen}", flush=True)
            wrong += [*seen.wrong, *([] if kills else service.complaints())]
    if "drain" in only:
        with serving(UPCARD_REDIS_TIMEOUT="20") as service:
            ends = asyncio.run(drained(service, streams=1000, waits=100))
            print(f"told to stop with 1,000 streams and 100 waits: {ends}", flush=True)
            wrong += [*([] if ends.clean else ["not all of it ended cleanly"]), *service.complaints()]
    if "slow" in only:
        with serving() as service:
            cost = asyncio.run(slowed(service, stuck=100, versions=20_000, moves=200))
            print(f"slow readers: {cost}", flush=True)
            wrong += [*([] if cost.nothing else ["others paid for it"]), *service.complaints()]
    if "expire" in only:
        with running_store() as store:
            games = expired(store, 10_000)
            print(f"expiry: {games}")
            wrong += [*games.wrong, *(key for key in games.left if not key.startswith("open:"))]
    for fault in wrong:
        print(fault)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
