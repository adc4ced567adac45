"""Rulesets: the published variants of each game."""

import orjson
from flask import Blueprint, Response

from service.play.errors import NoSuchRuleset
from service.play.rulesets import all_rulesets
from service.rulebooks.base import Doc

rulesets = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets")


@rulesets.get("")
def list_rulesets() -> Response:
    """Every preset of every game."""
    return _rendered({"items": all_rulesets(), "next": None})


@rulesets.get("/<game>/<name>")
def get_ruleset(game: str, name: str) -> Response:
    """One preset."""
    for ruleset in all_rulesets():
        if (ruleset["game"], ruleset["name"]) == (game, name):
            return _rendered(ruleset)
    raise NoSuchRuleset


def _rendered(doc: Doc) -> Response:
    response = Response(orjson.dumps(doc), content_type="application/json")
    response.headers["Cache-Control"] = "public, no-cache"
    return response
