"""The easy player of high card."""

from service.rulebooks.base import Doc


def choose(view: Doc) -> Doc:
    return dict(view["legal_moves"][0]["move"])
