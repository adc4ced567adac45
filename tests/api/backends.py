"""Backends that hold API keys, and what they may do with their games."""

from dataclasses import dataclass
from typing import Any

import httpx

from service.web.keys import hash_of, new_key
from tests.conftest import Player

Doc = dict[str, Any]


@dataclass(frozen=True)
class Backend:
    """A tenant with a key of its own."""

    http: httpx.Client
    key: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def create(self, **wanted: object) -> Doc:
        """The answer to a create of gin by two humans, unless asked for otherwise."""
        body = {"game": "gin", "seats": [{"name": "Ann"}, {"name": "Ben"}]} | wanted
        answer = self.http.post("/v1/games", json=body, headers=self.headers)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def table(self, **wanted: object) -> list[Player]:
        """The named seats of a new game."""
        made = self.create(**wanted)
        return [Player(self.http, made["game"]["id"], held["seat"], held["token"]) for held in made["tokens"]]

    def get(self, game: str, what: str = "", **headers: str) -> httpx.Response:
        return self.http.get(f"/v1/games/{game}{what}", headers=self.headers | headers)

    def end(self, game: str, **headers: str) -> httpx.Response:
        return self.http.delete(f"/v1/games/{game}", headers=self.headers | headers)

    def erase(self, game: str) -> httpx.Response:
        return self.http.delete(f"/v1/games/{game}", params={"erase": "true"}, headers=self.headers)

    def rotate(self, game: str, seat: int, **headers: str) -> httpx.Response:
        return self.http.post(f"/v1/games/{game}/seats/{seat}/token", headers=self.headers | headers)


def made_keys(*tenants: str) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """A new key for each tenant, and what the settings list of them."""
    keys = [new_key() for _ in tenants]
    return keys, tuple((hash_of(key), tenant) for key, tenant in zip(keys, tenants, strict=True))


def assert_refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
