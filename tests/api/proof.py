"""A second implementation of the verifiable deal, made from its description alone."""

import hashlib
import hmac
from itertools import count

CARD_ORDER = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
DEAL, FIRST_DEALER = 1, 2


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def numbers(seed, round_number, purpose, client_seeds):
    """HMAC-SHA256 under the seed, block by block, read as big-endian 32-bit words."""
    seats = b"".join(sha256((text or "").encode("utf-8")) for text in client_seeds)
    for counter in count():
        message = b"upcard-deal/1" + round_number.to_bytes(4, "big") + bytes([purpose]) + counter.to_bytes(4, "big")
        block = hmac.new(seed, message + seats, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def below(bound, words):
    limit = 2**32 - 2**32 % bound
    return next(word for word in words if word < limit) % bound


def deck_of(seed, round_number, client_seeds):
    """Fisher-Yates from the top index down, over the cards in card order."""
    words = numbers(seed, round_number, DEAL, client_seeds)
    deck = list(CARD_ORDER)
    for top in range(51, 0, -1):
        other = below(top + 1, words)
        deck[top], deck[other] = deck[other], deck[top]
    return deck


def first_dealer(seed, client_seeds):
    return below(len(client_seeds), numbers(seed, 1, FIRST_DEALER, client_seeds))


def assert_proven(record, commitment):
    """Every round of a record was dealt from the chain that was committed to before anybody gave a seed."""
    before = bytes.fromhex(commitment)
    for number, played in enumerate(record["rounds"], 1):
        proof = played["proof"]
        seed = bytes.fromhex(proof["seed"])
        assert proof["commitment"] == commitment
        assert sha256(seed) == before
        assert deck_of(seed, number, proof["client_seeds"]) == played["deck"]
        assert proof["server_only"] == (not any(proof["client_seeds"]))
        before = seed
