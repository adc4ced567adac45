"""The easy player of basic rummy: it lays down what it can, and keeps what may yet become a meld."""

from service.cards.card import POINTS, Card, card, rank, suit
from service.cards.cardset import CardSet, cards_in, cardset
from service.cards.melds import is_meld, melds_in
from service.rulebooks.base import Doc


def choose(view: Doc) -> Doc:
    """A move for the seat on turn, one of its legal moves.

    It takes the discard that completes a meld or fits one on the table, melds as many cards as it can, lays off, and
    throws the dearest card that has no companion: none of its rank, and none within two ranks of its suit.
    """
    moves = [each["move"] for each in view["legal_moves"]]
    if view["turn"]["phase"] == "draw":
        return _draw(view, moves)
    melds = [move for move in moves if move["type"] == "meld"]
    if melds:
        return dict(max(melds, key=lambda move: len(move["cards"])))
    layoffs = [move for move in moves if move["type"] == "lay_off"]
    if layoffs:
        return dict(layoffs[0])
    hand = _own_hand(view)
    discards = [move for move in moves if move["type"] == "discard"]
    return dict(min(discards, key=lambda move: _worth_keeping(hand, card(move["card"]))))


def _draw(view: Doc, moves: list[Doc]) -> Doc:
    take = {"type": "draw", "source": "discard"}
    if take in moves and _helps(view):
        return take
    return {"type": "draw", "source": "stock"}


def _helps(view: Doc) -> bool:
    top = card(view["round"]["discard_top"])
    hand = _own_hand(view)
    if any(meld >> top & 1 for meld in melds_in(hand | 1 << top)):
        return True
    table = (cardset(map(card, meld["cards"])) for meld in view["round"]["table"])
    return hand.bit_count() > 1 and any(is_meld(meld | 1 << top) for meld in table)


def _own_hand(view: Doc) -> CardSet:
    own = next(hand for hand in view["round"]["hands"] if "cards" in hand)
    return cardset(map(card, own["cards"]))


def _worth_keeping(hand: CardSet, mine: Card) -> tuple[int, int]:
    """How many companions a card has, then how cheap it is."""
    companions = sum(_near(mine, other) for other in cards_in(hand) if other != mine)
    return companions, -POINTS[mine]


def _near(mine: Card, other: Card) -> bool:
    return rank(mine) == rank(other) or (suit(mine) == suit(other) and abs(rank(mine) - rank(other)) <= 2)
