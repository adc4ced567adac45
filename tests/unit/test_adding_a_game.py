"""The page on adding a game is true: its example is put into the registries, and played, recorded and verified."""

import re
from pathlib import Path

import pytest

from service.bootstrap import create_app
from service.bots.base import POLICIES
from service.play.replay import replay
from service.play.verify import verify
from service.rulebooks.base import Rulebook
from service.rulebooks.errors import CorruptState, GameOver
from service.rulebooks.registry import RULEBOOKS
from service.web.schemas.games import NEW_GAME
from service.web.schemas.registry import MOVES
from tests.conftest import settings_for
from tests.unit.highcard import bot, rulebook, shapes

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
TOY = Path(__file__).parent / "highcard"
REGISTRIES = ("service/rulebooks/registry.py", "service/web/schemas/registry.py", "service/bots/base.py")


@pytest.fixture
def client(monkeypatch, store):
    """The whole application, with high card as the third game."""
    monkeypatch.setitem(RULEBOOKS, rulebook.NAME, rulebook)
    monkeypatch.setitem(MOVES, rulebook.NAME, shapes.MOVES)
    monkeypatch.setitem(POLICIES, rulebook.NAME, {"easy": bot.choose})
    monkeypatch.setattr(NEW_GAME.fields["game"].validators[0], "choices", list(RULEBOOKS))
    return create_app(settings_for(store.url)).test_client()


class Seat:
    """A seat of a game of high card, over the application's own client."""

    def __init__(self, client, game, token):
        self.client, self.path, self.headers = client, f"/v1/games/{game}", {"Authorization": f"Bearer {token}"}

    def get(self, what=""):
        return self.client.get(self.path + what, headers=self.headers).json

    def post(self, kind, status=200, **fields):
        answer = self.client.post(f"{self.path}/moves", json={"type": kind} | fields, headers=self.headers)
        assert answer.status_code == status, answer.text
        return answer.json

    def resign(self):
        return self.client.post(f"{self.path}/resign", headers=self.headers).json


def created(client, *seats, **wanted):
    answer = client.post("/v1/games", json={"game": "highcard", "seats": list(seats)} | wanted)
    assert answer.status_code == 201, answer.text
    made = answer.json
    return [Seat(client, made["game"]["id"], held["token"]) for held in made["tokens"]], made["invite"]


def played(seats):
    """The view after the match: whoever is on turn shows, and the first deals."""
    view = seats[0].get()
    while view["status"] == "playing":
        mover = seats[view["turn"]["seat"] or 0] if len(seats) > 1 else seats[0]
        (listed,) = mover.get()["legal_moves"]
        view = mover.post(listed["move"]["type"])
    return view


# --- The example, played -------------------------------------------------------


def test_it_is_created_joined_dealt_and_played_to_an_end_that_its_record_proves(client):
    (ann,), invite = created(client, {"name": "Ann"}, {}, ruleset={"preset": "standard", "target": 2})
    assert ann.post("deal", 409)["code"] == "seats_open"
    body = {"invite": invite, "name": "Ben", "client_seed": "b"}
    joined = client.post("/v1/join", json=body).json
    ben = Seat(client, joined["game"]["id"], joined["token"])
    assert ann.post("deal", client_seed="a")["round"]["number"] == 1
    view = played([ann, ben])
    assert (view["status"], view["score"]["over"]) == ("finished", True)
    assert max(view["score"]["totals"]) == 2
    record = ann.get("/record")
    assert (record["game"], record["end"]["kind"]) == ("highcard", "target")
    assert record["rounds"][0]["proof"]["client_seeds"] == ["a", "b"]
    assert (replay(record).differences, replay(record).score) == ((), record["score"])
    assert (verify(record).proven, verify(record).faults) == (len(record["rounds"]), ())
    assert ann.get("/rounds")["items"][-1] == view["last_round"]


def test_its_computer_player_answers_at_once(client):
    (ann,), _ = created(client, {"name": "Ann"}, {"bot": "easy"}, first_dealer=0)
    assert ann.post("deal")["turn"] == {"seat": None, "phase": "round_over", "deadline": None}
    assert played([ann])["status"] == "finished"


def test_it_shows_a_seat_its_own_card_until_both_are_turned(client):
    (ann, ben), _ = created(client, {"name": "Ann"}, {"name": "Ben"}, first_dealer=0)
    ann.post("deal")
    for seat, player in enumerate((ann, ben)):
        assert ["card" in hand for hand in player.get()["round"]["hands"]] == [seat == 0, seat == 1]
    assert all("card" in hand for hand in ben.post("show")["round"]["hands"])


def test_what_it_refuses_is_a_problem_with_its_code(client):
    (ann, ben), _ = created(client, {"name": "Ann"}, {"name": "Ben"}, first_dealer=0)
    assert ann.post("show", 409)["code"] == "wrong_phase"
    ann.post("deal")
    assert ann.post("deal", 409)["code"] == "wrong_phase"
    assert ann.post("show", 409)["turn"] == 1
    assert ben.post("knock", 422)["code"] == "invalid_request"
    refused = client.post("/v1/games", json={"game": "highcard", "ruleset": {"target": 0}})
    assert (refused.status_code, refused.json["field"]) == (422, "target")


def test_it_can_be_resigned_and_its_record_replays(client):
    for moves in ((), ("deal",)):
        (ann, _), _ = created(client, {"name": "Ann"}, {"name": "Ben"})
        for kind in moves:
            ann.post(kind)
        assert ann.resign()["score"]["winners"] == [1]
        record = ann.get("/record")
        assert record["end"] == {"kind": "resigned", "seat": 1}
        assert replay(record).differences == ()


def test_its_rulesets_are_listed(client):
    listed = client.get("/v1/rulesets/highcard/standard").json
    assert (listed["values"], listed["source"]) == ({"target": 3}, "this page")


# --- The example, by itself ----------------------------------------------------


def test_it_has_every_part_of_the_protocol_and_the_page_speaks_of_each():
    protocol = [name for name in (*vars(Rulebook), *Rulebook.__annotations__) if not name.startswith("_")]
    assert [part for part in protocol if not hasattr(rulebook, part)] == []
    assert [part for part in protocol if not re.search(rf"\b{part}\b", PAGE)] == []


def test_equal_cards_win_nothing_and_the_deal_alternates():
    match = rulebook.deal(rulebook.start(rulebook.read_ruleset("standard", {}), 2, None), (0, 13), (0, 1), 1)
    step = rulebook.apply(match, 0, "show")
    assert step.event.result["winner"] is None
    assert rulebook.deal(step.state, (0, 1), (0, 1), 1).dealer == 0


def test_a_stored_match_is_loaded_as_it_was_and_a_damaged_one_refused():
    match = rulebook.deal(rulebook.start(rulebook.read_ruleset("standard", {}), 2, 0), (0, 1), (0, 1), 0)
    assert rulebook.load(rulebook.dump(match)) == match
    with pytest.raises(CorruptState):
        rulebook.load(rulebook.dump(match) | {"hands": ["??", "2S"]})


def test_a_match_that_is_over_takes_nothing_more():
    match = rulebook.abandon(rulebook.start(rulebook.read_ruleset("standard", {}), 2, 0))
    for attempt in (
        lambda: rulebook.deal(match, (0, 1), (0, 1), 0),
        lambda: rulebook.apply(match, 0, "show"),
        lambda: rulebook.resign(match, 0, (0, 1)),
    ):
        with pytest.raises(GameOver):
            attempt()


# --- The page ------------------------------------------------------------------


def blocks():
    return re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_piece_of_code_on_the_page_is_that_of_the_example_or_an_entry_in_a_registry():
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(TOY.glob("*.py")))
    entries = [block for block in blocks() if block not in source]
    assert len(entries) == len(REGISTRIES)
    for entry, path in zip(entries, REGISTRIES, strict=True):
        before = re.sub(r', (highcard\.NAME: highcard|"highcard": highcard\.MOVES)', "", entry)
        assert before.replace("highcard", "rummy") in (ROOT / path).read_text(encoding="utf-8"), path


def test_the_files_and_the_schemas_that_the_page_names_are_there():
    for path in re.findall(r"`((?:service|tests|docs)/[\w/.]+)`", PAGE):
        assert "highcard" in path or (ROOT / path).exists(), path
    contract = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    for name in ("CreateGameRequest", "JoinPreview", "View", "Record", "Ruleset", "Result", "Move", "ProblemCode"):
        assert f"`{name}`" in PAGE
        assert f"\n    {name}:\n" in contract
