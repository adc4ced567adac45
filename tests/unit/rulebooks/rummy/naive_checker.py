"""A round of basic rummy a second time, naively: card names, sets and lists, written from the text of the rules.

It shares no code with the service. It is told the deck and every move, keeps its own account of all cards, and says
whether a move is to be accepted, who is to act next, and what the round was worth.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests import naive

Doc = dict[str, Any]
Cards = frozenset[str]

ENDLESS = 50
HIGH_RANKS = naive.RANKS[1:] + "A"
HIGH_RUNS = [
    frozenset(rank + suit for rank in HIGH_RANKS[start:]) for suit in "SHDC" for start in range(len(HIGH_RANKS) - 2)
]


@cache
def is_meld(cards: Cards, ace: str) -> bool:
    """A set of three or four, or a run of three or more, in which the ace may be high too, but not both at once."""
    return naive.is_meld(cards) or (ace == "either" and cards in HIGH_RUNS)


def size(seats: int) -> int:
    """How many cards each is dealt."""
    return {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}[seats]


def counted(cards: Collection[str], rules: Doc) -> int:
    """Pictures count ten, aces one or what the ruleset says."""
    aces = sum(card[0] == "A" for card in cards)
    return naive.count(frozenset(cards)) + aces * ((rules["ace_points"] or 1) - 1)


@dataclass
class NaiveRound:
    """A round in play, or over: then `kind` says how it ended. seats: dealt to. happened: what the last move led to."""

    rules: Doc
    seats: list[int]
    dealer: int
    deck: list[str]
    hands: dict[int, set[str]] = field(default_factory=dict)
    table: list[tuple[int, set[str]]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    laid_before: set[int] = field(default_factory=set)
    this_turn: list[str] = field(default_factory=list)
    taken: str | None = None
    takes_in_a_row: int = 0
    began_anew: str | None = None
    turned: int = 0
    kind: str | None = None
    out: int | None = None
    happened: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = len(self.seats) * size(len(self.seats))
        place = self.seats.index(self.dealer)
        order = [self.seats[(place + 1 + step) % len(self.seats)] for step in range(len(self.seats))]
        self.hands = {seat: set(self.deck[first : count : len(order)]) for first, seat in enumerate(order)}
        self.pile = [self.deck[count]]
        self.stock = self.deck[count + 1 :]
        self.turn = order[0]

    @property
    def phase(self) -> str:
        """A turn begins with the draw."""
        return "round_over" if self.kind else "play" if self.this_turn else "draw"

    @property
    def playing(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    def accepts(self, seat: int, move: Doc) -> bool:
        if self.kind or seat != self.turn:
            return False
        if self.phase == "draw":
            return move["type"] == "draw" and bool(self.stock if move["source"] == "stock" else self.pile)
        match move["type"]:
            case "meld":
                return self._may_meld(move["cards"])
            case "lay_off":
                return self._may_lay_off(move["card"], move["meld"])
            case "discard":
                return move["card"] in self.hands[seat] and move["card"] != self.taken
        return False

    def _is_meld(self, cards: Collection[str]) -> bool:
        return is_meld(frozenset(cards), self.rules["ace"])

    def _may_meld(self, cards: list[str]) -> bool:
        hand = self.hands[self.turn]
        if self.rules["melds_per_turn"] == "one" and {"meld", "lay_off"} & set(self.this_turn):
            return False
        if len(set(cards)) != len(cards) or not hand.issuperset(cards) or not self._is_meld(cards):
            return False
        return self._may_leave(hand - set(cards), [*self.table, (self.turn, set(cards))])

    def _may_lay_off(self, card: str, index: int) -> bool:
        if card not in self.hands[self.turn] or not self._fits(card, index, self.table):
            return False
        after = [(owner, meld | {card} if at == index else meld) for at, (owner, meld) in enumerate(self.table)]
        return self._may_leave(self.hands[self.turn] - {card}, after)

    def _fits(self, card: str, index: int, table: list[tuple[int, set[str]]]) -> bool:
        if self.rules["layoff_after_meld"] and self.turn not in {owner for owner, _ in table}:
            return False
        return 0 <= index < len(table) and self._is_meld(table[index][1] | {card})

    def _may_leave(self, hand: set[str], table: list[tuple[int, set[str]]]) -> bool:
        """Whether a hand may be left by laying cards down: the turn can then be ended, or the seat is out."""
        if not hand:
            return not self.rules["discard_to_go_out"]
        if hand != {self.taken}:
            return True
        fits = any(self._fits(card, index, table) for card in hand for index in range(len(table)))
        return fits and not self.rules["discard_to_go_out"]

    def make(self, seat: int, move: Doc) -> None:
        """Make a move that is accepted, or give up."""
        self.happened = []
        if move["type"] == "resign":
            self._resign(seat)
            return
        hand = self.hands[seat]
        self.this_turn.append(move["type"])
        match move["type"]:
            case "draw" if move["source"] == "stock":
                hand.add(self.stock.pop(0))
                self._count_takes_anew("draw")
            case "draw":
                self.taken = self.pile.pop()
                hand.add(self.taken)
                self.takes_in_a_row += 1
            case "meld":
                self.table.append((seat, set(move["cards"])))
                hand -= set(move["cards"])
                self._count_takes_anew("meld")
            case "lay_off":
                self.table[move["meld"]][1].add(move["card"])
                hand.remove(move["card"])
                self._count_takes_anew("lay_off")
            case "discard":
                hand.remove(move["card"])
                self.pile.append(move["card"])
        if not hand:
            self.kind, self.out = "out" if seat in self.laid_before else "rummy", seat
        elif move["type"] == "discard":
            self._next()

    def _count_takes_anew(self, why: str) -> None:
        if self.takes_in_a_row:
            self.began_anew = why
        self.takes_in_a_row = 0

    def _resign(self, seat: int) -> None:
        self.gone.add(seat)
        if len(self.playing) == 1:
            self.kind = "resigned"
        elif self.turn == seat:
            self._next()

    def _next(self) -> None:
        if {"meld", "lay_off"} & set(self.this_turn):
            self.laid_before.add(self.turn)
        self.this_turn, self.taken = [], None
        if self.takes_in_a_row >= ENDLESS:
            self._block("by takes")
            self.happened.append(f"takes last began anew after a {self.began_anew}")
            return
        self.turn = min(self.playing, key=lambda seat: (seat <= self.turn, seat))
        if not self.stock:
            self._turn_over()

    def _turn_over(self) -> None:
        if self.rules["stock_empty"] == "block":
            self._block("at once without a stock")
        elif len(self.pile) == 1:
            self._block("with a pile of one card")
        elif self.turned == self.rules["stock_passes_max"]:
            self._block("after the last pass")
        else:
            self.turned += 1
            self.stock, self.pile = self.pile[:-1], self.pile[-1:]
            self.happened.append("turned over")

    def _block(self, why: str) -> None:
        self.kind = "blocked"
        self.happened.append(f"blocked {why}")

    def counts(self) -> dict[int, int]:
        """What each seat holds that has not resigned."""
        return {seat: counted(self.hands[seat], self.rules) for seat in self.playing}

    def winner(self) -> int | None:
        if self.kind == "blocked" and self.rules["scoring"] == "winner_takes":
            counts = sorted(self.counts().items(), key=lambda each: each[1])
            return None if counts[0][1] == counts[1][1] else counts[0][0]
        return self.out

    def scores(self) -> dict[int, int]:
        """The points of the round."""
        return {} if self.kind == "resigned" else dict(self._scores())

    def _scores(self) -> Iterator[tuple[int, int]]:
        counts, winner = self.counts(), self.winner()
        bonus = self.rules["rummy_bonus"] if self.kind == "rummy" else "none"
        if self.rules["scoring"] == "winner_takes":
            if winner is not None:
                yield winner, _with_bonus(sum(counts.values()) - counts[winner] * len(counts), bonus)
            return
        for seat, count in counts.items():
            if seat != winner:
                yield seat, _with_bonus(count, bonus)


def _with_bonus(points: int, bonus: str) -> int:
    return {"none": points, "double": 2 * points, "flat": points + 10}[bonus]
