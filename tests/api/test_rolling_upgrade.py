"""Games of the release before this one are played on, and both releases share games while one replaces the other.

tests/vectors/snapshots-1.jsonl holds games as the last server that wrote schema 1 kept them, in every phase;
snapshots-2.jsonl those of the first that wrote schema 2. They are never written anew.
"""

import json
import random
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import orjson
import pytest
from msgspec import structs

from service.bootstrap import create_app
from service.play.log import from_created, grown
from service.storage.codec import decode_entry, decode_game
from service.storage.keys import game_key, log_key
from service.web.tokens import Signer
from tests.conftest import SECRET, Player, client_for, new_game, running_store, served, settings_for

VECTORS = Path(__file__).parents[1] / "vectors"
STORED = [
    (schema, json.loads(line))
    for schema in (1, 2)
    for line in (VECTORS / f"snapshots-{schema}.jsonl").read_text().splitlines()
]
NAMES = [f"schema {schema}: {kept['kind']}, {kept['phase']}" for schema, kept in STORED]
FUTURE_MS = 4_000_000_000_000


@pytest.fixture(scope="module")
def both():
    """Clients of a server that writes schema 1 and of one that writes schema 2, on one store."""
    with running_store() as store:
        apps = [create_app(settings_for(store.url, write_schema=schema)) for schema in (1, 2)]
        with served(apps[0]) as old, served(apps[1]) as new, client_for(old) as one, client_for(new) as two:
            yield store, (one, two)


def put(store, kept):
    """Lay a game into the store as it lay in another."""
    game = kept["id"]
    store.client.delete(game_key(game), log_key(game))
    store.client.hset(game_key(game), mapping=kept["hash"])
    store.client.rpush(log_key(game), *kept["log"])
    for key in (game_key(game), log_key(game)):
        store.client.pexpireat(key, FUTURE_MS)


def token(kept, seat):
    signer = Signer((SECRET,))
    generation = int(kept["hash"]["g"].split(",")[seat])
    return signer.seat_token(kept["id"], seat, generation, signer.secret_id())


def stored(store, game):
    head = {key.decode(): value for key, value in store.client.hgetall(game_key(game)).items()}
    return decode_game(game, int(head["v"]), head["x"].decode(), head["s"])


def replayed(store, game):
    first, *later = map(decode_entry, store.client.lrange(log_key(game), 0, -1))
    state = from_created(first)
    for entry in later:
        state = grown(state, entry)
    return state


def played_on(players, clients, seed):
    """Play 40 legal moves, or until the match is over, each through the other server than the one before."""
    chance = random.Random(seed)
    by_seat = {player.seat: player for player in players}
    for http in islice(cycle(clients), 40):
        turn = players[0].view()["turn"]
        if turn is None:
            return
        mover = replace(by_seat[players[0].seat if turn["seat"] is None else turn["seat"]], http=http)
        mover.play(chance.choice(mover.view()["legal_moves"])["move"])


@pytest.mark.parametrize(("schema", "kept"), STORED, ids=NAMES)
def test_a_stored_game_is_shown_and_played_on_by_both_servers_in_turns(both, schema, kept):
    store, clients = both
    put(store, kept)
    game, version = kept["id"], int(kept["hash"]["v"])
    assert orjson.loads(kept["hash"]["s"])["schema"] == schema
    seats = [seat["seat"] for seat in seen(clients[0], kept, 0)["seats"] if seat["kind"] == "human"]
    for seat in seats:
        old, new = (seen(http, kept, seat) for http in clients)
        assert old == new
        assert new["version"] == version
    if kept["phase"] in ("waiting", "over"):
        return
    played_on([Player(clients[0], game, seat, token(kept, seat)) for seat in seats], clients, seed=version)
    assert stored(store, game).version > version
    assert without_holder(replayed(store, game)) == without_holder(stored(store, game))


def seen(http, kept, seat):
    answer = http.get(f"/v1/games/{kept['id']}", headers={"Authorization": f"Bearer {token(kept, seat)}"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def without_holder(game):
    """Schema 1 forgets for whom a game is counted, and the stamp is not in the log."""
    return structs.replace(game, holder=None, stamp="")


@pytest.mark.parametrize("schema", [1, 2])
def test_each_server_writes_the_schema_that_it_is_told_to(both, schema):
    store, clients = both
    ann, ben = new_game(clients[schema - 1])
    other = Player(clients[2 - schema], ben.game, ben.seat, ben.token)
    assert snapshot(store, ann.game)["schema"] == schema
    other.play({"type": "deal"})
    assert snapshot(store, ann.game)["schema"] == 3 - schema
    assert ann.view()["version"] == other.view()["version"] == 2


def snapshot(store, game):
    return orjson.loads(store.client.hget(game_key(game), "s"))


def test_a_schema_of_the_future_is_refused_by_both_and_never_rewritten(both):
    store, clients = both
    ann, _ = new_game(clients[1])
    future = orjson.dumps(snapshot(store, ann.game) | {"schema": 3})
    store.client.hset(game_key(ann.game), "s", future)
    for http in clients:
        player = Player(http, ann.game, ann.seat, ann.token)
        refused = player.post({"type": "deal"})
        assert (refused.status_code, refused.json()["code"]) == (503, "snapshot_unreadable")
        assert refused.headers["retry-after"] == "1"
    assert store.client.hget(game_key(ann.game), "s") == future
