"""One-line builders, so that a case reads as a player would tell it.

In the matches built here the seat that acts first is seat 0, unless the dealer is said to be another than seat 1.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from service.cards.arrangement import Arrangement, arrange
from service.cards.card import DECK_SIZE, Card, card
from service.cards.cardset import CardSet, cardset, names, read_cards
from service.rulebooks import gin
from service.rulebooks.base import Doc, Line, Step
from service.rulebooks.gin.match import Match
from service.rulebooks.gin.moves import BigGin, Discard, Draw, Knock, Layoff, Move, NamedMelds, Pass, Spread
from service.rulebooks.gin.ruleset import Ruleset
from service.rulebooks.gin.scoring import RoundScore

NOTHING = "nothing"
"""In a move's text: named as empty, where leaving it out would leave the choice to the engine."""


def hand(text: str) -> CardSet:
    """A set of cards: `hand("AS 2S")`; a card written twice is a mistake in the case."""
    listed = read_cards(text)
    assert len(set(listed)) == len(listed), f"a card is written twice in {text!r}"
    return cardset(listed)


def cards(text: str) -> tuple[Card, ...]:
    """Cards in the order written: `cards("TS 9S JS")`."""
    return tuple(read_cards(text))


def named(*melds: str) -> NamedMelds:
    """Melds as a mover names them: `named("AS 2S 3S", "4C 5C 6C")`."""
    return tuple(cards(meld) for meld in melds)


def laid(text: str) -> Arrangement:
    """A hand laid out, melds first and what is in none last: `laid("AS 2S 3S | 4C 5C 6C | 5H")`, or `"... |"`."""
    *melds, unmelded = (hand(part) for part in text.split("|"))
    return arrange(sum(melds) | unmelded, tuple(melds))


def shown(arrangement: Arrangement) -> str:
    """An arrangement as `laid` reads it."""
    parts = [" ".join(meld) for meld in arrangement.meld_names()]
    return " | ".join([*parts, " ".join(names(arrangement.unmelded))]).strip()


def layoffs(text: str) -> tuple[Layoff, ...]:
    """Cards laid off, each on a meld of the knocker: `layoffs("8S>0 9S>0")`."""
    return tuple(Layoff(card(each[:2]), int(each[3:])) for each in text.split())


def rules(preset: str = "standard", **overrides: Any) -> Ruleset:
    """A preset, with some values changed."""
    return gin.read_ruleset(preset, overrides)


def deck(
    non_dealer: str = "", dealer: str = "", upcard: str = "", stock: str = "", fiftieth: str = ""
) -> tuple[Card, ...]:
    """A full deck in deal order that deals these cards; what is not said is filled from the low cards on.

    fiftieth: the card that is drawn last if all are drawn from the stock, the 29th of it.
    """
    wanted = [*cards(non_dealer), *cards(dealer), *cards(upcard), *cards(stock), *cards(fiftieth)]
    assert len(set(wanted)) == len(wanted), "a card is wanted twice"
    spare = [each for each in range(DECK_SIZE) if each not in wanted]

    def filled(text: str, size: int) -> list[Card]:
        given = list(cards(text))
        assert len(given) <= size, f"{text!r} is more than {size} cards"
        missing = size - len(given)
        given += spare[:missing]
        del spare[:missing]
        return given

    first, second, top = filled(non_dealer, 10), filled(dealer, 10), filled(upcard, 1)
    dealt = [each for pair in zip(first, second, strict=True) for each in pair]
    left = [*cards(stock), *spare]
    return (*dealt, *top, *left[:28], *cards(fiftieth), *left[28:])


def deal(match: Match, listed: Sequence[Card], drawn_dealer: int) -> Match:
    """The match with its next round dealt to both seats; `drawn_dealer` counts in the first round only."""
    return gin.deal(match, listed, (0, 1), drawn_dealer)


def resign(match: Match, seat: int) -> Step:
    """The step of a seat that gives up, at a table of both seats."""
    return gin.resign(match, seat, (0, 1))


def dealt_match(
    non_dealer: str = "",
    dealer: str = "",
    upcard: str = "",
    stock: str = "",
    *,
    fiftieth: str = "",
    ruleset: Ruleset | None = None,
    dealer_seat: int = 1,
    after: tuple[RoundScore, ...] = (),
) -> Match:
    """A match whose next round has just been dealt so; `after` are the rounds scored before it."""
    match = replace(gin.start(ruleset or rules(), 2, dealer_seat), rounds=after)
    return deal(match, deck(non_dealer, dealer, upcard, stock, fiftieth), drawn_dealer=dealer_seat)


def about_to_throw(
    held: str, *, drawn: str = "", taken: str = "", against: str = "", ruleset: Ruleset | None = None
) -> Match:
    """Seat 0 holds ten cards and has drawn one from the stock, or taken the upcard; seat 1 holds `against`."""
    assert bool(drawn) != bool(taken)
    match = dealt_match(held, against, taken, drawn, ruleset=ruleset)
    if taken:
        return play_moves(match, "0 draw discard")
    return play_moves(match, "0 pass", "1 pass", "0 draw stock")


def knocked(held: str, against: str, *, throw: str = "KC", melds: str = "", ruleset: Ruleset | None = None) -> Match:
    """Seat 0 has drawn `throw` and knocked with it; melds are left to the engine unless named."""
    return play_moves(about_to_throw(held, drawn=throw, against=against, ruleset=ruleset), f"0 knock {throw} {melds}")


def move(text: str) -> Move:
    """A move: `draw stock`, `discard KH`, `knock KH AS2S3S 4C5C6C`, `spread 4H4S4D | 8S>0`, `pass`, `big_gin`."""
    kind, *words = text.split()
    match kind:
        case "pass":
            return Pass()
        case "draw":
            return Draw(words[0])  # type: ignore[arg-type]
        case "discard":
            return Discard(card(words[0]))
        case "knock":
            return Knock(card(words[0]), _melds(words[1:]))
        case "big_gin":
            return BigGin(_melds(words))
        case "spread":
            own, _, off = text.removeprefix("spread").partition("|")
            return Spread(_melds(own.split()), _layoffs(off))
    raise AssertionError(f"no such move: {text!r}")


def _melds(words: list[str]) -> NamedMelds | None:
    if not words:
        return None
    return () if words == [NOTHING] else named(*words)


def _layoffs(text: str) -> tuple[Layoff, ...] | None:
    if not text.strip():
        return None
    return () if text.strip() == NOTHING else layoffs(text)


def play_moves(match: Match, *moves: str) -> Match:
    """The match after some moves, each `<seat> <move>`: `play_moves(match, "0 draw stock", "0 discard KH")`."""
    for text in moves:
        seat, _, what = text.partition(" ")
        match = gin.apply(match, int(seat), move(what)).state
    return match


def throw_every_draw(match: Match, turns: int) -> Match:
    """The match after some turns in which the seat on turn draws from the stock and throws that very card."""
    for _ in range(turns):
        turn = gin.turn(match)
        assert turn is not None
        assert match.round is not None
        drawn = names(1 << match.round.stock[0])[0]
        match = play_moves(match, f"{turn.seat} draw stock", f"{turn.seat} discard {drawn}")
    return match


def scored(*rounds: str) -> tuple[RoundScore, ...]:
    """Finished rounds: `scored("0 knock 16", "1 undercut 27", "void")`, points without boxes."""
    return tuple(_scored(number, text.split()) for number, text in enumerate(rounds, 1))


def _scored(number: int, words: list[str]) -> RoundScore:
    if len(words) == 1:
        return RoundScore(words[0], None)
    seat, kind, points = words
    return RoundScore(kind, int(seat), (Line(int(seat), number, "deadwood", int(points), kind),))


def parts(lines: Iterable[Any]) -> list[tuple[int, str, int]]:
    """The lines of a score, shortened to seat, part and points."""
    return [(line.seat, line.part, line.points) for line in lines]


def last_round(match: Match) -> Doc:
    """The result of the round that ended last, as everybody sees it."""
    result: Doc = gin.view(match, None)["last_round"]
    return result


def outcome(match: Match) -> tuple[str, int | None, int]:
    """Kind, winner and points of the round that ended last."""
    result = last_round(match)
    return result["kind"], result["winner"], result["points"]


def legal(match: Match, seat: int) -> list[Doc]:
    """The moves a seat may make, as its view lists them."""
    return [each["move"] for each in gin.view(match, seat)["legal_moves"]]
