"""Whether the store has been reached, and what it was found to promise."""

from collections.abc import Callable

from service.play.errors import StoreUnavailable
from service.rulebooks.base import Doc


class Readiness:
    """Not ready before the first contact with the store and once the server is about to stop; else always.

    A store that is away later changes nothing: a restart would not mend it.
    """

    def __init__(self, ask: Callable[[], Doc]) -> None:
        self._ask = ask
        self._found: Doc | None = None
        self.draining = False

    def store(self) -> Doc | None:
        """What the store promises, asked for once; None before the first contact."""
        if self._found is None:
            try:
                self._found = self._ask()
            except StoreUnavailable:
                return None
        return self._found
