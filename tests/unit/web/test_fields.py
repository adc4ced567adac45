"""Fields take exactly what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from service.cards.card import NAMES
from service.web.schemas.fields import Card, Name, StrictBoolean


@pytest.mark.parametrize("value", [0, 1, "true", "", None, [], 1.0])
def test_only_true_and_false_are_booleans(value):
    assert (StrictBoolean().deserialize(True), StrictBoolean().deserialize(False)) == (True, False)
    with pytest.raises(ValidationError):
        StrictBoolean().deserialize(value)


def test_cards_are_read_in_either_case():
    for name in NAMES:
        assert Card().deserialize(name) == Card().deserialize(name.lower()) == name


@given(st.text() | st.integers() | st.none() | st.lists(st.text()))
def test_anything_else_is_no_card(value):
    if isinstance(value, str) and value.upper() in NAMES:
        return
    with pytest.raises(ValidationError):
        Card().deserialize(value)


@given(st.text())
def test_a_name_that_is_taken_can_be_shown_and_given_again(text):
    try:
        name = Name().deserialize(text)
    except ValidationError:
        return
    assert 1 <= len(name) <= 40
    assert name.strip()
    assert name.isprintable() or any(character.isspace() or ord(character) > 127 for character in name)
    assert "\n" not in name
    assert Name().deserialize(name) == name
