"""The shuffle as players meet it: different decks, nothing that does not count, and every card as likely everywhere."""

import hashlib

import pytest

from service.cards.shuffle import round_seed, shuffled_deck
from tests.fairness import band, chi_square, fair, never_staying, seed_number, swapping_with_any

ROOT = hashlib.sha256(b"a root for tests").digest()


def test_a_deck_has_each_card_once():
    assert sorted(shuffled_deck(ROOT, 1, ("", ""))) == list(range(52))


def test_the_same_seeds_give_the_same_deck():
    assert shuffled_deck(ROOT, 1, ("a", "b")) == shuffled_deck(bytes(ROOT), 1, ("a", "b"))


def test_a_hundred_games_have_a_hundred_different_decks():
    decks = {shuffled_deck(round_seed(seed_number(number), 1), 1, ("", "")) for number in range(100)}
    assert len(decks) == 100


def test_every_round_of_a_match_has_a_deck_of_its_own():
    decks = {shuffled_deck(round_seed(ROOT, number), number, ("", "")) for number in range(1, 101)}
    assert len(decks) == 100


@pytest.mark.parametrize("place", range(32))
def test_every_byte_of_the_seed_counts(place):
    other = bytearray(ROOT)
    other[place] ^= 1
    assert shuffled_deck(bytes(other), 1, ("", "")) != shuffled_deck(ROOT, 1, ("", ""))


@pytest.mark.parametrize(
    ("these", "those"),
    [
        (("", ""), ("a", "")),
        (("a", ""), ("", "a")),
        (("ab", "c"), ("a", "bc")),
        (("x" * 63 + "y", ""), ("x" * 63 + "z", "")),
        (("a", "b"), ("b", "a")),
    ],
)
def test_client_seeds_count_to_the_last_letter_and_by_seat(these, those):
    assert shuffled_deck(ROOT, 1, these) != shuffled_deck(ROOT, 1, those)


def test_the_round_number_counts():
    assert shuffled_deck(ROOT, 1, ("", "")) != shuffled_deck(ROOT, 2, ("", ""))


SHUFFLES = 5000


def test_every_card_is_as_likely_in_every_place():
    low, high = band()
    assert low < chi_square(fair, SHUFFLES) < high


@pytest.mark.parametrize("biased", [swapping_with_any, never_staying])
def test_a_biased_shuffle_would_be_noticed(biased):
    _, high = band()
    assert chi_square(biased, SHUFFLES) > high
