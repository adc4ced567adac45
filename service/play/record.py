"""The record of a game, `upcard-record/1`: what other programs replay and verify. Made from the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.cards.card import name
from service.cards.shuffle import round_seed
from service.play.game import Game, Seat, client_seeds, deck_of
from service.play.log import Entry, from_created, seeded
from service.rulebooks.base import Doc

FORMAT = "upcard-record/1"


@dataclass
class _Dealt:
    """A round that was dealt and is not finished yet."""

    game: Game
    moves: list[Doc] = field(default_factory=list)


def record_of(entries: Sequence[Entry]) -> Doc:
    """The record of a game's finished rounds. A round in play is left out, and so is its deck."""
    first, *later = entries
    game = from_created(first)
    rounds: list[Doc] = []
    dealt = _Dealt(game)
    end: Doc | None = None
    for entry in later:
        match entry.type:
            case "joined" | "dealt" if entry.seat is not None:
                game = seeded(game, entry.seat, entry.data.get("client_seed"))
                dealt = _Dealt(game)
            case "left" if entry.seat is not None:
                game = game.with_seat(entry.seat, Seat())
            case "ended":
                end = {"kind": entry.data["kind"], "seat": entry.seat}
            case _:
                dealt.moves.append({"seat": entry.seat, **entry.data["move"]})
                if entry.type == "round":
                    rounds.append(_round(dealt, len(rounds) + 1, entry.data["result"]))
                    dealt = _Dealt(game)
    return {
        "format": FORMAT,
        "game": game.kind,
        **({} if _always_all(game) else {"table": len(game.seats)}),
        "ruleset": first.data["ruleset"],
        "rules_revision": first.data["rules_revision"],
        "rounds": rounds,
        "end": end,
    }


def _round(dealt: _Dealt, number: int, result: Doc) -> Doc:
    game = dealt.game
    seats = [spread["seat"] for spread in result["spreads"]]
    seeds = client_seeds(game, seats)
    return {
        **({} if _always_all(game) else {"seats": seats}),
        "dealer": result["dealer"],
        "deck": [name(card) for card in deck_of(game, number, seeds)],
        "moves": dealt.moves,
        "result": {key: result[key] for key in game.rulebook.RECORDED},
        "proof": _proof(game, number, seeds),
    }


def _always_all(game: Game) -> bool:
    """Whether the game has one number of seats, so that a record need not say how many and which there were."""
    fewest, most = game.rulebook.SEATS
    return fewest == most


def _proof(game: Game, number: int, seeds: Sequence[str]) -> Doc | None:
    if game.decks is not None and number <= len(game.decks):
        return None
    return {
        "commitment": game.commitment,
        "seed": round_seed(game.root, number).hex(),
        "client_seeds": [seed or None for seed in seeds],
        "server_only": not any(seeds),
    }
