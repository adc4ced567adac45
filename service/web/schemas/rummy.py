"""The shapes of basic rummy's moves."""

from marshmallow import Schema, fields
from marshmallow.validate import Length, Range

from service.web.schemas.fields import Card
from service.web.schemas.moves import Deal, Discard, Draw, MoveSchema

MOST_CARDS = 13
MOST_MELDS = 17


class Meld(MoveSchema):
    """Lay cards on the table."""

    cards = fields.List(Card(), required=True, validate=Length(max=MOST_CARDS))


class LayOff(MoveSchema):
    """Add a card to a meld on the table."""

    card = Card(required=True)
    meld = fields.Integer(strict=True, required=True, validate=Range(min=0, max=MOST_MELDS))


MOVES: dict[str, Schema] = {
    "deal": Deal(),
    "draw": Draw(),
    "meld": Meld(),
    "lay_off": LayOff(),
    "discard": Discard(),
}
