"""Ways to plant a leak into what readers fetch of a game, to see that the law of secrets finds it."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar, TypeAlias

import pytest
from msgspec.structs import replace

from service.cards.shuffle import round_seed
from service.play import events as play_events
from service.play import look, moves, record, views
from service.play.game import Game, deck_of
from service.play.log import Entry
from service.play.ports import Logged
from service.rulebooks.base import Rulebook, Step
from service.rulebooks.errors import RuleViolation

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]


@dataclass(eq=False)
class Talkative(RuleViolation):
    """A refusal that says more than it should."""

    code: ClassVar[str] = "talkative"
    says: ClassVar[str] = "{card} is in the other hand."
    card: int


def in_play(match: Any) -> bool:
    return match.round is not None and match.round.turn is not None


def shows(rulebook: ModuleType) -> Callable[[Callable[[Any, int | None, dict[str, Any]], None]], Plant]:
    """Plant a change of the rulebook's view of a round in play."""

    def planted(change: Callable[[Any, int | None, dict[str, Any]], None]) -> Plant:
        def plant(monkeypatch: pytest.MonkeyPatch) -> None:
            honest = rulebook.view

            def leaky(match: Any, seat: int | None) -> dict[str, Any]:
                shown: dict[str, Any] = honest(match, seat)
                if in_play(match):
                    change(match.round, seat, shown)
                return shown

            monkeypatch.setattr(rulebook, "view", leaky)

        return named(plant, change.__name__)

    return planted


def refusals(rulebook: ModuleType) -> Callable[[Callable[[Any, int, RuleViolation], RuleViolation]], Plant]:
    """Plant other refusals of moves in a round that is in play."""

    def planted(answer: Callable[[Any, int, RuleViolation], RuleViolation]) -> Plant:
        def plant(monkeypatch: pytest.MonkeyPatch) -> None:
            honest = rulebook.apply

            def leaky(match: Any, seat: int, move: Any) -> Step:
                try:
                    step: Step = honest(match, seat, move)
                except RuleViolation as refused:
                    raise (answer(match.round, seat, refused) if in_play(match) else refused) from None
                return step

            monkeypatch.setattr(rulebook, "apply", leaky)

        return named(plant, answer.__name__)

    return planted


def events(rulebook: ModuleType) -> Callable[[Callable[[Any, int, Any, Step], dict[str, Any]]], Plant]:
    """Plant more into what is logged of an accepted move, and into what its event tells of it."""

    def planted(change: Callable[[Any, int, Any, Step], dict[str, Any]]) -> Plant:
        def plant(monkeypatch: pytest.MonkeyPatch) -> None:
            honest = rulebook.apply

            def leaky(match: Any, seat: int, move: Any) -> Step:
                step: Step = honest(match, seat, move)
                more = change(match.round, seat, move, step)
                step.event.move.update(more)
                kind = step.event.move["type"]
                monkeypatch.setitem(rulebook.SEEN, kind, tuple(dict.fromkeys((*rulebook.SEEN[kind], *more))))
                return step

            monkeypatch.setattr(rulebook, "apply", leaky)

        return named(plant, change.__name__)

    return planted


def dry_runs(rulebook: ModuleType) -> Callable[[Callable[[Any, int, Any, dict[str, Any]], None]], Plant]:
    """Plant a change of what a dry run tells."""

    def planted(change: Callable[[Any, int, Any, dict[str, Any]], None]) -> Plant:
        def plant(monkeypatch: pytest.MonkeyPatch) -> None:
            honest = rulebook.preview

            def leaky(match: Any, seat: int, move: Any) -> dict[str, Any]:
                told: dict[str, Any] = honest(match, seat, move)
                change(match, seat, move, told)
                return told

            monkeypatch.setattr(rulebook, "preview", leaky)

        return named(plant, change.__name__)

    return planted


def in_the_events(change: Callable[[Entry, dict[str, Any]], None]) -> Plant:
    """Plant a change of the events themselves, made of the entries of the log."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = play_events._event

        def leaky(rulebook: Rulebook, logged: Logged) -> dict[str, Any]:
            told: dict[str, Any] = honest(rulebook, logged)
            change(logged.entry, told)
            return told

        monkeypatch.setattr(play_events, "_event", leaky)

    return named(plant, change.__name__)


def named(plant: Plant, name: str) -> Plant:
    plant.__name__ = name
    return plant


def in_the_frame(name: str, secret: Callable[[Any], Any]) -> Plant:
    """Plant a value beside the view of the rulebook."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = views.game_view
        for module in (views, look):
            monkeypatch.setattr(module, "game_view", lambda game, *rest: honest(game, *rest) | {name: secret(game)})

    return named(plant, f"the {name}")


def the_deck_of_the_round_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = record.record_of

    def leaky(entries: Any) -> dict[str, Any]:
        written = honest(entries)
        return written | {"next": entries[0].data["decks"][len(written["rounds"]) :]}

    monkeypatch.setattr(record, "record_of", leaky)


@in_the_events
def the_client_seed_in_the_event_of_the_deal(entry: Entry, told: dict[str, Any]) -> None:
    if entry.type == "dealt":
        told["client_seed"] = entry.data.get("client_seed")


@in_the_events
def the_root_in_the_first_event(entry: Entry, told: dict[str, Any]) -> None:
    if entry.type == "created":
        told["root"] = entry.data["root"]


def the_deck_in_the_event_of_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal that notes its deck in the log, and events that tell it."""
    honest = moves._deal

    def leaky(game: Game, *rest: Any) -> tuple[Game, Entry]:
        dealt, entry = honest(game, *rest)
        number = dealt.rulebook.round_number(dealt.state)
        return dealt, replace(entry, data=entry.data | {"deck": deck_of(dealt, number, ())})

    def the_deck_of_a_deal(entry: Entry, told: dict[str, Any]) -> None:
        if entry.type == "dealt":
            told["deck"] = entry.data["deck"]

    monkeypatch.setattr(moves, "_deal", leaky)
    in_the_events(the_deck_of_a_deal)(monkeypatch)


ANY_GAME = [
    in_the_frame("root", lambda game: game.root.hex()),
    in_the_frame("seed", lambda game: round_seed(game.root, 1).hex()),
    in_the_frame("deck", lambda game: game.decks[-1]),
    the_deck_of_the_round_in_the_record,
    the_client_seed_in_the_event_of_the_deal,
    the_root_in_the_first_event,
    the_deck_in_the_event_of_the_deal,
]
"""Leaks that have nothing to do with the rules."""
