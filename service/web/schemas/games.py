"""The bodies that make a game and join one."""

from collections.abc import Mapping
from typing import Any

import orjson
from marshmallow import Schema, ValidationError, fields, validates_schema
from marshmallow.validate import Length, OneOf, Range

from service.cards.card import card
from service.play.create import NewGame
from service.play.game import Seat
from service.rulebooks.registry import RULEBOOKS
from service.web.schemas.fields import Card, Name, StrictBoolean

DEFAULT_PRESET = "standard"
LONGEST_SEED = 64
MOST_METADATA = 1024
MOST_SEATS = max(rulebook.SEATS[1] for rulebook in RULEBOOKS.values())


class RulesetField(fields.Field[tuple[str, dict[str, Any]]]):
    """A preset's name, or an object with `preset` and any fields to override; the rulebook checks the values."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, dict[str, Any]]:
        if isinstance(value, str):
            return value, {}
        if not isinstance(value, dict):
            raise ValidationError("must be the name of a preset, or an object")
        overrides = dict(value)
        preset = overrides.pop("preset", DEFAULT_PRESET)
        if not isinstance(preset, str):
            raise ValidationError({"preset": ["must be the name of a preset"]})
        return preset, overrides


class Metadata(fields.Field[dict[str, Any]]):
    """Any object of at most 1 KiB."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValidationError("must be an object")
        if len(orjson.dumps(value)) > MOST_METADATA:
            raise ValidationError(f"must have at most {MOST_METADATA} bytes")
        return value


class SeatSchema(Schema):
    """A seat for a named human, for a computer player, or open."""

    name = Name()
    bot = fields.String()

    @validates_schema
    def _one_at_most(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data) > 1:
            raise ValidationError("must have a name or a bot, not both")


class SandboxSchema(Schema):
    """The decks of the first rounds, in order."""

    decks = fields.List(fields.List(Card()), required=True, validate=Length(min=1))


class NewGameSchema(Schema):
    """What a client asks for when it creates a game."""

    game = fields.String(required=True, validate=OneOf(list(RULEBOOKS)))
    ruleset = RulesetField(load_default=(DEFAULT_PRESET, {}))
    seats = fields.List(fields.Nested(SeatSchema), validate=Length(max=MOST_SEATS), allow_none=False, load_default=None)
    first_dealer = fields.Integer(strict=True, allow_none=True, validate=Range(min=0), load_default=None)
    spectators = StrictBoolean(load_default=False)
    metadata = Metadata(allow_none=True, load_default=None)
    sandbox = fields.Nested(SandboxSchema, allow_none=False, load_default=None)


class JoinSchema(Schema):
    """An invite and who comes with it."""

    invite = fields.String(required=True)
    name = Name(required=True)
    client_seed = fields.String(validate=Length(max=LONGEST_SEED), load_default="")


class PreviewSchema(Schema):
    """An invite to look at; the rest of a join may be there already."""

    invite = fields.String(required=True)
    name = Name()
    client_seed = fields.String(validate=Length(max=LONGEST_SEED))


NEW_GAME = NewGameSchema()
JOIN = JoinSchema()
PREVIEW = PreviewSchema()


def new_game(data: Mapping[str, Any]) -> NewGame:
    """The request that a checked body makes."""
    preset, overrides = data["ruleset"]
    seats, sandbox = data["seats"], data["sandbox"]
    return NewGame(
        kind=data["game"],
        preset=preset,
        overrides=overrides,
        seats=None if seats is None else tuple(Seat(**seat) for seat in seats),
        first_dealer=data["first_dealer"],
        spectators=data["spectators"],
        metadata=data["metadata"],
        decks=None if sandbox is None else tuple(tuple(map(card, deck)) for deck in sandbox["decks"]),
    )
