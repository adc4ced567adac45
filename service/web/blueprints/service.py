"""The service itself: is it alive, is it ready, what is its contract."""

from pathlib import Path

import orjson
from flask import Blueprint, Response

import service
from service.ops import metrics
from service.web.current import wired
from service.web.readiness import Readiness

about = Blueprint("about", __name__)


@about.get("/healthz")
def get_health() -> Response:
    """Alive; the store is not asked."""
    return Response(b'{"status":"ok"}', content_type="application/json")


@about.get("/readyz")
def get_readiness() -> Response:
    """Ready from the store's first answer until the server drains, with what the store was found to promise."""
    readiness = wired("readiness", Readiness)
    store = readiness.store()
    status = "draining" if readiness.draining else "starting" if store is None else "ready"
    body = orjson.dumps({"status": status, "store": store})
    return Response(body, 200 if status == "ready" else 503, content_type="application/json")


@about.get("/metrics")
def get_metrics() -> Response:
    """What has been counted, for Prometheus."""
    return Response(metrics.page(), content_type=metrics.CONTENT_TYPE)


@about.get("/openapi.yaml")
def get_openapi() -> Response:
    """The contract."""
    return Response(_contract(), content_type="application/yaml")


def _contract() -> bytes:
    """openapi.yaml: inside the package where it was installed, one folder up in a checkout."""
    package = Path(service.__file__).parent
    installed = package / "openapi.yaml"
    return (installed if installed.exists() else package.parent / "openapi.yaml").read_bytes()
