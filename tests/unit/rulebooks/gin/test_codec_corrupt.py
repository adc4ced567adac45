"""What cannot have been stored is refused, never played: each case takes a good state and bends one thing in it."""

import json

import pytest

from service.rulebooks import gin
from service.rulebooks.errors import CorruptState
from tests.unit.rulebooks.gin.positions import POSITIONS

DRAW, DISCARD, SPREAD = "a card is thrown", "the card thrown is taken", "the defender is to spread"
OVER, OFFER, OKLAHOMA = "after a knock with layoffs", "the upcard is offered", "oklahoma"
FIFTIETH, START, WON = "the fiftieth card is offered", "before the first deal", "the match is won"
NAMED = "before the first deal, the dealer named"


def bent(name, *path, to):
    """A stored position with the value at a path replaced, by another or by a function of it."""
    doc = json.loads(json.dumps(gin.dump(POSITIONS[name])))
    *way, last = path
    inner = doc
    for step in way:
        inner = inner[step]
    inner[last] = to(inner[last]) if callable(to) else to
    return doc


def drawn_to_the_last(round):
    stock = round["stock"]
    return round | {"stock": stock[:2], "discards": stock[2:] + round["discards"]}


CASES = [
    # Cards
    ("a card twice", bent(DRAW, "round", "stock", to=lambda packed: packed[2:4] + packed[2:])),
    ("a card in a hand and in the stock", bent(DRAW, "round", "hands", 0, to=lambda packed: packed[:18] + "KS")),
    ("a card twice in a hand", bent(DRAW, "round", "hands", 0, to=lambda packed: packed + packed[:2])),
    ("a card missing from the stock", bent(DRAW, "round", "stock", to=lambda packed: packed[2:])),
    ("a card missing from a hand", bent(DRAW, "round", "hands", 1, to=lambda packed: packed[2:])),
    ("a card missing from the discard pile", bent(DRAW, "round", "discards", to=lambda packed: packed[2:])),
    ("a card too many", bent(DRAW, "round", "discards", to=lambda packed: packed + "KS")),
    ("a stock drawn to its last card", bent(DRAW, "round", to=drawn_to_the_last)),
    ("half a card", bent(DRAW, "round", "stock", to=lambda packed: packed[:-1])),
    ("no card at all", bent(DRAW, "round", "stock", to=lambda packed: "??" + packed[2:])),
    ("a number for a pile", bent(DRAW, "round", "stock", to=52)),
    ("null for a pile", bent(DRAW, "round", "discards", to=None)),
    ("three hands", bent(DRAW, "round", "hands", to=lambda hands: [*hands, ""])),
    ("one hand", bent(DRAW, "round", "hands", to=lambda hands: hands[:1])),
    # Phase and turn
    ("an unknown phase", bent(DRAW, "round", "phase", to="melding")),
    ("a phase that is no text", bent(DRAW, "round", "phase", to=[])),
    ("a phase that is null", bent(DRAW, "round", "phase", to=None)),
    ("nobody on turn during a round", bent(DRAW, "round", "turn", to=None)),
    ("a seat on turn after a round", bent(OVER, "round", "turn", to=0)),
    ("a third seat on turn", bent(DRAW, "round", "turn", to=2)),
    ("true on turn", bent(DRAW, "round", "turn", to=True)),
    ("the other seat on turn with eleven cards", bent(DISCARD, "round", "turn", to=0)),
    ("the knocker on turn to spread", bent(SPREAD, "round", "turn", to=0)),
    ("eleven cards before the draw", bent(DISCARD, "round", "phase", to="draw")),
    ("ten cards before the throw", bent(DRAW, "round", "phase", to="discard")),
    ("a third seat as dealer", bent(DRAW, "round", "dealer", to=2)),
    ("no dealer", bent(DRAW, "round", "dealer", to=None)),
    ("a turn never begun", bent(DISCARD, "round", "public", to="")),
    ("a turn begun by the other seat", bent(DISCARD, "round", "public", to="0KH--")),
    ("the fiftieth card with a full stock", bent(DRAW, "round", "phase", to="fiftieth")),
    ("a draw from a spent stock", bent(FIFTIETH, "round", "phase", to="draw")),
    ("a discard pile gone before the draw", bent(OFFER, "round", "discards", to="")),
    # What was taken
    ("a card just taken before the draw", bent(DRAW, "round", "taken", to="KH")),
    ("a card just taken that is not in the hand", bent(DISCARD, "round", "taken", to="KD")),
    ("takes that are no number", bent(DRAW, "round", "discard_draws", to="1")),
    ("a flag that is neither true nor false", bent(DRAW, "round", "stock_only", to=1)),
    ("half a public turn", bent(DRAW, "round", "public", to=lambda packed: packed[:-1])),
    ("a public turn of nobody", bent(DRAW, "round", "public", to=lambda packed: "x" + packed[1:])),
    # Knocks
    ("a spread without a hand laid out", bent(SPREAD, "round", "laid", to=None)),
    ("a spread without a knocker", bent(SPREAD, "round", "knocker", to=None)),
    ("a knocker before a knock", bent(DRAW, "round", "knocker", to=0)),
    ("a hand laid out before a knock", bent(DRAW, "round", "laid", to=["5H", "AS2S3S"])),
    ("the defender as knocker", bent(SPREAD, "round", "knocker", to=1)),
    ("a knock in the draw", bent(SPREAD, "round", "phase", to="draw")),
    ("a third seat as knocker", bent(SPREAD, "round", "knocker", to=2)),
    ("laid out as no meld", bent(SPREAD, "round", "laid", to=["5H", "AS2S3S", "7D8D9D", "4C5C"])),
    ("laid out with a card missing", bent(SPREAD, "round", "laid", to=["", "AS2S3S", "7D8D9D", "4C5C6C"])),
    ("laid out with another hand's cards", bent(SPREAD, "round", "laid", to=["KD", "AH2H3H", "7D8D9D", "4C5C6C"])),
    ("laid out with a meld twice", bent(SPREAD, "round", "laid", to=["5H", "AS2S3S", "7D8D9D", "4C5C6C", "4C5C6C"])),
    ("laid out as nothing", bent(SPREAD, "round", "laid", to=[])),
    # Oklahoma
    ("no card that set the limit", bent(OKLAHOMA, "round", "limit_card", to=None)),
    ("a card that set a limit nobody asks for", bent(DRAW, "round", "limit_card", to="KH")),
    # The ruleset
    ("an unknown preset", bent(DRAW, "ruleset", "preset", to="canasta")),
    ("a preset that is no text", bent(DRAW, "ruleset", "preset", to=[])),
    ("a ruleset value out of range", bent(NAMED, "ruleset", "gin_bonus", to=-1)),
    ("no ruleset", bent(DRAW, "ruleset", to=None)),
    # Rounds and the end
    ("a round number that does not follow", bent(DRAW, "round", "number", to=2)),
    ("a round number that is no number", bent(DRAW, "round", "number", to="1")),
    ("a round number that is true", bent(DRAW, "round", "number", to=True)),
    ("a last round that was never scored", bent(OVER, "rounds", to=[])),
    ("a scored round without a last one", bent(OVER, "last", to=None)),
    ("points that nobody won", bent(OVER, "rounds", 0, 1, to=None)),
    ("scored rounds and none dealt", bent(OVER, "round", to=None)),
    ("an unknown kind of round", bent(OVER, "rounds", 0, 0, to="canasta")),
    ("a round won by a third seat", bent(OVER, "rounds", 0, 1, to=2)),
    ("points that are no number", bent(OVER, "rounds", 0, 2, 1, to="22")),
    ("a line without a rule", bent(OVER, "rounds", 0, 2, to=["deadwood", 22])),
    ("a last round dealt by nobody", bent(OVER, "last", "dealer", to=None)),
    ("a last round knocked by a third seat", bent(OVER, "last", "knocker", to=2)),
    ("a last round laid out once", bent(OVER, "last", "spreads", to=lambda spreads: spreads[:1])),
    ("a last round laid out as no meld", bent(OVER, "last", "spreads", 0, to=["5H", "AS2S"])),
    ("a layoff that is no card", bent(OVER, "last", "layoffs", to=[["??", 0]])),
    ("a layoff on no meld", bent(OVER, "last", "layoffs", to=[["KS"]])),
    ("an unknown end", bent(WON, "end", to=["bored", 0])),
    ("an end won by a third seat", bent(WON, "end", to=["target", 2])),
    ("an end of three parts", bent(WON, "end", to=["target", 0, 0])),
    ("an end during a round", bent(DRAW, "end", to=["target", 0])),
    ("a first dealer that is no seat", bent(START, "first_dealer", to="north")),
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
        gin.load(doc)
    assert str(refusal.value)


@pytest.mark.parametrize("member", ["ruleset", "first_dealer", "round", "last", "rounds", "end"])
def test_a_state_without_one_of_its_members_is_refused(member):
    doc = gin.dump(POSITIONS[OVER])
    del doc[member]
    with pytest.raises(CorruptState):
        gin.load(doc)


@pytest.mark.parametrize("member", gin.dump(POSITIONS[DISCARD])["round"])
def test_a_round_without_one_of_its_members_is_refused(member):
    doc = gin.dump(POSITIONS[DISCARD])
    del doc["round"][member]
    with pytest.raises(CorruptState):
        gin.load(doc)


def test_the_positions_themselves_are_sound():
    for match in POSITIONS.values():
        assert gin.load(gin.dump(match)) == match
