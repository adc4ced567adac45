"""The page docs/rules.md, made from the code: every ruleset field and every preset of every game."""

from collections.abc import Iterator

from service.rulebooks.base import Rulebook
from service.rulebooks.registry import RULEBOOKS


def page() -> str:
    """The page: for each game its fields, with their values, who uses which, and the source; then its presets."""
    lines = [
        "# Rulesets",
        "",
        "A client names a preset, or a preset with some fields overridden. A value out of range or of sense is refused",
        "with the field and the reason. This page is made from the code: `make docs`.",
    ]
    for rulebook in RULEBOOKS.values():
        lines += ["", f"## {rulebook.TITLE}", "", *_fields(rulebook), *_presets(rulebook)]
    return "\n".join(lines).rstrip()


def _fields(rulebook: Rulebook) -> Iterator[str]:
    yield from ("| field | what it decides | values | used by | source |", "|---|---|---|---|---|")
    for field, values in rulebook.FIELDS.items():
        meaning, source = rulebook.MEANING[field]
        yield f"| `{field}` | {meaning} | {values} | {_users(rulebook, field)} | {source} |"


def _users(rulebook: Rulebook, field: str) -> str:
    """Each value that a preset has in a field, with the presets that have it; the most common one last."""
    users: dict[str, list[str]] = {}
    for preset in rulebook.presets():
        users.setdefault(_shown(preset.values[field]), []).append(preset.name)
    most, *others = sorted(users.items(), key=lambda used: -len(used[1]))
    if not others:
        return f"`{most[0]}`: all"
    return "; ".join([*(f"`{value}`: {', '.join(names)}" for value, names in others), f"`{most[0]}`: the others"])


def _shown(value: object) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _presets(rulebook: Rulebook) -> Iterator[str]:
    yield from ("", "The first preset is the default.", "")
    for preset in rulebook.presets():
        yield from (f"### {rulebook.NAME}: {preset.name}", "", f"Source: {preset.source}.", "", preset.text, "")
