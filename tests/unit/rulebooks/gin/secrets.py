"""What is hidden in a round of gin rummy, and from whom."""

from collections.abc import Iterable
from random import Random
from typing import Any

from msgspec.structs import replace

from service.cards.cardset import cards_in, cardset
from service.play.game import Game
from service.rulebooks.gin.match import Match
from service.rulebooks.gin.round import Round

Doc = dict[str, Any]


class GinSecrets:
    """The stock is hidden from everybody, and a hand from all but its seat.

    Known to all are cards taken from the discard pile that are still held, and in the spread the knocker's hand.
    """

    def how_often(self, view: Doc) -> float:
        if any(legal["move"]["type"] == "knock" for legal in view["legal_moves"]):
            return 0.3
        rates = {"round_over": 0.1, "opening": 0.2, "draw": 0.05, "discard": 0.03, "spread": 0.7, "fiftieth": 1}
        return rates[view["turn"]["phase"]]

    def exchanged(self, game: Game, reader: int | None, chance: Random) -> Match:
        state: Match = game.state
        round = state.round
        if round is None or round.turn is None:
            return state
        hidden = [hidden_of(round, seat, reader) for seat in (0, 1)]
        pool = [*hidden[0], *hidden[1], *round.stock]
        chance.shuffle(pool)
        hands = []
        for seat in (0, 1):
            dealt, pool = pool[: len(hidden[seat])], pool[len(hidden[seat]) :]
            hands.append(round.hands[seat] & ~cardset(hidden[seat]) | cardset(dealt))
        return replace(state, round=replace(round, hands=(hands[0], hands[1]), stock=tuple(pool)))

    def differs(self, game: Game, other: Match, reader: int | None) -> bool:
        state: Match = game.state
        if state.round is None or other.round is None:
            return False
        if any(hidden_of(state.round, seat, reader) for seat in (0, 1)):
            return state.round.hands != other.round.hands
        return state.round.stock != other.round.stock

    def situations(self, game: Game) -> Iterable[str]:
        """The phases tell gin's states apart."""
        return ()

    def tells_nothing(self, move: Doc, own: bool) -> bool:
        """What I throw or lay out I knew before; what others draw I do not see."""
        if own:
            return move != {"type": "draw", "source": "stock"}
        return move["type"] in ("draw", "pass")


def hidden_of(round: Round, seat: int, reader: int | None) -> list[int]:
    """The cards of a seat that a reader cannot know."""
    if seat == reader or (round.laid is not None and seat == round.knocker):
        return []
    known: set[int] = set()
    for seen in round.public:
        if seen.seat == seat and isinstance(seen.took, int):
            known.add(seen.took)
        if seen.seat == seat and seen.threw is not None:
            known.discard(seen.threw)
    return [card for card in cards_in(round.hands[seat]) if card not in known]
