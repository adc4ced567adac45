"""Analysis: the engine as a calculator, for cards and scores that come from elsewhere. Nothing is stored."""

import orjson
from flask import Blueprint, Response, request

from service.cards.card import card
from service.play.errors import RequestRefused
from service.rulebooks import gin
from service.rulebooks.base import Doc
from service.rulebooks.errors import RuleViolation
from service.rulebooks.gin import analysis as engine
from service.web.body import parse, read_json
from service.web.problems import refused_analysis
from service.web.schemas.analysis import HAND, MATCH, ROUND, defender_hand, knocker_hand, pad_rounds

analysis = Blueprint("analysis", __name__, url_prefix="/v1/analysis")
analysis.register_error_handler(RuleViolation, refused_analysis)


@analysis.post("/hand")
def analyse_hand() -> Response:
    """What a hand comes to, and its best throws."""
    body = parse(HAND, read_json(request))
    taken = body["taken"]
    cards = [card(text) for text in body["hand"]]
    return _rendered(engine.hand(cards, None if taken is None else card(taken), body["knock_limit"]))


@analysis.post("/round")
def analyse_round() -> Response:
    """What a round comes to that ended with two hands."""
    body = parse(ROUND, read_json(request))
    ruleset = gin.read_ruleset(*body["ruleset"])
    limit_card = body["limit_card"]
    if ruleset.knock_limit == "upcard" and limit_card is None:
        raise RequestRefused("/limit_card", "this ruleset needs the card that set the knock limit")
    if ruleset.knock_limit != "upcard" and limit_card is not None:
        raise RequestRefused("/limit_card", "no card sets the knock limit in this ruleset")
    result = engine.round(
        ruleset,
        None if limit_card is None else card(limit_card),
        knocker_hand(body["knocker"]),
        defender_hand(body["defender"]),
    )
    return _rendered(result)


@analysis.post("/match")
def analyse_match() -> Response:
    """The scoreboard of a match whose rounds were scored elsewhere."""
    body = parse(MATCH, read_json(request))
    return _rendered(engine.match(gin.read_ruleset(*body["ruleset"]), pad_rounds(body)))


def _rendered(doc: Doc) -> Response:
    response = Response(orjson.dumps(doc), content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
