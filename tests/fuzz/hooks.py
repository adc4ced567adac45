"""What schemathesis asks while it runs: where requests go, and whether a failure is one.

It knows the contract and nothing of games. So requests are led to real ones, with credentials that open them, mixed
with what it made up. The run has one thread and draws from one seed: every run sends the same.
"""

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import httpx
import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response
from schemathesis.checks import CHECKS
from schemathesis.core.failures import Failure
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

from service.web.conditional import KEY_HEADER, LONGEST_KEY, SHORTEST_BARE_KEY
from tests.contract import problems
from tests.fuzz.sense import make_sense
from tests.fuzz.tables import POINTS, Doc, Table, Tables

CHANCE = Random(1)
OFTEN, HALF = 0.9, 0.5
BACKEND = f"Bearer {os.environ['UPCARD_FUZZ_KEY']}"
WAITING = [point for point in POINTS if point.endswith("waiting")]

UNSAID = {
    ("submitMove", "/type"): "each game has moves of its own, and the request does not say which game it is",
    ("createGame", "/metadata"): "it is limited to 1 KiB as it is written",
}
"""What a request of the right shape may be refused for as if it had another, because no schema can say it."""
REFUSED_BY_RULE = {code for code, problem in problems().items() if problem.statuses & {409, 412, 413, 422}}
"""What else it may be refused for: the rules of games, rulesets and safe retries, and its size."""


@cache
def tables() -> Tables:
    """The tables of this run."""
    address = os.environ["UPCARD_FUZZ_ADDRESS"]
    return Tables(httpx.Client(base_url=address, headers={"Authorization": BACKEND}, timeout=30))


# --- Before a request ----------------------------------------------------------


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, object]) -> None:
    """Lead a request to a game, and give it what it needs there."""
    make_sense(name(case), case.query, case.body, CHANCE)
    table = seated(case)
    _refresh_conditions(case)
    if table is None:
        return
    if case.headers.get("Authorization") == BACKEND:
        case.headers["Authorization"] = credential(case, table)
    if name(case) == "submitMove" and case.meta.generation.mode.is_positive and CHANCE.random() < HALF:
        listed = tables().legal_moves(table, case.headers.get("Authorization", ""))
        case.body = CHANCE.choice(listed or [case.body])


def name(case: Case) -> str:
    """The operation's name in the document."""
    return str(case.operation.definition.raw["operationId"])


def follows(case: Case) -> bool:
    """Whether a request may follow the answer to another."""
    return case.meta.phase.name is TestPhase.STATEFUL


def seated(case: Case) -> Table | None:
    """The game that a request goes to, mostly one that there is; a request that follows an answer goes to its game."""
    if "id" in case.path_parameters:
        given = case.path_parameters["id"]
        if not (follows(case) and given in tables().known) and CHANCE.random() < OFTEN:
            case.path_parameters["id"] = tables().at(CHANCE.choice(list(POINTS))).id
        return tables().known.get(case.path_parameters["id"])
    if name(case) == "joinGame" and isinstance(case.body, dict) and isinstance(case.body.get("invite"), str):
        invites = {table.invite for table in tables().known.values()}
        if not (follows(case) and case.body["invite"] in invites) and CHANCE.random() < OFTEN:
            case.body["invite"] = tables().at(CHANCE.choice(WAITING if CHANCE.random() < HALF else list(POINTS))).invite
    return None


def _refresh_conditions(case: Case) -> None:
    """Mostly a key that no request had before, and often a tag that fits; what is no key stays as it is."""
    key = case.headers.get(KEY_HEADER)
    shortest = SHORTEST_BARE_KEY if name(case) == "joinGame" else 1
    if key is not None and shortest <= len(key) <= LONGEST_KEY and CHANCE.random() < OFTEN:
        case.headers[KEY_HEADER] = f"{CHANCE.getrandbits(64):032}{key}"[:LONGEST_KEY]
    if "If-Match" in case.headers and CHANCE.random() < HALF:
        case.headers["If-Match"] = "*"


def credential(case: Case, table: Table) -> str:
    """What opens an operation at a table: the token of a seat, for a move often of the one on turn, or the API key.

    Now and then it is a token of another table, for which the game is missing, and so never where a request follows.
    """
    schemes = {scheme for way in case.operation.definition.raw["security"] for scheme in way}
    if "seatToken" not in schemes or ("apiKey" in schemes and CHANCE.random() < HALF):
        return BACKEND
    if not follows(case) and CHANCE.random() >= OFTEN:
        table = CHANCE.choice(list(tables().known.values()))
    if name(case) == "submitMove" and CHANCE.random() < HALF and (seat := tables().on_turn(table)) in table.tokens:
        return f"Bearer {table.tokens[seat]}"
    return f"Bearer {CHANCE.choice(list(table.tokens.values()))}" if table.tokens else BACKEND


# --- After an answer -----------------------------------------------------------


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Learn from an answer which games there are and who may play at them."""
    if case.operation.method.upper() == "GET" or response.status_code not in (200, 201, 204):
        return
    game = case.path_parameters.get("id")
    if response.status_code == 204:
        tables().erased.add(str(game))
    else:
        game = tables().learn(response.json(), game) or game
    if game is not None:
        tables().touched(game)


@schemathesis.hook
def filter_failure(context: HookContext, failure: Failure, case: Case, response: Response) -> bool:
    """Whether a failure is one."""
    if isinstance(failure, UseAfterFree):  # what was ended may still be read; only `erase=true` frees it
        return case.path_parameters["id"] in tables().erased
    return not (isinstance(failure, RejectedPositiveData) and rightly_refused(name(case), response.json()))


def rightly_refused(operation: str, refusal: Doc) -> bool:
    """Whether a request of the right shape was refused for what its schema cannot say."""
    match refusal["code"]:
        case "invalid_request":
            return all((operation, error["pointer"]) in UNSAID for error in refusal["errors"])
        case "request_refused":
            return refusal["field"] != KEY_HEADER  # which keys can be used, a schema can say
        case "malformed_json":
            return operation == "createGame"  # more than 16 levels or 15 digits, which free metadata may have
        case code:
            return code in REFUSED_BY_RULE


@schemathesis.check
class Tally:
    """Counts the answers by operation, status and code, and notes the checks that any of them was spared."""

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, int, str]] = Counter()
        self._spared: set[str] = set()

    def after_response(self, ctx: CheckContext, response: Response, case: Case) -> None:
        code = response.json()["code"] if response.status_code >= 400 else ""
        self._answers[name(case), response.status_code, code] += 1
        self._spared |= {check for check in CHECKS.get_all_names() if not ctx.config.get_by_name(name=check).enabled}

    def after_run(self, ctx: CheckContext) -> None:
        counted = [[*answer, times] for answer, times in sorted(self._answers.items())]
        tally = {"answers": counted, "checks": CHECKS.get_all_names(), "spared": sorted(self._spared)}
        Path(os.environ["UPCARD_FUZZ_TALLY"]).write_text(json.dumps(tally), encoding="utf-8")
