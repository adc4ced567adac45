"""Play a whole match against the computer over HTTP, with the standard library alone, and print the scoreboard.

    python examples/play_match.py [--url http://127.0.0.1:8000]

It plays only from what the service shows it: `legal_moves` in the view of its seat.
"""

import argparse
import json
import sys
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def call(url: str, body: dict[str, Any] | None = None, token: str = "") -> dict[str, Any]:
    """The answer to a call; a body makes it a POST."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(url, None if body is None else json.dumps(body).encode(), headers)  # noqa: S310
    with urlopen(request, timeout=10) as response:  # noqa: S310
        answer: dict[str, Any] = json.load(response)
        return answer


def choose(view: dict[str, Any]) -> dict[str, Any]:
    """A move: end the round if possible, else throw what leaves the least deadwood; draw from the stock."""
    legal = view["legal_moves"]
    by_type: dict[str, list[dict[str, Any]]] = {}
    for listed in legal:
        by_type.setdefault(listed["move"]["type"], []).append(listed)
    for ending in ("big_gin", "knock", "discard"):
        if ending in by_type:
            return min(by_type[ending], key=lambda listed: listed["deadwood"])["move"]
    return next((listed for listed in legal if listed["move"].get("source") != "discard"), legal[0])["move"]


def play(url: str, ruleset: str) -> dict[str, Any]:
    """The view after the match."""
    made = call(
        f"{url}/v1/games", {"game": "gin", "ruleset": ruleset, "seats": [{"name": "Example"}, {"bot": "easy"}]}
    )
    view, token = made["game"], made["tokens"][0]["token"]
    told = 0
    while view["status"] == "playing":
        view = call(f"{url}/v1/games/{view['id']}/moves", choose(view), token)
        last = view["last_round"]
        if last is not None and last["number"] > told:
            told = last["number"]
            print(f"round {told:2}  {last['kind']:9} {winner_of(view, last):9} {last['points']:4}")
    return view


def winner_of(view: dict[str, Any], result: dict[str, Any]) -> str:
    """Who won a round."""
    return "nobody" if result["winner"] is None else who(view, result["winner"])


def who(view: dict[str, Any], seat: int) -> str:
    """What to call a seat."""
    return view["seats"][seat]["name"] or "computer"


def scoreboard(view: dict[str, Any]) -> str:
    """The score of a finished match, component by component; each column adds up to its total."""
    score = view["score"]
    parts: dict[str, list[int]] = {}
    for line in score["lines"]:
        parts.setdefault(line["part"], [0, 0])[line["seat"]] += line["points"]
    rows = [f"{'':12}{who(view, 0):>10}{who(view, 1):>10}"]
    rows += [f"{part:12}{points[0]:10}{points[1]:10}" for part, points in parts.items()]
    rows.append(f"{'total':12}{score['totals'][0]:10}{score['totals'][1]:10}")
    return "\n".join(rows)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the service is (default: %(default)s)")
    parser.add_argument("--ruleset", default="standard", help="a preset of gin rummy (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        view = play(arguments.url.rstrip("/"), arguments.ruleset)
    except HTTPError as refused:
        sys.exit(f"refused: {refused.code} {refused.read().decode()}")
    except URLError as away:
        sys.exit(f"{arguments.url} cannot be reached ({away.reason}); start the service with: make serve")
    print(f"\n{scoreboard(view)}\n")
    print(f"{', '.join(who(view, seat) for seat in view['score']['winners']) or 'nobody'} wins the match")


if __name__ == "__main__":
    main()
