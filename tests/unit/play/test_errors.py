"""Refusals are data: a stable code, a sentence that can be formed, and the facts; a store's reasons stay inside."""

import dataclasses

import pytest

from service.play import errors
from service.play.errors import PlayError, StoreError


def concrete(base):
    for kind in base.__subclasses__():
        yield from concrete(kind)
        if hasattr(kind, "code"):
            yield kind


REFUSALS = sorted(set(concrete(PlayError)), key=lambda kind: kind.__name__)
EXAMPLES = {
    "number": 3,
    "field": "/seats",
    "reason": "because",
    "version": 7,
    "seat": 1,
    "most": 9,
    "retry_after": 5,
    "schema": 2,
}


def example(kind):
    return kind(*(EXAMPLES[field.name] for field in dataclasses.fields(kind)))


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_every_refusal_has_a_code_and_a_sentence(kind):
    refused = example(kind)
    assert refused.code.replace("_", "").isalpha()
    assert str(refused)
    assert "{" not in str(refused)


def test_codes_are_told_apart():
    assert len({kind.code for kind in REFUSALS}) == len(REFUSALS) > 15


@pytest.mark.parametrize("kind", [kind for kind in REFUSALS if issubclass(kind, StoreError)])
def test_what_is_wrong_with_the_store_is_not_told_to_callers(kind):
    refused = example(kind)
    assert refused.facts() == {}
    assert "because" not in str(refused)


def test_the_tree_is_drawn_where_it_is_defined():
    drawn = {line.split()[0] for line in errors.__doc__.splitlines() if line.startswith("  ")}
    assert {kind.__name__ for kind in REFUSALS} <= drawn
