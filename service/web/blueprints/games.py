"""Games: create, join, look, move."""

import orjson
from flask import Blueprint, Response

from service.play import create, events, join, look, manage, moves, resign
from service.play.table import Answer
from service.rulebooks.base import Doc
from service.web.auth import creator, invited_game, known, required_backend, required_seat, viewer_of
from service.web.body import json_body, no_fields, parse, read_json
from service.web.conditional import conditions_of, rendered
from service.web.current import current_request, current_table
from service.web.limits import holder_of
from service.web.query import flag, number
from service.web.schemas.games import JOIN, NEW_GAME, PREVIEW, new_game
from service.web.schemas.registry import sent_move
from service.web.watching import event_stream, looked, varying, wants_stream

games = Blueprint("games", __name__, url_prefix="/v1")


@games.post("/games")
def create_game() -> Response:
    """Make a game."""
    request = current_request()
    backend = creator(request)
    wanted = new_game(parse(NEW_GAME, read_json(request)))
    holder = holder_of(request, backend)
    return rendered(create.create(current_table(), wanted, backend, holder, conditions_of(request, backend)))


@games.post("/join")
def join_game() -> Response:
    """Take an open seat with an invite, or look at the game first."""
    request = current_request()
    preview = flag(request, "preview")
    body = parse(PREVIEW if preview else JOIN, read_json(request))
    game_id = invited_game(body["invite"])
    conditions = conditions_of(request, None)
    if preview:
        return _found(join.preview(current_table(), game_id))
    return rendered(join.join(current_table(), game_id, body["name"], body["client_seed"], conditions))


@games.get("/games/<game_id>")
def get_game(game_id: str) -> Response:
    """The caller's view; the next one, if the caller has it and is ready to wait."""
    request = current_request()
    return looked(request, current_table(), known(game_id), viewer_of(request, game_id))


@games.get("/games/<game_id>/events")
def list_events(game_id: str) -> Response:
    """What happened since a version, as a list or as a stream that goes on."""
    request = current_request()
    caller = viewer_of(request, game_id)
    after = number(request, "after", default=0)
    if wants_stream(request):
        return event_stream(request, current_table(), known(game_id), caller, after)
    return varying(_found(events.listed(current_table(), known(game_id), caller, after)))


@games.post("/games/<game_id>/moves")
def submit_move(game_id: str) -> Response:
    """Make a move, or try one out."""
    request = current_request()
    caller = required_seat(request, game_id)
    dry_run = flag(request, "dry_run")
    move = sent_move(json_body(request))
    conditions = conditions_of(request, caller)
    if dry_run:
        return _found(moves.dry_run(current_table(), known(game_id), caller, move.of))
    return rendered(moves.submit(current_table(), known(game_id), caller, move.of, conditions))


@games.post("/games/<game_id>/resign")
def resign_game(game_id: str) -> Response:
    """Give up."""
    request = current_request()
    caller = required_seat(request, game_id)
    no_fields(request)
    return rendered(resign.resign(current_table(), known(game_id), caller, conditions_of(request, caller)))


@games.delete("/games/<game_id>")
def delete_game(game_id: str) -> Response:
    """End a game, or erase it."""
    request = current_request()
    backend = required_backend(request)
    erase = flag(request, "erase")
    conditions = conditions_of(request, backend)
    if erase:
        manage.erase(current_table(), known(game_id), backend)
        return Response(status=204)
    return rendered(manage.end(current_table(), known(game_id), backend, conditions))


@games.post("/games/<game_id>/seats/<number:seat>/token")
def rotate_token(game_id: str, seat: int) -> Response:
    """Give a seat a new token."""
    request = current_request()
    backend = required_backend(request)
    no_fields(request)
    conditions = conditions_of(request, backend)
    return rendered(manage.rotate(current_table(), known(game_id), backend, seat, conditions))


@games.get("/games/<game_id>/rounds")
def list_rounds(game_id: str) -> Response:
    """The finished rounds."""
    request = current_request()
    caller = viewer_of(request, game_id)
    return _found(look.rounds(current_table(), known(game_id), caller, number(request, "after", default=0)))


@games.get("/games/<game_id>/rounds/<number:round_number>")
def get_round(game_id: str, round_number: int) -> Response:
    """One finished round."""
    request = current_request()
    caller = viewer_of(request, game_id)
    return _found(look.one_round(current_table(), known(game_id), caller, round_number))


@games.get("/games/<game_id>/score")
def get_score(game_id: str) -> Response:
    """The scoreboard."""
    request = current_request()
    caller = viewer_of(request, game_id)
    return _found(look.score(current_table(), known(game_id), caller))


@games.get("/games/<game_id>/record")
def get_record(game_id: str) -> Response:
    """The record of the finished rounds."""
    request = current_request()
    caller = viewer_of(request, game_id)
    return _found(look.record(current_table(), known(game_id), caller))


def _found(doc: Doc) -> Response:
    return rendered(Answer(200, orjson.dumps(doc)))
