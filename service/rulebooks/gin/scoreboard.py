"""Scoreboard: the rounds of a match added up, with boxes, game bonus and shutout; in one column, or in three."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from service.rulebooks.base import End, Line
from service.rulebooks.gin.ruleset import Ruleset
from service.rulebooks.gin.scoring import RoundScore, boxes_of

Numbered: TypeAlias = tuple[tuple[int, RoundScore], ...]
"""Rounds of a match or a column, with their numbers in the match."""


class Score(Struct, frozen=True):
    """A scoreboard; of a match, or of one of its columns.

    points: round scores added up (with boxes where they are paid a round). boxes: how many each seat has. totals: the
    lines of each seat added up. margin: winner's total less loser's. winners: empty until it is over, or if nobody won.
    """

    points: tuple[int, int]
    boxes: tuple[int, int]
    totals: tuple[int, int]
    margin: int | None
    winners: tuple[int, ...]
    over: bool
    lines: tuple[Line, ...]
    columns: tuple["Score", ...] | None = None


def scoreboard(rules: Ruleset, rounds: Sequence[RoundScore], end: End | None) -> Score:
    """The score after some rounds: of a single column, or of three that are scored side by side (Hollywood)."""
    numbered = tuple(enumerate(rounds, 1))
    if rules.columns == 1:
        return _column(rules, numbered, end)
    return _hollywood(rules, numbered, end)


def reached_target(rules: Ruleset, rounds: Sequence[RoundScore]) -> End | None:
    """The end of a match whose last round took a seat to the target, or closed the last column; else None."""
    score = scoreboard(rules, rounds, None)
    if rules.columns == 1:
        return _column_end(rules, score.points)
    if score.columns is None or not all(column.over for column in score.columns):
        return None
    return End("target", _columns_winner(rules, score.columns))


def leader(rules: Ruleset, rounds: Sequence[RoundScore]) -> int | None:
    """The seat that wins if the match must end now, by points (by columns in Hollywood); None if they are equal."""
    ended = scoreboard(rules, rounds, End("round_limit", None))
    if ended.columns is not None:
        return _columns_winner(rules, ended.columns)
    return _higher(*ended.points)


def _higher(first: int, second: int) -> int | None:
    return None if first == second else int(second > first)


def _column_end(rules: Ruleset, points: tuple[int, int]) -> End | None:
    if max(points) < rules.target:
        return None
    return End("target", int(points[0] < rules.target))


def _column(rules: Ruleset, rounds: Numbered, end: End | None) -> Score:
    """One scoreboard. end: how the whole match ended; a column that reached the target has ended by itself."""
    lines = list(_round_lines(rules, rounds))
    points = _sums(lines)
    boxes = _boxes(rules, rounds)
    own_end = _column_end(rules, points)
    if own_end is not None:
        end = own_end
    elif end is not None and end.kind == "round_limit":
        end = End(end.kind, _higher(*points))
    totals = points
    if end is not None:
        lines += _end_lines(rules, rounds, points, boxes, end)
        totals = _sums(lines)
    winners = () if end is None or end.seat is None else (end.seat,)
    margin = totals[winners[0]] - totals[1 - winners[0]] if winners else None
    return Score(points, boxes, totals, margin, winners, end is not None, tuple(lines))


def _round_lines(rules: Ruleset, rounds: Numbered) -> Iterator[Line]:
    for number, scored in rounds:
        yield from scored.lines
        if scored.winner is not None and rules.box_timing == "per_round" and rules.box_bonus:
            points = rules.box_bonus * boxes_of(scored.kind, rules)
            yield Line(scored.winner, number, "boxes", points, "box_bonus")


def _boxes(rules: Ruleset, rounds: Numbered) -> tuple[int, int]:
    boxes = [0, 0]
    for _, scored in rounds:
        if scored.winner is not None:
            boxes[scored.winner] += boxes_of(scored.kind, rules)
    return boxes[0], boxes[1]


def _sums(lines: Sequence[Line]) -> tuple[int, int]:
    sums = [0, 0]
    for line in lines:
        sums[line.seat] += line.points
    return sums[0], sums[1]


def _end_lines(
    rules: Ruleset, rounds: Numbered, points: tuple[int, int], boxes: tuple[int, int], end: End
) -> Iterator[Line]:
    """What the end of a match adds: boxes, and for a winner who was not given it, game bonus and shutout."""
    box_points = (0, 0)
    if rules.box_timing == "end":
        box_points = (boxes[0] * rules.box_bonus, boxes[1] * rules.box_bonus)
        yield from (Line(seat, None, "boxes", box_points[seat], "box_bonus") for seat in (0, 1) if box_points[seat])
    winner = end.seat
    if winner is None or end.kind not in ("target", "round_limit"):
        return
    shutout = _is_shutout(rules, rounds, loser=1 - winner)
    if shutout and rules.shutout_bonus is not None:
        yield Line(winner, None, "shutout", rules.shutout_bonus, "shutout_bonus")
        return
    if rules.game_bonus:
        yield Line(winner, None, "game_bonus", rules.game_bonus, "game_bonus")
    if shutout and rules.shutout == "double_points":
        own = sum(scored.points for _, scored in rounds if scored.winner == winner)
        yield Line(winner, None, "shutout", own, "shutout")
    elif shutout:
        yield Line(winner, None, "shutout", points[winner] + box_points[winner] + rules.game_bonus, "shutout")


def _is_shutout(rules: Ruleset, rounds: Numbered, loser: int) -> bool:
    won = [scored.points for _, scored in rounds if scored.winner == loser]
    match rules.shutout_test:
        case "zero_points":
            return sum(won) == 0
        case "no_rounds_won":
            return not won
        case _:
            return False


def _hollywood(rules: Ruleset, rounds: Numbered, end: End | None) -> Score:
    """Three columns side by side: the totals add the columns up; points and boxes count each round once."""
    columns = tuple(_column(rules, entries, end) for entries in _entries(rules, rounds))
    totals = (sum(column.totals[0] for column in columns), sum(column.totals[1] for column in columns))
    once = _sums(list(_round_lines(rules, rounds)))
    winner = end.seat if end is not None else None
    return Score(
        points=once,
        boxes=_boxes(rules, rounds),
        totals=totals,
        margin=None if winner is None else totals[winner] - totals[1 - winner],
        winners=() if winner is None else (winner,),
        over=end is not None,
        lines=tuple(line for column in columns for line in column.lines),
        columns=columns,
    )


def _entries(rules: Ruleset, rounds: Numbered) -> list[Numbered]:
    """The rounds that count in each column.

    A seat's first win goes into the leftmost open column; each later one into every open column the seat has entered,
    and into the next open one to the right. So the columns left of the last one that a seat entered are entered too, or
    closed. Source: Wikipedia and pagat.com, "Hollywood gin".
    """
    columns: list[list[tuple[int, RoundScore]]] = [[] for _ in range(rules.columns)]
    points = [[0, 0] for _ in columns]
    still_open = list(range(rules.columns))
    last_entered = [-1, -1]
    for number, scored in rounds:
        if scored.winner is None:
            continue
        last = last_entered[scored.winner]
        last = last_entered[scored.winner] = next((column for column in still_open if column > last), last)
        lines = tuple(_round_lines(rules, ((number, scored),)))
        for column in still_open:
            if column <= last:
                columns[column].append((number, scored))
                for line in lines:
                    points[column][line.seat] += line.points
        still_open = [column for column in still_open if max(points[column]) < rules.target]
    return [tuple(entries) for entries in columns]


def _columns_winner(rules: Ruleset, columns: tuple[Score, ...]) -> int | None:
    """Who wins three columns: by the sum of the margins, then by columns won; or by columns won alone."""
    won = [sum(column.winners == (seat,) for column in columns) for seat in (0, 1)]
    by_columns = _higher(won[0], won[1])
    if rules.columns_winner == "most":
        return by_columns
    totals = [sum(column.totals[seat] for column in columns) for seat in (0, 1)]
    by_margin = _higher(totals[0], totals[1])
    return by_columns if by_margin is None else by_margin
