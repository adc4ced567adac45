"""A match of basic rummy a second time, naively: who deals, what the rounds add up to, and who has won."""

from dataclasses import dataclass, field
from typing import Any

from tests.unit.rulebooks.rummy.naive_checker import NaiveRound, counted

Doc = dict[str, Any]


@dataclass
class NaiveMatch:
    """A match at any point. seats: those that are taken, of a table of so many. totals: of every seat of the table."""

    rules: Doc
    table: int
    seats: list[int]
    first_dealer: int | None
    totals: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    round: NaiveRound | None = None
    number: int = 0
    end: str | None = None

    def __post_init__(self) -> None:
        self.totals = [0] * self.table

    @property
    def playing(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    @property
    def in_play(self) -> NaiveRound | None:
        """The round, unless it is over."""
        return None if self.end or self.round is None or self.round.kind else self.round

    @property
    def turn(self) -> tuple[str, int | None]:
        """Phase and seat; nobody's between two rounds."""
        return ("round_over", None) if self.in_play is None else (self.in_play.phase, self.in_play.turn)

    def dealer(self, drawn: int) -> int:
        """Who deals next: the first time the seat that was named or else drawn, then the one to the left."""
        if self.round is not None:
            return self._from(self.round.dealer + 1)
        return self._from(drawn if self.first_dealer is None else self.first_dealer)

    def _from(self, seat: int) -> int:
        return min(self.playing, key=lambda other: (other - seat) % self.table)

    def deal(self, deck: list[str], drawn: int) -> None:
        dealer = self.dealer(drawn)
        self.number += 1
        self.round = NaiveRound(self.rules, self.playing, dealer, deck)

    def accepts(self, seat: int, move: Doc) -> bool:
        if self.end or seat not in self.playing:
            return False
        if move["type"] == "deal":
            return self.in_play is None
        return self.in_play is not None and self.in_play.accepts(seat, move)

    def make(self, seat: int, move: Doc) -> None:
        """Make a move that is accepted, or give up."""
        if move["type"] == "resign":
            self.gone.add(seat)
        round = self.in_play
        if round is not None:
            round.make(seat, move)
            for each, points in round.scores().items() if round.kind else ():
                self.totals[each] += points
            if round.kind and max(self.totals) >= self.rules["target"]:
                self.end = "target"
        if len(self.playing) == 1:
            self.end = "resigned"

    def winners(self) -> list[int]:
        """Who has won: the last seat left, or the best total; several may have it."""
        if self.end in (None, "abandoned"):
            return []
        best = min if self.rules["scoring"] == "each_adds" else max
        return [seat for seat in self.playing if self.totals[seat] == best(self.totals[each] for each in self.playing)]

    def deadwood(self) -> list[int]:
        """What every seat of the table holds."""
        assert self.round is not None
        return [counted(self.round.hands.get(seat, ()), self.rules) for seat in range(self.table)]
