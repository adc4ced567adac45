"""The Flask application. Everything it needs is handed to it."""

from flask import Flask

from service.play.table import Table
from service.web import problems
from service.web.blueprints.analysis import analysis
from service.web.blueprints.games import games
from service.web.blueprints.rulesets import rulesets
from service.web.blueprints.service import about
from service.web.body import MOST_BYTES
from service.web.readiness import Readiness
from service.web.tokens import Signer


def make_app(table: Table, signer: Signer, readiness: Readiness) -> Flask:
    """An application that serves this table."""
    app = Flask("service.web", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES + 1  # one more, since a body in chunks is cut off here without a word
    app.extensions |= {"table": table, "signer": signer, "readiness": readiness}
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    for blueprint in (games, rulesets, analysis, about):
        app.register_blueprint(blueprint)
    problems.install(app)
    return app
