"""A card is a whole number from 0 to 51, in card order: suits S H D C, and in each suit ace to king.

>>> name(card("7d"))
'7D'
>>> card("AS"), card("KS"), card("AH"), card("KC")
(0, 12, 13, 51)
"""

from typing import TypeAlias

Card: TypeAlias = int

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DECK_SIZE = 52
NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
POINTS = tuple(min(rank + 1, 10) for _ in SUITS for rank in range(13))
"""What each card counts as deadwood: ace 1, two to ten their index, pictures 10."""

SPELLINGS: dict[str, Card] = {
    rank + suit: card
    for card, name in enumerate(NAMES)
    for rank in {name[0], name[0].lower()}
    for suit in (name[1], name[1].lower())
}
"""Every text that names a card, with the card."""


class UnreadableCard(ValueError):
    """The text is not a card.

    text: what was given.
    """

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a card: write rank and suit, such as AS or TD")
        self.text = text


def card(text: str) -> Card:
    """The card that two characters name, rank before suit; lower case is accepted.

    Raises UnreadableCard for anything else.
    """
    found = SPELLINGS.get(text)
    if found is None:
        raise UnreadableCard(text)
    return found


def name(card: Card) -> str:
    """The two characters of a card, such as `7D`."""
    return NAMES[card]


def rank(card: Card) -> int:
    """The rank of a card: 0 is the ace, 12 the king."""
    return card % 13


def suit(card: Card) -> int:
    """The suit of a card: 0 to 3 in the order S H D C."""
    return card // 13
