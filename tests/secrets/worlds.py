"""A game as it is, and as it might be for all that a reader knows: one such other world for each thing that a call
may bring to light.

A call that tells the reader nothing new is compared with every hidden card exchanged. The few that show a card by the
rules are compared with worlds in which exactly that stays as it was, and the rest is exchanged all the same:

| kind      | what stays                                   | for                                                  |
|-----------|----------------------------------------------|------------------------------------------------------|
| `nothing` | nothing                                      | looking, dry runs, refusals, what others draw, ...   |
| `top`     | the top card of the stock                    | the reader's own draw from the stock                 |
| `hands`   | all hands, and the top of the stock          | what ends a round or a match: hands are laid open    |
| `deal`    | the reader's cards and the upcard, the root  | the reader's own deal; the root may draw the dealer  |
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from msgspec.structs import replace

from service.cards.card import card
from service.cards.cardset import cards_in, cardset
from service.play.errors import PlayError
from service.play.game import dealt
from service.play.log import decks_doc
from service.rulebooks import base
from service.rulebooks.errors import RuleViolation
from tests.unit.rulebooks.machine import RESIGN
from tests.unit.rulebooks.permuted import OPEN, Secrets, World

Doc = dict[str, Any]
NOTHING, TOP, HANDS, DEAL = KINDS = ("nothing", "top", "hands", "deal")


def shown_by(world: World, mover: int, move: Doc) -> str:
    """What a move brings to light by the rules: the kind of world that its answer is to be compared with."""
    after = after_move(world, mover, move)
    if after is None:
        return NOTHING
    if any(entry.type in ("round", "ended") for entry in after.entries[len(world.entries) :]):
        return HANDS
    if move["type"] == base.DEAL:
        return DEAL
    return TOP if move == {"type": "draw", "source": "stock"} else NOTHING


def after_move(world: World, mover: int, move: Doc) -> World | None:
    """The world after a move; None if it is refused."""
    try:
        return world.after(mover, move)
    except (RuleViolation, PlayError):
        return None


@dataclass(frozen=True)
class Other:
    """A world as it might be. differs: whether anything hidden really is another than in the world as it is."""

    world: World
    differs: bool


@dataclass
class Worlds:
    """A game as it is, and the other worlds of one reader (a seat, or None), each made when it is asked for."""

    as_it_is: World
    reader: int | None
    secrets: Secrets
    chance: Random

    def other(self, kind: str) -> Other:
        """The world of a kind."""
        made: dict[str, Other] = self._made
        if kind not in made:
            made[kind] = self._dealt() if kind == DEAL else self._exchanged(kind)
        return made[kind]

    @cached_property
    def _made(self) -> dict[str, Other]:
        return {}

    @cached_property
    def _all_exchanged(self) -> Any:
        return self.secrets.exchanged(self.as_it_is.game, self.reader, self.chance)

    def _exchanged(self, kind: str) -> Other:
        game, in_play = self.as_it_is.game, self.as_it_is.phase not in (None, OPEN)
        state = self._all_exchanged if in_play and kind != HANDS else game.state
        if in_play and kind == TOP:
            state = _top_kept(game.state, state)
        if in_play and kind == HANDS:
            state = _stock_shuffled(state, self.chance)
        world = self.as_it_is.with_other_secrets(state, self.chance, self.reader)
        if not in_play:
            return Other(world, world != self.as_it_is)
        if kind == HANDS:
            return Other(world, state != game.state)
        return Other(world, self.secrets.differs(game, state, self.reader))

    def _dealt(self) -> Other:
        """With another deck for the round to be dealt, and others after it."""
        game, number = self.as_it_is.game, self.as_it_is.finished
        assert game.decks is not None
        shown = game.rulebook.view(dealt(game).state, self.reader)["round"]
        known = {shown["discard_top"], *(each for hand in shown["hands"] for each in hand.get("cards", ()))}
        following = _shuffled_but(game.decks[number], map(card, known), self.chance)
        later = (tuple(self.chance.sample(deck, len(deck))) for deck in game.decks[number + 1 :])
        decks = (*game.decks[:number], following, *later)
        created, *entries = self.as_it_is.entries
        created = replace(created, data=created.data | {"decks": decks_doc(decks)})
        return Other(World(replace(game, decks=decks), (created, *entries)), following != game.decks[number])


def _top_kept(before: Any, state: Any) -> Any:
    """The state with the top card of the stock that it had before; it changes places with the one that came there."""
    if not before.round.stock or before.round.stock[0] == state.round.stock[0]:
        return state
    kept, came = before.round.stock[0], state.round.stock[0]
    swapped = {kept: came, came: kept}
    hands = tuple(cardset([swapped.get(each, each) for each in cards_in(hand)]) for hand in state.round.hands)
    stock = tuple(swapped.get(each, each) for each in state.round.stock)
    return replace(state, round=replace(state.round, hands=hands, stock=stock))


def _stock_shuffled(state: Any, chance: Random) -> Any:
    """The state with the stock below its top in another order. The pile turned over is no secret, so it stays."""
    top, below = state.round.stock[:1], state.round.stock[1:]
    if getattr(state.round, "turned", 0):
        return state
    return replace(state, round=replace(state.round, stock=(*top, *chance.sample(below, len(below)))))


def _shuffled_but(deck: tuple[int, ...], known: Iterable[int], chance: Random) -> tuple[int, ...]:
    """The deck with all cards but some in other places."""
    staying = set(known)
    moving = [each for each in deck if each not in staying]
    chance.shuffle(moving)
    others = iter(moving)
    return tuple(each if each in staying else next(others) for each in deck)


def ends_by_resigning(world: World, seat: int) -> str:
    """What comes to light when a seat gives up. A game that still waits for players has no cards."""
    return NOTHING if world.game.status == "waiting" else shown_by(world, seat, RESIGN)
