"""Rulesets in words. The text of a ruleset is made from its values, so what it says is what is played."""

from collections.abc import Iterator

from service.rulebooks.base import Doc

MEANING: dict[str, tuple[str, str]] = {
    "melds_per_turn": (
        "Whether a turn has one meld at the most, before any layoffs, or melds and layoffs in any number and order.",
        "pagat.com (one); Bicycle (any)",
    ),
    "layoff_after_meld": ("Whether only those may lay off who have a meld of their own on the table.", "pagat.com"),
    "discard_to_go_out": ("Whether the last card must be discarded.", "pagat.com"),
    "stock_empty": (
        "What an empty stock means at a turn's start: the pile but its top is turned over, or the round is blocked.",
        "pagat.com",
    ),
    "stock_passes_max": ("How often the pile is turned over in a round before it is blocked.", "pagat.com"),
    "scoring": (
        "Whether each adds the points left in hand and the lowest total wins, or the winner of a round takes them all.",
        "pagat.com",
    ),
    "rummy_bonus": (
        "What going rummy brings, all cards in one turn with nothing laid before: double the points, or 10 more.",
        "pagat.com; Bicycle",
    ),
    "ace": ("Whether the ace is low in runs, or low or high (not both at once).", "pagat.com"),
    "ace_points": ("What an ace counts where it may be high; a low one counts 1.", "pagat.com"),
    "target": ("The points that end the match.", "pagat.com"),
}
"""What each field of a ruleset decides, and where its values are from."""


def describe(values: Doc) -> str:
    """The ruleset in sentences, from the turn to the end of the match. values: every value by its field."""
    return " ".join([*_turn(values), *_stock(values), *_scores(values)])


def _turn(values: Doc) -> Iterator[str]:
    if values["melds_per_turn"] == "one":
        yield "A turn is a draw, at most one meld, layoffs on anybody's melds, and a discard."
    else:
        yield "A turn is a draw, melds and layoffs on anybody's melds in any order, and a discard."
    if values["layoff_after_meld"]:
        yield "Only those with a meld of their own on the table may lay off."
    if values["discard_to_go_out"]:
        yield "The last card must be discarded."
    else:
        yield "A round is won by melding, laying off or discarding the last card."
    if values["ace"] == "either":
        yield f"The ace is low or high in runs and counts {values['ace_points']}."
    else:
        yield "The ace is low and counts 1."


def _stock(values: Doc) -> Iterator[str]:
    passes = values["stock_passes_max"]
    if values["stock_empty"] == "block" or passes == 0:
        yield "When the stock is empty, the round is blocked."
    else:
        times = "once" if passes == 1 else f"up to {passes} times"
        yield (
            "When the stock is empty, the discard pile but its top is turned over, unshuffled, "
            f"{times}; then the round is blocked."
        )


def _scores(values: Doc) -> Iterator[str]:
    each_adds = values["scoring"] == "each_adds"
    if each_adds:
        yield "Each adds the points left in hand."
    else:
        yield "Who goes out scores what the others hold; in a blocked round the lowest hand scores the differences."
    if values["rummy_bonus"] == "double":
        yield "All cards in one turn, with nothing laid before, count double."
    if values["rummy_bonus"] == "flat":
        whom = "each loser" if each_adds else "the winner"
        yield f"All cards in one turn, with nothing laid before, bring {whom} 10 more."
    target = "1 point" if values["target"] == 1 else f"{values['target']} points"
    if each_adds:
        yield f"The match ends when somebody has {target}, and the lowest total wins."
    else:
        yield f"The match is played to {target}."
