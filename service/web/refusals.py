"""The page docs/api/refusals.md, made from the code: every refusal that a caller can be answered with."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Any

from werkzeug.exceptions import default_exceptions

from service.play.errors import PlayError
from service.rulebooks.errors import RulesetRefused, RuleViolation
from service.rulebooks.registry import RULEBOOKS
from service.web.body import MOST_BYTES, RequestError
from service.web.problems import HTTP_CODES, code_of, facts_of, status_of

OF_HTTP = {
    400: "The request breaks the rules of HTTP.",
    404: "There is nothing under that path.",
    405: "The path does not have that method.",
    413: f"The body is larger than {MOST_BYTES // 1024} KiB.",
    414: "The address of the request is too long.",
    415: "The body is not declared as JSON.",
    431: "The headers of the request are too many or too long.",
    500: "The service failed; nothing has changed.",
}
"""What refusals mean that are no classes of ours."""

TO_DO = {
    400: "Mend the program: the same request is refused again.",
    401: "Ask the backend for a new token, or mend the key; do not repeat.",
    404: "Check the id, and whose game it is; do not repeat.",
    405: "Mend the program: `Allow` lists the methods.",
    409: "Read the view again: it says what is possible now.",
    412: "Read the view again and decide anew.",
    413: "Mend the program: the same request is refused again.",
    414: "Mend the program: the same request is refused again.",
    415: "Send `Content-Type: application/json`.",
    422: "Mend the request: the same one is refused again.",
    429: "Wait as long as `Retry-After` says, then send the same request again with the same key.",
    431: "Mend the program: the same request is refused again.",
    500: "Send the same request once more with the same key; then report it.",
    503: "Wait as long as `Retry-After` says, then send the same request again with the same key.",
}
"""What to do about a refusal, by its status."""

INSTEAD = {
    "idempotency_key_expired": "The work was done: use what it made, or another key to do it again.",
    "idempotency_key_reused": "Mend the program: a new request needs a new key.",
    "invalid_request": "Mend the request: `errors` points at each fault.",
    "no_open_seat": "Tell the guest; the invite is of no more use.",
    "no_such_round": "Read `/rounds` for those that are finished.",
    "no_such_ruleset": "Read `/v1/rulesets` for those that are published.",
    "not_found": "Mend the program: the same request is refused again.",
    "seat_not_taken": "Name a seat that a human has taken.",
    "seat_resigned": "Show how the others play on; this seat can only look.",
    "seats_open": "Wait until the invite has been taken.",
    "snapshot_corrupt": "Do not repeat; report it to the operator.",
}
"""What to do where the status does not say it well."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line of the page. facts: the members of the problem document that only this refusal has."""

    code: str
    status: int
    facts: tuple[str, ...]
    meaning: str

    @property
    def to_do(self) -> str:
        """What a client does about it."""
        return INSTEAD.get(self.code, TO_DO[self.status])


def of_calls() -> list[Refusal]:
    """What any call may be refused with, by status; the rules of the games are left out."""
    ours = [_described(_sample(kind), _meaning(kind)) for base in (PlayError, RequestError) for kind in _coded(base)]
    refused = _described(_sample(RulesetRefused), _meaning(RulesetRefused))
    of_http = [_described(default_exceptions[status](), OF_HTTP[status]) for status in HTTP_CODES]
    fault = _described(Exception(), OF_HTTP[500])
    return sorted([*ours, refused, *of_http, fault], key=lambda refusal: (refusal.status, refusal.code))


def of_rules() -> dict[str, list[Refusal]]:
    """What the rules forbid: of all games under the empty name, and of single ones under theirs."""
    found: dict[str, list[Refusal]] = {"": [], **{name: [] for name in RULEBOOKS}}
    for kind in _coded(RuleViolation):
        game = kind.__module__.removeprefix("service.rulebooks.").rpartition(".")[0]
        found[game].append(_described(_sample(kind), _meaning(kind)))
    return {game: sorted(refusals, key=lambda refusal: refusal.code) for game, refusals in found.items()}


def _coded(base: type[Exception]) -> Iterator[type[Exception]]:
    """The kinds below a base that have a code; those of other packages, such as tests, are none of ours."""
    for kind in base.__subclasses__():
        if kind.__module__.startswith("service."):
            if hasattr(kind, "code"):
                yield kind
            yield from _coded(kind)


def _sample(kind: Any) -> Exception:
    """A refusal of this kind, about nothing in particular."""
    sample: Exception = kind(*([] for _ in fields(kind)))
    return sample


def _described(error: Exception, meaning: str) -> Refusal:
    status = status_of(error)
    return Refusal(code_of(error, status), status, tuple(facts_of(error)), meaning)


def _meaning(kind: type[Exception]) -> str:
    """The first sentence of a docstring."""
    text = " ".join((getdoc(kind) or "").split())
    return re.split(r"(?<=\.) ", text)[0]


def page() -> str:
    """The page: the refusals of any call by status, then those of the rules, game by game."""
    return "\n".join(
        [
            "# Refusals",
            "",
            "Every code that a refusal can have, what it means, and what a client does about it. A code that a",
            "client does not know yet is treated by its status. What a refusal looks like, and how to repeat a",
            "request, is in [refusals-and-retries.md](refusals-and-retries.md); which call can meet which code is in",
            "[openapi.yaml](../../openapi.yaml). This page is made from the code: `make docs`.",
            "",
            "## Of any call",
            "",
            "| code | status | facts | meaning | what to do |",
            "|---|---|---|---|---|",
            *(f"{_begun(it)} {it.status} | {_facts(it)} | {it.meaning} | {it.to_do} |" for it in of_calls()),
            "",
            "## Of the rules",
            "",
            "What the rules forbid is 409 in a game: show `detail`, read the view again, and choose from its",
            "`legal_moves`. In an analysis it is 422 with the same code and facts, since no game stands against it:",
            "mend the cards or rounds that were sent.",
            *_of_rules(),
        ]
    )


def _of_rules() -> Iterator[str]:
    for game, refusals in of_rules().items():
        yield from ("", f"### Only in {RULEBOOKS[game].TITLE.lower()}" if game else "### In all games", "")
        yield from ("| code | facts | meaning |", "|---|---|---|")
        yield from (f"{_begun(it)} {_facts(it)} | {it.meaning} |" for it in refusals)


def _begun(refusal: Refusal) -> str:
    return f"| `{refusal.code}` |"


def _facts(refusal: Refusal) -> str:
    return ", ".join(f"`{fact}`" for fact in refusal.facts)
