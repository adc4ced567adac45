"""The rendered overlays, as the tests look at them."""

from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from tests.k8s.render import OVERLAYS, rendered

Doc = dict[str, Any]
WORKLOADS = ("Deployment", "StatefulSet")


@dataclass(frozen=True)
class Overlay:
    """All objects of one overlay."""

    name: str
    objects: tuple[Doc, ...]

    def all(self, *kinds: str) -> list[Doc]:
        return [each for each in self.objects if each["kind"] in kinds]

    def one(self, kind: str, name: str) -> Doc:
        (found,) = (each for each in self.all(kind) if each["metadata"]["name"] == name)
        return found

    def named(self, kind: str) -> set[str]:
        return {each["metadata"]["name"] for each in self.all(kind)}

    def pods(self) -> list[Doc]:
        """The pod templates of all workloads."""
        return [each["spec"]["template"] for each in self.all(*WORKLOADS)]

    def containers(self) -> list[Doc]:
        specs = [pod["spec"] for pod in self.pods()]
        return [each for spec in specs for each in spec.get("initContainers", []) + spec["containers"]]

    def api(self) -> Doc:
        """What the API's pods are made from."""
        spec: Doc = self.one("Deployment", "api")["spec"]["template"]["spec"]
        return spec

    def settings(self) -> dict[str, str]:
        """The ConfigMap of the API's environment."""
        (container,) = self.api()["containers"]
        (source,) = container["envFrom"]
        data: dict[str, str] = self.one("ConfigMap", source["configMapRef"]["name"])["data"]
        return data


def _read(name: str) -> Overlay:
    return Overlay(name, tuple(yaml.safe_load_all(rendered(name))))


@pytest.fixture(scope="session")
def overlays() -> dict[str, Overlay]:
    return {name: _read(name) for name in OVERLAYS}


@pytest.fixture(params=OVERLAYS)
def overlay(request: pytest.FixtureRequest, overlays: dict[str, Overlay]) -> Overlay:
    """Each of them in turn."""
    return overlays[request.param]


@pytest.fixture
def dev(overlays: dict[str, Overlay]) -> Overlay:
    return overlays["dev"]


@pytest.fixture
def prod(overlays: dict[str, Overlay]) -> Overlay:
    return overlays["prod"]
