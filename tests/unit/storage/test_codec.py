"""A game is read back as it was written; and whatever is stored instead of a game is refused, never played on."""

import copy
from contextlib import suppress
from dataclasses import replace

import orjson
import pytest
from msgspec import structs

from service.bots.base import POLICIES
from service.play.errors import PlayError, SnapshotCorrupt, SnapshotUnreadable
from service.play.game import Game, Lifetimes, Seat
from service.play.log import Entry
from service.play.moves import moved
from service.play.views import game_view
from service.rulebooks import gin
from service.rulebooks.errors import RuleViolation
from service.rulebooks.registry import RULEBOOKS
from service.storage.codec import (
    decode_entry,
    decode_game,
    decode_receipt,
    encode_entry,
    encode_game,
    encode_receipt,
)
from tests.unit.storage.kept import NAME, RECEIPT, new_game

GONE = object()
JUNK = (None, True, -1, 2, 1.5, 9999, "", "zz", "ASAS", [], [None], {}, {"a": 1}, GONE)
LIFETIMES = Lifetimes(60, 60, 60)


def read_back(game: Game) -> Game:
    return decode_game(game.id, game.version, game.stamp, encode_game(game))


def a_whole_match(kind: str, preset: str, *seats: Seat) -> list[Game]:
    """A short match between computer players, at each of its versions."""
    rulebook = RULEBOOKS[kind]
    state = rulebook.start(rulebook.read_ruleset(preset, {"target": 30}), len(seats), None)
    game = structs.replace(new_game("7f" * 12), kind=kind, state=state, seats=seats)
    games = [game]
    while (turn := rulebook.turn(game.state)) is not None:
        seat = 0 if turn.seat is None else turn.seat
        view = game_view(game, seat, LIFETIMES)
        move = {"type": "deal"} if turn.seat is None else POLICIES[kind]["easy"](view)
        game, _ = moved(game, seat, move, game.updated_at + 1)
        games.append(game)
    return games


SEATS = (Seat("Ann"), Seat("Ben", client_seed="his"), Seat("Cem"))
MATCH = a_whole_match("gin", "oklahoma", *SEATS[:2])
RUMMY = a_whole_match("rummy", "standard", *SEATS)


def one_of_each(match: list[Game]) -> list[Game]:
    """A match at the first version of each phase, in its first round and later, and at its end."""
    found: dict[object, Game] = {}
    for game in match:
        turn = game.rulebook.turn(game.state)
        found.setdefault((turn and turn.phase, bool(game.state.rounds)), game)
    return list(found.values())


def test_every_version_of_a_match_is_read_back_as_it_was():
    for game in MATCH + RUMMY:
        assert read_back(game) == game


def test_seats_times_metadata_and_decks_are_read_back_as_they_were():
    deck = tuple(reversed(range(52)))
    game = structs.replace(new_game("7f" * 12), decks=(deck, deck[1:] + deck[:1]), server_only=False)
    assert read_back(game) == game


@pytest.mark.parametrize("schema", [0, 3, 99, "1", None])
def test_another_schema_is_unreadable_and_not_corrupt(schema):
    """A newer server wrote it and will read it: nobody has to mend anything."""
    snapshot = orjson.dumps(orjson.loads(encode_game(MATCH[0])) | {"schema": schema})
    with pytest.raises(SnapshotUnreadable) as refused:
        decode_game("7f", 1, "x", snapshot)
    assert refused.value.schema == schema


@pytest.mark.parametrize(
    "snapshot",
    [b"", b"{", b"null", b"[]", b"7", b'"game"', b"{}", b'{"schema":1}', b"\xff", b"\0"],
    ids=lambda snapshot: snapshot.decode(errors="replace"),
)
def test_what_is_no_snapshot_is_corrupt(snapshot):
    with pytest.raises(SnapshotCorrupt):
        decode_game("7f", 1, "x", snapshot)


def with_nested_metadata(depth):
    """A snapshot whose metadata has an object, and lists in it, so many in all."""
    lists = depth - 1
    return encode_game(MATCH[0]).replace(b'{"table":7}', b'{"table":' + b"[" * lists + b"]" * lists + b"}")


@pytest.mark.parametrize("depth", [65, 256, 500, 3000, 100_000])
def test_metadata_nested_deeper_than_can_be_sent_is_corrupt(depth):
    """orjson writes 254 levels. How many can be read depends on the interpreter."""
    with pytest.raises(SnapshotCorrupt):
        decode_game("7f", 1, "x", with_nested_metadata(depth))


@pytest.mark.parametrize("depth", [2, 16, 64])
def test_metadata_nested_as_deep_as_it_may_be_is_read(depth):
    snapshot = with_nested_metadata(depth)
    assert encode_game(decode_game("7f", 1, "x", snapshot)) == snapshot


def paths(doc, path=()):
    """Every place in a JSON document below the top."""
    inner = doc.items() if isinstance(doc, dict) else enumerate(doc) if isinstance(doc, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from paths(value, (*path, key))


def spoiled(doc, path, junk):
    doc = copy.deepcopy(doc)
    holder = doc
    for key in path[:-1]:
        holder = holder[key]
    if junk is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = junk
    return orjson.dumps(doc)


@pytest.mark.parametrize(
    "game", one_of_each(MATCH) + one_of_each(RUMMY), ids=lambda game: f"{game.kind}, version {game.version}"
)
def test_junk_in_any_place_is_refused_or_harmless(game):
    """Whatever stands where: the game is called corrupt, or it can still be shown, stored and played on."""
    doc = orjson.loads(encode_game(game))
    for path in paths(doc):
        for junk in JUNK:
            try:
                read = decode_game(game.id, game.version, game.stamp, spoiled(doc, path, junk))
            except (SnapshotCorrupt, SnapshotUnreadable):
                continue
            views = [game_view(read, seat, LIFETIMES) for seat in (*range(len(read.seats)), None)]
            assert orjson.dumps(views)
            assert encode_game(read)
            for seat in range(len(read.seats)):
                for legal in views[seat]["legal_moves"][:2]:
                    with suppress(PlayError, RuleViolation):
                        moved(read, seat, legal["move"], 5)


CARDS = orjson.loads(encode_game(next(game for game in MATCH if gin.turn(game.state).phase == "draw")))


@pytest.mark.parametrize(
    ("path", "change"),
    [
        pytest.param(("match", "round", "stock"), lambda stock: stock[2:], id="a card is missing"),
        pytest.param(("match", "round", "stock"), lambda stock: stock[:2] + stock, id="a card stands twice"),
        pytest.param(
            ("match", "round", "stock"), lambda stock: stock[:-2] + stock[:2], id="a card took another's place"
        ),
        pytest.param(("match", "round", "hands"), lambda hands: [hands[0] + hands[1], ""], id="a hand holds both"),
        pytest.param(("match", "round", "phase"), lambda phase: "discard", id="a phase that nobody began"),
        pytest.param(("match", "round", "phase"), lambda phase: "bidding", id="a phase of another game"),
        pytest.param(("match", "round", "turn"), lambda turn: None, id="nobody's turn"),
        pytest.param(("match", "round", "number"), lambda number: 7, id="a round that cannot follow"),
        pytest.param(("match", "round", "limit_card"), lambda card: None, id="no card for the knock limit"),
        pytest.param(("match", "ruleset", "preset"), lambda name: "unheard of", id="no such preset"),
        pytest.param(("match", "ruleset", "target"), lambda target: -5, id="a target out of range"),
        pytest.param(("match", "end"), lambda end: ["won", 0], id="no such end"),
        pytest.param(("match", "end"), lambda end: ["target", 2], id="a winner who does not play"),
        pytest.param(("match", "rounds"), lambda rounds: [["gin", 0]], id="a score without a round"),
        pytest.param(("seats",), lambda seats: seats[:1], id="a seat is missing"),
        pytest.param(("seats",), lambda seats: [*seats, {}], id="a seat too many"),
        pytest.param(("seats", 0), lambda seat: {"name": 7}, id="a name that is no text"),
        pytest.param(("seats", 0), lambda seat: {"name": None}, id="a name that is null"),
        pytest.param(("seats", 0), lambda seat: {"title": "Dr"}, id="a seat with what no seat has"),
        pytest.param(("schema",), lambda schema: 1, id="a holder before there were any"),
        pytest.param(("root",), lambda root: root[:-2], id="a root cut short"),
        pytest.param(("root",), lambda root: "", id="no root"),
        pytest.param(("spectators",), lambda spectators: "no", id="a text for a yes or no"),
        pytest.param(("created_at",), lambda time: 1 << 60, id="a time that no calendar has"),
        pytest.param(("created_at",), lambda time: -1, id="a time before all"),
        pytest.param(("game",), lambda game: "bridge", id="no such game"),
    ],
)
def test_a_game_that_contradicts_itself_is_corrupt(path, change):
    value = CARDS
    for key in path:
        value = value[key]
    with pytest.raises(SnapshotCorrupt):
        decode_game("7f", 1, "x", spoiled(CARDS, path, change(value)))


def test_a_game_without_a_word_on_its_holder_is_corrupt():
    snapshot = {field: value for field, value in CARDS.items() if field != "holder"}
    with pytest.raises(SnapshotCorrupt):
        decode_game("7f", 1, "x", orjson.dumps(snapshot))
    assert decode_game("7f", 1, "x", orjson.dumps(snapshot | {"schema": 1})).holder is None


def test_log_entries_are_read_back_as_they_were():
    entry = Entry("joined", 17, 1, {"name": "Zoë", "client_seed": ""})
    assert decode_entry(encode_entry(entry, "stamp", None)) == entry
    assert decode_entry(encode_entry(entry, "stamp", "ab" * 32)) == entry


@pytest.mark.parametrize("raw", [b"", b"{", b"null", b'["move",1,"x"]', b"7"])
def test_what_is_no_log_entry_is_corrupt(raw):
    with pytest.raises(SnapshotCorrupt):
        decode_entry(raw)


def test_receipts_are_read_back_as_they_were():
    assert decode_receipt(NAME, encode_receipt(RECEIPT)) == RECEIPT
    broken_lines = replace(RECEIPT, body=b'{"text":"a\\nb"}\nmore')
    assert decode_receipt(NAME, encode_receipt(broken_lines)) == broken_lines


@pytest.mark.parametrize("raw", [b"", b"{", b"null\n{}", b'["ab",200]\n{}', b"7\n{}"])
def test_what_is_no_receipt_is_corrupt(raw):
    with pytest.raises(SnapshotCorrupt):
        decode_receipt(NAME, raw)
