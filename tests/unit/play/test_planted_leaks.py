"""A test of the test: leaks planted one at a time into what readers fetch are found by the law of secrets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from service.cards.cardset import cards_in, names
from service.cards.deadwood import deadwood
from service.cards.shuffle import round_seed
from service.play import record, views
from service.rulebooks import gin
from service.rulebooks.base import Step
from service.rulebooks.errors import RuleViolation
from service.rulebooks.gin.round import legal_moves
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.permuted import Leak, play_and_compare


def in_play(match: Any) -> bool:
    return match.round is not None and match.round.turn is not None


def shows(change: Callable[[Any, int | None, dict[str, Any]], None]) -> Callable[[pytest.MonkeyPatch], None]:
    """Plant a change of the rulebook's view of a round in play."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = gin.view

        def leaky(match: Any, seat: int | None) -> dict[str, Any]:
            shown = honest(match, seat)
            if in_play(match):
                change(match.round, seat, shown)
            return shown

        monkeypatch.setattr(gin, "view", leaky)

    return plant


@shows
def the_defenders_cards_in_the_spread(round, seat, shown):
    if round.phase == "spread":
        shown["round"]["hands"][round.turn]["cards"] = names(round.hands[round.turn])


@shows
def the_top_of_the_stock(round, seat, shown):
    shown["round"]["stock_top"] = round.stock[0]


@shows
def the_last_card_of_the_stock_at_its_end(round, seat, shown):
    if round.phase == "fiftieth":
        shown["round"]["stock_last"] = round.stock[-1]


@shows
def the_deadwood_of_every_hand(round, seat, shown):
    for hand, cards in zip(shown["round"]["hands"], round.hands, strict=True):
        hand["deadwood"] = deadwood(cards)


@shows
def the_legal_moves_of_the_other_seat(round, seat, shown):
    if seat is not None and seat != round.turn:
        shown["legal_moves"] = list(map(str, legal_moves(round)))


@shows
def whether_the_opponent_could_use_the_upcard(round, seat, shown):
    if round.phase == "opening" and seat == round.turn:
        other = round.hands[1 - seat]
        shown["round"]["hint"] = deadwood(other | 1 << round.discards[-1]) - deadwood(other)


def plant_in_the_frame(name: str, secret: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """Plant a value beside the view of the rulebook."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = views.game_view
        monkeypatch.setattr(views, "game_view", lambda game, *rest: honest(game, *rest) | {name: secret(game)})

    return plant


the_root = plant_in_the_frame("root", lambda game: game.root.hex())
the_seed_of_the_round = plant_in_the_frame("seed", lambda game: round_seed(game.root, 1).hex())
the_deck_to_come = plant_in_the_frame("deck", lambda game: game.decks[-1])


@dataclass(eq=False)
class Talkative(RuleViolation):
    code: ClassVar[str] = "talkative"
    says: ClassVar[str] = "{card} is in the other hand."
    card: int


def refusals(answer: Callable[[Any, int, RuleViolation], RuleViolation]) -> Callable[[pytest.MonkeyPatch], None]:
    """Plant other refusals of moves in a round that is in play."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = gin.apply

        def leaky(match: Any, seat: int, move: Any) -> Step:
            try:
                return honest(match, seat, move)
            except RuleViolation as refused:
                raise (answer(match.round, seat, refused) if in_play(match) else refused) from None

        monkeypatch.setattr(gin, "apply", leaky)

    return plant


@refusals
def a_refusal_that_names_a_card_of_the_opponent(round, seat, refused):
    return Talkative(cards_in(round.hands[1 - seat])[0])


@refusals
def a_refusal_whose_reason_depends_on_the_other_hand(round, seat, refused):
    return Talkative(0) if deadwood(round.hands[1 - seat]) > 20 else refused


def events(change: Callable[[Any, int, Any, Step], dict[str, Any]]) -> Callable[[pytest.MonkeyPatch], None]:
    """Plant more into what is logged of an accepted move."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = gin.apply

        def leaky(match: Any, seat: int, move: Any) -> Step:
            step = honest(match, seat, move)
            step.event.move.update(change(match.round, seat, move, step))
            return step

        monkeypatch.setattr(gin, "apply", leaky)

    return plant


@events
def the_card_drawn_from_the_stock_in_its_event(round, seat, move, step):
    return {"card": round.stock[0]} if round.phase == "draw" else {}


@events
def a_knock_that_looks_at_the_defenders_hand(round, seat, move, step):
    return {"fits": round.hands[1 - seat] % 1000} if step.state.round.phase == "spread" else {}


def dry_runs(change: Callable[[Any, int, Any, dict[str, Any]], None]) -> Callable[[pytest.MonkeyPatch], None]:
    """Plant more into what a dry run tells."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = gin.preview

        def leaky(match: Any, seat: int, move: Any) -> dict[str, Any]:
            doc = honest(match, seat, move)
            change(match, seat, move, doc)
            return doc

        monkeypatch.setattr(gin, "preview", leaky)

    return plant


@dry_runs
def the_deadwood_with_the_card_that_a_dry_run_would_draw(match, seat, move, doc):
    after = gin.apply(match, seat, move).state
    doc["deadwood"] = deadwood(after.round.hands[seat])


@dry_runs
def the_result_of_a_knock_that_is_only_tried(match, seat, move, doc):
    after = gin.apply(match, seat, move).state
    doc["won"] = after.last is not None and after.last is not match.last and after.last.result.deadwood


def the_deck_of_the_round_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = record.record_of

    def leaky(entries: Any) -> dict[str, Any]:
        written = honest(entries)
        return written | {"next": entries[0].data["decks"][len(written["rounds"]) :]}

    monkeypatch.setattr(record, "record_of", leaky)


LEAKS = [
    the_defenders_cards_in_the_spread,
    the_top_of_the_stock,
    the_last_card_of_the_stock_at_its_end,
    the_deadwood_of_every_hand,
    the_legal_moves_of_the_other_seat,
    whether_the_opponent_could_use_the_upcard,
    the_root,
    the_seed_of_the_round,
    the_deck_to_come,
    a_refusal_that_names_a_card_of_the_opponent,
    a_refusal_whose_reason_depends_on_the_other_hand,
    the_card_drawn_from_the_stock_in_its_event,
    a_knock_that_looks_at_the_defenders_hand,
    the_deadwood_with_the_card_that_a_dry_run_would_draw,
    the_result_of_a_knock_that_is_only_tried,
    the_deck_of_the_round_in_the_record,
]


def compare_everything() -> None:
    for kind in ("named melds and layoffs", "fiftieth card", "keen"):
        play_and_compare(GinPlayer(), GinSecrets(), "rubl", kind)


@pytest.mark.parametrize("plant", LEAKS)
def test_a_planted_leak_is_found(plant, monkeypatch):
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare_everything()


def test_nothing_is_found_where_nothing_was_planted():
    compare_everything()
