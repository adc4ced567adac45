"""Headers of every answer, which web pages may call, and a page of documentation that needs nobody else."""

import re

import httpx
import pytest

from service.bootstrap import create_app
from tests.conftest import client_for, new_game, served, settings_for

SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
PAGE = "https://play.example"


@pytest.fixture(scope="module")
def browsed(store):
    """A client of a service that pages of one origin may call."""
    app = create_app(settings_for(store.url, cors_origins=(PAGE, "http://localhost:5173")))
    with served(app) as address, client_for(address) as client:
        yield client


@pytest.fixture
def plain(address):
    """A client that does not hold answers to the contract, for what is not in it."""
    with httpx.Client(base_url=address) as client:
        yield client


def preflight(http, origin, path="/v1/games", method="POST"):
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization,idempotency-key"}
    with httpx.Client(base_url=http.base_url) as browser:
        return browser.options(path, headers={"Origin": origin} | asked)


# --- Every answer --------------------------------------------------------------


def test_every_answer_says_what_browsers_may_do_with_it(http):
    ann, _ = new_game(http)
    tag = http.get(f"/v1/games/{ann.game}", headers=ann.headers).headers["etag"]
    answers = [
        http.get(f"/v1/games/{ann.game}", headers=ann.headers),
        http.get(f"/v1/games/{ann.game}", headers=ann.headers | {"If-None-Match": tag}),
        http.get("/healthz"),
        http.get("/v1/games/nowhere"),
        http.get("/nowhere"),
        http.post(f"/v1/games/{ann.game}/moves", json={}),
        http.put("/v1/games"),
        http.post("/v1/games", content=b"{"),
        http.post("/v1/games", json={"game": "canasta"}),
        http.post("/v1/games", json={"metadata": {"x": "y" * 20_000}}),
        ann.post({"type": "pass"}),
    ]
    assert {answer.status_code for answer in answers} == {200, 304, 401, 404, 405, 409, 413, 415, 422}
    for answer in answers:
        assert {name: answer.headers.get(name) for name in SECURITY} == SECURITY, answer.request.url


def test_a_fault_of_ours_has_the_headers_too(store, monkeypatch):
    def broken(*arguments):
        raise LookupError

    monkeypatch.setattr("service.play.look.game_view", broken)
    app = create_app(settings_for(store.url, cors_origins=(PAGE,)))
    with served(app) as address, client_for(address) as client:
        ann, _ = new_game(client)
        failed = client.get(f"/v1/games/{ann.game}", headers=ann.headers | {"Origin": PAGE})
    assert failed.status_code == 500
    assert {name: failed.headers.get(name) for name in SECURITY} == SECURITY
    assert failed.headers["access-control-allow-origin"] == PAGE


# --- Pages that may call -------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "method"), [("/v1/games", "POST"), ("/v1/games/x", "DELETE"), ("/v1/games/x/moves", "POST")]
)
def test_a_browser_that_asks_first_is_told_what_it_may_send(browsed, path, method):
    told = preflight(browsed, PAGE, path, method)
    assert (told.status_code, told.content) == (204, b"")
    assert told.headers["access-control-allow-origin"] == PAGE
    assert method in told.headers["access-control-allow-methods"].split(", ")
    assert {"authorization", "idempotency-key"} <= set(told.headers["access-control-allow-headers"].split(", "))
    assert "access-control-allow-credentials" not in told.headers


def test_a_page_of_another_origin_is_told_nothing(browsed):
    for told in (
        preflight(browsed, "https://evil.example"),
        preflight(browsed, "null"),
        browsed.get("/healthz", headers={"Origin": "https://evil.example"}),
        browsed.get("/healthz", headers={"Origin": f"{PAGE}.evil.example"}),
    ):
        assert "access-control-allow-origin" not in told.headers


def test_a_page_may_read_the_headers_that_a_client_needs(browsed):
    answer = browsed.post("/v1/games", json={"game": "gin"}, headers={"Origin": PAGE})
    assert answer.headers["access-control-allow-origin"] == PAGE
    shown = set(answer.headers["access-control-expose-headers"].split(", "))
    assert {"ETag", "Location", "Retry-After", "Idempotency-Replayed"} <= shown
    assert {"Authorization", "Origin"} <= set(re.split(", *", answer.headers["vary"]))


def test_a_page_may_follow_a_game(browsed):
    """The headers of long polls and streams, in the letters in which browsers ask for them, and what answers them."""
    with httpx.Client(base_url=browsed.base_url) as browser:
        wanted = "authorization,if-none-match,last-event-id,prefer"
        asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": wanted}
        told = browser.options("/v1/games/x", headers={"Origin": PAGE} | asked)
    assert set(told.headers["access-control-allow-headers"].lower().split(", ")) == set(wanted.split(","))
    answer = browsed.get("/v1/games/nowhere", headers={"Origin": PAGE})
    assert {"ETag", "Preference-Applied", "Retry-After"} <= set(
        answer.headers["access-control-expose-headers"].split(", ")
    )


@pytest.mark.parametrize("headers", [{}, {"Origin": PAGE}, {"Origin": "https://evil.example"}])
def test_no_cache_gives_a_page_what_was_answered_to_another(store, headers):
    """Where one page alone is listed too: what is kept of a call without an origin would not let it read."""
    app = create_app(settings_for(store.url, cors_origins=(PAGE,)))
    with served(app) as address, client_for(address) as client:
        ann, _ = new_game(client)
        for path in (f"/v1/games/{ann.game}", f"/v1/games/{ann.game}/events", "/openapi.yaml", "/nowhere"):
            answer = client.get(path, headers=ann.headers | headers)
            assert "Origin" in re.split(", *", answer.headers["vary"]), path


def test_a_refusal_can_be_read_by_a_page_too(browsed):
    refused = browsed.get("/v1/games/nowhere", headers={"Origin": PAGE})
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (404, PAGE)


def test_without_the_setting_no_page_may_call(http, plain):
    assert preflight(http, PAGE).status_code == 405
    answer = http.get("/healthz", headers={"Origin": PAGE})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_star_lets_every_page_call(store):
    app = create_app(settings_for(store.url, cors_origins=("*",)))
    with served(app) as address, client_for(address) as client:
        assert preflight(client, "https://any.example").headers["access-control-allow-origin"] in (
            "*",
            "https://any.example",
        )


def test_a_question_that_is_no_preflight_is_answered_as_any_method_that_is_not_there(browsed):
    with httpx.Client(base_url=browsed.base_url) as browser:
        assert browser.options("/v1/games", headers={"Origin": PAGE}).status_code == 405


# --- The documentation ---------------------------------------------------------


def test_the_documentation_page_is_whole_without_any_other_server(plain):
    page = plain.get("/docs", follow_redirects=True)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert '"url": "/openapi.yaml"' in page.text
    wanted = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    assert len(wanted) >= 4
    for address in wanted:
        assert re.match(r"/docs/[\w.-]+$", address), address
        assert plain.get(address).status_code == 200


def test_the_documentation_names_no_other_server(plain):
    """Nor does it send the document elsewhere to be checked."""
    page = plain.get("/docs/").text
    own = str(plain.base_url).rstrip("/")
    assert [url for url in re.findall(r"https?://[^\"'\s<]+", page) if not url.startswith(own)] == []
    assert '"validatorUrl": null' in page


def test_the_documentation_page_may_load_its_own_parts_only(plain):
    for path in ("/docs/", "/docs/swagger-ui.css", "/docs/nothing.js"):
        policy = plain.get(path).headers["content-security-policy"]
        assert policy == "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"


def test_nothing_but_the_parts_of_the_page_is_served_beside_it(plain):
    for path in ("/docs/../service/config.py", "/docs/%2e%2e/__init__.py", "/docs/nothing", "/docs/dist/index.css"):
        assert plain.get(path).status_code == 404


def test_a_part_of_a_page_that_is_not_there_is_a_fault_of_the_caller(plain):
    refused = plain.get("/docs/swagger-ui.css", headers={"Range": "bytes=999999999-"})
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed_request")
