"""What a computer player is, and which there are."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from service.bots import gin_easy
from service.rulebooks.base import Doc

Policy: TypeAlias = Callable[[Doc], Doc]
"""From the view of the seat on turn, as a caller of the API gets it, to a move, as a caller would post it."""

POLICIES: Mapping[str, Mapping[str, Policy]] = {"gin": {"easy": gin_easy.choose}}
"""By game and level."""
