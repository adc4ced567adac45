"""What was compared, in how many states that really differed, and what was found."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.secrets.calls import Call

ROLES = ("on turn", "not on turn", "backend", "spectator", "none")
"""The seats, the backend whose game it is, and an onlooker where the game wants onlookers and where it does not."""
MOST_SHOWN = 5


@dataclass(frozen=True)
class Leak:
    """An answer that depends on what its reader cannot know. part: of what is let out."""

    game: str
    phase: str
    role: str
    call: Call
    part: str
    found: object
    expected: object

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.phase}, {self.role}: {self.part} of {self.call.name} {self.call.body.decode()}\n"
            f"    {self.expected!r:.2000}\n    {self.found!r:.2000}"
        )


@dataclass
class Report:
    """What was compared. states: by game, phase and role; only those in which hidden cards really differed."""

    states: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    size: int = 0
    leaks: list[Leak] = field(default_factory=list)

    def note(self, role: str, call: Call, status: str, size: int) -> None:
        """Count an answer. status: as in "200 OK"."""
        self.answers[call.name, role] += 1
        self.statuses[status[:3]] += 1
        self.shown[call.shows] += status.startswith("20")
        self.size += size

    def __str__(self) -> str:
        return "\n".join(
            (
                f"{self.states.total():,} states with other secrets",
                f"{self.answers.total():,} answers compared, {self.size:,} bytes",
                "",
                *self._by_phase(),
                "",
                *self._by_operation(),
                "",
                f"by status: {_listed(self.statuses)}",
                f"carried out, by what they show: {_listed(self.shown)}",
                "",
                f"{len(self.leaks):,} answers that differ",
                *map(str, self.leaks[:MOST_SHOWN]),
            )
        )

    def _by_phase(self) -> Iterator[str]:
        yield f"{'states':21}" + "".join(f"{role:>12}" for role in ROLES)
        for game, phase in sorted({(game, phase) for game, phase, _ in self.states}):
            counts = (self.states[game, phase, role] for role in ROLES)
            yield f"{game:6}{phase:15}" + "".join(f"{count:>12,}" for count in counts)

    def _by_operation(self) -> Iterator[str]:
        yield f"{'answers':28}" + "".join(f"{role:>12}" for role in ROLES)
        for name in sorted({name for name, _ in self.answers}):
            yield f"{name:28}" + "".join(f"{self.answers[name, role]:>12,}" for role in ROLES)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
