"""The law of secrets: cards that a reader cannot know may be exchanged, and nothing that the reader can fetch changes.

A game brings `Secrets`: what is hidden from whom, and which moves bring nothing new to light. Whole games are played;
now and then everything that each seat and an onlooker can read is fetched twice, from the game as it is and from one
with other hidden cards, other decks to come, another root and other client seeds, and compared byte by byte. An event
once told does not change any more, so each is compared before it happens too: in the answer to its move.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Protocol

import orjson
from msgspec.structs import replace

from service.play import moves as play_moves
from service.play import record, views
from service.play.errors import PlayError
from service.play.game import Game
from service.play.log import Entry, decks_doc
from service.play.resign import given_up
from service.rulebooks.base import DEAL
from service.rulebooks.errors import RuleViolation
from tests.unit.rulebooks.machine import LIFETIMES, MOST_MOVES, RESIGN, START, Player, chosen, opened
from tests.unit.rulebooks.watched import Desk

Doc = dict[str, Any]
OPEN = "round_over"
"""The phase in which no hand is hidden; decks to come and the root still are."""


class Leak(AssertionError):
    """Something that a reader fetched depends on what the reader cannot know."""


class Secrets(Protocol):
    """What a game must tell about its secrets."""

    def how_often(self, view: Doc) -> float:
        """From 0 to 1: how often a state with this view of the seat on turn is to be looked at."""

    def exchanged(self, game: Game, reader: int | None, chance: Random) -> Any:
        """The state of the game with the cards that the reader cannot know dealt out anew."""

    def differs(self, game: Game, other: Any, reader: int | None) -> bool:
        """Whether hidden hands differ in the other state; or, where the reader knows every hand, the stock."""

    def situations(self, game: Game) -> Iterable[str]:
        """What kinds of state the game is in beside its phase, for the account of what was compared."""

    def tells_nothing(self, move: Doc, own: bool) -> bool:
        """Whether no hidden card comes to light with an accepted move, to the mover (own) or to everybody else."""


@dataclass(frozen=True)
class World:
    """A game and its log."""

    game: Game
    entries: tuple[Entry, ...]

    @property
    def phase(self) -> str | None:
        turn = self.game.rulebook.turn(self.game.state)
        return None if turn is None else turn.phase

    @property
    def on_turn(self) -> int | None:
        turn = self.game.rulebook.turn(self.game.state)
        return None if turn is None else turn.seat

    @cached_property
    def finished(self) -> int:
        """How many rounds are over."""
        last = self.game.rulebook.view(self.game.state, None)["last_round"]
        return 0 if last is None else int(last["number"])

    @cached_property
    def record(self) -> bytes:
        """The record with the score. Raises Leak if it holds a round that is not finished."""
        written = record.record_of(self.entries)
        if len(written["rounds"]) != self.finished:
            raise Leak("the record holds a round that is not finished")
        return orjson.dumps(written | {"score": self.game.rulebook.score(self.game.state)})

    def after(self, seat: int, move: Doc) -> "World":
        """The world after a move, or after the seat has given up. Raises RuleViolation or PlayError."""
        if move == RESIGN:
            game, entries = given_up(self.game, seat, START)
        else:
            game, entries = play_moves.moved(self.game, seat, move, START)
        return World(game, (*self.entries, *entries))

    def with_other_secrets(self, state: Any, chance: Random, reader: int | None) -> "World":
        """The game in another state, with another root, other decks for the round in play and those to come.

        The seed that the round in play was dealt with is another too, unless it was the reader's own.
        """
        assert self.game.decks is not None
        over = self.finished
        decks = tuple(
            deck if number <= over else tuple(chance.sample(deck, len(deck)))
            for number, deck in enumerate(self.game.decks, 1)
        )
        game = replace(self.game, state=state, root=chance.randbytes(32), decks=decks)
        created, *later = self.entries
        created = replace(created, data=created.data | {"root": game.root.hex(), "decks": decks_doc(decks)})
        return World(game, (created, *_with_another_seed(later, over, reader)))

    def desk(self, reader: int | None) -> Desk:
        """Where a reader of the game asks."""
        return Desk(self.game, self.entries, reader)


def _with_another_seed(entries: list[Entry], over: int, reader: int | None) -> list[Entry]:
    """The log with another client seed in the deal that follows so many rounds, unless the reader dealt."""
    deals = [index for index, entry in enumerate(entries) if entry.type == "dealt"]
    if len(deals) == over or entries[deals[over]].seat == reader:
        return entries
    deal = entries[deals[over]]
    seeded = replace(deal, data=deal.data | {"client_seed": "another"})
    return [*entries[: deals[over]], seeded, *entries[deals[over] + 1 :]]


def play_and_compare(
    player: Player, secrets: Secrets, preset: str, kind: str, chance: Random | None = None
) -> Counter[tuple[str, str]]:
    """Play a match and compare what can be read; how many really different states of each phase and reader there were.

    Beside the phases, the situations that the game tells apart are counted. chance: None for that of the preset and
    kind. Raises Leak.
    """
    chance = chance or Random(f"{preset}, {kind}")
    table = opened(player, preset, kind, chance)
    world = World(table.game, tuple(table.entries))
    compared: Counter[tuple[str, str]] = Counter()
    for _ in range(MOST_MOVES):
        if world.phase is None or world.finished == len(world.game.decks or ()):
            break
        seat = chance.choice(_dealers(world, table.taken)) if world.on_turn is None else world.on_turn
        view = views.game_view(world.game, seat, LIFETIMES)
        if chance.random() < secrets.how_often(view):
            moves = _moves(view, player, chance)
            for reader in (*table.taken, None):
                role = "onlooker" if reader is None else "on turn" if reader == world.on_turn else "not on turn"
                if _compare(world, reader, moves, secrets, chance):
                    compared.update((what, role) for what in (world.phase, *secrets.situations(world.game)))
        move = chosen(player, view, player.MATCHES[kind][1], chance)
        world = world.after(seat, move | {"client_seed": "mine"} if move["type"] == DEAL else move)
    return compared


def _dealers(world: World, taken: list[int]) -> list[int]:
    """The seats that may deal."""
    return [seat for seat in taken if views.game_view(world.game, seat, LIFETIMES)["legal_moves"]]


def _moves(view: Doc, player: Player, chance: Random) -> list[Doc]:
    """Moves of all kinds: some without optional fields, the listed ones, and guesses with optional fields."""
    plain = chance.sample(player.plain_moves(view), 20)
    if view["turn"] is None or view["turn"]["seat"] is None:
        return [*plain, {"type": DEAL}]
    listed = [legal["move"] for legal in view["legal_moves"]]
    return [*plain, *listed, *player.named_moves(view, chance), RESIGN]


def _compare(world: World, reader: int | None, moves: list[Doc], secrets: Secrets, chance: Random) -> bool:
    """Compare what a reader can fetch; False if there was nothing hidden to exchange."""
    rulebook = world.game.rulebook
    exchanged = secrets.exchanged(world.game, reader, chance)
    assert rulebook.load(orjson.loads(orjson.dumps(rulebook.dump(exchanged)))) == exchanged
    other = world.with_other_secrets(exchanged, chance, reader)
    as_it_is = _fetched(world, reader, moves, secrets)
    as_it_might_be = _fetched(other, reader, moves, secrets)
    for what, answer in as_it_is.items():
        if as_it_might_be.get(what, answer) != answer:
            raise Leak(f"{what}, read by {reader}:\n{answer!r}\n{as_it_might_be[what]!r}")
    return other != world if world.phase == OPEN else secrets.differs(world.game, exchanged, reader)


def _fetched(world: World, reader: int | None, moves: list[Doc], secrets: Secrets) -> dict[str, bytes]:
    """Everything that a reader can fetch, and every answer to a move that should tell the reader nothing new."""
    desk = world.desk(reader)
    shown = desk.view()
    unchanged = desk.view(frozenset([shown.etag]))
    fetched = {
        "the view": shown.body,
        "the entity tag": shown.etag.encode(),
        "the end of a wait": f"{unchanged.status} {unchanged.etag} {unchanged.body!r}".encode(),
        "the events": desk.events(),
        "the stream of events": desk.stream(),
        "the record": world.record,
    }
    if reader is not None:
        fetched |= {f"the dry run of {move}": _tried(world, reader, move) for move in moves if move != RESIGN}
    for mover in {reader, world.on_turn} - {None}:
        for move in moves:
            answer = _answer(world, mover, move, reader, secrets)
            if answer is not None:
                fetched[f"the answer to {move} by {mover}"] = answer
    return fetched


def _tried(world: World, reader: int, move: Doc) -> bytes:
    """What a dry run tells the seat that asks for it: never anything new, whatever the move."""
    try:
        return orjson.dumps(play_moves.tried(world.game, reader, move))
    except (RuleViolation, PlayError) as refused:
        return orjson.dumps([refused.code, refused.facts(), str(refused)])


def _answer(world: World, mover: int, move: Doc, reader: int | None, secrets: Secrets) -> bytes | None:
    """What a move tells a reader; None if it may tell something new, or is a refusal to somebody else.

    A draw and a deal show the mover new cards, but no event of them does.
    """
    own, nothing = mover == reader, secrets.tells_nothing(move, mover == reader)
    if not (own or nothing):
        return None
    try:
        after = world.after(mover, move)
    except (RuleViolation, PlayError) as refused:
        return orjson.dumps([type(refused).__name__, refused.code, refused.facts(), str(refused)]) if own else None
    if any(entry.type in ("round", "ended") for entry in after.entries[len(world.entries) :]):
        if after.phase not in (None, OPEN):
            raise Leak("a result is told of a round that is not finished")
        return b"accepted" if own else None
    told = after.desk(reader).stream(len(world.entries))
    if move["type"] == DEAL or not nothing:
        return told
    return told + orjson.dumps(views.game_view(after.game, reader, LIFETIMES))
