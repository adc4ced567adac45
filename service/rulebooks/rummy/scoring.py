"""Scoring: what a round brings each seat, line by line, and the standings that the rounds add up to."""

from collections.abc import Sequence

from msgspec import Struct

from service.cards.card import POINTS
from service.cards.cardset import CardSet, cards_in
from service.rulebooks.base import End, Line
from service.rulebooks.rummy.round import RoundResult
from service.rulebooks.rummy.ruleset import Ruleset

FLAT_BONUS = 10


class RoundScore(Struct, frozen=True):
    """A finished round as the match counts it: its kind, who won it (None: nobody), and the lines of its points."""

    kind: str
    winner: int | None
    lines: tuple[Line, ...] = ()

    def points(self, seats: int) -> tuple[int, ...]:
        """The points of each of so many seats."""
        return added(self.lines, seats)


def added(lines: Sequence[Line], seats: int) -> tuple[int, ...]:
    """The lines of each of so many seats, added up."""
    return tuple(sum(line.points for line in lines if line.seat == seat) for seat in range(seats))


def count(hand: CardSet, rules: Ruleset) -> int:
    """What the cards of a hand count: pictures 10, an ace 1 or what the ruleset says."""
    ace = rules.ace_points or 1
    return sum(POINTS[card] if card % 13 else ace for card in cards_in(hand))


def price(result: RoundResult, number: int, rules: Ruleset) -> RoundScore:
    """What a round is worth. number: the round's, for its lines. Seats that have resigned neither win nor lose by it.

    Source: pagat.com, "Rummy": each adds the points left in hand, or the one who goes out scores what the others hold.
    """
    if result.kind == "resigned":
        return RoundScore(result.kind, None)
    counts = {seat: count(result.hands[seat], rules) for seat in result.seats if seat not in result.gone}
    if rules.scoring == "each_adds":
        return _each_adds(result, number, rules, counts)
    return _winner_takes(result, number, rules, counts)


def _each_adds(result: RoundResult, number: int, rules: Ruleset, counts: dict[int, int]) -> RoundScore:
    losers = {seat: points for seat, points in counts.items() if seat != result.out}
    lines = [Line(seat, number, "cards_left", points, "each_adds") for seat, points in losers.items()]
    if result.kind == "rummy":
        for seat, points in losers.items():
            lines += _bonus(seat, number, points, rules)
    return RoundScore(result.kind, result.out, tuple(lines))


def _winner_takes(result: RoundResult, number: int, rules: Ruleset, counts: dict[int, int]) -> RoundScore:
    winner = result.out if result.out is not None else _lowest(counts)
    if winner is None:
        return RoundScore(result.kind, None)
    gain = sum(points - counts[winner] for points in counts.values())
    lines = [Line(winner, number, "cards_left", gain, "winner_takes")]
    if result.kind == "rummy":
        lines += _bonus(winner, number, gain, rules)
    return RoundScore(result.kind, winner, tuple(lines))


def _bonus(seat: int, number: int, points: int, rules: Ruleset) -> list[Line]:
    bonus = {"none": 0, "double": points, "flat": FLAT_BONUS}[rules.rummy_bonus]
    return [Line(seat, number, "bonus", bonus, "rummy_bonus")] if bonus else []


def _lowest(counts: dict[int, int]) -> int | None:
    """The seat with the lowest count; None if several have it."""
    least = min(counts.values())
    seats = [seat for seat, points in counts.items() if points == least]
    return seats[0] if len(seats) == 1 else None


def leaders(rules: Ruleset, totals: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    """The seats that would win now: the lowest total where each adds, else the highest; several if they are equal."""
    best = min if rules.scoring == "each_adds" else max
    mark = best(totals[seat] for seat in seats)
    return tuple(seat for seat in seats if totals[seat] == mark)


def winners(rules: Ruleset, totals: Sequence[int], seats: Sequence[int], end: End | None) -> tuple[int, ...]:
    """Who has won the match: one, several with an equal total, or nobody. seats: those that have not resigned."""
    if end is None or end.kind == "abandoned":
        return ()
    return (end.seat,) if end.seat is not None else leaders(rules, totals, seats)
