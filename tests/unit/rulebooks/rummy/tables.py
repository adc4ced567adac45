"""One-line builders for basic rummy: a table in the middle of a round, and moves as a player would tell them."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from service.cards.card import DECK_SIZE, card
from service.rulebooks import rummy
from service.rulebooks.base import Doc, Line
from service.rulebooks.rummy.match import Match
from service.rulebooks.rummy.moves import Discard, Draw, LayOff, Meld, Move
from service.rulebooks.rummy.round import Round, TableMeld
from service.rulebooks.rummy.ruleset import Ruleset
from service.rulebooks.rummy.scoring import RoundScore
from tests.builders import cards, hand

UNSHUFFLED = tuple(range(DECK_SIZE))


def rules(preset: str = "standard", **overrides: Any) -> Ruleset:
    """A preset, with some values changed."""
    return rummy.read_ruleset(preset, overrides)


def dealt(seats: int = 2, dealer: int = 0, ruleset: Ruleset | None = None, deck: Sequence[int] = UNSHUFFLED) -> Match:
    """A match whose first round has just been dealt to all seats."""
    return rummy.deal(rummy.start(ruleset or rules(), seats, dealer), deck, range(seats), 0)


def table(
    *hands: str,
    pile: str = "",
    stock: str = "",
    laid: Sequence[str] = (),
    rest: str | int = "stock",
    turn: int = 0,
    ruleset: Ruleset | None = None,
    after: tuple[RoundScore, ...] = (),
    **others: Any,
) -> Match:
    """A match in which a seat is to draw, each seat holding these cards.

    pile: the top last. stock: in draw order. laid: melds on the table, each with its seat: `"1 KS KH KD"`. rest: where
    all other cards are: under the stock, under the pile, or in the hand of a seat. after: the rounds before this one.
    others: of the round, such as `takes`.
    """
    held = [hand(each) for each in hands]
    melds = tuple(TableMeld(int(each[0]), hand(each[2:])) for each in laid)
    named = sum(held) + sum(meld.cards for meld in melds) + hand(pile) + hand(stock)
    spare = tuple(each for each in range(DECK_SIZE) if not named >> each & 1)
    if isinstance(rest, int):
        held[rest] += sum(1 << each for each in spare)
    round = Round(
        rules=ruleset or rules(),
        number=len(after) + 1,
        dealer=len(hands) - 1,
        phase="draw",
        turn=turn,
        seats=tuple(range(len(hands))),
        hands=tuple(held),
        stock=cards(stock) + (spare if rest == "stock" else ()),
        discards=(spare if rest == "pile" else ()) + cards(pile),
        table=melds,
        begun=tuple(sorted({meld.seat for meld in melds})),
    )
    match = rummy.start(round.rules, len(hands), None)
    return replace(match, seats=round.seats, round=replace(round, **others), rounds=after)


def move(text: str) -> Move:
    """A move: `draw stock`, `meld AS2S3S`, `lay 4S>0`, `discard KH`."""
    kind, what = text.split(" ", 1)
    match kind:
        case "draw":
            return Draw(what)  # type: ignore[arg-type]
        case "meld":
            return Meld(cards(what))
        case "lay":
            return LayOff(card(what[:2]), int(what[3:]))
        case "discard":
            return Discard(card(what))
    raise AssertionError(f"no such move: {text!r}")


def play(match: Match, *moves: str) -> Match:
    """The match after some moves, each `<seat> <move>`; `<seat> resign` too."""
    for text in moves:
        seat, what = int(text[0]), text[2:]
        step = (
            rummy.resign(match, seat, match.seats or ()) if what == "resign" else rummy.apply(match, seat, move(what))
        )
        match = step.state
    return match


def throw_every_draw(match: Match, turns: int) -> Match:
    """The match after some turns in which the seat on turn draws from the stock and throws that very card."""
    for _ in range(turns):
        seat, drawn = match.round.turn, match.round.stock[0]
        match = rummy.apply(match, seat, Draw("stock")).state
        match = rummy.apply(match, seat, Discard(drawn)).state
    return match


def legal(match: Match, seat: int) -> list[str]:
    """The moves a seat may make, as `move` reads them."""
    return [_text(each["move"]) for each in rummy.view(match, seat)["legal_moves"]]


def _text(doc: Doc) -> str:
    match doc["type"]:
        case "meld":
            return f"meld {''.join(doc['cards'])}"
        case "lay_off":
            return f"lay {doc['card']}>{doc['meld']}"
        case "draw":
            return f"draw {doc['source']}"
        case "discard":
            return f"discard {doc['card']}"
    return str(doc["type"])


def last_round(match: Match) -> Doc:
    """The result of the round that ended last, as everybody sees it."""
    result: Doc = rummy.view(match, None)["last_round"]
    return result


def outcome(match: Match) -> tuple[str, int | None, list[int]]:
    """Kind, winner and the scores by seat of the round that ended last."""
    result = last_round(match)
    return result["kind"], result["winner"], result["scores"]


def scored(*rounds: Sequence[int]) -> tuple[RoundScore, ...]:
    """Blocked rounds in which the seats added these points: `scored((0, 30), (12, 0))`."""
    return tuple(
        RoundScore(
            "blocked",
            None,
            tuple(Line(seat, number, "cards_left", each, "each_adds") for seat, each in enumerate(points) if each),
        )
        for number, points in enumerate(rounds, 1)
    )


def phase(match: Match) -> tuple[int | None, str]:
    """Whose turn it is, and in which phase."""
    now = rummy.turn(match)
    assert now is not None
    return now.seat, now.phase
