import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from typing import Any

import pytest
from openapi_spec_validator import validate

import service.play.errors
import service.rulebooks
from service.bots.base import POLICIES
from service.cards.shuffle import shuffled_deck
from service.play.errors import PlayError
from service.play.replay import replay
from service.play.verify import verify
from service.rulebooks.errors import RuleViolation
from service.rulebooks.fields import Values
from service.rulebooks.gin.moves import TYPES as GIN_MOVES
from service.rulebooks.registry import RULEBOOKS
from service.rulebooks.rummy.moves import TYPES as RUMMY_MOVES
from service.web import problems as web
from service.web.app import make_app
from service.web.body import RequestError
from service.web.edge import Edge
from service.web.keys import ApiKeys
from tests import contract
from tests.contract import PROBLEM, SPEC, Doc, check_value, resolved

COMPONENTS = SPEC["components"]
SCHEMAS = COMPONENTS["schemas"]
EXAMPLES = COMPONENTS["examples"]
MOVES = {"gin": list(GIN_MOVES.values()), "rummy": list(RUMMY_MOVES.values())}


def example(name: str) -> Any:
    return deepcopy(EXAMPLES[name]["value"])


def within(node: Any, at: str = "#") -> Iterator[tuple[str, Doc]]:
    """Every object of the document below a node, with its place; examples are no part of it."""
    if isinstance(node, dict):
        yield at, node
        for key, inner in node.items():
            if key not in ("example", "examples", "value"):
                yield from within(inner, f"{at}/{key}")
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from within(inner, f"{at}/{index}")


def named(schema: Doc, found: set[str]) -> set[str]:
    """The names of all schemas that a schema is made of."""
    for _, node in within(schema):
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name and name not in found:
            found.add(name)
            named(SCHEMAS[name], found)
    return found


def operations() -> list[tuple[str, Doc]]:
    return [
        (f"{method} {path}", item[method])
        for path, item in SPEC["paths"].items()
        for method in contract.METHODS
        if method in item
    ]


def shown() -> list[Any]:
    """Every example in the document, with the schema that it stands for."""
    found = []
    for at, node in within(SPEC):
        schema = node.get("schema", node if at.startswith("#/components/schemas/") else None)
        if schema is None:
            continue
        listed = node.get("examples", [])
        values = list(listed) if isinstance(listed, list) else [each["$ref"] for each in listed.values()]
        values += [node["example"]] if "example" in node else []
        found += [pytest.param(schema, value, id=f"{at} {index}") for index, value in enumerate(values)]
    return found


# --- The document --------------------------------------------------------------


def test_the_document_is_valid():
    assert SPEC["openapi"].startswith("3.1.")
    validate(SPEC)


@pytest.mark.parametrize(("schema", "value"), shown())
def test_examples_fit_their_schemas(schema, value):
    if isinstance(value, str) and value.startswith("#/components/examples/"):
        value = example(value.rpartition("/")[2])
    check_value("the example", resolved(schema), value)


def test_no_example_lies_about():
    assert set(re.findall(r"#/components/examples/(\w+)", json.dumps(SPEC))) == set(EXAMPLES)


@pytest.mark.parametrize("name", ["Record", "RummyRecord"])
def test_the_recorded_match_replays_and_its_deck_is_the_one_that_its_proof_promises(name):
    """A reader can try both commands, or a verifier, on the example."""
    record = example(name)
    replayed = replay(record)
    assert (replayed.differences, replayed.score) == ((), record["score"])
    assert verify(record).proven == 1
    (played,) = record["rounds"]
    seeds = tuple(seed or "" for seed in played["proof"]["client_seeds"])
    deck = shuffled_deck(bytes.fromhex(played["proof"]["seed"]), 1, seeds)
    assert ["A23456789TJQK"[card % 13] + "SHDC"[card // 13] for card in deck] == played["deck"]


def test_every_operation_is_described():
    for where, operation in operations():
        for key in ("operationId", "tags", "summary", "description", "security"):
            assert key in operation, f"{where} has no {key}"
        for status, answer in operation["responses"].items():
            for media in contract.deref(answer).get("content", {}).values():
                assert media.get("examples") or "example" in media, f"{where} shows no answer {status}"
    names = [operation["operationId"] for _, operation in operations()]
    assert len(set(names)) == len(names)


def test_every_object_has_a_name():
    """Code generators make a class of each, and call it by that name."""
    for at, node in within(SPEC):
        if node.get("type") == "object" or "object" in node.get("type", ()):
            assert at == f"#/components/schemas/{at.rpartition('/')[2]}"


def test_what_extends_a_schema_says_so_as_a_part_of_its_own():
    """Code generators take an `allOf` of one part for that part, and lose what stands beside it."""
    for at, node in within(SPEC):
        if "allOf" in node:
            assert len(node["allOf"]) > 1, at
            assert node.keys() <= {"type", "description", "allOf"}, at


def test_every_schema_is_described():
    assert [name for name, schema in SCHEMAS.items() if not schema.get("description")] == []


def test_requests_are_closed_and_answers_open():
    sent = {
        name
        for _, operation in operations()
        if "requestBody" in operation
        for name in named(operation["requestBody"]["content"]["application/json"]["schema"], set())
    }
    for name, schema in SCHEMAS.items():
        if schema.get("type") == "object" and name not in {"Metadata", "StoreFacts"}:
            assert schema.get("additionalProperties") is (False if name in sent else None), name


def test_every_refusal_is_a_problem_document():
    for where, operation in operations():
        for status, answer in operation["responses"].items():
            if int(status) >= 400 and (where, status) != ("get /readyz", "503"):
                assert list(contract.deref(answer)["content"]) == [PROBLEM], f"{where} {status}"


# --- The document and the code -------------------------------------------------


def test_the_service_has_the_documented_routes():
    app = make_app(None, None, ApiKeys({}), None, Edge(pool=None))
    served = {
        (method.lower(), re.sub("<.*?>", "{}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if not rule.rule.startswith("/docs/")
    }
    assert served == {tuple(re.sub("{.*?}", "{}", where).split()) for where, _ in operations()}


def refusals(base: type[Exception]) -> list[type[Exception]]:
    for module in pkgutil.walk_packages(service.rulebooks.__path__, "service.rulebooks."):
        importlib.import_module(module.name)
    ours = base.__module__.startswith("service.")  # other tests may have made some of their own
    found = [base] if ours and isinstance(getattr(base, "code", None), str) else []
    return found + [each for kind in base.__subclasses__() for each in refusals(kind)]


REFUSALS = [each for base in (RuleViolation, PlayError) for each in refusals(base)]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_every_refusal_is_documented_with_its_status_and_facts(refusal):
    known = contract.problems()[refusal.code]
    assert known.facts == refusal(*["x"] * len(fields(refusal))).facts().keys()
    status = next(web.STATUS[kind] for kind in refusal.__mro__ if kind in web.STATUS)
    assert known.statuses <= {status, 422} if issubclass(refusal, RuleViolation) else known.statuses == {status}


def test_every_code_is_listed_once_and_shown_where_it_is_answered():
    enum = SCHEMAS["ProblemCode"]["enum"]
    table = contract.problems()
    assert list(table) == enum
    answered = {
        (code, example(shown["$ref"].rpartition("/")[2])["status"])
        for answer in COMPONENTS["responses"].values()
        for code, shown in answer["content"][PROBLEM]["examples"].items()
    }
    assert answered == {(code, status) for code in enum for status in table[code].statuses}


@pytest.mark.parametrize("name", [name for name, shown in EXAMPLES.items() if "code" in shown["value"]])
def test_problems_are_shown_with_their_facts(name):
    body = example(name)
    assert body["type"] == f"urn:upcard:problem:{body['code']}"
    assert name.removeprefix("analysis_") == body["code"]
    assert body["title"] == web.TITLES[body["status"]]
    assert body.keys() - set(SCHEMAS["Problem"]["required"]) == contract.problems()[body["code"]].facts


def test_no_code_is_documented_that_nobody_answers():
    of_the_web = {*web.HTTP_CODES.values(), *(kind.code for kind in RequestError.__subclasses__())}
    assert set(contract.problems()) == {
        *(refusal.code for refusal in REFUSALS),
        *of_the_web,
        "ruleset_refused",
        "internal_error",
    }


@pytest.mark.parametrize("part", ["RulesetOverrides", "Values", "RecordRuleset"])
@pytest.mark.parametrize("game", RULEBOOKS)
def test_ruleset_fields_have_the_ranges_of_the_rulebook(game, part):
    properties = dict(SCHEMAS[f"{game.title()}{part}"]["properties"])
    properties.pop("preset", None)
    assert {field: allowed(schema) for field, schema in properties.items()} == RULEBOOKS[game].FIELDS


def allowed(schema: Doc) -> Values:
    """What a field may hold, as the rulebook says it."""
    schema = contract.deref(schema)
    words: list[Any] = list(schema.get("enum", ()))
    nullable, least, most = False, 0, -1
    kinds = schema.get("type", [])
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        nullable |= kind == "null"
        words += [False, True] if kind == "boolean" else []
        if kind == "integer" and "maximum" in schema:
            least, most = schema["minimum"], schema["maximum"]
    words += [schema["const"]] if "const" in schema else []
    for branch in map(allowed, schema.get("oneOf", ())):
        words += branch.words
        nullable |= branch.nullable
        least, most = (branch.least, branch.most) if branch.most >= branch.least else (least, most)
    return Values(tuple(words), least, most, nullable)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_ruleset_values_are_complete(game):
    assert SCHEMAS[f"{game.title()}Values"]["required"] == list(RULEBOOKS[game].FIELDS)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_presets_and_computer_players_are_those_there_are(game):
    assert SCHEMAS[f"{game.title()}Preset"]["enum"] == [preset.name for preset in RULEBOOKS[game].presets()]
    assert SCHEMAS["BotLevel"]["enum"] == list(POLICIES[game])


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_game_is_created_with_as_many_seats_as_its_rulebook_says(game):
    wanted = SCHEMAS[f"Create{game.title()}Game"]["properties"]
    assert (wanted["seats"]["minItems"], wanted["seats"]["maxItems"]) == RULEBOOKS[game].SEATS
    assert wanted["first_dealer"]["maximum"] == RULEBOOKS[game].SEATS[1] - 1


@pytest.mark.parametrize("name", ["CreateGameRequest", "JoinPreview", "View", "Record", "Ruleset"])
def test_what_depends_on_the_game_has_a_schema_for_each_and_is_told_apart_by_its_name(name):
    variants = [contract.resolved(variant) for variant in SCHEMAS[name]["oneOf"]]
    assert [variant["properties"]["game"]["const"] for variant in variants] == list(RULEBOOKS)
    assert SCHEMAS[name]["discriminator"]["propertyName"] == "game"


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Move", list(dict.fromkeys(["deal", *MOVES["gin"], *MOVES["rummy"]]))),
        ("GinMove", ["deal", *MOVES["gin"]]),
        ("RummyMove", ["deal", *MOVES["rummy"]]),
    ],
)
def test_moves_are_those_of_the_rulebooks(name, kinds):
    move = SCHEMAS[name]
    assert [contract.deref(variant)["properties"]["type"]["const"] for variant in move["oneOf"]] == kinds


@pytest.mark.parametrize("game", RULEBOOKS)
def test_recorded_moves_are_those_of_the_rulebook_and_resigning(game):
    assert SCHEMAS[f"{game.title()}RecordMoveType"]["enum"] == [*MOVES[game], "resign"]


def test_every_discriminator_maps_each_value_to_the_schema_that_has_it():
    """Code generators that do not read the constants go by the mapping."""
    for at, node in within(SPEC):
        if "discriminator" in node:
            name = node["discriminator"]["propertyName"]
            told = {contract.resolved(each)["properties"][name]["const"]: each["$ref"] for each in node["oneOf"]}
            assert node["discriminator"]["mapping"] == told, at
            assert all(name in contract.resolved(each)["required"] for each in node["oneOf"]), at


def test_a_phase_is_one_of_either_game():
    assert SCHEMAS["Phase"]["enum"] == list(
        dict.fromkeys(
            [*SCHEMAS["GinPhase"]["enum"][:-1], *SCHEMAS["RummyPhase"]["enum"][1:]],
        )
    )
