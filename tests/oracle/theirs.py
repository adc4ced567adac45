"""OpenSpiel's side of a round: its state, fed with our deck, and read in our cards and seats."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pyspiel

from service.cards.card import Card
from service.cards.cardset import CardSet, cards_in
from tests.oracle.cards import ACTION_OF, MELD_OF, SPIEL, SWAPPED, UTILS, from_there
from tests.oracle.ledger import Difference

TAKE, STOCK, PASS, KNOCK = SPIEL.DRAW_UPCARD_ACTION, SPIEL.DRAW_STOCK_ACTION, SPIEL.PASS_ACTION, SPIEL.KNOCK_ACTION
Phase = SPIEL.Phase


@lru_cache(maxsize=64)
def undealt(knock_card: int, gin_bonus: int, undercut_bonus: int, oklahoma: bool = False) -> Any:
    """OpenSpiel's state before the deal, of a game with these parameters; it is copied for each round."""
    parameters = {
        "oklahoma": oklahoma,
        "knock_card": knock_card,
        "gin_bonus": gin_bonus,
        "undercut_bonus": undercut_bonus,
    }
    return pyspiel.load_game("gin_rummy", parameters).new_initial_state()


@dataclass
class Theirs:
    """A state of OpenSpiel and how it reads on our side.

    first: our seat that is player 0 there. A round that was dealt anew for its showdown has no history there: then
    `beneath` is our discard pile below its own, `unlike` the stock cards it has more than we, and `stand_in` the
    card it threw for the one we threw.
    """

    state: Any
    first: int
    beneath: tuple[Card, ...] = ()
    unlike: int = 0
    stand_in: dict[Card, Card] = field(default_factory=dict)

    @classmethod
    def dealt(cls, undealt: Any, deck: Sequence[Card], first: int) -> "Theirs":
        """The state after our deck is dealt: all ten cards of the first seat, then all of the second, the upcard."""
        state = undealt.clone()
        for card in (*deck[0:20:2], *deck[1:20:2], deck[20]):
            state.apply_action(SWAPPED[card])
        return cls(state, first)

    @classmethod
    def dealt_anew(cls, undealt: Any, mover: int, ten: CardSet, drawn: Card, other: CardSet) -> "Theirs":
        """A fresh round in which the mover holds ten cards and has taken the upcard."""
        state = undealt.clone()
        for card in (*cards_in(ten), *cards_in(other), drawn):
            state.apply_action(SWAPPED[card])
        state.apply_action(TAKE)
        return cls(state, mover)

    def do(self, *actions: int) -> None:
        """Apply actions, each of which must be legal."""
        for action in actions:
            if action not in self.state.legal_actions():
                raise Difference("a move on the other side", self.state.action_to_string(action), "not legal")
            self.state.apply_action(action)

    @property
    def phase(self) -> Any:
        """OpenSpiel's phase."""
        return self.state.current_phase()

    @property
    def turn(self) -> int | None:
        """Our seat on turn; None at a chance node or after the end."""
        player: int = self.state.current_player()
        return None if player < 0 else self.seat(player)

    def seat(self, player: int) -> int:
        """Our seat of a player there, and the other way about."""
        return player if self.first == 0 else 1 - player

    def hand(self, seat: int) -> CardSet:
        """The cards a seat holds, those laid or laid off taken away."""
        return from_there(self.state.hands()[self.seat(seat)])

    def deadwood(self, seat: int) -> int:
        """OpenSpiel's deadwood of a seat."""
        count: int = self.state.deadwood()[self.seat(seat)]
        return count

    def returns(self, seat: int) -> int:
        """What a seat has won or lost."""
        return round(self.state.returns()[self.seat(seat)])

    @property
    def top(self) -> Card | None:
        """The upcard; None while the seat on turn has drawn."""
        upcard = self.state.upcard()
        return None if upcard is None else SWAPPED[upcard]

    @property
    def pile(self) -> tuple[Card, ...]:
        """The discard pile with the upcard on it, as it would be ours."""
        own = [SWAPPED[card] for card in self.state.discard_pile()]
        if self.top is not None:
            own.append(self.top)
        return self.beneath + tuple(self.stand_in.get(card, card) for card in own)

    @property
    def stock(self) -> int:
        """How many cards the stock has, as it would be ours."""
        size: int = self.state.stock_size()
        return size - self.unlike

    def passed(self, seat: int) -> bool:
        """Whether a seat has passed the first upcard."""
        return bool(self.state.pass_on_first_upcard()[self.seat(seat)])

    def knocked(self, seat: int) -> bool:
        """Whether a seat has knocked."""
        return bool(self.state.knocked()[self.seat(seat)])

    def laid(self, seat: int) -> list[CardSet]:
        """The melds a seat has laid, in order."""
        return [MELD_OF[SPIEL.MELD_ACTION_BASE + number] for number in self.state.layed_melds()[self.seat(seat)]]

    @property
    def layoffs(self) -> tuple[Card, ...]:
        """The cards laid off, in order."""
        return tuple(SWAPPED[card] for card in self.state.layoffs())

    @property
    def limit(self) -> int:
        """The most deadwood of a knock."""
        most: int = self.state.knock_card()
        return most

    @property
    def offered(self) -> list[int]:
        """The legal actions, by OpenSpiel's numbers."""
        actions: list[int] = self.state.legal_actions()
        return actions

    def cards_offered(self) -> set[Card]:
        """The cards among the legal actions, as ours."""
        return {SWAPPED[action] for action in self.offered if action < 52}

    def melds_offered(self) -> set[CardSet]:
        """The melds among the legal actions."""
        return {MELD_OF[action] for action in self.offered if action in MELD_OF}

    def knocks_offered(self) -> set[Card]:
        """The throws with which a knock is legal: asked of a copy that knocks, if it may and has not yet."""
        if self.phase == Phase.KNOCK:
            return self.cards_offered()
        if KNOCK not in self.offered:
            return set()
        asked = self.state.clone()
        asked.apply_action(KNOCK)
        return {SWAPPED[action] for action in asked.legal_actions() if action < 52}

    def lay(self, meld: CardSet) -> None:
        """Lay a meld of at most five cards."""
        self.do(ACTION_OF[meld])

    def least_after_layoffs(self) -> int:
        """The least deadwood the defender can reach by what OpenSpiel offers: every way to lay off is tried."""
        defender = self.state.current_player()
        reached: set[frozenset[int]] = set()
        least = 1000

        def try_all(state: Any) -> None:
            nonlocal least
            held = state.hands()[defender]
            if frozenset(held) in reached:
                return
            reached.add(frozenset(held))
            least = min(least, UTILS.min_deadwood(held))
            for action in state.legal_actions():
                if action != PASS:
                    try_all(state.child(action))

        try_all(self.state)
        return least
