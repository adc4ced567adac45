"""The shapes of gin rummy's moves."""

from typing import Any

from marshmallow import Schema, fields
from marshmallow.validate import Length, Range

from service.web.schemas.fields import Card
from service.web.schemas.moves import Deal, Discard, Draw, MoveSchema

MOST_CARDS = 11


def melds() -> fields.Field[Any]:
    """Melds as a mover names them, which the rules will judge."""
    one: fields.Field[Any] = fields.List(Card(), validate=Length(max=MOST_CARDS))
    return fields.List(one, validate=Length(max=MOST_CARDS))


class Knock(MoveSchema):
    """Throw a card and lay the rest out."""

    discard = Card(required=True)
    melds = melds()


class BigGin(MoveSchema):
    """Lay all eleven cards out."""

    melds = melds()


class LayoffSchema(Schema):
    """A card, and the knocker's meld to lay it on."""

    card = Card(required=True)
    meld = fields.Integer(strict=True, required=True, validate=Range(min=0, max=MOST_CARDS))


class Spread(MoveSchema):
    """Answer a knock."""

    melds = melds()
    layoffs = fields.List(fields.Nested(LayoffSchema), validate=Length(max=MOST_CARDS))


MOVES: dict[str, Schema] = {
    "deal": Deal(),
    "pass": MoveSchema(),
    "draw": Draw(),
    "discard": Discard(),
    "knock": Knock(),
    "big_gin": BigGin(),
    "spread": Spread(),
}
