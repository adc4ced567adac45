"""The published rulesets of all games, as they are shown."""

from service.rulebooks.base import Doc
from service.rulebooks.registry import RULEBOOKS


def all_rulesets() -> list[Doc]:
    """Every preset of every game, the default of each first."""
    return [
        {"game": game, "name": preset.name, "source": preset.source, "text": preset.text, "values": dict(preset.values)}
        for game, rulebook in RULEBOOKS.items()
        for preset in rulebook.presets()
    ]
