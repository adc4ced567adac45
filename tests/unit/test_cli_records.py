"""`upcard replay` and `upcard rulesets`, as they are run."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main

VECTORS = Path(__file__).parents[1] / "vectors/rounds.jsonl"
RECORDS = VECTORS.read_text().splitlines()


def run(*words, given=None):
    return CliRunner().invoke(main, words, input=given)


def lines_of(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def falsified(line, points=999):
    record = json.loads(line)
    record["rounds"][0]["result"]["points"] = points
    return json.dumps(record)


def test_right_records_are_played_and_counted():
    result = run("replay", str(VECTORS))
    assert (result.exit_code, result.stderr) == (0, f"{len(RECORDS)} records replayed, 0 with faults\n")
    played = lines_of(result)
    assert [each["record"] for each in played] == list(range(1, len(RECORDS) + 1))
    for each, line in zip(played, RECORDS, strict=True):
        recorded = json.loads(line)["rounds"][0]["result"]
        assert {part: each["results"][0][part] for part in recorded} == recorded
        assert each["score"]["points"]


def test_records_come_from_standard_input_too():
    result = run("replay", "-", given="\n".join(RECORDS[:3]) + "\n\n")
    assert (result.exit_code, len(lines_of(result))) == (0, 3)


def test_one_record_may_be_a_document_of_many_lines(tmp_path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps(json.loads(RECORDS[0]), indent=2))
    result = run("replay", str(file))
    assert (result.exit_code, len(lines_of(result))) == (0, 1)


def test_a_falsified_record_is_told_and_the_others_are_played():
    given = "\n".join([RECORDS[0], falsified(RECORDS[1]), RECORDS[2]])
    result = run("replay", "-", given=given)
    assert result.exit_code == 1
    assert len(lines_of(result)) == 3
    difference, count = result.stderr.splitlines()
    assert difference.startswith("record 2, round 1: points is ")
    assert difference.endswith(" by the rules, the record says 999")
    assert count == "3 records replayed, 1 with faults"


def test_a_record_that_cannot_be_played_is_told_with_its_place():
    record = json.loads(RECORDS[0])
    record["rounds"][0]["moves"][0]["seat"] = record["rounds"][0]["dealer"]
    result = run("replay", "-", given="\n".join([json.dumps(record), RECORDS[1]]))
    assert result.exit_code == 1
    assert [each["record"] for each in lines_of(result)] == [2]
    assert result.stderr.startswith("record 1, round 1, move 1: the rules refuse it: It is the turn of seat ")


@pytest.mark.parametrize("given", ["[]", "7", '"gin"', "{}", json.dumps(RECORDS[0])])
def test_json_that_is_no_record_is_told(given):
    result = run("replay", "-", given=given)
    assert result.exit_code == 1
    assert "record 1, the format is not upcard-record/1" in result.stderr
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("rubbish", "Error: line 1 is not JSON: "),
        (f"{RECORDS[0]}\n{RECORDS[1][:50]}", "Error: line 2 is not JSON: "),
        (b"\xff\xfe\x00", "Error: line 1 is not JSON: "),
        ("", "0 records replayed, 0 with faults"),
        ("\n \n", "0 records replayed, 0 with faults"),
        ("[" * 100_000, "Error: line 1 is not JSON: "),
    ],
)
def test_rubbish_gets_a_clear_message(given, said):
    result = run("replay", "-", given=given)
    assert result.exit_code == 1
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1
    assert isinstance(result.exception, SystemExit)


def test_a_file_that_is_not_there_is_told(tmp_path):
    result = run("replay", str(tmp_path / "missing.jsonl"))
    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_the_rulesets_of_each_game_are_listed():
    listed = json.loads(run("rulesets").stdout)
    assert listed == json.loads(run("rulesets", "gin").stdout)
    assert {each["game"] for each in listed} == {"gin"}
    assert listed[0]["name"] == "standard"
    assert {"name", "source", "values"} <= listed[0].keys()


def test_the_rulesets_of_an_unknown_game_are_refused():
    result = run("rulesets", "bridge")
    assert (result.exit_code, result.stderr) == (1, "Error: there is no game 'bridge'\n")
