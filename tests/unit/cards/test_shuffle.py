"""The verifiable shuffle, against an implementation written from its published description alone."""

import hashlib
import hmac
from itertools import count

import pytest

from service.cards.shuffle import (
    CHAIN,
    PURPOSE_DEAL,
    PURPOSE_FIRST_DEALER,
    ROOT_BYTES,
    below,
    commitment,
    drawn_dealer,
    round_seed,
    shuffled_deck,
    words,
)

ROOT = bytes(range(32))
CLIENT_SEEDS = [(), ("", ""), ("a", ""), ("", "a"), ("x" * 64, "Glück auf 🂡"), ("a", "b", "c")]


def described_seed(root, number):
    """seed_n = SHA256^(500-n)(root)."""
    for _ in range(500 - number):
        root = hashlib.sha256(root).digest()
    return root


def described_words(seed, number, purpose, client_seeds):
    """HMAC-SHA256(seed_n, label || u32 round || u8 purpose || u32 counter || SHA-256 of each client seed), as words."""
    for counter in count():
        message = b"upcard-deal/1" + number.to_bytes(4, "big") + bytes([purpose]) + counter.to_bytes(4, "big")
        for text in client_seeds:
            message += hashlib.sha256(text.encode("utf-8")).digest()
        block = hmac.new(seed, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def described_number(bound, numbers):
    """A word modulo the bound; words at or above the last multiple of the bound are rejected."""
    while True:
        word = next(numbers)
        if word < (2**32 // bound) * bound:
            return word % bound


def described_deck(seed, number, client_seeds):
    """Fisher-Yates from the top index down, over S H D C and ace to king."""
    deck = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    numbers = described_words(seed, number, 1, client_seeds)
    for top in reversed(range(1, 52)):
        other = described_number(top + 1, numbers)
        deck[top], deck[other] = deck[other], deck[top]
    return deck


def names_of(deck):
    return [("A23456789TJQK"[card % 13] + "SHDC"[card // 13]) for card in deck]


@pytest.mark.parametrize("client_seeds", CLIENT_SEEDS)
@pytest.mark.parametrize("number", [1, 2, 499, 500])
def test_a_deck_is_what_the_description_gives(number, client_seeds):
    seed = described_seed(ROOT, number)
    assert names_of(shuffled_deck(seed, number, client_seeds)) == described_deck(seed, number, client_seeds)


@pytest.mark.parametrize("purpose", [PURPOSE_DEAL, PURPOSE_FIRST_DEALER])
def test_the_numbers_go_on_over_many_blocks_as_described(purpose):
    ours, described = words(ROOT, 7, purpose, ("a", "b")), described_words(ROOT, 7, purpose, ("a", "b"))
    assert [next(ours) for _ in range(1000)] == [next(described) for _ in range(1000)]


def test_a_deck_written_down_stays_what_it_was():
    """Root 00 01 ... 1f, round 1, seat 0 gave "abc" and seat 1 nothing: games already dealt must verify for ever."""
    deck = shuffled_deck(round_seed(ROOT, 1), 1, ("abc", ""))
    assert commitment(ROOT) == "194739083ed43eb64254681b9f3f15f5ffb06fffd3190c64e6e917e7cf039336"
    assert " ".join(names_of(deck)) == (
        "3S 4C KS TH 3C 9C 8D 4S QC QH 9H AC JC AH 6H 8C QS 9D 7H 7D AD 6C 5H QD 9S 7C "
        "7S 8H 8S 4D KH 3H 3D TS 6S 4H JH 2S KD 5S KC 2C AS TC 2D 6D 5C JS TD 2H JD 5D"
    )


def test_the_purposes_are_numbered_as_published():
    assert (PURPOSE_DEAL, PURPOSE_FIRST_DEALER, CHAIN, ROOT_BYTES) == (1, 2, 500, 32)


def test_the_hash_of_a_seed_is_the_seed_of_the_round_before():
    seeds = [round_seed(ROOT, number) for number in range(CHAIN + 1)]
    assert [hashlib.sha256(seed).digest() for seed in seeds[1:]] == seeds[:-1]
    assert seeds[0].hex() == commitment(ROOT)
    assert seeds[CHAIN] == ROOT
    assert len(set(seeds)) == CHAIN + 1


def test_the_commitment_is_64_hexadecimal_digits_and_differs_by_root():
    assert len(bytes.fromhex(commitment(ROOT))) == 32
    assert commitment(ROOT) != commitment(bytes(32))


@pytest.mark.parametrize(
    ("bound", "first_rejected"),
    [(52, 2**32 - 48), (51, 2**32 - 1), (3, 2**32 - 1), (7, 2**32 - 4)],
)
def test_words_that_would_favour_low_numbers_are_rejected(bound, first_rejected):
    """2^32 = 52 x 82595524 + 48, so the last 48 words are rejected; and so on for the others."""
    assert first_rejected % bound == 0
    assert below(bound, iter([first_rejected, 5])) == 5 % bound
    assert below(bound, iter([2**32 - 1, first_rejected, 4])) == 4 % bound
    assert below(bound, iter([first_rejected - 1, 5])) == bound - 1


@pytest.mark.parametrize("bound", [1, 2, 4, 32])
def test_no_word_is_rejected_where_every_number_is_as_likely(bound):
    assert below(bound, iter([2**32 - 1])) == bound - 1


def test_the_dealer_is_drawn_from_the_first_seed_with_its_own_purpose():
    for number in range(40):
        seed = hashlib.sha256(bytes([number])).digest()
        for client_seeds in CLIENT_SEEDS[1:]:
            numbers = described_words(seed, 1, 2, client_seeds)
            assert drawn_dealer(seed, client_seeds) == described_number(len(client_seeds), numbers)


def test_either_seat_may_be_drawn_to_deal_first():
    drawn = [drawn_dealer(hashlib.sha256(bytes([number])).digest(), ("", "")) for number in range(100)]
    assert 30 < sum(drawn) < 70
