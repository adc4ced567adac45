"""The service itself: alive, ready, its contract and its rulesets."""

from pathlib import Path

import yaml

from service.rulebooks.registry import RULEBOOKS

ROOT = Path(__file__).parents[2]


def test_a_running_service_is_alive_and_ready(http):
    assert http.get("/healthz").json() == {"status": "ok"}
    ready = http.get("/readyz").json()
    assert ready["status"] == "ready"
    assert ready["store"]["append_only_fsync"] == "nothing"


def test_the_contract_is_served_as_it_was_written(http):
    served = http.get("/openapi.yaml")
    assert served.headers["content-type"] == "application/yaml"
    assert served.content == (ROOT / "openapi.yaml").read_bytes()
    assert yaml.safe_load(served.content)["openapi"].startswith("3.1")


def test_every_ruleset_is_listed_with_all_its_values(http):
    listed = http.get("/v1/rulesets").json()
    assert listed["next"] is None
    assert [(each["game"], each["name"]) for each in listed["items"]] == [
        (game, preset.name) for game, rulebook in RULEBOOKS.items() for preset in rulebook.presets()
    ]
    for each in listed["items"]:
        assert each["source"]
        assert http.get(f"/v1/rulesets/{each['game']}/{each['name']}").json() == each


def test_a_listed_ruleset_is_what_its_games_are_played_by(http):
    for each in http.get("/v1/rulesets").json()["items"]:
        made = http.post("/v1/games", json={"game": each["game"], "ruleset": each["name"]}).json()
        assert made["game"]["ruleset"] == {"preset": each["name"]} | each["values"]


def test_an_unknown_ruleset_is_not_found(http):
    for path in ("gin/casual", "rummy3000/standard", "gin/STANDARD"):
        refused = http.get(f"/v1/rulesets/{path}")
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_ruleset")
