"""API keys: known by their hashes, and of no use without being listed."""

import hashlib

import pytest

from service.play.callers import Backend
from service.web.keys import ApiKeys, hash_of, new_key


def test_a_listed_key_tells_its_tenant_and_a_tenant_may_have_two():
    old, new, other = new_key(), new_key(), new_key()
    keys = ApiKeys({hash_of(old): "shop", hash_of(new): "shop", hash_of(other): "club"})
    assert keys.required
    assert [keys.backend(key) for key in (old, new, other)] == [Backend("shop"), Backend("shop"), Backend("club")]


@pytest.mark.parametrize("spoil", [str.upper, lambda key: key[:-1], lambda key: key + " ", lambda key: key[3:]])
def test_a_key_that_is_not_the_listed_one_to_the_letter_is_nobodys(spoil):
    key = new_key()
    assert ApiKeys({hash_of(key): "shop"}).backend(spoil(key)) is None


@pytest.mark.parametrize("text", ["", "uk_", "uk_\xe9", "uk_\udcff", "us_0.0.1.x", "x" * 5000])
def test_garbage_is_nobodys_key(text):
    assert ApiKeys({hash_of(new_key()): "shop"}).backend(text) is None


def test_what_is_listed_is_no_key_itself():
    key = "shop-key-without-its-prefix"
    listed = ApiKeys({hash_of(key): "shop"})
    assert listed.backend(key) is None
    assert listed.backend(hash_of(key)) is None


def test_without_any_key_none_is_required():
    assert not ApiKeys({}).required
    assert ApiKeys({}).backend(new_key()) is None


def test_new_keys_are_long_random_and_hashed_as_anybody_would():
    made = {new_key() for _ in range(100)}
    assert len(made) == 100
    assert all(key.startswith("uk_") and len(key) == 3 + 43 for key in made)
    key = made.pop()
    assert hash_of(key) == hashlib.sha256(key.encode()).hexdigest()
