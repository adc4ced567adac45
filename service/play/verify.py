"""Verifying records: were the decks fixed before any seat gave a seed, and dealt as promised."""

import hashlib
from dataclasses import dataclass

from service.cards.card import name
from service.cards.shuffle import CHAIN, shuffled_deck
from service.play.replay import RecordFault
from service.rulebooks.base import Doc


@dataclass(frozen=True, slots=True)
class ProofFault:
    """A round whose proof does not hold."""

    round: int
    reason: str

    def __str__(self) -> str:
        return f"round {self.round}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found: rounds whose proof holds, rounds without one (as in a sandbox), and those whose proof fails."""

    proven: int
    unproven: int
    faults: tuple[ProofFault, ...]


def verify(record: Doc) -> Verified:
    """Check the proof of every round of a record (`upcard-record/1`). Raises RecordFault if it cannot be read.

    Each round's seed, hashed once a round, must lead to one commitment for the whole match, and the seed with the
    seats' own seeds must give the recorded deck. The construction is stated in docs/verify.md.
    """
    proven = unproven = 0
    faults: list[ProofFault] = []
    commitment: str | None = None
    try:
        for number, round in enumerate(record["rounds"], 1):
            proof = round.get("proof")
            if proof is None:
                unproven += 1
                continue
            commitment = commitment or proof["commitment"]
            reason = _fault(number, round["deck"], proof, commitment)
            if reason is None:
                proven += 1
            else:
                faults.append(ProofFault(number, reason))
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise RecordFault("", f"cannot be read: {fault!r}") from fault
    return Verified(proven, unproven, tuple(faults))


def _fault(number: int, deck: list[str], proof: Doc, commitment: str) -> str | None:
    """What is wrong with the proof of a round; None if it holds."""
    if proof["commitment"] != commitment:
        return "it has another commitment than the rounds before"
    seed = bytes.fromhex(proof["seed"])
    if not 1 <= number <= CHAIN or hashed(seed, number).hex() != commitment:
        return f"its seed, hashed {number} times, is not the commitment"
    client_seeds = [text or "" for text in proof["client_seeds"]]
    if proof["server_only"] != (not any(client_seeds)):
        return "it says that no seat gave a seed, or that one did, and the seeds say otherwise"
    if [name(card) for card in shuffled_deck(seed, number, client_seeds)] != deck:
        return "its seeds give another deck"
    return None


def hashed(seed: bytes, times: int) -> bytes:
    """A seed with SHA-256 applied so many times."""
    for _ in range(times):
        seed = hashlib.sha256(seed).digest()
    return seed
