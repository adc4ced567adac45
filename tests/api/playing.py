"""Playing over HTTP as a client does: from the view alone, with its legal moves."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from service.bots.base import POLICIES
from service.cards.card import name
from tests.builders import deck as built_deck
from tests.conftest import Player

Doc = dict[str, Any]


def choose(view: Doc) -> Doc:
    """A sensible legal move of the seat on turn; a deal between rounds."""
    if view["turn"]["seat"] is None:
        return {"type": "deal"}
    return POLICIES["gin"]["easy"](view)


def on_turn(players: tuple[Player, ...]) -> Player:
    """Who is to act; the first between rounds."""
    seat = players[0].view()["turn"]["seat"]
    return players[0] if seat is None else next(player for player in players if player.seat == seat)


def played_on(*players: Player) -> Iterator[tuple[Player, Doc]]:
    """Play one move after the other to the end of the match: each mover with its new view."""
    view = players[0].view()
    while view["status"] == "playing":
        seat = view["turn"]["seat"]
        player = players[0] if seat is None else next(player for player in players if player.seat == seat)
        if view["you"]["seat"] != player.seat:
            view = player.view()
        view = player.play(choose(view))
        yield player, view


def play_round(*players: Player) -> Doc:
    """Deal the next round and play it to its end: the last mover's view."""
    for _, view in played_on(*players):
        if view["turn"] is None or view["turn"]["phase"] == "round_over":
            return view
    raise AssertionError("the match was over before")


def play_match(*players: Player) -> Doc:
    """Play to the end of the match: the last mover's view."""
    *_, (_, view) = played_on(*players)
    return view


def deck(*hands: str, upcard: str = "", stock: str = "") -> list[str]:
    """A deck in deal order that deals the non-dealer and the dealer these hands."""
    return [name(card) for card in built_deck(*hands, upcard=upcard, stock=stock)]


def join(http: httpx.Client, invite: str, name: str = "Ben", **others: str) -> httpx.Response:
    return http.post("/v1/join", json={"invite": invite, "name": name} | others)


def create(http: httpx.Client, **wanted: object) -> Doc:
    """The answer to a create: the game, its tokens and its invite."""
    answer = http.post("/v1/games", json={"game": "gin"} | wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def table_of_two(http: httpx.Client, *, seeds: tuple[str, str] = ("", ""), **wanted: object) -> tuple[Player, Player]:
    """A game that one made and another joined, each with a client seed once the first deals: not dealt yet."""
    made = create(http, seats=[{"name": "Ann"}, {}], **wanted)
    game = made["game"]["id"]
    joined = join(http, made["invite"], client_seed=seeds[1]).json()
    return Player(http, game, 0, made["tokens"][0]["token"]), Player(http, game, 1, joined["token"])


def at_once(times: int, call: Callable[[int], Any]) -> list[Any]:
    """What `call` answers to so many callers who start together."""
    start = threading.Barrier(times)

    def one(number: int) -> Any:
        start.wait()
        return call(number)

    with ThreadPoolExecutor(times) as callers:
        return list(callers.map(one, range(times)))
