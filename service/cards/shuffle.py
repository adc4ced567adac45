"""The verifiable shuffle: deals that are fixed before anybody gives a seed, and that anybody can check afterwards.

A match has a secret root of 32 bytes. Hashing it `CHAIN` times gives the commitment, which is published at once. Round
n is dealt from `round_seed(root, n)`, and publishing that seed once the round is over tells nothing of later rounds,
because the chain is revealed backwards: SHA-256 of seed n is seed n-1, and seed 0 is the commitment.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence

from service.cards.card import DECK_SIZE, Card

CHAIN = 500
"""How many rounds one root can deal: the length of the hash chain."""
ROOT_BYTES = 32

PURPOSE_DEAL = 1
PURPOSE_FIRST_DEALER = 2

_LABEL = b"upcard-deal/1"
_WORD = 1 << 32


def round_seed(root: bytes, number: int) -> bytes:
    """The seed of a round: SHA-256 applied `CHAIN - number` times to the root.

    root: 32 bytes. number: 1 to `CHAIN`, or 0 for the commitment.
    """
    seed = root
    for _ in range(CHAIN - number):
        seed = hashlib.sha256(seed).digest()
    return seed


def commitment(root: bytes) -> str:
    """What is published before the first deal, in hexadecimal: the root hashed `CHAIN` times."""
    return round_seed(root, 0).hex()


def words(seed: bytes, number: int, purpose: int, client_seeds: Sequence[str]) -> Iterator[int]:
    """The endless numbers below 2^32 that a round's seed and its seats' seeds give for one purpose.

    Each block is HMAC-SHA256 under the seed, of: the label, the round (32 bits), the purpose (8 bits), the block's
    counter from 0 (32 bits), and SHA-256 of each seat's client seed in UTF-8, in seat order; all big-endian.
    """
    tail = b"".join(hashlib.sha256(text.encode()).digest() for text in client_seeds)
    counter = 0
    while True:
        message = _LABEL + struct.pack(">IBI", number, purpose, counter) + tail
        yield from struct.unpack(">8I", hmac.digest(seed, message, "sha256"))
        counter += 1


def below(bound: int, numbers: Iterator[int]) -> int:
    """A whole number from 0 to bound - 1, every one as likely; words that would favour some are rejected."""
    fair = _WORD - _WORD % bound
    return next(word for word in numbers if word < fair) % bound


def shuffled_deck(seed: bytes, number: int, client_seeds: Sequence[str]) -> tuple[Card, ...]:
    """The deck of a round, in deal order: Fisher-Yates from the top index down, over the cards in card order."""
    numbers = words(seed, number, PURPOSE_DEAL, client_seeds)
    deck = list(range(DECK_SIZE))
    for top in range(DECK_SIZE - 1, 0, -1):
        other = below(top + 1, numbers)
        deck[top], deck[other] = deck[other], deck[top]
    return tuple(deck)


def drawn_dealer(seed: bytes, client_seeds: Sequence[str]) -> int:
    """The seat that deals the first round, when nobody named it."""
    return below(len(client_seeds), words(seed, 1, PURPOSE_FIRST_DEALER, client_seeds))
