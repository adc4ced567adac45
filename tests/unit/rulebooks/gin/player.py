"""How gin rummy is played by the machine of laws: which moves there are, ways to play, and what must come about."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from service.play.game import Game, Seat
from service.play.log import Entry
from tests import naive
from tests.unit.rulebooks.gin import naive_checker
from tests.unit.rulebooks.gin.decks import rich_deck
from tests.unit.rulebooks.gin.guesses import named_knock, named_spread
from tests.unit.rulebooks.machine import named

Doc = dict[str, Any]

PLAIN: list[Doc] = [
    {"type": "deal"},
    {"type": "pass"},
    {"type": "draw", "source": "stock"},
    {"type": "draw", "source": "discard"},
    {"type": "big_gin"},
    {"type": "spread"},
    *({"type": "discard", "card": card} for card in naive.DECK),
    *({"type": "knock", "discard": card} for card in naive.DECK),
]

REFUSALS = (
    "game_over",
    "not_your_turn",
    "wrong_phase",
    "card_not_in_hand",
    "discard_just_taken",
    "invalid_meld",
    "melds_overlap",
    "layoff_does_not_fit",
    "source_not_open",
    "deadwood_over_limit",
    "big_gin_not_played",
    "no_knock_follows",
    "knock_must_follow",
)

OVERRIDES: dict[str, list[Any]] = {
    "opening": ["open"],
    "both_pass_draw": ["either"],
    "big_gin_bonus": [None, 31],
    "undercut_on_tie": [False],
    "layoff": ["auto"],
    "fiftieth_card": [True],
    "max_discard_draws": [1, 2, 4],
    "next_dealer": ["winner", "loser"],
    "void_dealer": ["alternate"],
    "target": [1, 30, 100],
    "box_timing": ["per_round"],
    "gin_extra_boxes": [3],
    "undercut_extra_boxes": [1],
}
PLAIN_LIMIT: Doc = {"oklahoma_ace": None, "oklahoma_spade_doubles": None}
OKLAHOMA: Doc = {"knock_limit": "upcard", "oklahoma_ace": "gin_only", "oklahoma_spade_doubles": True}
MOST: Doc = {"columns": 3, "columns_winner": "most", "target": 20}
BONUS: Doc = {"shutout": "bonus", "shutout_bonus": 150, "shutout_test": "zero_points"}
DOUBLE: Doc = {"shutout": "double_total", "shutout_bonus": None, "shutout_test": "no_rounds_won"}


def keen(view: Doc) -> Doc:
    """Takes what helps, ends the round as soon as it may, and throws what leaves the least."""
    return _helpful_draw(view) or _cheapest(view, ["big_gin", "knock", "discard"])


def proud(view: Doc) -> Doc:
    """As keen, but it ends the round with big gin only."""
    return _helpful_draw(view) or _cheapest(view, ["big_gin", "discard", "knock"])


def _helpful_draw(view: Doc) -> Doc | None:
    """The top of the discard pile if it lowers the deadwood, or else the other choice there is; None at other times."""
    moves = [legal["move"] for legal in view["legal_moves"]]
    take = {"type": "draw", "source": "discard"}
    if take not in moves:
        return None
    hand, top = naive_checker.hand_of(view, view["you"]["seat"]), view["round"]["discard_top"]
    helps = naive.best_throws(hand | {top}, top)[0] < naive.deadwood(hand) or naive.deadwood(hand | {top}) == 0
    return take if helps else next(move for move in moves if move != take)


def patient(view: Doc) -> Doc:
    """Passes, draws from the stock and never knocks before it must, so that rounds last as long as the stock."""
    if view["turn"]["phase"] == "fiftieth":
        return dict(view["legal_moves"][0]["move"])
    return _cheapest(view, ["discard", "knock", "big_gin"])


def wasteful(view: Doc) -> Doc:
    """As patient, but it throws what is melded, so that nobody can knock when the stock ends."""
    throws = [legal for legal in view["legal_moves"] if legal["move"]["type"] == "discard"]
    return dict(max(throws, key=lambda legal: legal["deadwood"])["move"]) if throws else patient(view)


def circling(view: Doc) -> Doc:
    """After the opening it takes every discard, and never knocks if it can throw, so that takes reach their cap."""
    take = {"type": "draw", "source": "discard"}
    if view["turn"]["phase"] != "opening" and take in [legal["move"] for legal in view["legal_moves"]]:
        return take
    return _cheapest(view, ["discard", "knock"])


def _cheapest(view: Doc, types: list[str]) -> Doc:
    """The move of the first of these types that leaves the least; where nothing is thrown, the stock or a pass."""
    by_type: dict[str, list[Doc]] = {}
    for legal in view["legal_moves"]:
        by_type.setdefault(legal["move"]["type"], []).append(legal)
    for each in types:
        if each in by_type:
            return dict(min(by_type[each], key=lambda legal: legal["deadwood"])["move"])
    return dict(next(legal["move"] for legal in view["legal_moves"] if legal["move"].get("source") != "discard"))


class GinPlayer:
    """The adapter of gin rummy."""

    KIND = "gin"
    WITH_BOTS = 8
    EVERYTHING = 12
    ALL_ON_TURN = False
    MATCHES: Mapping[str, tuple[Doc, tuple[str, ...]]] = {
        "keen": ({}, ("keen", "keen", "named")),
        "named melds and layoffs": ({"layoff": "manual"}, ("keen", "keen", "keen", "named")),
        "everything": ({}, ("keen", "patient", "circling", "named")),
        "a tie is a tie": ({"undercut_on_tie": False, "layoff": "manual"}, ("keen",)),
        "upcard after two passes": ({"opening": "offer", "both_pass_draw": "either"}, ("circling", "keen")),
        "cap on takes": ({"opening": "offer", "both_pass_draw": "either"}, ("circling",)),
        "fiftieth card": ({"fiftieth_card": True, "max_discard_draws": 50}, ("patient",)),
        "fiftieth card in vain": ({"fiftieth_card": True}, ("patient", "patient", "patient", "wasteful")),
        "end of the stock": ({}, ("patient", "wasteful")),
        "big gin": ({"big_gin_bonus": 31}, ("proud",)),
        "Oklahoma": (OKLAHOMA, ("keen", "listed", "named")),
        "knock with five": (PLAIN_LIMIT | {"knock_limit": 5}, ("keen", "circling")),
        "Hollywood": (MOST, ("keen", "keen", "keen", "named")),
        "shutout bonus": (BONUS, ("keen",)),
        "shutout doubles": (DOUBLE, ("keen",)),
    }
    TEMPERS: Mapping[str, Callable[[Doc], Doc]] = {
        "keen": keen,
        "patient": patient,
        "proud": proud,
        "wasteful": wasteful,
        "circling": circling,
    }
    MUST_REACH: Mapping[str, int] = {
        **{f"phase {phase}": 10 for phase in ("round_over", "opening", "draw", "discard", "spread", "fiftieth")},
        **{f"kind {kind}": 3 for kind in ("knock", "gin", "big_gin", "undercut", "tie", "void", "resigned")},
        **{f"named {move} {how}": 10 for move in ("knock", "spread") for how in ("accepted", "refused")},
        **{f"refused {code}": 1 for code in REFUSALS},
        "named big_gin accepted": 1,
        "named big_gin refused": 3,
        "end target": 10,
        "end resigned": 5,
        "computer player": 20,
        "limit set by an ace, one": 1,
        "limit set by an ace, gin_only": 3,
        "both passed": 10,
        "upcard taken after both passed": 3,
        "the fiftieth card taken": 3,
        "big gin with a card taken": 1,
        "layoff": 10,
        "chained layoff": 3,
        "automatic layoff": 3,
        "void at the cap on takes": 3,
        "void at the end of the stock": 3,
    }

    def house_rules(self, chance: Random) -> Doc:
        return {field: chance.choice(values) for field, values in OVERRIDES.items() if chance.randrange(3) == 0}

    def seats(self, kind: str, chance: Random, with_bots: bool) -> list[Seat]:
        return [named(0), Seat(bot="easy") if with_bots else named(1)]

    def deck(self, chance: Random, seats: int) -> tuple[int, ...]:
        return rich_deck(chance)

    def follow(self, game: Game, entry: Entry) -> None:
        """The views say enough to judge by."""

    def plain_moves(self, view: Doc) -> list[Doc]:
        return PLAIN

    def named_moves(self, view: Doc, chance: Random) -> list[Doc]:
        hand = naive_checker.hand_of(view, view["you"]["seat"])
        match view["turn"]["phase"]:
            case "discard" if _may_end(view) or chance.randrange(10) == 0:
                return [named_knock(hand, chance) for _ in range(chance.randint(0, 3))]
            case "spread":
                melds = view["round"]["spread"]["melds"]
                return [named_spread(hand, melds, chance) for _ in range(chance.randint(0, 5))]
            case _:
                return []

    accepts = staticmethod(naive_checker.accepts)
    turn_after = staticmethod(naive_checker.turn_after)

    def check_listed(self, view: Doc) -> None:
        assert view["round"]["knock_limit"] == naive_checker.knock_limit(view)
        hand = naive_checker.hand_of(view, view["turn"]["seat"])
        for legal in view["legal_moves"]:
            thrown = {legal["move"].get("card"), legal["move"].get("discard")} - {None}
            if thrown or legal["move"]["type"] == "big_gin":
                count = naive.deadwood(hand - thrown)
                assert (legal["deadwood"], legal["gin"]) == (count, count == 0), (legal, hand)
            else:
                assert legal.keys() == {"move"}

    def check_result(self, before: Doc, sent: Doc | None, result: Doc) -> None:
        rules = before["ruleset"]
        assert result["points"] == sum(line["points"] for line in result["lines"])
        assert {line["seat"] for line in result["lines"]} <= {result["winner"]}
        hands = [frozenset(_pairs(hand)) for hand in before["round"]["hands"]]
        knocker, kind = result["knocker"], result["kind"]
        if knocker is None:
            return
        assert result["winner"] == {"undercut": 1 - knocker, "tie": None}.get(kind, knocker)
        defender = hands[1 - knocker]
        if kind in ("gin", "big_gin"):
            assert result["deadwood"][knocker] == 0
            assert result["deadwood"][1 - knocker] == naive.deadwood(defender)
            return
        assert kind == naive_checker.kind_of(knocker, result["deadwood"], rules.get("undercut_on_tie", True))
        melds = tuple(frozenset(meld) for meld in result["spreads"][knocker]["melds"])
        rest = naive_checker.laid_off(result["layoffs"], melds, defender)
        assert rest is not None
        assert rest == frozenset().union(*_laid(result["spreads"][1 - knocker]))
        if sent == {"type": "spread"} or (sent is not None and sent["type"] == "knock"):
            least = min(map(naive.deadwood, naive.after_layoffs(melds, defender)))
            assert result["deadwood"][1 - knocker] == least

    def cards(self, dump: Doc) -> list[str]:
        if dump["round"] is None:
            return []
        return _pairs("".join([*dump["round"]["hands"], dump["round"]["stock"], dump["round"]["discards"]]))

    def most_moves(self, ruleset: Doc) -> int:
        """Two passes, a draw and a throw for each card of the stock and each take, the fiftieth card, a spread."""
        return 2 + 2 * (29 + ruleset["max_discard_draws"] + 1) + 2 + 1

    def reached(self, view: Doc, move: Doc, result: Doc | None) -> Iterator[str]:
        round, rules = view["round"], view["ruleset"]
        phase = view["turn"]["phase"]
        if phase == "opening" and str(round["limit_card"])[0] == "A":
            yield f"limit set by an ace, {rules['oklahoma_ace']}"
        if phase == "draw" and naive_checker.both_just_passed(view):
            yield "both passed"
            if move == {"type": "draw", "source": "discard"}:
                yield "upcard taken after both passed"
        if phase == "fiftieth" and move["type"] == "draw":
            yield "the fiftieth card taken"
        if result is None:
            return
        if result["kind"] == "big_gin" and round["taken"] is not None:
            yield "big gin with a card taken"
        if result["kind"] == "void":
            at_the_end = round["stock_count"] == naive_checker.NEVER_DRAWN
            yield "void at the end of the stock" if at_the_end else "void at the cap on takes"
        if result["layoffs"]:
            yield "automatic layoff" if rules["layoff"] == "auto" else "layoff"
            melds = result["spreads"][result["knocker"]]["melds"]
            if any(not naive_checker.is_meld([*melds[each["meld"]], each["card"]]) for each in result["layoffs"]):
                yield "chained layoff"


def _may_end(view: Doc) -> bool:
    return any(legal["move"]["type"] in ("knock", "big_gin") for legal in view["legal_moves"])


def _pairs(packed: str) -> list[str]:
    return [packed[start : start + 2] for start in range(0, len(packed), 2)]


def _laid(spread: Doc) -> list[frozenset[str]]:
    return [frozenset(meld) for meld in (*spread["melds"], spread["deadwood_cards"])]
