"""One attack from beginning to end, and its report."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.hostile import judge
from tests.hostile.arsenal import shots
from tests.hostile.fire import Outcome, fire
from tests.hostile.shots import Shot
from tests.hostile.stage import Stage

MOST_SHOWN = 10


@dataclass
class Report:
    """What an attack came to. digest: of all that was sent. faults: each with the number of its request, if any."""

    digest: str
    outcomes: list[Outcome]
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        slowest = max(outcome.seconds for outcome in self.outcomes if outcome.shot.ending != "hold")
        return "\n".join(
            (
                f"{len(self.outcomes):,} requests, digest {self.digest}; the slowest took {slowest:.2f} s",
                "",
                *_table(self.outcomes),
                "",
                f"{len(self.faults):,} faults",
                *self.faults[:MOST_SHOWN],
            )
        )


def _table(outcomes: list[Outcome]) -> Iterator[str]:
    """How often each status was answered to each kind; a request of several has several answers, or none."""
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        answers = [str(answer.status) for answer in outcome.answers] or ["none"]
        found.setdefault(outcome.shot.kind, Counter()).update(["sent", *answers])
    all_kinds = sum(found.values(), Counter())
    columns = ["sent", *sorted(all_kinds.keys() - {"sent"})]
    yield " " * 16 + "".join(f"{column:>7}" for column in columns)
    for kind, counts in [*sorted(found.items(), key=lambda each: -each[1]["sent"]), ("all", all_kinds)]:
        yield f"{kind:16}" + "".join(f"{counts[column] or '':>7}" for column in columns)


def attack(stage: Stage, seed: int, count: int) -> Report:
    """Send so many hostile requests of a seed and judge what they did."""
    sent = list(shots(stage, seed, count))
    before = stage.seen()
    outcomes = asyncio.run(fire(stage.port, sent))
    report = Report(digest_of(sent), outcomes)
    for number, outcome in enumerate(outcomes):
        report.faults += [
            f"request {number}, {outcome.shot.kind}: {fault}\n    {outcome.shot.data[:300]!r}"
            for fault in judge.of_outcome(outcome)
        ]
    report.faults += judge.of_games(before, stage.seen())
    out, err = (stage.log[name].read_text(errors="replace") for name in ("out", "err"))
    report.faults += judge.of_log(out, err, stage.secrets)
    return report


def digest_of(sent: Iterable[Shot]) -> str:
    """A short name for all that an attack sends."""
    digest = hashlib.sha256()
    for shot in sent:
        digest.update(f"{shot.kind} {shot.ending} {len(shot.data)}\n".encode() + shot.data)
    return digest.hexdigest()[:16]
