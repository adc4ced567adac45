"""The kinds of hostile requests, how often each is sent, and the requests of a seed."""

from collections.abc import Iterator
from itertools import accumulate
from random import Random

from tests.hostile import addresses, bodies, credentials, headers, wires
from tests.hostile.shots import Maker, Shot
from tests.hostile.stage import Stage

KINDS: dict[Maker, int] = {
    bodies.mutated: 240,
    bodies.nearly_json: 120,
    bodies.forbidden: 80,
    bodies.stale: 30,
    bodies.compressed: 15,
    bodies.mistyped: 30,
    credentials.stranger: 130,
    addresses.method: 40,
    addresses.path: 90,
    addresses.near_id: 30,
    addresses.query: 40,
    headers.odd_header: 70,
    headers.broken_header: 50,
    headers.many_headers: 10,
    wires.junk: 40,
    wires.smuggled: 40,
    wires.chunked: 40,
    wires.cut: 40,
    wires.old: 15,
    wires.pipelined: 12,
    wires.stalled: 3,
}
"""Of each kind so many among about a thousand."""


def shots(stage: Stage, seed: int, count: int) -> Iterator[Shot]:
    """The first requests of a seed: always the same, however many are asked for."""
    makers, weights = list(KINDS), list(accumulate(KINDS.values()))
    for number in range(count):
        dice = Random(f"{seed}/{number}")
        (make,) = dice.choices(makers, cum_weights=weights)
        yield make(dice, stage)
