"""`upcard verify`: what it prints of honest, forged and unreadable records, and how it exits."""

import json

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.api.proof import deck_of, sha256


def record(*client_seeds, secret=b"\x07" * 32):
    """A record with one round for each pair of client seeds, dealt as the description of the proofs promises."""
    seeds = [secret]
    for _ in client_seeds:
        seeds.insert(0, sha256(seeds[0]))
    rounds = []
    for number, given in enumerate(client_seeds, 1):
        proof = {
            "commitment": seeds[0].hex(),
            "seed": seeds[number].hex(),
            "client_seeds": list(given),
            "server_only": not any(given),
        }
        rounds.append({"deck": deck_of(seeds[number], number, given), "proof": proof})
    return {"format": "upcard-record/1", "game": "gin", "rounds": rounds}


HONEST = record(("a", None), (None, None), ("b", "c"))


def forged():
    """An honest record of two rounds in which two cards of the second deck were swapped."""
    changed = record(("a", None), ("a", "b"))
    deck = changed["rounds"][1]["deck"]
    deck[0], deck[-1] = deck[-1], deck[0]
    return changed


def run(*words, stdin=None):
    return CliRunner().invoke(main, ["verify", *words], input=stdin)


def verified(tmp_path, content):
    """What the command makes of a file with this content."""
    path = tmp_path / "records"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run(str(path))


def found(result):
    """The lines on standard output: record, and how many of its rounds are proven, unproven and failed."""
    keys = ("record", "proven", "unproven", "failed")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(tuple(line) == keys for line in lines)
    return [tuple(line.values()) for line in lines]


def test_an_honest_record_is_proven(tmp_path):
    result = verified(tmp_path, json.dumps(HONEST))
    assert (result.exit_code, found(result)) == (0, [(1, 3, 0, 0)])
    assert result.stderr == "1 records verified, 0 with faults\n"


def test_a_record_written_over_many_lines_is_one_record(tmp_path):
    result = verified(tmp_path, json.dumps(HONEST, indent=2))
    assert (result.exit_code, found(result)) == (0, [(1, 3, 0, 0)])


def test_rounds_of_a_sandbox_are_counted_as_unproven_and_are_no_fault(tmp_path):
    sandbox = record((None, None), ("a", "b"))
    sandbox["rounds"][0]["proof"] = None
    result = verified(tmp_path, json.dumps(sandbox))
    assert (result.exit_code, found(result)) == (0, [(1, 1, 1, 0)])


def test_a_round_that_does_not_mention_a_proof_counts_as_one_with_none(tmp_path):
    partly = record((None, None), ("a", "b"))
    del partly["rounds"][0]["proof"]
    result = verified(tmp_path, json.dumps(partly))
    assert (result.exit_code, found(result)) == (0, [(1, 1, 1, 0)])


def test_a_forged_deck_is_named_with_its_round(tmp_path):
    result = verified(tmp_path, json.dumps(forged()))
    assert (result.exit_code, found(result)) == (1, [(1, 1, 0, 1)])
    assert result.stderr == "record 1, round 2: its seeds give another deck\n1 records verified, 1 with faults\n"


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("seed", "00" * 32, "its seed, hashed 2 times, is not the commitment"),
        ("commitment", "00" * 32, "it has another commitment than the rounds before"),
        ("client_seeds", ["x", None], "its seeds give another deck"),
        ("server_only", True, "it says that no seat gave a seed, or that one did, and the seeds say otherwise"),
    ],
)
def test_every_part_of_a_forged_proof_is_named(tmp_path, field, value, says):
    changed = record(("a", None), ("a", "b"))
    changed["rounds"][1]["proof"][field] = value
    result = verified(tmp_path, json.dumps(changed))
    assert (result.exit_code, found(result)) == (1, [(1, 1, 0, 1)])
    assert result.stderr.splitlines()[0] == f"record 1, round 2: {says}"


def test_every_line_of_json_lines_is_a_record_of_its_own(tmp_path):
    """An honest, a forged and another honest one, with a blank line between: each has its line and its number."""
    other = record((None, None), secret=b"\x09" * 32)
    lines = [json.dumps(HONEST), "", json.dumps(forged()), json.dumps(other), ""]
    result = verified(tmp_path, "\n".join(lines))
    assert (result.exit_code, found(result)) == (1, [(1, 3, 0, 0), (2, 1, 0, 1), (3, 1, 0, 0)])
    assert result.stderr.splitlines() == [
        "record 2, round 2: its seeds give another deck",
        "3 records verified, 1 with faults",
    ]


def test_honest_json_lines_pass(tmp_path):
    result = verified(tmp_path, f"{json.dumps(HONEST)}\r\n{json.dumps(HONEST)}\r\n")
    assert (result.exit_code, found(result)) == (0, [(1, 3, 0, 0), (2, 3, 0, 0)])
    assert result.stderr == "2 records verified, 0 with faults\n"


def test_standard_input_is_read_for_a_dash():
    result = run("-", stdin=json.dumps(HONEST))
    assert (result.exit_code, found(result)) == (0, [(1, 3, 0, 0)])
    result = run("-", stdin=f"{json.dumps(HONEST)}\n{json.dumps(forged())}\n")
    assert (result.exit_code, found(result)) == (1, [(1, 3, 0, 0), (2, 1, 0, 1)])


@pytest.mark.parametrize(
    "rubbish", [[], "text", 5, None, {}, {"rounds": 5}, {"rounds": [5]}, {"rounds": [{"proof": {}, "deck": []}]}]
)
def test_what_is_json_and_no_record_is_a_fault_of_that_record_alone(tmp_path, rubbish):
    result = verified(tmp_path, f"{json.dumps(rubbish)}\n{json.dumps(HONEST)}\n")
    assert (result.exit_code, found(result)) == (1, [(2, 3, 0, 0)])
    first, last = result.stderr.splitlines()
    assert first.startswith("record 1, cannot be read: ")
    assert last == "2 records verified, 1 with faults"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"no json at all", 1),
        (json.dumps(HONEST).encode()[:-5], 1),
        (json.dumps(HONEST).encode() + b"\n{\n", 2),
        (b"\xff\xfe\xfd\n", 1),
    ],
    ids=["words", "cut off", "cut off in the second line", "no text"],
)
def test_a_line_that_is_no_json_ends_the_run_with_one_sentence(tmp_path, content, line):
    result = verified(tmp_path, content)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: line {line} is not JSON: ")
    assert result.stderr.count("\n") == 1
    assert len(found(result)) == line - 1


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_a_file_without_records_proves_nothing(tmp_path, content):
    result = verified(tmp_path, content)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "0 records verified, 0 with faults\n"


def test_a_file_that_is_not_there_is_a_mistake_in_the_call(tmp_path):
    result = run(str(tmp_path / "missing"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No such file" in result.stderr
