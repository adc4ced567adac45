"""Guesses at moves of gin rummy with optional fields: mostly right, now and then wrong in one of the ways there are."""

from random import Random
from typing import Any

from tests import naive
from tests.unit.rulebooks.gin import naive_checker
from tests.unit.rulebooks.gin.decks import MELDS

Doc = dict[str, Any]


def _named_melds(hand: frozenset[str], chance: Random) -> list[list[str]]:
    """Melds as somebody might name them: mostly disjoint melds of the hand, now and then spoilt."""
    melds: list[list[str]] = []
    free = set(hand)
    for _ in range(chance.randint(0, 3)):
        possible = [meld for meld in MELDS if free.issuperset(meld)]
        if possible:
            melds.append(chance.sample(meld := chance.choice(possible), len(meld)))
            free -= set(meld)
    match chance.choice(["not", "not", "not", "other card", "short", "double", "again", "empty", "more"]):
        case "empty":
            melds.append([])
        case "more":
            melds.append(chance.choices(sorted(hand), k=3))
        case "other card" if melds:
            melds[0][0] = chance.choice(naive.DECK)
        case "short" if melds:
            melds[-1] = melds[-1][1:]
        case "double" if melds:
            melds[0].append(melds[0][0])
        case "again" if melds:
            melds.append(melds[0])
    return melds


def _best_melds(hand: frozenset[str]) -> list[list[str]]:
    return [sorted(meld) for meld in naive.choice(hand, frozenset())[1]]


def named_knock(hand: frozenset[str], chance: Random) -> Doc:
    if chance.randrange(6) == 0:
        return {"type": "big_gin", "melds": _named_melds(hand, chance)}
    if naive.deadwood(hand) == 0:
        return {"type": "big_gin", "melds": _best_melds(hand)}
    held = sorted(hand)
    best = min(held, key=lambda thrown: naive.deadwood(hand - {thrown}))
    thrown = chance.choice([best, best, chance.choice(held), chance.choice(naive.DECK)])
    kept = hand - {thrown}
    melds = _best_melds(kept) if chance.randrange(2) else _named_melds(kept, chance)
    return {"type": "knock", "discard": thrown, "melds": melds}


def named_spread(hand: frozenset[str], laid: list[list[str]], chance: Random) -> Doc:
    """Layoffs chosen one after the other among what fits, so that they chain; some in a wrong order or place."""
    move: Doc = {"type": "spread"}
    rest, layoffs = hand, []
    grown = [set(meld) for meld in laid]
    for _ in range(chance.randint(0, 4)):
        fitting = [(c, m) for c in sorted(rest) for m, meld in enumerate(grown) if naive_checker.is_meld(meld | {c})]
        if fitting:
            held, meld = chance.choice(fitting)
            layoffs.append({"card": held, "meld": meld})
            grown[meld].add(held)
            rest -= {held}
    match chance.choice(["not", "not", "not", "not", "order", "card", "meld", "again", "below"]):
        case "order":
            layoffs.reverse()
        case "card":
            layoffs.append({"card": chance.choice(naive.DECK), "meld": 0})
        case "meld":
            layoffs.append({"card": chance.choice(sorted(hand)), "meld": chance.randint(0, len(laid))})
        case "again":
            layoffs += layoffs[:1]
        case "below" if layoffs:
            layoffs[-1] = layoffs[-1] | {"meld": layoffs[-1]["meld"] - len(laid)}
    if layoffs or chance.randrange(2):
        move["layoffs"] = layoffs
    if chance.randrange(2):
        move["melds"] = _named_melds(chance.choice([rest, rest, hand]), chance)
    return move
