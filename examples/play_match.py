"""Play a whole match against computers over HTTP, with the standard library alone, and print the scoreboard.

    python examples/play_match.py [--game gin|rummy] [--computers 1] [--url http://127.0.0.1:8000]

It plays only from what the service shows it: `legal_moves` in the view of its seat.
"""

import argparse
import json
import sys
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def call(url: str, body: dict[str, Any] | None = None, token: str = "") -> dict[str, Any]:
    """The answer to a call; a body makes it a POST. Who calls too often waits as long as the service says."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(url, None if body is None else json.dumps(body).encode(), headers)
    while True:
        try:
            with urlopen(request, timeout=10) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except HTTPError as refused:
            wait = refused.headers.get("Retry-After")
            if refused.code != 429 or wait is None:
                raise
        time.sleep(int(wait))


def choose(view: dict[str, Any]) -> dict[str, Any]:
    """A move: lay down what can be laid down, else throw what leaves the least deadwood; draw from the stock."""
    legal = view["legal_moves"]
    by_type: dict[str, list[dict[str, Any]]] = {}
    for listed in legal:
        by_type.setdefault(listed["move"]["type"], []).append(listed)
    for kind in ("big_gin", "knock", "meld", "lay_off", "discard"):
        if kind in by_type:
            return min(by_type[kind], key=lambda listed: listed.get("deadwood", 0))["move"]
    return next((listed for listed in legal if listed["move"].get("source") != "discard"), legal[0])["move"]


def play(url: str, game: str, ruleset: str, computers: int) -> dict[str, Any]:
    """The view after the match."""
    seats = [{"name": "Example"}, *[{"bot": "easy"}] * computers]
    made = call(f"{url}/v1/games", {"game": game, "ruleset": ruleset, "seats": seats})
    view, token = made["game"], made["tokens"][0]["token"]
    told = 0
    while view["status"] == "playing":
        view = call(f"{url}/v1/games/{view['id']}/moves", choose(view), token)
        last = view["last_round"]
        if last is not None and last["number"] > told:
            told = last["number"]
            points = "".join(f"{each:4}" for each in last.get("scores", [last.get("points")]))
            print(f"round {told:2}  {last['kind']:9} {winner_of(view, last):10}{points}")
    return view


def winner_of(view: dict[str, Any], result: dict[str, Any]) -> str:
    """Who won a round."""
    return "nobody" if result["winner"] is None else who(view, result["winner"])


def who(view: dict[str, Any], seat: int) -> str:
    """What to call a seat."""
    computer = "computer" if len(view["seats"]) == 2 else f"computer{seat}"
    return view["seats"][seat]["name"] or computer


def scoreboard(view: dict[str, Any]) -> str:
    """The score of a finished match, component by component; each column adds up to its total."""
    score = view["score"]
    seats = range(len(view["seats"]))
    parts: dict[str, list[int]] = {}
    for line in score["lines"]:
        parts.setdefault(line["part"], [0 for _ in seats])[line["seat"]] += line["points"]
    rows = [f"{'':12}" + "".join(f"{who(view, seat):>10}" for seat in seats)]
    rows += [f"{part:12}" + "".join(f"{each:10}" for each in points) for part, points in parts.items()]
    rows.append(f"{'total':12}" + "".join(f"{each:10}" for each in score["totals"]))
    return "\n".join(rows)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the service is (default: %(default)s)")
    parser.add_argument("--game", default="gin", choices=("gin", "rummy"), help="what to play (default: %(default)s)")
    parser.add_argument("--computers", default=1, type=int, help="how many, up to 5 in rummy (default: %(default)s)")
    parser.add_argument("--ruleset", default="standard", help="a preset of the game (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        view = play(arguments.url.rstrip("/"), arguments.game, arguments.ruleset, arguments.computers)
    except HTTPError as refused:
        sys.exit(f"refused: {refused.code} {refused.read().decode()}")
    except URLError as away:
        sys.exit(f"{arguments.url} cannot be reached ({away.reason}); start the service with: make serve")
    print(f"\n{scoreboard(view)}\n")
    winners = [who(view, seat) for seat in view["score"]["winners"]]
    print(f"{', '.join(winners) or 'nobody'} {'win' if len(winners) > 1 else 'wins'} the match")


if __name__ == "__main__":
    main()
