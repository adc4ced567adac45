"""The tables that requests are led to: real games, each at another point of a match, and who may play at them."""

from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.api.playing import deck

Doc = dict[str, Any]

DEAL, PASS, STOCK = {"type": "deal"}, {"type": "pass"}, {"type": "draw", "source": "stock"}
DECK = deck("AS 2S 3S 4C 5C 6C 7D 8D 9D TD", upcard="KC", stock="KH QH")
"""Seat 0 holds nothing but melds, in either game, and draws a card that it can throw."""
TO_THROW = [(0, DEAL), (0, PASS), (1, PASS), (0, STOCK)]
GIN_ROUND = [*TO_THROW, (0, {"type": "knock", "discard": "KH"})]
TO_MELD = [(0, DEAL), (0, STOCK)]
RUMMY_ROUND = [
    *TO_MELD,
    *((0, {"type": "meld", "cards": cards.split()}) for cards in ("AS 2S 3S", "4C 5C 6C", "7D 8D 9D TD")),
    (0, {"type": "discard", "card": "KH"}),
]
PRESETS = {"gin": "standard", "rummy": "bicycle"}
LONG, SHORT = 1000, 20
OPEN: tuple[Doc, ...] = ({"name": "Ann"}, {})
SHUT: tuple[Doc, ...] = ({"name": "Ann"}, {"name": "Ben"})
POINTS = {
    "gin, waiting": ("gin", LONG, OPEN, []),
    "gin, to be dealt": ("gin", LONG, SHUT, []),
    "gin, in the opening": ("gin", LONG, SHUT, TO_THROW[:1]),
    "gin, before a throw": ("gin", LONG, SHUT, TO_THROW),
    "gin, after a round": ("gin", LONG, SHUT, GIN_ROUND),
    "gin, after the match": ("gin", SHORT, SHUT, GIN_ROUND),
    "rummy, waiting": ("rummy", LONG, OPEN, []),
    "rummy, before a throw": ("rummy", LONG, SHUT, TO_MELD),
    "rummy, after a meld": ("rummy", LONG, SHUT, RUMMY_ROUND[:3]),
    "rummy, after a round": ("rummy", LONG, SHUT, RUMMY_ROUND),
    "rummy, after the match": ("rummy", SHORT, SHUT, RUMMY_ROUND),
}


@dataclass
class Table:
    """A game: its id, its invite, and the tokens of its seats that have been handed out."""

    id: str
    invite: str | None = None
    tokens: dict[int, str] = field(default_factory=dict)


class Tables:
    """All the games that are known. Those made here stay at their point until somebody has touched them."""

    def __init__(self, http: httpx.Client) -> None:
        """http: speaks to the service as a backend."""
        self._http = http
        self._at: dict[str, Table] = {}
        self.known: dict[str, Table] = {}
        self.erased: set[str] = set()

    def at(self, point: str) -> Table:
        """A table that stands at this point."""
        if point not in self._at:
            self._at[point] = self._made(*POINTS[point])
        return self._at[point]

    def touched(self, game: str) -> None:
        """A request has perhaps changed this game, so that it stands at its point no more."""
        self._at = {point: table for point, table in self._at.items() if table.id != game}

    def learn(self, answer: Doc, game: str | None = None) -> str | None:
        """Keep the tokens and the invite that an answer hands out: which game they are for.

        game: the one that was asked about, where the answer does not say.
        """
        match answer:
            case {"game": {"id": str(made)}, "tokens": list(seats), "invite": invite}:
                table = self.known.setdefault(made, Table(made))
                table.invite = invite
            case {"game": {"id": str(made)}, "seat": _, "token": _}:
                seats, table = [answer], self.known.setdefault(made, Table(made))
            case {"seat": _, "token": _} if game in self.known:
                seats, table = [answer], self.known[game]
            case _:
                return None
        table.tokens |= {held["seat"]: held["token"] for held in seats}
        return table.id

    def on_turn(self, table: Table) -> int | None:
        """The seat that is to act; None if any is, or none."""
        view = self._http.get(f"/v1/games/{table.id}")
        turn = view.json()["turn"] if view.is_success else None
        return turn["seat"] if turn else None

    def legal_moves(self, table: Table, authorization: str) -> list[Doc]:
        """The moves that the holder of a token may make."""
        view = self._http.get(f"/v1/games/{table.id}", headers={"Authorization": authorization})
        return [listed["move"] for listed in view.json()["legal_moves"]] if view.is_success else []

    def _made(self, game: str, target: int, seats: tuple[Doc, ...], moves: list[tuple[int, Doc]]) -> Table:
        ruleset = {"preset": PRESETS[game], "target": target}
        wanted = {"game": game, "ruleset": ruleset, "seats": seats, "first_dealer": 1, "spectators": game == "rummy"}
        made = self.learn(self._sent("/v1/games", wanted | {"sandbox": {"decks": [DECK]}}))
        assert made is not None
        table = self.known[made]
        for seat, move in moves:
            self._sent(f"/v1/games/{table.id}/moves", move, Authorization=f"Bearer {table.tokens[seat]}")
        return table

    def _sent(self, path: str, body: Doc, **headers: str) -> Doc:
        answer = self._http.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        found: Doc = answer.json()
        return found
