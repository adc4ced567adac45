"""Rulesets in words. The text of a ruleset is made from its values, so what it says is what is played."""

from collections.abc import Iterator

from service.rulebooks.gin.ruleset import Ruleset

MEANING: dict[str, tuple[str, str]] = {
    "opening": (
        "Whether the first upcard is offered to both seats, or the non-dealer begins with both piles open.",
        "pagat.com; Wikipedia",
    ),
    "both_pass_draw": (
        "What the non-dealer may draw from once both have passed the upcard.",
        "pagat.com; `either` is a house rule",
    ),
    "knock_limit": (
        "The most deadwood to knock with; 0 is gin only; `upcard`: the first upcard of the round sets it.",
        "pagat.com; Wikipedia (straight gin, Oklahoma)",
    ),
    "oklahoma_ace": ("What an ace as that upcard means: a limit of one, or gin only.", "Bicycle; rummyrulebook"),
    "oklahoma_spade_doubles": (
        "Whether a spade as that upcard doubles the points of the round, bonuses included; boxes are not doubled.",
        "pagat.com; Bicycle",
    ),
    "gin_bonus": ("Points for gin, on top of the defender's deadwood.", "pagat.com; Bicycle; Wikipedia"),
    "big_gin_bonus": (
        "Points for big gin, on top of the defender's deadwood; null: big gin is not played.",
        "Wikipedia",
    ),
    "undercut_bonus": ("Points for an undercut, on top of the difference.", "pagat.com; Bicycle; Wikipedia"),
    "undercut_on_tie": ("Whether equal deadwood is an undercut, or nobody scores.", "Wikipedia; pagat.com"),
    "layoff": (
        "Whether the defender spreads and lays off by a move, or the engine does it at once, at its best.",
        "pagat.com; `auto` is the habit of apps",
    ),
    "fiftieth_card": ("Whether the last discard may be taken to knock when two cards are left.", "rubl.com"),
    "max_discard_draws": (
        "How many takes from the discard pile after the opening, both seats together, make a round void.",
        "OpenSpiel",
    ),
    "next_dealer": ("Who deals after a round that somebody won.", "Wikipedia (alternate); pagat.com (winner)"),
    "void_dealer": ("Who deals after a round that nobody won.", "pagat.com"),
    "target": ("The points that end the match.", "pagat.com; Bicycle; freegambling (150)"),
    "box_bonus": ("Points for each round won (a box).", "pagat.com (20); Wikipedia (25)"),
    "box_timing": (
        "Whether boxes are paid at the end of the match, or as they are won.",
        "pagat.com; apps (per_round)",
    ),
    "gin_extra_boxes": ("Boxes for gin and big gin, on top of the one for the round.", "pagat.com on Oklahoma"),
    "undercut_extra_boxes": ("Boxes for an undercut, on top of the one for the round.", "pagat.com on Oklahoma"),
    "game_bonus": ("Points for winning the match.", "pagat.com; Bicycle; Wikipedia"),
    "shutout": (
        "What a shutout brings: the round scores again, the whole total again, or a bonus in place of the game bonus.",
        "Wikipedia; pagat.com; rubl.com",
    ),
    "shutout_bonus": ("Points for a shutout, instead of the game bonus.", "pagat.com"),
    "shutout_test": ("When it is a shutout: the loser scored nothing, or won no round.", "pagat.com; Wikipedia"),
    "columns": ("How many columns are scored side by side; three is Hollywood.", "Wikipedia; pagat.com"),
    "columns_winner": (
        "Who wins three columns: the sum of their margins (if equal, most columns), or most columns.",
        "pagat.com",
    ),
}
"""What each field of a ruleset decides, and where its values are from."""


def describe(rules: Ruleset) -> str:
    """The ruleset in sentences, from the opening to the scoreboard."""
    return " ".join([*_play(rules), *_round_scores(rules), *_ends(rules), *_match_scores(rules)])


def _play(rules: Ruleset) -> Iterator[str]:
    if rules.opening == "open":
        yield "The non-dealer begins and may draw from either pile."
    else:
        piles = "the stock" if rules.both_pass_draw == "stock_only" else "either pile"
        yield "The upcard is offered to the non-dealer, then to the dealer."
        yield f"If both pass, the non-dealer draws from {piles}."
    yield from _knocking(rules)
    if rules.big_gin_bonus is not None:
        yield "Eleven melded cards are big gin."
    if rules.layoff == "auto":
        yield "After a knock the engine lays off and melds for the defender, at its best."
    else:
        yield "After a knock the defender melds, and lays off on the knocker's melds."


def _knocking(rules: Ruleset) -> Iterator[str]:
    if rules.knock_limit == "upcard":
        ace = "an ace allows gin only" if rules.oklahoma_ace == "gin_only" else "an ace allows 1"
        yield f"The first upcard of a round sets the most deadwood to knock with: pictures 10, and {ace}."
    elif rules.knock_limit == 0:
        yield "A round is won by gin only."
    else:
        points = "1 point" if rules.knock_limit == 1 else f"{rules.knock_limit} points"
        yield f"A player may knock with {points} of deadwood or fewer."


def _round_scores(rules: Ruleset) -> Iterator[str]:
    yield "A knock scores the difference in deadwood."
    big_gin = "" if rules.big_gin_bonus is None else f", big gin {rules.big_gin_bonus}"
    yield f"Gin scores the defender's deadwood and {rules.gin_bonus}{big_gin}."
    tie = "a tie is one" if rules.undercut_on_tie else "nobody scores on a tie"
    yield f"An undercut scores the difference and {rules.undercut_bonus}; {tie}."
    if rules.oklahoma_spade_doubles:
        yield "When the upcard that set the limit is a spade, the points of the round count double."


def _ends(rules: Ruleset) -> Iterator[str]:
    if rules.fiftieth_card:
        yield "When two cards are left in the stock, the last discard may be taken to knock; else the round is void."
    else:
        yield "When two cards are left in the stock, the round is void."
    yield f"It is void too once both together have taken {rules.max_discard_draws} discards."
    dealer = {"alternate": "The deal alternates", "winner": "The winner deals next", "loser": "The loser deals next"}
    void = "the same seat deals again" if rules.void_dealer == "same" else "the other seat deals"
    yield f"{dealer[rules.next_dealer]}; after a round that nobody won, {void}."


def _match_scores(rules: Ruleset) -> Iterator[str]:
    if rules.columns == 3:
        winner = "the sum of their margins" if rules.columns_winner == "sum" else "most columns"
        yield f"Three columns are scored side by side, each to {rules.target}; {winner} wins."
    else:
        yield f"The match is played to {rules.target} points."
    yield from _boxes(rules)
    if rules.game_bonus:
        yield f"Winning brings {rules.game_bonus}."
    yield from _shutout(rules)


def _boxes(rules: Ruleset) -> Iterator[str]:
    if not rules.box_bonus:
        return
    when = "at the end" if rules.box_timing == "end" else "at once"
    yield f"Each round won brings a box of {rules.box_bonus}, paid {when}."
    extra = (("gin", rules.gin_extra_boxes), ("an undercut", rules.undercut_extra_boxes))
    yield from (f"There are {count} more for {what}." for what, count in extra if count > 1)
    yield from (f"There is one more for {what}." for what, count in extra if count == 1)


def _shutout(rules: Ruleset) -> Iterator[str]:
    if rules.shutout == "none":
        return
    loser = "scored no points" if rules.shutout_test == "zero_points" else "won no round"
    reward = {
        "double_points": "the winner's round scores count twice",
        "double_total": "the winner's whole total counts twice",
        "bonus": f"the winner has {rules.shutout_bonus} instead of the bonus for the match",
    }
    yield f"If the loser {loser}, {reward[rules.shutout]}."
