"""One small round for each deviation, played on both sides; `docs/oracle.md` tells them with the same cards.

Seat 0 acts first. Beside the moves that `tests.builders.move` reads, a script may say `stock 29` (29 turns of drawing
from the stock and throwing that very card) and `take 49` (49 turns of taking the discard and throwing another card).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from service.cards.card import Card
from service.rulebooks import gin
from service.rulebooks.base import ROUND_OVER
from service.rulebooks.gin.moves import Discard, Draw, Move
from service.rulebooks.gin.round import legal_moves
from tests.builders import deck, move
from tests.oracle.compare import compare
from tests.oracle.duel import Duel
from tests.oracle.ledger import Ledger
from tests.oracle.players import greedy
from tests.oracle.rounds import begin, step
from tests.oracle.tables import Table

TANGLED = "4S 5S 4C 5C 3D 4D 5D 4H 5H 6H"
GIN = "AS 2S 3S 4C 5C 6C 7D 8D 9D TD"
FIVE = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"


@dataclass(frozen=True)
class Example:
    """A deal, a script, and the deviations it shows. rules: what differs from the preset `eaai`, or a preset."""

    shows: tuple[str, ...]
    deal: dict[str, str]
    script: tuple[str, ...]
    rules: dict[str, Any] = field(default_factory=dict)
    preset: str = "eaai"


EXAMPLES = (
    Example(
        ("taken_card_thrown_back", "taken_card_counts_as_a_throw"),
        {"non_dealer": FIVE, "upcard": "KH"},
        ("draw discard", "knock 5H"),
    ),
    Example(
        ("knock_denied_by_shortcut", "shortcut_shows_more"),
        {"non_dealer": TANGLED, "upcard": "2D"},
        ("draw discard", "knock 6H"),
        {"knock_limit": 0},
    ),
    Example(
        ("ace_sets_limit_zero", "ace_means_gin"),
        {"non_dealer": "2S 3S 4S 5C 6C 7C 8D 9D TD KD", "upcard": "AH"},
        ("draw discard", "knock KD", "spread"),
        {"knock_limit": "upcard", "oklahoma_ace": "one", "oklahoma_spade_doubles": False},
    ),
    Example(
        ("ace_means_melds_for_gin",),
        {"non_dealer": "AD 2D 3D 4D 5C 6C 7C 8S 9S TS", "upcard": "AH", "stock": "KC"},
        ("pass", "pass", "draw stock", "knock KC"),
        {"knock_limit": "upcard", "oklahoma_ace": "one", "oklahoma_spade_doubles": False},
    ),
    Example(
        ("last_discard_under_an_ace",),
        {"dealer": "AD 2S 3S 4S 5C 6C 7C 8D 9D KD", "upcard": "AH", "fiftieth": "TD"},
        ("pass", "pass", "stock 29", "draw discard", "knock KD"),
        {"knock_limit": "upcard", "oklahoma_ace": "one", "oklahoma_spade_doubles": False, "fiftieth_card": True},
    ),
    Example(
        ("big_gin", "big_gin_is_gin"),
        {"non_dealer": GIN, "upcard": "JD"},
        ("draw discard", "big_gin"),
        preset="standard",
    ),
    Example(
        ("last_discard_denied_by_shortcut",),
        {"dealer": TANGLED, "fiftieth": "2D"},
        ("pass", "pass", "stock 29", "draw discard", "knock 6H"),
        {"knock_limit": 0, "fiftieth_card": True},
    ),
    Example(
        ("last_discard_thrown_back",),
        {"dealer": FIVE, "fiftieth": "KH"},
        ("pass", "pass", "stock 29", "pass"),
        {"knock_limit": 5, "fiftieth_card": True},
    ),
    Example(
        ("run_of_six",),
        {"non_dealer": "AS 2S 3S 4S 5S 6S 7C 8C 9C 2H", "dealer": "8S QS", "upcard": "KC"},
        ("draw discard", "knock 2H"),
    ),
    Example(
        ("third_in_a_chain", "denied_layoff_is_still_held", "denied_layoff_counts"),
        {
            "non_dealer": "5S 6S 7S 2H 2D 2C 9H 9D 9C AD",
            "dealer": "8S 9S TS JS QS KH KD 4H 6D 8H",
            "stock": "KC",
        },
        ("pass", "pass", "draw stock", "knock KC", "spread nothing | 8S>0 9S>0 TS>0"),
    ),
    Example(
        ("layoff_without_target",),
        {
            "non_dealer": "5S 6S 7S 2H 2D 2C 8H 8D 8C AD",
            "dealer": "8S 9S KS KH KD 4H 6D 3C 5C JC",
            "stock": "QC",
        },
        ("pass", "pass", "draw stock", "knock QC", "spread | 8S>2"),
    ),
    Example(
        ("spades_double",),
        {"non_dealer": GIN, "dealer": "3H 5H 7H 9H JH KH 2C 9C JC KC", "upcard": "JS", "stock": "QC"},
        ("pass", "pass", "draw stock", "knock QC"),
        {"knock_limit": "upcard", "oklahoma_ace": "gin_only", "oklahoma_spade_doubles": True},
    ),
    Example(
        ("tie_scores_nothing",),
        {"non_dealer": FIVE, "dealer": "AC 2C 3C 4D 5D 6D 7H 8H 9H 5S", "stock": "KC"},
        ("pass", "pass", "draw stock", "knock KC", "spread"),
    ),
    Example(
        ("fiftieth_take_ends_the_round",),
        {"non_dealer": FIVE, "dealer": "KS JS 9S KC JC 9C QD 2D QH TH", "upcard": "2C"},
        ("draw discard", "discard 5H", "take 49", "draw discard"),
    ),
    Example(
        ("last_discard_always_in_reach",),
        {"dealer": FIVE, "fiftieth": "4S"},
        ("pass", "pass", "stock 29"),
    ),
)


def play_example(example: Example) -> tuple[Duel, Ledger]:
    """The round of an example as far as its script goes, everything compared on the way. Raises Difference."""
    ledger = Ledger()
    rules = gin.read_ruleset(example.preset, example.rules)
    duel = begin(Table(rules, 1, deck(**example.deal), (greedy, greedy)), Random(0), ledger)
    for words in example.script:
        for made in _moves(duel, words):
            compare(duel)
            step(duel, made)
    if duel.round.phase != ROUND_OVER:
        compare(duel)
    return duel, ledger


def _moves(duel: Duel, words: str) -> Iterator[Move]:
    kind, _, many = words.partition(" ")
    if not many.isdecimal():
        yield move(words)
        return
    for _ in range(int(many)):
        drawn = duel.round.stock[0] if kind == "stock" else None
        yield Draw("stock" if kind == "stock" else "discard")
        yield Discard(_other(duel) if drawn is None else drawn)


def _other(duel: Duel) -> Card:
    return next(move.card for move in legal_moves(duel.round) if isinstance(move, Discard))
