"""The figures of a run, for a person."""

from collections.abc import Iterable

from tests.chaos.insist import UNAVAILABLE, Seen, Traffic
from tests.chaos.run import Outcome


def refused_while_frozen(outcome: Outcome) -> list[Seen]:
    """The tries that began while the store was frozen, and failed."""
    return [
        seen
        for seen in outcome.traffic.tries
        if seen.refused and any(froze <= seen.began < thawed for froze, thawed in outcome.frozen)
    ]


def recoveries(outcome: Outcome) -> list[float]:
    """After each thaw, how long it took in seconds until every client had been answered with success again."""
    found = []
    for _, thawed in outcome.frozen:
        first: dict[int, float] = {}
        for seen in outcome.traffic.tries:
            ended = seen.began + seen.took
            if not seen.refused and ended > thawed:
                first[seen.who] = min(ended, first.get(seen.who, ended))
        found.append(max(first.values()) - thawed)
    return found


def improper(tries: Iterable[Seen]) -> list[Seen]:
    """Failures that the contract does not know: other statuses than 503, or no word of when to come back."""
    answered = (seen for seen in tries if seen.refused and seen.status is not None)
    return [seen for seen in answered if seen.status != UNAVAILABLE or not (seen.retry_after or "").isdigit()]


def percentile(values: Iterable[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def retries(traffic: Traffic) -> tuple[int, int, int]:
    """How many tries were refused, how many had no answer, and how many answers were replays."""
    tries = traffic.tries
    unanswered = sum(seen.status is None for seen in tries)
    return sum(seen.refused for seen in tries) - unanswered, unanswered, sum(seen.replayed for seen in tries)


def report(outcome: Outcome) -> str:
    """All figures, line by line."""
    verdict, tries = outcome.verdict, outcome.traffic.tries
    refused, unanswered, replays = retries(outcome.traffic)
    frozen, back = refused_while_frozen(outcome), recoveries(outcome)
    lines = [
        f"{outcome.traffic.moves:>9,}  moves acknowledged, in {verdict.games:,} games and {outcome.seconds:.0f} s",
        f"{verdict.promises:>9,}  changes acknowledged in all, {verdict.entries:,} log entries with those of the bots",
        f"{len(tries):>9,}  requests sent, among them",
        f"{refused:>9,}  refused with 503",
        f"{unanswered:>9,}  without a whole answer",
        f"{replays:>9,}  answered again under the same key, byte for byte",
        f"{verdict.late:>9,}  of these to the first try that got through: the change had been made before",
        "",
        *(f"{times:>9,}  {fault}" for fault, times in outcome.faults.items()),
        "",
        f"{percentile((seen.took for seen in frozen), 99):>9.2f}  s until a refusal while frozen, 99 of 100",
        f"{max(back):>9.2f}  s after the thaw at most until everybody was served again",
        "",
        f"{len(verdict.lost):>9,}  acknowledged changes lost",
        f"{len(verdict.twice):>9,}  changes made twice or unasked",
        f"{len(verdict.out_of_order):>9,}  games with changes out of order",
        f"{len(verdict.differing):>9,}  answers, snapshots or records that the log does not replay to",
        f"{len(improper(tries)):>9,}  failures answered otherwise than with 503 and Retry-After",
    ]
    wrong = [*verdict.faults(), *map(str, improper(tries))]
    return "\n".join([*lines, *(["", *wrong[:20]] if wrong else [])])
