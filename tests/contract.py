"""Holds what is sent and answered to openapi.yaml, and more strictly than the document has to be read.

An answer may hold no member that the document does not name, and a refusal exactly the facts that belong to its code.
jsonschema does the work, on schemas with their references resolved once: 1 ms for a view, where openapi-core needs 5.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

Doc = dict[str, Any]

SPEC: Doc = yaml.load(
    (Path(__file__).parents[1] / "openapi.yaml").read_text(encoding="utf-8"),
    getattr(yaml, "CSafeLoader", yaml.SafeLoader),
)
JSON = "application/json"
PROBLEM = "application/problem+json"
METHODS = ("get", "put", "post", "delete", "patch")
ANNOTATIONS = {"description", "summary", "title", "default", "example", "examples"}
BODILESS = (204, 304)


def check_answer(response: httpx.Response) -> None:
    """Fail if the document does not allow this answer to the request that it belongs to."""
    request = response.request
    where = f"{request.method} {request.url.path} -> {response.status_code}"
    answer = answer_to(request.method, request.url.path, response.status_code)
    assert answer is not None, f"{where}: the status is not documented"
    for name, header in answer.headers.items():
        _check_text(f"{where}: header {name}", header, response.headers.get(name))
    if response.status_code in BODILESS or request.method == "HEAD":
        assert not response.content, f"{where}: must have no body, and has {response.content[:80]!r}"
        return
    content_type = response.headers.get("Content-Type", "").partition(";")[0]
    expected = " or ".join(answer.content)
    assert content_type in answer.content, f"{where}: the type must be {expected}, and is {content_type or 'missing'}"
    if content_type not in (JSON, PROBLEM):
        return
    body = json.loads(response.content)
    check_value(f"{where}: body", answer.content[content_type], body)
    if content_type == PROBLEM:
        _check_problem(where, answer, response.status_code, body)


def check_request_fits(response: httpx.Response) -> None:
    """Fail if a request was carried out that the document does not allow. Says nothing of refused ones."""
    if not response.is_success:
        return
    request = response.request
    where = f"{request.method} {request.url.path} was answered {response.status_code}"
    operation = operation_of(request.method, request.url.path)
    assert operation is not None, f"{where}: there is no such operation"
    for parameter in operation.parameters:
        sent = request.url.params if parameter["in"] == "query" else request.headers
        _check_text(f"{where}: parameter {parameter['name']}", parameter, sent.get(parameter["name"]))
    if operation.security and all(operation.security):
        scheme = request.headers.get("Authorization", "").partition(" ")[0]
        assert scheme.lower() == "bearer", f"{where}: a credential is required, and none was sent"
    if operation.body is None:
        return
    if not request.content:
        assert not operation.body_required, f"{where}: a body is required, and none was sent"
        return
    content_type = request.headers.get("Content-Type", "").partition(";")[0]
    assert content_type == JSON, f"{where}: the request was declared as {content_type or 'nothing'}"
    check_value(f"{where}: request", operation.body, json.loads(request.content))


def check_value(where: str, schema: Doc, value: object) -> None:
    """Fail, with every fault and its place, if a value does not fit a resolved schema."""
    faults = [f"{_pointer(fault)}: {fault.message}" for fault in _validator(schema).iter_errors(value)]
    assert not faults, "\n  ".join([f"{where} does not fit the document", *faults])


# --- What the document says ----------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """An answer that an operation may give. content: schema by type. codes: of the refusals that it stands for."""

    headers: Mapping[str, Doc]
    content: Mapping[str, Doc]
    codes: frozenset[str]


@dataclass(frozen=True)
class Operation:
    """What the document says of a method of a path. security: alternatives; an empty one means without any."""

    name: str
    parameters: tuple[Doc, ...]
    security: tuple[Doc, ...]
    body: Doc | None
    body_required: bool
    answers: Mapping[int, Answer]


@dataclass(frozen=True)
class Problem:
    """What the table in ProblemCode says of a code."""

    statuses: frozenset[int]
    facts: frozenset[str]


def answer_to(method: str, path: str, status: int) -> Answer | None:
    """The answer that the document has for this status; 404 and 405 also where there is no such operation."""
    operation = operation_of(method, path)
    if operation is not None:
        return operation.answers.get(status)
    known = any(operation_of(each, path) for each in METHODS)
    elsewhere = (405, "MethodNotAllowed") if known else (404, "NotFound")
    return _answer(SPEC["components"]["responses"][elsewhere[1]]) if status == elsewhere[0] else None


def operation_of(method: str, path: str) -> Operation | None:
    """The operation that a request is for; HEAD is answered as GET."""
    wanted = "get" if method == "HEAD" else method.lower()
    return next((found[wanted] for shape, found in operations() if wanted in found and shape.fullmatch(path)), None)


@cache
def operations() -> tuple[tuple[re.Pattern[str], Mapping[str, Operation]], ...]:
    """The operations by method, with the pattern of their paths; paths without parameters first."""
    paths = sorted(SPEC["paths"].items(), key=lambda item: "{" in item[0])
    return tuple(
        (_path_pattern(path, item), {method: _operation(item, item[method]) for method in METHODS if method in item})
        for path, item in paths
    )


def _path_pattern(path: str, item: Doc) -> re.Pattern[str]:
    """A number in a path is up to nine digits; any other text leads nowhere."""
    declared = [
        *item.get("parameters", ()),
        *(each for method in METHODS for each in item.get(method, {}).get("parameters", ())),
    ]
    numbers = {each["name"] for each in map(deref, declared) if each["schema"].get("type") == "integer"}
    return re.compile(
        re.sub(r"\\{(\w+)\\}", lambda found: "0*[0-9]{1,9}" if found[1] in numbers else "[^/]+", re.escape(path))
    )


def _operation(item: Doc, operation: Doc) -> Operation:
    declared = map(deref, (*item.get("parameters", ()), *operation.get("parameters", ())))
    body = operation.get("requestBody")
    return Operation(
        name=operation["operationId"],
        parameters=tuple(each for each in declared if each["in"] != "path"),
        security=tuple(operation["security"]),
        body=None if body is None else resolved(body["content"][JSON]["schema"]),
        body_required=body is not None and body.get("required", False),
        answers={int(status): _answer(answer) for status, answer in operation["responses"].items()},
    )


def _answer(answer: Doc) -> Answer:
    answer = deref(answer)
    content = answer.get("content", {})
    return Answer(
        headers={name: deref(header) for name, header in answer.get("headers", {}).items()},
        content={kind: resolved(media["schema"]) for kind, media in content.items()},
        codes=frozenset(content.get(PROBLEM, {}).get("examples", ())),
    )


@cache
def problems() -> Mapping[str, Problem]:
    """Every code of a refusal, from the table in the description of ProblemCode."""
    table = SPEC["components"]["schemas"]["ProblemCode"]["description"]
    rows = re.findall(r"^\| `(\w+)` \| ([\d, ]+) \| (.*?)\| .+ \|$", table, re.MULTILINE)
    return {
        code: Problem(frozenset(map(int, statuses.split(", "))), frozenset(re.findall(r"`(\w+)`", facts)))
        for code, statuses, facts in rows
    }


def deref(node: Doc) -> Doc:
    if "$ref" not in node:
        return node
    *_, kind, name = node["$ref"].split("/")
    return SPEC["components"][kind][name]


# --- Schemas, resolved and closed ----------------------------------------------

_named: dict[str, Doc] = {}


def resolved(schema: Doc) -> Doc:
    """A schema in which references are the schemas themselves, and objects are closed unless they say otherwise."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in _named:
            _named[name] = {}  # a schema may hold itself
            _named[name] |= resolved(SPEC["components"]["schemas"][name])
        return _named[name]
    found = {key: _resolved_keyword(key, value) for key, value in schema.items() if key not in ANNOTATIONS}
    for part in found.pop("allOf", ()):
        found["properties"] = part["properties"] | found.get("properties", {})
        found["required"] = [*part.get("required", ()), *found.get("required", ())]
    if found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


def _resolved_keyword(key: str, value: Any) -> Any:
    match key:
        case "properties":
            return {name: resolved(schema) for name, schema in value.items()}
        case "items":
            return resolved(value)
        case "oneOf" | "allOf":
            return [resolved(schema) for schema in value]
        case _:
            return value


def _one_of(validator: Any, branches: list[Doc], value: object, schema: Doc) -> Iterator[ValidationError]:
    """Go into the branch that a value is meant for, by discriminator, type or members, and report its faults."""
    name = schema.get("discriminator", {}).get("propertyName")
    if name is None:
        meant = _nearest(
            [branch for branch in branches if validator.is_type(value, branch.get("type", "object"))], value
        )
    else:
        kind = value.get(name) if isinstance(value, dict) else None
        meant = [branch for branch in branches if branch["properties"][name]["const"] == kind]
    if len(meant) == 1:
        yield from validator.descend(value, meant[0])
    else:
        yield ValidationError(f"{value!r:.80} fits {len(meant)} of {len(branches)} alternatives")


def _nearest(branches: list[Doc], value: Any) -> list[Doc]:
    """Of several kinds of objects, the one from whose members those of a value differ least."""
    if len(branches) < 2:
        return branches
    return [min(branches, key=lambda branch: len(_members(branch).keys() ^ value.keys()))]


def _members(branch: Doc) -> Doc:
    """The members of an object; those of a union are much the same in each of its variants."""
    members: Doc = branch["properties"] if "properties" in branch else branch["oneOf"][0]["properties"]
    return members


def _properties(validator: Any, properties: Mapping[str, Doc], value: object, schema: Doc) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for name in properties.keys() & value.keys():
            yield from _inside(validator, value[name], properties[name], name)


def _items(validator: Any, items: Doc, value: object, schema: Doc) -> Iterator[ValidationError]:
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _inside(validator, each, items, index)


def _inside(validator: Any, value: Any, schema: Doc, at: str | int) -> Iterator[ValidationError]:
    """The faults of a part. Cards and other small values come again and again, so it is kept which of them fit."""
    key = None if isinstance(value, dict | list) else (id(schema), type(value), value)
    if key in _fitting:
        return
    faults = list(validator.descend(value, schema, at))
    if key is not None and not faults:
        _fitting.add(key)
    yield from faults


_fitting: set[tuple[int, type, Any]] = set()
_Validator = extend(Draft202012Validator, {"oneOf": _one_of, "properties": _properties, "items": _items})
_validators: dict[int, Any] = {}


def _validator(schema: Doc) -> Any:
    """The validator of a resolved schema; it is kept, and with it the schema."""
    if id(schema) not in _validators:
        _validators[id(schema)] = _Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return _validators[id(schema)]


# --- Parts of a check ----------------------------------------------------------


def _check_text(where: str, declared: Doc, text: str | None) -> None:
    """Check a header or a parameter, which comes as text."""
    if text is None:
        assert not declared.get("required", False), f"{where} is missing"
        return
    value: object = text
    match declared["schema"].get("type"):
        case "integer" if re.fullmatch(r"-?[0-9]+", text):
            value = int(text)
        case "boolean":
            value = {"true": True, "false": False}.get(text, text)
    check_value(where, declared["schema"], value)


def _check_problem(where: str, answer: Answer, status: int, body: Doc) -> None:
    code = body["code"]
    assert code in answer.codes, (
        f"{where}: the code {code} is not documented here; {', '.join(sorted(answer.codes))} are"
    )
    assert body["type"] == f"urn:upcard:problem:{code}", f"{where}: the type of {code} is {body['type']}"
    assert body["status"] == status, f"{where}: the body says {body['status']}"
    known = problems()[code]
    assert status in known.statuses, f"{where}: the table of codes has {sorted(known.statuses)} for {code}"
    facts = body.keys() - {"type", "title", "status", "detail", "code"}
    assert facts == known.facts, f"{where}: the facts of {code} are {sorted(known.facts)}, and {sorted(facts)} came"


def _pointer(fault: ValidationError) -> str:
    return "".join(f"/{part}" for part in fault.absolute_path) or "the whole"
