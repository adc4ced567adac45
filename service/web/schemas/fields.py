"""Fields that take exactly what they say: `1` is not true, and a name is one that everybody can read."""

import unicodedata
from typing import Any

from marshmallow import ValidationError, fields

from service.cards.card import UnreadableCard, card, name

LONGEST_NAME = 40
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = frozenset(("Cc", "Cs", "Cn", "Co", "Zl", "Zp"))


class StrictBoolean(fields.Field[bool]):
    """True or false, and nothing that could be taken for it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if value is True or value is False:
            return bool(value)
        raise ValidationError("must be true or false")


class Card(fields.Field[str]):
    """A card in two characters; lower case becomes upper."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("must be a card, such as AS or TD")
        try:
            return name(card(value))
        except UnreadableCard as refused:
            raise ValidationError("must be a card, such as AS or TD") from refused


class Name(fields.String):
    """A name of 1 to 40 characters, kept in Unicode's form C."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs) or "")
        if len(text) > LONGEST_NAME or all(unicodedata.category(each)[0] in "ZC" for each in text):
            raise ValidationError(f"must have 1 to {LONGEST_NAME} characters, and one at least that can be seen")
        if any(each in _BIDI or unicodedata.category(each) in _UNSEEN for each in text):
            raise ValidationError("must not contain control characters or marks that turn the direction of text")
        return text
