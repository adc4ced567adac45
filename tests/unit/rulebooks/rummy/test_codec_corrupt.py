"""What cannot have been stored is refused, never played: each case takes a good state and bends one thing in it."""

import json

import pytest

from service.rulebooks import rummy
from service.rulebooks.errors import CorruptState
from tests.unit.rulebooks.rummy.positions import POSITIONS

DRAW, PLAY, TAKEN = "the turn has passed", "a card is drawn", "a card is taken"
LAID, OUT, NEXT = "melded and laid off", "out", "the second round"
WON, GONE, START = "the match is won", "all but one have resigned", "before the first deal"
SOME, LEFT = "dealt to some of the seats", "one has resigned"


def bent(name, *path, to):
    """A stored position with the value at a path replaced, by another or by a function of it."""
    doc = json.loads(json.dumps(rummy.dump(POSITIONS[name])))
    *way, last = path
    inner = doc
    for step in way:
        inner = inner[step]
    inner[last] = to(inner[last]) if callable(to) else to
    return doc


def emptied(round):
    """All the stock in a hand."""
    first, *others = round["hands"]
    return round | {"hands": [first + round["stock"], *others], "stock": ""}


def odd(round):
    """A run and a king on the table, and one king in a hand instead."""
    return round | {"table": [[1, "KSKHKC5S"]], "hands": ["6SKD", *round["hands"][1:]]}


def high_run(round):
    """The queen to the ace of clubs on the table, and the kings in a hand."""
    first, second, _ = round["hands"]
    stock = "".join(each for each in pairs(round["stock"]) if each != "QC")
    return round | {"table": [[1, "QCKCAC"]], "hands": [first + "KSKHKD", second, "QD"], "stock": stock}


def pairs(packed):
    return [packed[start : start + 2] for start in range(0, len(packed), 2)]


CASES = [
    # Cards
    ("a card twice", bent(DRAW, "round", "stock", to=lambda packed: packed[2:4] + packed[2:])),
    ("a card in a hand and in the stock", bent(DRAW, "round", "hands", 0, to="5STD")),
    ("a card in two hands", bent(DRAW, "round", "hands", 1, to="5S9C")),
    ("a card missing from the stock", bent(DRAW, "round", "stock", to=lambda packed: packed[2:])),
    ("a card missing from a hand", bent(DRAW, "round", "hands", 1, to="9C")),
    ("a card missing from the discard pile", bent(DRAW, "round", "discards", to="2CJD")),
    ("a card missing from the table", bent(DRAW, "round", "table", 0, 1, to="KSKHKD")),
    ("a card on the table that is in a hand too", bent(DRAW, "round", "table", 0, 1, to="KSKHKDKC5S")),
    ("a table without its melds", bent(DRAW, "round", "table", to=[])),
    ("half a card", bent(DRAW, "round", "stock", to=lambda packed: packed[:-1])),
    ("no card at all", bent(DRAW, "round", "stock", to=lambda packed: "??" + packed[2:])),
    ("a number for a pile", bent(DRAW, "round", "stock", to=52)),
    ("null for a pile", bent(DRAW, "round", "discards", to=None)),
    ("a hand too many", bent(DRAW, "round", "hands", to=lambda hands: [*hands, ""])),
    ("a hand too few", bent("just dealt", "round", "hands", to=lambda hands: hands[:3])),
    ("a draw from an empty stock", bent("the pile is turned over", "round", to=emptied)),
    # The table
    ("what is no meld", bent(DRAW, "round", to=odd)),
    ("a high run where the ace is low", bent(DRAW, "round", to=high_run)),
    ("a meld of nobody", bent(DRAW, "round", "table", 0, 0, to=None)),
    ("a meld of a seat that is not there", bent(DRAW, "round", "table", 0, 0, to=3)),
    ("a meld without a seat", bent(DRAW, "round", "table", 0, to=["KSKHKDKC"])),
    # Phase, turn and seats
    ("an unknown phase", bent(DRAW, "round", "phase", to="discard")),
    ("a phase that is no text", bent(DRAW, "round", "phase", to=[])),
    ("a phase that is null", bent(DRAW, "round", "phase", to=None)),
    ("nobody on turn during a round", bent(DRAW, "round", "turn", to=None)),
    ("a seat on turn after a round", bent(OUT, "round", "turn", to=0)),
    ("a seat on turn that is not there", bent(DRAW, "round", "turn", to=3)),
    ("a seat on turn that was left out", bent(SOME, "round", "turn", to=1)),
    ("a seat on turn that has resigned", bent(LEFT, "round", "turn", to=1)),
    ("true on turn", bent(DRAW, "round", "turn", to=True)),
    ("a turn never begun", bent(PLAY, "round", "public", to="")),
    ("a turn begun by another seat", bent(PLAY, "round", "public", to="1**--")),
    ("half a public turn", bent(PLAY, "round", "public", to="0**-")),
    ("a dealer who was left out", bent(SOME, "round", "dealer", to=1)),
    ("no dealer", bent(DRAW, "round", "dealer", to=None)),
    ("a round for a seat that does not play", bent(DRAW, "round", "seats", to=[0, 1, 2, 3])),
    ("a round for nobody", bent(DRAW, "round", "seats", to=[])),
    ("a seat that is a text", bent(DRAW, "round", "seats", to=["0", "1", "2"])),
    ("one who resigned and was never dealt to", bent(SOME, "round", "gone", to=[1])),
    ("one who began and was never dealt to", bent(SOME, "round", "begun", to=[1])),
    ("a table too small", bent(DRAW, "table", to=2)),
    ("a table too large", bent(DRAW, "table", to=4)),
    ("a table that is a text", bent(START, "table", to="3")),
    ("a round without seats that play", bent(DRAW, "seats", to=None)),
    ("a seat that plays beyond the table", bent(START, "seats", to=[0, 3])),
    ("one who resigned and never played", bent(START, "gone", to=[1])),
    ("a first dealer that is no seat", bent(START, "first_dealer", to="north")),
    # What was taken and laid
    ("a card taken before the draw", bent(DRAW, "round", "taken", to="5S")),
    ("a meld before the draw", bent(DRAW, "round", "melded", to=True)),
    ("a layoff before the draw", bent(DRAW, "round", "laid_off", to=True)),
    ("a card just taken that is somewhere else", bent(TAKEN, "round", "taken", to="9C")),
    ("a card just taken that is none", bent(TAKEN, "round", "taken", to="??")),
    ("a flag that is a number", bent(LAID, "round", "laid_off", to=1)),
    ("takes that are a text", bent(TAKEN, "round", "takes", to="1")),
    ("passes that are null", bent(DRAW, "round", "turned", to=None)),
    # The ruleset
    ("an unknown preset", bent(DRAW, "ruleset", "preset", to="canasta")),
    ("a ruleset value out of range", bent(NEXT, "ruleset", "target", to=0)),
    ("no ruleset", bent(DRAW, "ruleset", to=None)),
    # Rounds and the end
    ("a round number that does not follow", bent(DRAW, "round", "number", to=2)),
    ("a round number that is a text", bent(DRAW, "round", "number", to="1")),
    ("a last round that was never scored", bent(OUT, "rounds", to=[])),
    ("a scored round without a last one", bent(OUT, "last", to=None)),
    ("scored rounds and none dealt", bent(OUT, "round", to=None)),
    ("an unknown kind of round", bent(OUT, "rounds", 0, 0, to="gin")),
    ("a round won by a seat that does not play", bent(OUT, "rounds", 0, 1, to=3)),
    ("points of a seat that does not play", bent(OUT, "rounds", 0, 2, 0, to=3)),
    ("points that are a text", bent(OUT, "rounds", 0, 2, 2, to="13")),
    ("a line without a rule", bent(OUT, "rounds", 0, 2, to=[1, "cards_left", 13])),
    ("a last round dealt by nobody", bent(OUT, "last", "dealer", to=None)),
    ("a last round dealt by a seat that was not in it", bent(OUT, "last", "dealer", to=3)),
    ("a last round that a seat won which was not in it", bent(OUT, "last", "out", to=3)),
    ("a last round of seats that do not play", bent(OUT, "last", "seats", to=[0, 1, 2, 3])),
    ("a last round with a hand missing", bent(OUT, "last", "hands", to=["", "9C4D"])),
    ("an unknown end", bent(WON, "end", to=["bored", 0])),
    ("an end won by a seat that does not play", bent(WON, "end", to=["target", 2])),
    ("an end won by a seat that has resigned", bent(GONE, "end", to=["resigned", 0])),
    ("an end of three parts", bent(WON, "end", to=["target", 0, 0])),
    ("an end during a round", bent(DRAW, "end", to=["target", 0])),
    # Anything else
    ("nothing of a round", bent(DRAW, "round", to={})),
    ("a list for a round", bent(DRAW, "round", to=[1])),
    ("an empty object", {}),
    ("a list", []),
    ("a text", "match"),
    ("null", None),
]


@pytest.mark.parametrize("doc", [doc for _, doc in CASES], ids=[why for why, _ in CASES])
def test_a_corrupt_state_is_refused(doc):
    with pytest.raises(CorruptState) as refusal:
        rummy.load(doc)
    assert str(refusal.value)


def test_the_same_high_run_is_sound_where_the_ace_may_be_high():
    doc = bent(DRAW, "round", to=high_run)
    doc["ruleset"] |= {"ace": "either"}
    assert rummy.load(doc).round.table[0].cards.bit_count() == 3


@pytest.mark.parametrize("member", rummy.dump(POSITIONS[OUT]))
def test_a_state_without_one_of_its_members_is_refused(member):
    doc = rummy.dump(POSITIONS[OUT])
    del doc[member]
    with pytest.raises(CorruptState):
        rummy.load(doc)


@pytest.mark.parametrize("part", ["round", "last"])
def test_a_round_without_one_of_its_members_is_refused(part):
    for member in rummy.dump(POSITIONS[OUT])[part]:
        doc = rummy.dump(POSITIONS[OUT])
        del doc[part][member]
        with pytest.raises(CorruptState):
            rummy.load(doc)


def test_the_positions_themselves_are_sound():
    for match in POSITIONS.values():
        assert rummy.load(rummy.dump(match)) == match
