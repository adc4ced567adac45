"""A round in play on both sides, and what it takes to see where they part."""

from dataclasses import dataclass, field
from random import Random

from service.cards.card import NAMES, Card
from service.cards.cardset import cards_in
from service.rulebooks import gin
from service.rulebooks.gin.match import Match
from service.rulebooks.gin.moves import Move, write_move
from service.rulebooks.gin.round import Round
from tests.oracle.ledger import Ledger
from tests.oracle.tables import Table
from tests.oracle.theirs import Theirs


@dataclass
class Duel:
    """A round in play on both sides. anew: OpenSpiel's round was over, and was dealt anew for what is still played."""

    table: Table
    match: Match
    theirs: Theirs
    chance: Random
    ledger: Ledger
    anew: bool = False
    moves: list[str] = field(default_factory=list)

    def note(self, seat: int, move: Move) -> None:
        """Keep a move for the dump."""
        self.moves.append(" ".join([str(seat), *(str(value) for value in write_move(move).values())]))

    @property
    def round(self) -> Round:
        """Our round."""
        assert self.match.round is not None
        return self.match.round


def dump(duel: Duel, error: Exception) -> str:
    """What it takes to see a difference: the ruleset, the deck, the moves, and how either side stands."""
    round = duel.round
    return "\n".join(
        [
            f"{error}",
            f"ruleset  {gin.write_ruleset(duel.table.rules)}",
            f"dealer   {duel.table.dealer}",
            f"deck     {_cards(*duel.table.deck)}",
            f"moves    {'; '.join(duel.moves)}",
            f"here     {round.phase}, turn {round.turn}, stock {len(round.stock)}, taken {_cards(round.taken)}",
            f"         hands {_cards(*cards_in(round.hands[0]))} | {_cards(*cards_in(round.hands[1]))}",
            f"         pile {_cards(*round.discards)}",
            f"there    {duel.theirs.state.to_json()}",
        ]
    )


def _cards(*cards: Card | None) -> str:
    return " ".join("none" if card is None else NAMES[card] for card in cards)
