"""The Flask application. Everything it needs is handed to it."""

from functools import partial

from flask import Flask
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.middleware.proxy_fix import ProxyFix

from service.play.table import Table
from service.web import headers, limits, observing, problems
from service.web.application import Application
from service.web.blueprints.analysis import analysis
from service.web.blueprints.games import games
from service.web.blueprints.rulesets import rulesets
from service.web.blueprints.service import about
from service.web.body import MOST_BYTES
from service.web.edge import Edge
from service.web.keys import ApiKeys
from service.web.query import Number
from service.web.readiness import Readiness
from service.web.tokens import Signer
from service.web.waiters import Waiters


def make_app(table: Table, signer: Signer, keys: ApiKeys, readiness: Readiness, edge: Edge) -> Flask:
    """An application that serves this table. edge: what callers may do, and how often."""
    app = Application("service.web")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES + 1  # one more, since a body in chunks is cut off here without a word
    app.extensions |= {"table": table, "signer": signer, "keys": keys, "readiness": readiness}
    app.extensions["waiters"] = Waiters(edge.waiters, edge.caller_waiters)
    app.extensions["drain"] = partial(_drain, table, readiness)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    app.url_map.converters["number"] = Number
    docs = get_swaggerui_blueprint("/docs", "/openapi.yaml", {"app_name": "Upcard", "validatorUrl": None})
    for blueprint in (games, rulesets, analysis, about, docs):
        app.register_blueprint(blueprint)
    problems.install(app)
    limits.install(app, edge)
    headers.install(app, edge.origins)
    observing.install(app)
    if edge.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=edge.proxies, x_proto=edge.proxies)  # type: ignore[method-assign]
    return app


def _drain(table: Table, readiness: Readiness) -> None:
    """Take no new callers, and send those who wait away with a clean end: the server is about to stop."""
    readiness.draining = True
    table.feed.close()
