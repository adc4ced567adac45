import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from typing import Any

import httpx
import pytest
from openapi_spec_validator import validate

import service.play.errors
import service.rulebooks
from service.bots.base import POLICIES
from service.cards.shuffle import shuffled_deck
from service.play.errors import PlayError
from service.rulebooks.errors import RuleViolation
from service.rulebooks.gin.moves import TYPES
from service.rulebooks.gin.ruleset import FIELDS, Values
from service.rulebooks.registry import RULEBOOKS
from service.web import problems as web
from service.web.app import make_app
from service.web.body import RequestError
from tests import contract
from tests.contract import PROBLEM, SPEC, Doc, check_answer, check_request_fits, check_value, resolved

COMPONENTS = SPEC["components"]
SCHEMAS = COMPONENTS["schemas"]
EXAMPLES = COMPONENTS["examples"]
GAME = "/v1/games/7f3b9c2e51d84a60c7e2190d"


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


def test_the_recorded_deck_is_the_one_that_its_proof_promises():
    """A reader can try a verifier on the example."""
    (played,) = example("Record")["rounds"]
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
    app = make_app(None, None, None)
    served = {
        (method.lower(), re.sub("<.*?>", "{}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert served == {tuple(re.sub("{.*?}", "{}", where).split()) for where, _ in operations()}


def refusals(base: type[Exception]) -> list[type[Exception]]:
    for module in pkgutil.walk_packages(service.rulebooks.__path__, "service.rulebooks."):
        importlib.import_module(module.name)
    found = [base] if isinstance(getattr(base, "code", None), str) else []
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


@pytest.mark.parametrize("name", ["GinRulesetOverrides", "GinValues", "RecordRuleset"])
def test_ruleset_fields_have_the_ranges_of_the_rulebook(name):
    properties = dict(SCHEMAS[name]["properties"])
    properties.pop("preset", None)
    assert {field: allowed(schema) for field, schema in properties.items()} == FIELDS


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


def test_ruleset_values_are_complete():
    assert SCHEMAS["GinValues"]["required"] == list(FIELDS)


def test_presets_games_and_computer_players_are_those_there_are():
    assert SCHEMAS["GinPreset"]["enum"] == [preset.name for preset in RULEBOOKS["gin"].presets()]
    assert SCHEMAS["Game"]["enum"] == list(RULEBOOKS)
    assert SCHEMAS["BotLevel"]["enum"] == list(POLICIES["gin"])


def test_moves_are_those_of_the_rulebook():
    move = SCHEMAS["Move"]
    kinds = [contract.deref(variant)["properties"]["type"]["const"] for variant in move["oneOf"]]
    assert kinds == ["deal", *TYPES.values()]
    assert move["discriminator"]["mapping"] == dict(
        zip(kinds, (variant["$ref"] for variant in move["oneOf"]), strict=True)
    )
    assert SCHEMAS["RecordMoveType"]["enum"] == [*TYPES.values(), "resign"]


# --- The check of answers and requests -----------------------------------------

VIEW_HEADERS = {"ETag": '"0-8-x"', "Vary": "Authorization", "Cache-Control": "private, no-cache"}


def answered(
    status: int,
    body: Any,
    method: str = "GET",
    path: str = GAME,
    *,
    headers: dict[str, str] | None = None,
    request: httpx.Request | None = None,
) -> httpx.Response:
    kind = PROBLEM if status >= 400 else "application/json"
    return httpx.Response(
        status,
        content=b"" if body is None else json.dumps(body).encode(),
        headers={"Content-Type": kind, **(VIEW_HEADERS if headers is None else headers)},
        request=request or httpx.Request(method, f"http://upcard.test{path}"),
    )


def test_right_answers_pass():
    check_answer(answered(200, example("ViewOnTurn")))
    check_answer(answered(304, None))
    check_answer(answered(404, example("no_such_game")))
    check_answer(answered(404, example("not_found"), path="/v2"))
    check_answer(answered(404, example("not_found"), path=f"{GAME}/rounds/first"))
    check_answer(answered(405, example("method_not_allowed"), "DELETE", headers={"Allow": "GET, HEAD"}))
    check_answer(answered(200, None, "HEAD"))


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("turn",), {"seat": 0, "phase": "discard"}, "/turn: 'deadline' is a required property"),
        (("version",), "8", "/version: '8' is not of type 'integer'"),
        (("version",), True, "/version: True is not of type 'integer'"),
        (("round", "hands", 1, "hidden"), 4, "/round/hands/1: Additional properties are not allowed ('hidden'"),
        (("ruleset", "limit"), 4, "/ruleset: Additional properties are not allowed ('limit'"),
        (("round", "hands", 1, "cards"), ["7D"], "/round/hands/1: 'melds' is a dependency of 'cards'"),
        (("round", "discard_top"), "1D", "/round/discard_top: '1D' does not match"),
        (("round", "knock_limit"), 11, "/round/knock_limit: 11 is greater than the maximum of 10"),
        (("legal_moves", 0, "move", "type"), "resign", "fits 0 of 7 alternatives"),
        (("legal_moves", 0, "move", "source"), "stock", "/legal_moves/0/move: Additional properties"),
        (("created_at",), "yesterday", "/created_at: 'yesterday' does not match"),
        (("metadata",), [], "/metadata: [] fits 0 of 2 alternatives"),
    ],
)
def test_a_wrong_view_is_caught(place, value, complaint):
    view = inner = example("ViewOnTurn")
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(AssertionError) as caught:
        check_answer(answered(200, view))
    assert complaint in str(caught.value)


def test_a_missing_member_is_caught():
    view = example("ViewOnTurn")
    del view["clock"]
    with pytest.raises(AssertionError, match="'clock' is a required property"):
        check_answer(answered(200, view))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (answered(202, example("ViewOnTurn")), "202: the status is not documented"),
        (answered(200, example("ViewOnTurn"), headers={}), "header ETag is missing"),
        (answered(200, example("ViewOnTurn"), headers=VIEW_HEADERS | {"Vary": "Accept"}), "header Vary does not fit"),
        (answered(200, "", headers=VIEW_HEADERS | {"Content-Type": "text/html"}), "the type must be application/json"),
        (answered(304, {}), "must have no body"),
        (answered(200, {}, path="/v2"), "200: the status is not documented"),
        (answered(404, example("not_found")), "the code not_found is not documented here"),
        (answered(404, example("no_such_game") | {"status": 410}), "the body says 410"),
        (answered(404, example("no_such_game") | {"hint": "x"}), "Additional properties"),
        (answered(404, example("no_such_game") | {"version": 3}), "the facts of no_such_game are []"),
        (answered(404, example("no_such_game") | {"type": "urn:upcard:problem:busy"}), "the type of no_such_game is"),
        (answered(503, example("store_unavailable")), "header Retry-After is missing"),
        (answered(405, example("method_not_allowed"), "DELETE"), "header Allow is missing"),
    ],
)
def test_a_wrong_answer_is_caught(wrong, complaint):
    with pytest.raises(AssertionError) as caught:
        check_answer(wrong)
    assert complaint in str(caught.value)


def carried_out(path: str, body: Any, status: int = 200, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return answered(status, {}, request=httpx.Request("POST", f"http://upcard.test{path}", json=body, headers=sent))


TOKEN = "Bearer us_x"


def test_requests_that_fit_pass():
    check_request_fits(carried_out(f"{GAME}/moves", {"type": "discard", "card": "td"}, Authorization=TOKEN))
    check_request_fits(carried_out("/v1/join?preview=true", {"invite": "x"}))
    check_request_fits(carried_out(f"{GAME}/moves", {"type": "fold"}, status=422))
    check_request_fits(answered(200, {}, "POST", f"{GAME}/moves", request=resigning()))


def resigning() -> httpx.Request:
    return httpx.Request("POST", f"http://upcard.test{GAME}/resign", headers={"Authorization": TOKEN})


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (carried_out(f"{GAME}/moves", {"type": "pass"}), "a credential is required"),
        (carried_out(f"{GAME}/moves", {"type": "pass", "card": "7D"}, Authorization=TOKEN), "Additional properties"),
        (carried_out(f"{GAME}/moves", {"type": "fold"}, Authorization=TOKEN), "fits 0 of 7 alternatives"),
        (carried_out("/v1/games", {"game": "gin", "seats": None}), "None is not of type 'array'"),
        (carried_out("/v1/games", {"game": "gin", "ruleset": {"target": 0}}), "/ruleset/target: 0 is less than"),
        (carried_out("/v1/games", {"game": "gin"}, Idempotency_Key="short"), "Idempotency-Key does not fit"),
        (carried_out("/v1/join?preview=maybe", {"invite": "x"}), "parameter preview does not fit"),
        (carried_out("/v2", {}), "there is no such operation"),
    ],
)
def test_a_request_that_should_have_been_refused_is_caught(wrong, complaint):
    with pytest.raises(AssertionError) as caught:
        check_request_fits(wrong)
    assert complaint in str(caught.value)
