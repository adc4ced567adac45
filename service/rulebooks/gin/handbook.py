"""The page docs/rules.md, made from the code."""

from collections.abc import Iterator

from service.rulebooks.gin.presets import presets
from service.rulebooks.gin.ruleset import FIELDS
from service.rulebooks.gin.text import MEANING


def page() -> str:
    """The page: every field with its values, who uses which, and its source; then every preset in words."""
    return "\n".join([*_fields(), *_presets()]).rstrip()


def _fields() -> Iterator[str]:
    yield from (
        "# Rulesets of gin rummy",
        "",
        "A client names a preset, or a preset with some fields overridden. A value out of range or of sense is refused",
        "with the field and the reason. This page is made from the code: `make docs`.",
        "",
        "## Fields",
        "",
        "| field | what it decides | values | used by | source |",
        "|---|---|---|---|---|",
    )
    for field, values in FIELDS.items():
        meaning, source = MEANING[field]
        yield f"| `{field}` | {meaning} | {values} | {_users(field)} | {source} |"


def _users(field: str) -> str:
    """Each value that a preset has in a field, with the presets that have it; most presets first."""
    users: dict[str, list[str]] = {}
    for preset in presets():
        users.setdefault(_shown(preset.values[field]), []).append(preset.name)
    by_count = sorted(users.items(), key=lambda used: -len(used[1]))
    if len(by_count) == 1:
        return f"`{by_count[0][0]}`: all"
    most, *others = by_count
    return "; ".join([*(f"`{value}`: {', '.join(names)}" for value, names in others), f"`{most[0]}`: the others"])


def _shown(value: object) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _presets() -> Iterator[str]:
    yield from ("", "## Presets", "", "The first is the default.", "")
    for preset in presets():
        yield from (f"### {preset.name}", "", f"Source: {preset.source}.", "", preset.text, "")
