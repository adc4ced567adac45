"""The tables: rulesets of ours beside OpenSpiel's parameters, who plays, and the deal."""

from dataclasses import dataclass
from random import Random
from typing import Any

from service.cards.card import DECK_SIZE, Card
from service.cards.cardset import read_cards
from service.rulebooks import gin
from service.rulebooks.gin.ruleset import Ruleset
from tests.oracle.players import PAIRS, Player, greedy
from tests.oracle.theirs import undealt

_EXACT = {"undercut_on_tie": False, "fiftieth_card": True}
_OKLAHOMA = {"knock_limit": "upcard", "oklahoma_ace": "gin_only", "oklahoma_spade_doubles": False}
RULESETS: tuple[tuple[int, str, dict[str, Any]], ...] = (
    (30, "eaai", {}),
    (25, "eaai", _EXACT),
    (6, "eaai", {"layoff": "auto"}),
    (6, "eaai", _EXACT | {"knock_limit": 5, "gin_bonus": 20, "undercut_bonus": 10}),
    (4, "eaai", _EXACT | {"knock_limit": 0, "gin_bonus": 0}),
    (9, "standard", {"fiftieth_card": True}),
    (10, "eaai", _EXACT | _OKLAHOMA),
    (10, "eaai", _OKLAHOMA | {"oklahoma_ace": "one", "oklahoma_spade_doubles": True, "fiftieth_card": True}),
)
"""Rulesets that OpenSpiel's parameters match, and in how many of a hundred rounds; what they differ in is handled."""


@dataclass(frozen=True)
class Table:
    """One round to be played: the ruleset, the dealer, the deck, the two players by seat."""

    rules: Ruleset
    dealer: int
    deck: tuple[Card, ...]
    players: tuple[Player, Player]

    @property
    def greedy(self) -> bool:
        """Whether both players are the greedy ones that knock."""
        return self.players == (greedy, greedy)

    @property
    def undealt(self) -> Any:
        """OpenSpiel's state before the deal."""
        rules = self.rules
        if rules.knock_limit == "upcard":
            return undealt(10, rules.gin_bonus, rules.undercut_bonus, oklahoma=True)
        return undealt(rules.knock_limit, rules.gin_bonus, rules.undercut_bonus)

    def undealt_at(self, limit: int) -> Any:
        """OpenSpiel's state before the deal, with the same bonuses and a knock limit of its own."""
        return undealt(limit, self.rules.gin_bonus, self.rules.undercut_bonus)


def table(number: int, chance: Random) -> Table:
    """A table set by chance. number: every other round is a plain deal to two greedy players."""
    _, preset, overrides = chance.choices(RULESETS, [weight for weight, *_ in RULESETS])[0]
    rules = gin.read_ruleset(preset, overrides)
    dealer = chance.randrange(2)
    if number % 2 == 0:
        return Table(rules, dealer, _deck(chance), (greedy, greedy))
    _, players = chance.choices(PAIRS, [weight for weight, _ in PAIRS])[0]
    if chance.random() < 0.5:
        players = (players[1], players[0])
    deal = chance.choices((_deck, _crowded_deck, _tangled_deck), (56, 40, 4))[0]
    return Table(rules, dealer, deal(chance), players)


def _deck(chance: Random) -> tuple[Card, ...]:
    deck = list(range(DECK_SIZE))
    chance.shuffle(deck)
    return tuple(deck)


def _crowded_deck(chance: Random) -> tuple[Card, ...]:
    """A shuffled deck with the cards of six or seven neighbouring ranks on top, so that melds overlap."""
    ranks = chance.choice((6, 7))
    low = chance.randrange(13 - ranks + 1)
    return tuple(sorted(_deck(chance), key=lambda card: not low <= card % 13 < low + ranks))


_TANGLED = (
    "4S 5S 4C 5C 2D 3D 4D 5D 4H 5H 6H",
    "3S 4S 5S 6S 3H 4H 5H 4D 5D 6D 6C",
    "4S 5S 6S 7S 3H 6H 3D 5D 6D 5C 6C",
    "6S 4H 5H 6H 3D 4D 5D 6D 2C 3C 5C",
    "AS 2S 3S 4C 5C 6C 7D 8D 9D TD JD",
)
"""Eleven cards that OpenSpiel's shortcut misjudges (two for gin, two for a knock with 10), and a big gin."""


def _tangled_deck(chance: Random) -> tuple[Card, ...]:
    """A shuffled deck that deals ten of such eleven, in any suits, and lets the eleventh be drawn first."""
    suits = chance.sample(range(4), 4)
    eleven = [suits[card // 13] * 13 + card % 13 for card in read_cards(chance.choice(_TANGLED))]
    chance.shuffle(eleven)
    others = [card for card in _deck(chance) if card not in eleven]
    dealt = [card for pair in zip(eleven[:10], others[:10], strict=True) for card in pair]
    drawn = [eleven[10], others[10]] if chance.random() < 0.5 else [others[10], eleven[10]]
    return (*dealt, *drawn, *others[11:])
