"""Who may call what: every operation of the contract, with every credential there is, in one table.

An operation that the table does not know fails the test, so that none is added without a decision.
"""

from dataclasses import dataclass

import httpx
import pytest

from service.web.keys import new_key
from tests.api.backends import Backend, Doc
from tests.api.playing import join
from tests.conftest import Player, new_game
from tests.contract import METHODS, SPEC

CREDENTIALS = (
    "none",
    "garbage",
    "forged",
    "rotated",
    "other game",
    "unknown key",
    "other tenant",
    "other seat",
    "seat",
    "owner",
)
"""The seat is seat 0, whose token was replaced once; the owner is the backend that made the game."""

SPREAD = ["AS", "2S", "3S", "7D", "8D", "9D", "4C", "5C", "6C", "5H"]
SCATTERED = ["4H", "AD", "2D", "6H", "7H", "8H", "TC", "JC", "QS", "KS"]
BODIES: dict[str, Doc] = {
    "createGame": {"game": "gin"},
    "joinGame": {"name": "Cleo"},
    "submitMove": {"type": "deal"},
    "resignGame": {},
    "rotateToken": {},
    "analyseHand": {"hand": ["AS"]},
    "analyseRound": {"ruleset": "standard", "knocker": {"cards": SPREAD}, "defender": {"cards": SCATTERED}},
    "analyseMatch": {"ruleset": "standard", "rounds": []},
}
Row = dict[str, int]


def anybody(status: int) -> Row:
    return dict.fromkeys(CREDENTIALS, status)


def readers(onlooker: int) -> Row:
    """Seats and the owner; tokens of this game that are not in force are refused; others look on, if they may."""
    allowed = dict.fromkeys(("other seat", "seat", "owner"), 200)
    return anybody(onlooker) | allowed | dict.fromkeys(("forged", "rotated"), 401)


SEATS = anybody(401) | {"seat": 200, "other seat": 200}
OWNER = anybody(401) | {"owner": 200, "other tenant": 404}
BACKENDS = anybody(401) | {"owner": 201, "other tenant": 201}
READERS = (readers(404), readers(200))

MATRIX: dict[str, tuple[Row, Row]] = {
    "createGame": (BACKENDS, BACKENDS),
    "joinGame": (anybody(201), anybody(201)),
    "getGame": READERS,
    "deleteGame": (OWNER, OWNER),
    "rotateToken": (OWNER, OWNER),
    "submitMove": (SEATS, SEATS),
    "resignGame": (SEATS, SEATS),
    "listEvents": READERS,
    "listRounds": READERS,
    "getRound": READERS,
    "getScore": READERS,
    "getRecord": READERS,
    "listRulesets": (anybody(200), anybody(200)),
    "getRuleset": (anybody(200), anybody(200)),
    "analyseHand": (anybody(200), anybody(200)),
    "analyseRound": (anybody(200), anybody(200)),
    "analyseMatch": (anybody(200), anybody(200)),
    "getHealth": (anybody(200), anybody(200)),
    "getReadiness": (anybody(200), anybody(200)),
    "getMetrics": (anybody(200), anybody(200)),
    "getOpenapi": (anybody(200), anybody(200)),
}
"""The status for each credential: of games that want no onlookers, and of those that do."""

OPERATIONS = {
    item[method]["operationId"]: (method.upper(), path)
    for path, item in SPEC["paths"].items()
    for method in METHODS
    if method in item
}
SECURED = {
    item[method]["operationId"]: item[method]["security"]
    for item in SPEC["paths"].values()
    for method in METHODS
    if method in item
}


@dataclass(frozen=True)
class Scene:
    """A game with a finished round, an invite to another one, and the credentials of all who might call."""

    http: httpx.Client
    game: str
    invite: str
    credentials: dict[str, str]

    def call(self, operation: str, credential: str) -> httpx.Response:
        method, path = OPERATIONS[operation]
        names = {"id": self.game, "seat": 0, "number": 1, "game": "gin", "name": "standard"}
        body = BODIES.get(operation)
        if operation == "joinGame" and body is not None:
            body = body | {"invite": self.invite}
        text = self.credentials[credential]
        headers = {"Authorization": f"Bearer {text}"} if text else {}
        return self.http.request(method, path.format(**names), json=body, headers=headers)


def scene(shop: Backend, club: Backend, spectators: bool) -> Scene:
    rules = {"preset": "open", "max_discard_draws": 1}
    ann, ben = shop.table(ruleset=rules, first_dealer=1, spectators=spectators)
    ann.play({"type": "deal"})
    view = ann.play({"type": "draw", "source": "discard"})
    ann.play(next(each["move"] for each in view["legal_moves"] if each["move"]["type"] == "discard"))
    token = shop.rotate(ann.game, 0).json()["token"]
    head, _, mac = token.rpartition(".")
    credentials = {
        "none": "",
        "garbage": "us_garbage",
        "forged": f"{head}.{'A' * len(mac)}",
        "rotated": ann.token,
        "other game": shop.table(spectators=spectators)[0].token,
        "unknown key": new_key(),
        "other tenant": club.key,
        "other seat": ben.token,
        "seat": token,
        "owner": shop.key,
    }
    invite = shop.create(seats=[{"name": "Ann"}, {}], spectators=spectators)["invite"]
    return Scene(shop.http, ann.game, invite, credentials)


def test_every_operation_has_its_row_and_every_row_its_cells():
    assert set(MATRIX) == set(OPERATIONS)
    assert all(tuple(row) == CREDENTIALS for rows in MATRIX.values() for row in rows)


@pytest.mark.parametrize("spectators", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_credential_gets_the_status_of_its_cell(shop, club, operation, spectators):
    """After a call that changed something the scene is set again."""
    expected, found = MATRIX[operation][spectators], {}
    setting = scene(shop, club, spectators)
    for credential in CREDENTIALS:
        answer = setting.call(operation, credential)
        found[credential] = answer.status_code
        if answer.is_success and OPERATIONS[operation][0] != "GET":
            setting = scene(shop, club, spectators)
    assert found == expected


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_contract_names_the_credentials_that_are_let_in(operation):
    """No credential is named where none is needed and none changes the answer."""
    closed, watched = MATRIX[operation]
    named = {scheme for alternative in SECURED[operation] for scheme in alternative}
    let_in = {"seatToken": closed["seat"] < 400, "apiKey": closed["owner"] < 400}
    everybody = len({*closed.values()}) == 1
    assert named == (set() if everybody else {scheme for scheme, allowed in let_in.items() if allowed})
    without = not SECURED[operation] or {} in SECURED[operation]
    assert without == (watched["none"] < 400 or operation == "createGame")


def test_in_an_open_service_anybody_creates_games(http):
    for text in ("", "us_garbage", new_key(), new_game(http)[0].token):
        headers = {"Authorization": f"Bearer {text}"} if text else {}
        assert http.post("/v1/games", json={"game": "gin"}, headers=headers).status_code == 201


def test_the_views_of_all_who_may_look_differ_only_as_they_should(shop, club):
    """Both seats see a hand of their own, and everybody else sees the same public view to the byte."""
    setting = scene(shop, club, spectators=True)
    ann = Player(shop.http, setting.game, 0, setting.credentials["seat"])
    ann.play({"type": "deal"})
    views = {credential: setting.call("getGame", credential) for credential in CREDENTIALS}
    public = {views[each].content for each in ("none", "garbage", "other game", "unknown key", "other tenant", "owner")}
    assert len(public) == 1
    own = [views[each].json()["round"]["hands"] for each in ("seat", "other seat")]
    assert [["cards" in hand for hand in hands] for hands in own] == [[True, False], [False, True]]


def test_a_guest_who_joins_without_a_key_gets_a_seat_and_no_more(shop, keyed_http):
    made = shop.create(seats=[{"name": "Ann"}, {}])
    guest = join(keyed_http, made["invite"]).json()
    refused = keyed_http.post("/v1/games", json={"game": "gin"}, headers={"Authorization": f"Bearer {guest['token']}"})
    assert refused.status_code == 401
