"""Score pads as they are sent, and what must hold of every scoreboard, whatever the rules and rounds."""

from typing import Any

import httpx

Doc = dict[str, Any]


def sent(http: httpx.Client, ruleset: str | Doc, *rounds: str) -> httpx.Response:
    """The answer to a pad of rounds, each `<winner> <kind> <points>`, or `void` or `tie`."""
    return http.post("/v1/analysis/match", json={"ruleset": ruleset, "rounds": [_round(text) for text in rounds]})


def added_up(http: httpx.Client, ruleset: str | Doc, *rounds: str) -> Doc:
    """The scoreboard of a pad; its lines, columns and margin agree with its totals."""
    answer = sent(http, ruleset, *rounds)
    assert answer.status_code == 200, answer.text
    score = answer.json()
    assert_agrees(score)
    for column in score["columns"] or ():
        assert_agrees(column)
    return score


def _round(text: str) -> Doc:
    if text in ("void", "tie"):
        return {"kind": text, "winner": None, "points": 0}
    winner, kind, points = text.split()
    return {"kind": kind, "winner": int(winner), "points": int(points)}


def assert_agrees(score: Doc) -> None:
    """The lines of each seat add up to its total, the columns too, and the margin is what lies between the totals."""
    for seat in (0, 1):
        assert sum(line["points"] for line in score["lines"] if line["seat"] == seat) == score["totals"][seat]
        if score["columns"] is not None:
            assert sum(column["totals"][seat] for column in score["columns"]) == score["totals"][seat]
    if score["winners"]:
        (winner,) = score["winners"]
        assert score["over"] is True
        assert score["margin"] == score["totals"][winner] - score["totals"][1 - winner]
    else:
        assert score["margin"] is None


def parts(score: Doc, seat: int) -> list[tuple[str, int]]:
    """What the end of the match brought a seat, line by line."""
    return [(line["part"], line["points"]) for line in score["lines"] if line["seat"] == seat and line["round"] is None]


def assert_goes_on(score: Doc, *, points: list[int], boxes: list[int], totals: list[int]) -> None:
    assert (score["points"], score["boxes"], score["totals"]) == (points, boxes, totals)
    assert (score["over"], score["winners"], score["margin"]) == (False, [], None)


def assert_won(score: Doc, winner: int, *, points: list[int], boxes: list[int], totals: list[int], margin: int) -> None:
    assert (score["points"], score["boxes"], score["totals"]) == (points, boxes, totals)
    assert (score["over"], score["winners"], score["margin"]) == (True, [winner], margin)


def assert_refused(answer: httpx.Response, code: str) -> Doc:
    """The refusal, which must be of an analysis: 422, with this code."""
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    return answer.json()
