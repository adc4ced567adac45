"""Every answer that openapi.yaml shows must come out of the generated client with all that went in.

    python examples.py openapi.yaml

A generator can take a variant of a union for another, or leave members out, without a word.
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import yaml
from upcard_client import Client

Doc = dict[str, Any]


def answers(spec: Doc) -> Iterator[tuple[Doc, int, Any]]:
    """Each JSON answer shown: its operation, its status and its body."""
    components = spec["components"]
    for item in spec["paths"].values():
        for operation in (each for each in item.values() if "operationId" in each):
            for status, answer in operation["responses"].items():
                where = components["responses"][named(answer)] if "$ref" in answer else answer
                for kind, media in where.get("content", {}).items():
                    for shown in media.get("examples", {}).values() if kind.endswith("json") else ():
                        yield operation, int(status), components["examples"][named(shown)]["value"]


def named(reference: Doc) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def decoded(operation: Doc, status: int, body: object) -> object:
    """What a body is after the client has read it."""
    function = re.sub("(?=[A-Z])", "_", operation["operationId"]).lower()
    module = import_module(f"upcard_client.api.{operation['tags'][0].lower()}.{function}")
    response = httpx.Response(status, json=body)
    return module._parse_response(client=Client(""), response=response).to_dict()


def comparable(body: object) -> object:
    """A body with its times as Python writes them."""
    return json.loads(re.sub(r'(T[\d:]{8}\.\d{3})Z"', r'\g<1>000+00:00"', json.dumps(body)))


if __name__ == "__main__":
    count = 0
    for operation, status, body in answers(yaml.safe_load(Path(sys.argv[1]).read_text())):
        assert decoded(operation, status, body) == comparable(body), (operation["operationId"], status)
        count += 1
    print(f"{count} answers come out as they went in")
