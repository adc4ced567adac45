"""Whether the store has been reached, and what it was found to promise."""

from collections.abc import Callable

from service.play.errors import StoreUnavailable
from service.rulebooks.base import Doc


class Readiness:
    """Not ready before the first contact with the store; then always, since a restart would mend nothing."""

    def __init__(self, ask: Callable[[], Doc]) -> None:
        self._ask = ask
        self._found: Doc | None = None

    def store(self) -> Doc | None:
        """What the store promises, asked for once; None before the first contact."""
        if self._found is None:
            try:
                self._found = self._ask()
            except StoreUnavailable:
                return None
        return self._found
