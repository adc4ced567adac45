"""The bodies of the analysis calls."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema
from marshmallow.validate import Length, OneOf, Range

from service.cards.card import card
from service.rulebooks.gin.analysis import DefenderHand, KnockerHand, PadRound
from service.rulebooks.gin.moves import Layoff
from service.web.schemas.fields import Card
from service.web.schemas.games import DEFAULT_PRESET, RulesetField
from service.web.schemas.gin import MOST_CARDS, LayoffSchema, melds

HAND_SIZE = 10
MOST_LIMIT = 10
MOST_POINTS = 10_000
UNWON = ("tie", "void")


class HandSchema(Schema):
    """A hand, and how it came to be."""

    hand = fields.List(Card(), required=True, validate=Length(min=1, max=MOST_CARDS))
    taken = Card(allow_none=True, load_default=None)
    knock_limit = fields.Integer(strict=True, validate=Range(min=0, max=MOST_LIMIT), load_default=MOST_LIMIT)


class KnockerSchema(Schema):
    """A knocker's ten cards, or the eleven of big gin."""

    cards = fields.List(Card(), required=True, validate=Length(min=HAND_SIZE, max=MOST_CARDS))
    discard = Card(load_default=None)
    melds = melds()

    @validates_schema
    def _one_throw_at_most(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data.get("cards", ())) == MOST_CARDS and data.get("discard") is not None:
            raise ValidationError("nothing is thrown with big gin", "discard")


class DefenderSchema(Schema):
    """A defender's ten cards, and the answer to the knock."""

    cards = fields.List(Card(), required=True, validate=Length(equal=HAND_SIZE))
    melds = melds()
    layoffs = fields.List(fields.Nested(LayoffSchema), validate=Length(max=MOST_CARDS))


class RoundSchema(Schema):
    """A round that ended with a knock, gin or big gin."""

    ruleset = RulesetField(load_default=(DEFAULT_PRESET, {}))
    limit_card = Card(load_default=None)
    knocker = fields.Nested(KnockerSchema, required=True)
    defender = fields.Nested(DefenderSchema, required=True)


class PadRoundSchema(Schema):
    """A round on a score pad; points as scored in the round, without boxes."""

    kind = fields.String(required=True, validate=OneOf(("knock", "gin", "big_gin", "undercut", *UNWON)))
    winner = fields.Integer(strict=True, allow_none=True, required=True, validate=Range(min=0, max=1))
    points = fields.Integer(strict=True, required=True, validate=Range(min=0, max=MOST_POINTS))

    @validates_schema
    def _winner_fits_kind(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        unwon = data["kind"] in UNWON
        if unwon != (data["winner"] is None):
            raise ValidationError("must be null exactly if nobody won: a tie or a void round", "winner")
        if unwon and data["points"]:
            raise ValidationError("must be 0 if nobody won", "points")


class MatchSchema(Schema):
    """A score pad."""

    ruleset = RulesetField(load_default=(DEFAULT_PRESET, {}))
    rounds = fields.List(fields.Nested(PadRoundSchema), required=True, validate=Length(max=500))


HAND = HandSchema()
ROUND = RoundSchema()
MATCH = MatchSchema()


def knocker_hand(data: Mapping[str, Any]) -> KnockerHand:
    """The knocker that a checked body names."""
    discard = data["discard"]
    return KnockerHand(
        tuple(map(card, data["cards"])), None if discard is None else card(discard), _named(data.get("melds"))
    )


def defender_hand(data: Mapping[str, Any]) -> DefenderHand:
    """The defender that a checked body names."""
    layoffs = data.get("layoffs")
    return DefenderHand(
        tuple(map(card, data["cards"])),
        _named(data.get("melds")),
        None if layoffs is None else tuple(Layoff(card(each["card"]), each["meld"]) for each in layoffs),
    )


def pad_rounds(data: Mapping[str, Any]) -> list[PadRound]:
    """The rounds of a checked score pad."""
    return [PadRound(**each) for each in data["rounds"]]


def _named(given: list[list[str]] | None) -> tuple[tuple[int, ...], ...] | None:
    return None if given is None else tuple(tuple(map(card, meld)) for meld in given)
