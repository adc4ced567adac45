"""Gives sense to what only looks right, so that a request gets past what no schema can say.

What does not fit the document stays as it is: whether that is refused, and for the right reason, is the question.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from service.rulebooks.errors import RulesetRefused
from service.rulebooks.registry import RULEBOOKS
from tests.contract import SPEC, check_value, resolved
from tests.fuzz.tables import DECK

OFTEN = 0.8
CHOICES = {"gin": "GinRulesetChoice", "rummy": "RummyRulesetChoice"}


def fits(name: str, value: object) -> bool:
    """Whether a value fits a schema of the document."""
    try:
        check_value(name, resolved(SPEC["components"]["schemas"][name]), value)
    except AssertionError:
        return False
    return True


def make_sense(operation: str, query: Mapping[str, Any], body: Any, chance: Random) -> None:
    """Change the body of a request in place."""
    match operation, body:
        case "createGame", dict():
            for seat in each_dict(body.get("seats")):
                _name(seat)
            for decks in each_dict([body.get("sandbox")]):
                _decks(decks, chance)
            _ruleset(body, str(body.get("game")))
        case "joinGame", dict():
            _name(body)
            preview = str(query.get("preview")).lower() == "true"
            if not preview and fits("JoinGameRequest", body):
                body.setdefault("name", "Ben")
        case (("analyseRound" | "analyseMatch"), dict()):
            _ruleset(body, "gin")
            _hands(body, chance)


def each_dict(values: object) -> Iterable[dict[str, Any]]:
    """The objects of a list, if it is one."""
    return (each for each in values if isinstance(each, dict)) if isinstance(values, list) else ()


def _name(named: dict[str, Any]) -> None:
    """Of a name, what everybody can read: which characters mean nothing yet depends on the version of Unicode."""
    if fits("PlayerName", named.get("name")):
        kept = "".join(each for each in named["name"] if unicodedata.category(each) not in ("Cn", "Co"))
        named["name"] = unicodedata.normalize("NFC", kept).strip()[:40] or "Ann"


def _decks(sandbox: dict[str, Any], chance: Random) -> None:
    """Decks of 52 different cards: a schema takes `as` and `AS` for two."""
    decks = sandbox.get("decks")
    if isinstance(decks, list):
        sandbox["decks"] = [chance.sample(DECK, 52) if fits("DeckInput", deck) else deck for deck in decks]


def _hands(body: dict[str, Any], chance: Random) -> None:
    """Two hands from one deck, the knocker's as it is dealt at our tables and so low enough to knock."""
    knocker, defender = body.get("knocker"), body.get("defender")
    if fits("KnockerInput", knocker) and fits("DefenderInput", defender) and chance.random() < OFTEN:
        cards = len(knocker["cards"])
        knocker["cards"], rest = DECK[0:20:2] + DECK[20 : 10 + cards], DECK[21:]
        defender["cards"] = chance.sample(rest, 10)
        for choice in ("discard", "melds", "layoffs"):
            for hand in (knocker, defender):
                if chance.random() < OFTEN:
                    hand.pop(choice, None)


def _ruleset(body: dict[str, Any], game: str) -> None:
    """Without the values that make no sense beside the others."""
    ruleset = body.get("ruleset")
    if not (isinstance(ruleset, dict) and game in CHOICES and fits(CHOICES[game], ruleset)):
        return
    while (refused := _refused(game, ruleset)) is not None:
        if refused not in ruleset:
            body["ruleset"] = "standard"
            return
        del ruleset[refused]


def _refused(game: str, ruleset: dict[str, Any]) -> str | None:
    """The field for which a rulebook refuses a ruleset."""
    overrides = dict(ruleset)
    try:
        RULEBOOKS[game].read_ruleset(overrides.pop("preset", "standard"), overrides)
    except RulesetRefused as refused:
        return refused.field
    return None
