"""What a computer player is, and which there are."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.bots import gin_easy, rummy_easy
from service.rulebooks.base import Doc

Policy: TypeAlias = Callable[[Doc], Doc]
"""From the view of the seat on turn to a move, both in the form in which a caller of the API has them.

The view holds `ruleset`, `turn`, `round`, `legal_moves`, `last_round` and `score`.
"""

POLICIES: Mapping[str, Mapping[str, Policy]] = {
    "gin": {"easy": gin_easy.choose},
    "rummy": {"easy": rummy_easy.choose},
}
"""By game and level."""
