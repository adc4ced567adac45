"""How basic rummy is played by the machine of laws: which moves there are, ways to play, and what must come about."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from service.cards.card import name
from service.play.game import Game, Seat, client_seeds, deck_of
from service.play.log import Entry
from tests import naive
from tests.unit.rulebooks.machine import DEAL, named
from tests.unit.rulebooks.rummy.account import NaiveMatch
from tests.unit.rulebooks.rummy.decks import MELDS, rich_deck
from tests.unit.rulebooks.rummy.tempers import TEMPERS, hand_of

Doc = dict[str, Any]

PLAIN: list[Doc] = [
    DEAL,
    {"type": "draw", "source": "stock"},
    {"type": "draw", "source": "discard"},
    *({"type": "discard", "card": card} for card in naive.DECK),
]
REFUSALS = (
    "game_over",
    "not_your_turn",
    "wrong_phase",
    "card_not_in_hand",
    "discard_just_taken",
    "invalid_meld",
    "layoff_does_not_fit",
    "source_not_open",
    "already_melded",
    "meld_before_layoffs",
    "own_meld_first",
    "last_card_must_be_discarded",
    "taken_card_left",
    "seats_open",
    "seat_resigned",
)
OVERRIDES: dict[str, list[Any]] = {
    "melds_per_turn": ["one", "any"],
    "layoff_after_meld": [True],
    "discard_to_go_out": [True],
    "stock_empty": ["turn_over", "block"],
    "stock_passes_max": [0, 1, 2],
    "scoring": ["each_adds", "winner_takes"],
    "rummy_bonus": ["none", "double", "flat"],
    "target": [1, 20, 60, 100],
}
HIGH_ACES: list[Doc] = [{}, {"ace": "either"}, {"ace": "either", "ace_points": 1}]
DRAWN = {"stock_empty": "turn_over", "stock_passes_max": 3}
ALIKE = {"scoring": "each_adds", "stock_empty": "block"}
SEATS = {"ten cards that count alike": 2, "seven cards that count alike": 4}
"""Kinds of matches with a certain number of seats; others have two to six."""


class RummyPlayer:
    """The adapter of basic rummy. It keeps its own account of the match, from the decks and the moves as stored."""

    KIND = "rummy"
    WITH_BOTS = 4
    EVERYTHING = 12
    ALL_ON_TURN = True
    MATCHES: Mapping[str, tuple[Doc, tuple[str, ...]]] = {
        "keen": ({}, ("keen",)),
        "named melds": ({}, ("keen", "keen", "named")),
        "everything": ({}, ("keen", "listed", "circling", "hoarding", "named")),
        "many melds a turn": ({"melds_per_turn": "any", "target": 100}, ("keen", "listed")),
        "own meld first": ({"layoff_after_meld": True, "melds_per_turn": "any"}, ("keen", "keen", "hoarding")),
        "last card thrown": ({"discard_to_go_out": True}, ("keen", "keen", "circling")),
        "high ace": ({"ace": "either"}, ("keen", "listed")),
        "turned-over stock": (DRAWN | {"target": 100}, ("hoarding", "hoarding", "listed")),
        "last pass": (DRAWN | {"stock_passes_max": 1}, ("hoarding",)),
        "stock never turned": ({"stock_passes_max": 0, "stock_empty": "turn_over"}, ("hoarding", "circling")),
        "ten cards that count alike": (ALIKE | {"target": 30}, ("hoarding",)),
        "seven cards that count alike": (ALIKE | {"target": 28}, ("hoarding",)),
        "nobody has the lowest": ({"scoring": "winner_takes", "stock_empty": "block"}, ("hoarding",)),
        "takes in a row": ({"target": 100}, ("circling",)),
        "takes after a draw": ({}, ("drawing",)),
        "takes after layoffs": ({"target": 100}, ("ambling",)),
        "takes after a meld": ({"melds_per_turn": "one"}, ("melding",)),
        "turned over again": (DRAWN | {"target": 100}, ("hoarding",)),
        "giving up": ({}, ("fickle",)),
        "giving up again": ({}, ("fickle", "fickle", "keen")),
        "giving up later": (DRAWN, ("weary",)),
    }
    TEMPERS: Mapping[str, Callable[[Doc], Doc]] = TEMPERS
    MUST_REACH: Mapping[str, int] = {
        **{f"phase {phase}": 10 for phase in ("round_over", "draw", "play")},
        "phase waiting": 5,
        **{f"kind {kind}": 3 for kind in ("out", "rummy", "blocked", "resigned")},
        **{f"named meld {how}": 10 for how in ("accepted", "refused")},
        **{f"refused {code}": 1 for code in REFUSALS},
        **{f"{seats} seats": 3 for seats in range(2, 7)},
        **{f"out by {move}": 1 for move in ("meld", "lay_off", "discard")},
        **{f"end {kind}": 3 for kind in ("target", "resigned")},
        "end abandoned": 1,
        "computer player": 20,
        "proven round": 2,
        "turned over": 5,
        "turned over again": 3,
        "blocked after the last pass": 3,
        "blocked at once without a stock": 3,
        "blocked by takes": 3,
        **{f"takes last began anew after a {move}": 1 for move in ("draw", "meld", "lay_off")},
        "layoff on another's meld": 10,
        "the card taken is laid off": 3,
        "high ace": 3,
        "resigned in turn": 3,
        "resigned out of turn": 3,
        "joint winners": 1,
        "the lowest are tied": 1,
        "the target is met exactly": 1,
        "bonus double": 1,
        "bonus flat": 1,
    }

    def __init__(self) -> None:
        self.account = NaiveMatch({}, 0, [], None)

    def house_rules(self, chance: Random) -> Doc:
        drawn = {field: chance.choice(values) for field, values in OVERRIDES.items() if chance.randrange(3) == 0}
        return drawn | chance.choice(HIGH_ACES)

    def seats(self, kind: str, chance: Random, with_bots: bool) -> list[Seat]:
        """Two to six, now and then with open ones between them; one at least is a human's."""
        count = SEATS.get(kind) or chance.randint(2, 6)
        taken = list(range(count))
        if kind not in SEATS and chance.randrange(4) == 0:
            taken = chance.sample(taken, chance.randint(2, count))
        humans = chance.sample(taken, chance.randint(1, len(taken) - 1)) if with_bots else taken
        return [
            named(seat) if seat in humans else Seat(bot="easy") if seat in taken else Seat() for seat in range(count)
        ]

    def deck(self, chance: Random, seats: int) -> tuple[int, ...]:
        return rich_deck(chance, seats)

    def follow(self, game: Game, entry: Entry) -> None:
        account = self.account
        match entry.type:
            case "created":
                rules = game.rulebook.show_ruleset(game.rulebook.ruleset(game.state))
                taken = [seat for seat, each in enumerate(game.seats) if each.kind != "open"]
                self.account = NaiveMatch(rules, len(game.seats), taken, entry.data["first_dealer"])
                return
            case "dealt":
                deck = deck_of(game, account.number + 1, client_seeds(game, account.playing))
                account.deal(list(map(name, deck)), game.state.round.dealer)
            case "ended":
                account.end = account.end or entry.data["kind"]
                assert entry.data["kind"] == account.end
            case _:
                assert entry.seat is not None
                account.make(entry.seat, entry.data["move"])
        self._compare(game)

    def _compare(self, game: Game) -> None:
        """The service's account of the match is the naive one."""
        account, dump = self.account, game.rulebook.dump(game.state)
        turn, score = game.rulebook.turn(game.state), game.rulebook.score(game.state)
        if account.end is None:
            assert turn is not None
            assert (turn.phase, turn.seat) == account.turn
        assert (score["totals"], score["winners"]) == (account.totals, account.winners())
        assert score["over"] == (account.end is not None)
        if account.round is not None:
            round, stored = account.round, dump["round"]
            assert [set(_pairs(hand)) for hand in stored["hands"]] == [
                round.hands.get(seat, set()) for seat in range(account.table)
            ]
            assert (_pairs(stored["stock"]), _pairs(stored["discards"])) == (round.stock, round.pile)
            assert [(seat, set(_pairs(cards))) for seat, cards in stored["table"]] == round.table
            assert (stored["number"], stored["dealer"]) == (account.number, round.dealer)

    def plain_moves(self, view: Doc) -> list[Doc]:
        """Of melds and layoffs those that can be thought of: with the cards in hand, and with some that are not."""
        hand, melds = hand_of(view), 0 if view["round"] is None else len(view["round"]["table"])
        in_play = view["turn"] is not None and view["turn"]["phase"] == "play"
        others = [card for card in naive.DECK if card not in hand][:: 7 if in_play else 52]
        return [
            *PLAIN,
            *({"type": "meld", "cards": cards} for cards in _thinkable_melds(hand, lacking=1 if in_play else 0)),
            *({"type": "lay_off", "card": card, "meld": meld} for card in sorted(hand) for meld in range(melds + 1)),
            *({"type": "lay_off", "card": card, "meld": 0} for card in others),
        ]

    def named_moves(self, view: Doc, chance: Random) -> list[Doc]:
        """Melds in any order of their cards, and what might be taken for melds; layoffs on melds that are not there."""
        hand = sorted(hand_of(view))
        if view["turn"] is None or view["turn"]["phase"] != "play":
            return []
        possible = [meld for meld in MELDS if set(meld) <= set(hand)]
        guesses = [chance.sample(hand, min(len(hand), chance.randint(0, 4)))]
        if possible:
            meld = chance.choice(possible)
            guesses += [chance.sample(meld, len(meld)), [*meld, meld[0]], [*meld[1:], chance.choice(naive.DECK)]]
        below = {"type": "lay_off", "card": chance.choice(hand), "meld": -1}
        return [below, *({"type": "meld", "cards": cards} for cards in guesses)]

    def accepts(self, view: Doc, seat: int, move: Doc) -> bool:
        if view["status"] == "waiting":
            humans = [each["seat"] for each in view["seats"] if each["kind"] == "human"]
            return move == DEAL and seat == humans[0]
        return self.account.accepts(seat, move)

    def turn_after(self, view: Doc, move: Doc) -> tuple[str, int | None]:
        return self.account.turn

    def check_listed(self, view: Doc) -> None:
        """What the seat on turn sees is what lies on the table."""
        round, shown = self.account.round, view["round"]
        assert round is not None
        assert (shown["stock_count"], shown["discard_count"]) == (len(round.stock), len(round.pile))
        assert (shown["discard_top"], shown["taken"]) == (round.pile[-1] if round.pile else None, round.taken)
        assert [hand["count"] for hand in shown["hands"]] == [len(round.hands[seat]) for seat in round.seats]
        assert hand_of(view) == round.hands[round.turn]
        own = next(hand for hand in shown["hands"] if hand["seat"] == round.turn)
        assert own["deadwood"] == self.account.deadwood()[round.turn]
        assert [(meld["seat"], set(meld["cards"])) for meld in shown["table"]] == round.table

    def check_result(self, before: Doc, sent: Doc | None, result: Doc) -> None:
        account, round = self.account, self.account.round
        assert round is not None
        scores = [round.scores().get(seat, 0) for seat in range(account.table)]
        assert (result["kind"], result["winner"], result["scores"]) == (round.kind, round.winner(), scores)
        assert result["deadwood"] == account.deadwood()
        assert [(held["seat"], set(held["deadwood_cards"])) for held in result["spreads"]] == sorted(
            round.hands.items()
        )
        for seat, points in enumerate(scores):
            assert sum(line["points"] for line in result["lines"] if line["seat"] == seat) == points

    def cards(self, dump: Doc) -> list[str]:
        if dump["round"] is None:
            return []
        round = dump["round"]
        table = (cards for _, cards in round["table"])
        return _pairs("".join([*round["hands"], round["stock"], round["discards"], *table]))

    def most_moves(self, ruleset: Doc) -> int:
        """Two a turn; the stock and all passes of the pile are drawn, with 50 takes before every draw or card laid.

        Beside the turns, all cards may be laid, and all seats may give up.
        """
        draws = 52 * (1 + ruleset["stock_passes_max"])
        return 2 * 50 * (draws + 52) + 52 + 6

    def reached(self, view: Doc, move: Doc, result: Doc | None) -> Iterator[str]:
        round = self.account.round
        if round is None:
            return
        yield from round.happened
        if move["type"] == "deal":
            yield f"{len(round.seats)} seats"
        if "turned over" in round.happened and round.turned > 1:
            yield "turned over again"
        yield from _what_it_was(view, move)
        if result is None:
            return
        if round.out is not None:
            yield f"out by {move['type']}"
        if round.kind == "rummy":
            yield f"bonus {view['ruleset']['rummy_bonus']}"
        if round.kind == "blocked" and view["ruleset"]["scoring"] == "winner_takes" and round.winner() is None:
            yield "the lowest are tied"
        if max(self.account.totals) == view["ruleset"]["target"]:
            yield "the target is met exactly"
        if len(self.account.winners()) > 1:
            yield "joint winners"


def _what_it_was(view: Doc, move: Doc) -> Iterator[str]:
    """What is special about a move, from the mover's view before it."""
    seat = view["you"]["seat"]
    match move["type"]:
        case "resign":
            yield "resigned in turn" if view["turn"]["seat"] == seat else "resigned out of turn"
        case "meld" if {"A", "K"} <= {card[0] for card in move["cards"]} and len(move["cards"]) < len(naive.RANKS):
            yield "high ace"
        case "lay_off":
            if view["round"]["table"][move["meld"]]["seat"] != seat:
                yield "layoff on another's meld"
            if move["card"] == view["round"]["taken"]:
                yield "the card taken is laid off"


def _thinkable_melds(hand: frozenset[str], lacking: int) -> list[list[str]]:
    """The melds that lack so many cards of the hand at the most, and cards that are no meld; each in card order."""
    near = [meld for meld in MELDS if len(hand.intersection(meld)) >= len(meld) - lacking]
    held = sorted(hand)
    wrong = [held[start : start + length] for length in (2, 3, 4) for start in range(len(held) - length + 1)]
    thinkable = {frozenset(cards) for cards in (*near, *wrong)}
    return sorted(sorted(cards, key=naive.ORDER.__getitem__) for cards in thinkable)


def _pairs(packed: str) -> list[str]:
    return [packed[start : start + 2] for start in range(0, len(packed), 2)]
