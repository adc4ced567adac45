"""What is hidden in a round of basic rummy, and from whom."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from service.cards.cardset import cards_in, cardset
from service.play.game import Game
from service.rulebooks.rummy.match import Match
from service.rulebooks.rummy.round import Round
from tests.unit.rulebooks.rummy.naive_checker import size

Doc = dict[str, Any]


class RummySecrets:
    """The stock is hidden from everybody, and a hand from all but its seat; of a seat that has given up too.

    Known to all is a card that has lain face up, wherever it is: whoever takes it from the pile is seen to, and once
    the pile was turned over as the stock, all who watched know the order in which its cards are drawn.
    """

    def how_often(self, view: Doc) -> float:
        if view["turn"] is None or view["turn"]["phase"] == "round_over":
            return 0.35
        if any(legal["move"]["type"] in ("meld", "lay_off") for legal in view["legal_moves"]):
            return 0.12
        return 0.05

    def exchanged(self, game: Game, reader: int | None, chance: Random) -> Match:
        match: Match = game.state
        round = match.round
        if round is None or round.turn is None:
            return match
        hidden = {seat: hidden_of(game, seat, reader) for seat in round.seats}
        pool = [card for cards in hidden.values() for card in cards]
        pool += () if round.turned else round.stock
        chance.shuffle(pool)
        hands = list(round.hands)
        for seat, cards in hidden.items():
            dealt, pool = pool[: len(cards)], pool[len(cards) :]
            hands[seat] = hands[seat] & ~cardset(cards) | cardset(dealt)
        stock = round.stock if round.turned else tuple(pool)
        return replace(match, round=replace(round, hands=tuple(hands), stock=stock))

    def differs(self, game: Game, other: Match, reader: int | None) -> bool:
        round: Round | None = game.state.round
        if round is None or other.round is None:
            return False
        if any(hidden_of(game, seat, reader) for seat in round.seats):
            return round.hands != other.round.hands
        return round.stock != other.round.stock

    def situations(self, game: Game) -> Iterator[str]:
        round: Round | None = game.state.round
        if round is None or round.turn is None:
            return
        yield f"{len(round.seats)} seats"
        if len(round.seats) < len(game.seats):
            yield "a seat is open"
        if round.gone:
            yield "a seat has resigned"
        if round.turned:
            yield "the pile is turned over"
        if round.taken is not None:
            yield "a card is taken"
        if round.table:
            yield "melds are on the table"

    def tells_nothing(self, move: Doc, own: bool) -> bool:
        """What I throw or lay down I knew before; what others draw I do not see."""
        if own:
            return move != {"type": "draw", "source": "stock"}
        return move["type"] in ("draw", "resign")


def hidden_of(game: Game, seat: int, reader: int | None) -> list[int]:
    """The cards of a seat that a reader cannot know: those that have never lain face up."""
    round: Round = game.state.round
    if seat == reader:
        return []
    assert game.decks is not None
    upcard = game.decks[round.number - 1][len(round.seats) * size(len(round.seats))]
    seen = {upcard, *(turn.threw for turn in round.public)}
    return [card for card in cards_in(round.hands[seat]) if card not in seen]
