"""A match in every phase it can be in, and a few ways to have got there."""

from service.rulebooks import gin
from service.rulebooks.gin.match import Match
from tests.builders import about_to_throw, dealt_match, knocked, play_moves, resign, rules, throw_every_draw

RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"
GIN = "AS 2S 3S 4C 5C 6C 7D 8D 9D TD"
OTHER = "KS QS JC TC 8H 7H 6H 4H 2D AD"


def at_the_fiftieth_card() -> Match:
    match = dealt_match(OTHER, GIN, "KC", fiftieth="JD", ruleset=rules("rubl", big_gin_bonus=31))
    return throw_every_draw(play_moves(match, "0 pass", "1 pass"), 29)


def stopped_by_the_cap() -> Match:
    match = dealt_match(OTHER, RUNS, "KC", ruleset=rules("open", max_discard_draws=1))
    return play_moves(match, "0 draw discard", "0 discard AD")


POSITIONS: dict[str, Match] = {
    "before the first deal": gin.start(rules(), 2, None),
    "before the first deal, the dealer named": gin.start(rules("hollywood", gin_bonus=30), 2, 1),
    "the upcard is offered": dealt_match(RUNS, OTHER),
    "the upcard is offered to the dealer": play_moves(dealt_match(RUNS, OTHER), "0 pass"),
    "the upcard is passed twice": play_moves(dealt_match(RUNS, OTHER), "0 pass", "1 pass"),
    "the upcard is taken": about_to_throw(RUNS, taken="KH", against=OTHER),
    "a card of the stock is drawn": about_to_throw(RUNS, drawn="KH", against=OTHER),
    "a card is thrown": play_moves(about_to_throw(RUNS, drawn="KH", against=OTHER), "0 discard KH"),
    "the card thrown is taken": play_moves(
        about_to_throw(RUNS, drawn="KH", against=OTHER), "0 discard KH", "1 draw discard"
    ),
    "oklahoma": play_moves(dealt_match(RUNS, OTHER, "KH", ruleset=rules("oklahoma")), "0 pass", "1 pass"),
    "the defender is to spread": knocked(RUNS, OTHER),
    "the fiftieth card is offered": at_the_fiftieth_card(),
    "the fiftieth card is taken": play_moves(at_the_fiftieth_card(), "1 draw discard"),
    "after a knock with layoffs": play_moves(knocked("9S TS JS 4C 5C 6C 7D 8D 9D 5H", OTHER), "1 spread | QS>0 KS>0"),
    "after gin": knocked(GIN, OTHER),
    "after big gin": play_moves(about_to_throw(GIN, drawn="JD", against=OTHER), "0 big_gin"),
    "after big gin with the fiftieth card": play_moves(at_the_fiftieth_card(), "1 draw discard", "1 big_gin"),
    "after a void round": stopped_by_the_cap(),
    "after the fiftieth card is passed": play_moves(at_the_fiftieth_card(), "1 pass"),
    "the match is won": knocked(GIN, OTHER, ruleset=rules(target=50)),
    "resigned during a round": resign(about_to_throw(RUNS, taken="KH", against=OTHER), 1).state,
    "resigned instead of a spread": resign(knocked(RUNS, OTHER), 1).state,
    "resigned before the first deal": resign(gin.start(rules(), 2, None), 0).state,
    "abandoned during a round": gin.abandon(about_to_throw(RUNS, taken="KH", against=OTHER)),
    "abandoned instead of a spread": gin.abandon(knocked(RUNS, OTHER)),
    "abandoned": gin.abandon(gin.start(rules(), 2, None)),
}
