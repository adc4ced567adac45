"""What must hold for every hostile request, and for the games and the log after all of them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests import contract
from tests.hostile.fire import Answer, Outcome

CARD = re.compile(r"(?<![0-9A-Za-z])[A2-9TJQK][SHDC](?![0-9A-Za-z])")
OUR_LINE = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}\] \[\d+\] \[[A-Z]+\] [^\r\n]*|upcard: [^\r\n]*")
SETTING_LINE = re.compile(r"  [a-z_0-9]+: [^\r\n]*")
"""How gunicorn tells its configuration when it starts with debugging."""
ENTRY = {"at", "pid", "request", "trace", "remote", "method", "path", "status", "bytes", "ms"}


def of_outcome(outcome: Outcome) -> Iterator[str]:
    """The faults of what became of one request."""
    if outcome.hung:
        yield "the connection hangs"
    if outcome.left:
        yield f"something that is no answer: {outcome.left[:80]!r}"
    for answer in outcome.answers:
        yield from _of_answer(answer, bodiless=outcome.shot.data.startswith(b"HEAD "))


def _of_answer(answer: Answer, *, bodiless: bool) -> Iterator[str]:
    if answer.status >= 500:
        yield f"{answer.status}: {answer.body[:200]!r}"
    elif answer.status >= 400:
        if answer.headers.get("content-type") != contract.PROBLEM:
            yield f"{answer.status} as {answer.headers.get('content-type')}"
        elif not bodiless:
            yield from _of_problem(answer)


def _of_problem(answer: Answer) -> Iterator[str]:
    body = json.loads(answer.body)
    known = contract.problems().get(body["code"])
    if known is None or answer.status not in known.statuses or body["status"] != answer.status:
        yield f"{answer.status} with the code {body['code']}"
    elif body.keys() - {"type", "title", "status", "detail", "code"} != known.facts:
        yield f"{body['code']} with the facts {sorted(body)}"


def of_log(out: str, err: str, secrets: Iterable[str]) -> Iterator[str]:
    """The faults of a log. out: one entry of JSON a line. err: what gunicorn and the service say."""
    for line in out.split("\n")[:-1]:
        try:
            entry = json.loads(line)
        except ValueError:
            yield f"a line that is no entry: {line[:200]!r}"
        else:
            if entry.keys() != ENTRY:
                yield f"an entry that is none of ours: {line[:200]!r}"
    for line in err.splitlines():
        if not (OUR_LINE.fullmatch(line) or SETTING_LINE.fullmatch(line)):
            yield f"a line of nobody: {line[:200]!r}"
    both = out + err
    for secret in secrets:
        if secret in both:
            at = both.index(secret)
            yield f"the secret {secret!r} in {both[max(0, at - 150) : at + 80]!r}"
    for card in CARD.finditer(both):
        yield f"the card {card[0]} in {both[max(0, card.start() - 150) : card.end() + 80]!r}"


def of_games(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What differs in the store, or in what anybody sees of a game."""
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield f"{name} was {str(before.get(name))[:200]} and is {str(after.get(name))[:200]}"
