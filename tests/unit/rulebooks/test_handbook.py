"""The page of the rulesets is made from the code, and is the one in the documents."""

from pathlib import Path

from service.rulebooks.handbook import page
from service.rulebooks.registry import RULEBOOKS

PUBLISHED = Path(__file__).parents[3] / "docs" / "rules.md"


def test_every_field_of_every_game_has_its_line_and_every_preset_its_part():
    lines = page().splitlines()
    for rulebook in RULEBOOKS.values():
        assert f"## {rulebook.TITLE}" in lines
        for field in rulebook.FIELDS:
            assert sum(line.startswith(f"| `{field}` |") for line in lines) >= 1
        for preset in rulebook.presets():
            assert f"### {rulebook.NAME}: {preset.name}" in lines
            assert preset.text in lines


def test_a_line_tells_who_uses_which_value_the_most_common_last():
    (line,) = [line for line in page().splitlines() if line.startswith("| `fiftieth_card` |")]
    assert "| false or true | `true`: rubl; `false`: the others |" in line
    (line,) = [line for line in page().splitlines() if line.startswith("| `void_dealer` |")]
    assert "| same or alternate | `same`: all |" in line


def test_the_page_in_the_documents_is_up_to_date():
    assert PUBLISHED.read_text().rstrip() == page()
