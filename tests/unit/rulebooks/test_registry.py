"""Every rulebook has all that the floors above call."""

import pytest

from service.rulebooks.base import Rulebook
from service.rulebooks.registry import RULEBOOKS

PROTOCOL = [name for name in (*vars(Rulebook), *Rulebook.__annotations__) if not name.startswith("_")]


def test_gin_rummy_is_there():
    assert "gin" in RULEBOOKS


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_rulebook_has_every_part_of_the_protocol_and_goes_by_its_own_name(name):
    rulebook = RULEBOOKS[name]
    assert name == rulebook.NAME
    assert [part for part in PROTOCOL if not hasattr(rulebook, part)] == []


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_default_preset_is_called_standard(name):
    assert RULEBOOKS[name].presets()[0].name == "standard"
