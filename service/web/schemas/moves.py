"""What the moves of all games have in common."""

from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf

from service.web.schemas.fields import Card

LONGEST_SEED = 64


class MoveSchema(Schema):
    """A move says its type; one without any more fields is this."""

    type = fields.String(required=True)


class Deal(MoveSchema):
    """Start the next round."""

    client_seed = fields.String(validate=Length(max=LONGEST_SEED))


class Draw(MoveSchema):
    """Take the top card of a pile."""

    source = fields.String(required=True, validate=OneOf(("stock", "discard")))


class Discard(MoveSchema):
    """Throw a card."""

    card = Card(required=True)
