"""Plays whole games through the use case `moved`, and holds every step of them to the laws that all games share.

A game brings a `Player`: who sits at the table, decks that make things happen, which moves there are, how to guess at
moves with optional fields, and a naive checker of its rules. What a run reached is counted, so that a law that was
never put to the test is noticed. Chance is seeded: the same matches are played in every run, and a failure tells all
their moves.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import orjson

from service.cards.card import Card
from service.cards.shuffle import commitment
from service.play.errors import PlayError
from service.play.game import Game, Lifetimes, Seat, seats_dealt
from service.play.log import Entry, created_entry, from_created, grown
from service.play.moves import moved, tried
from service.play.record import record_of
from service.play.replay import replay
from service.play.resign import given_up
from service.play.verify import verify
from service.play.views import game_view
from service.rulebooks.errors import RuleViolation
from service.rulebooks.registry import RULEBOOKS

Doc = dict[str, Any]
LIFETIMES = Lifetimes(waiting=60, idle=60, finished=60)
START = 1_700_000_000_000
DEAL: Doc = {"type": "deal"}
RESIGN: Doc = {"type": "resign"}
WAITING = "waiting"
"""The phase, if one may call it so, of a game that seats are open in."""
MOST_ROUNDS = 8
MOST_MOVES = 150
"""A match that has not ended by itself is left here."""
PLAINLY_TRIED = 5
"""How many moves without optional fields are tried by every seat at every step."""


class Player(Protocol):
    """What a game must tell so that it can be played and judged here."""

    KIND: str
    MUST_REACH: Mapping[str, int]
    """What a whole run must come across, and how often at least."""
    TEMPERS: Mapping[str, Callable[[Doc], Doc]]
    """Ways to choose a listed move from a view, or `RESIGN`. Besides: `listed`, any of them; `named`, guesses too."""
    MATCHES: Mapping[str, tuple[Doc, tuple[str, ...]]]
    """Kinds of matches: values that are laid over the preset, and the tempers that play; at each move one of them."""
    WITH_BOTS: int
    """One in so many matches is played with computer players."""
    EVERYTHING: int
    """At one step in so many, every seat tries every move without optional fields."""
    ALL_ON_TURN: bool
    """Whether the seat on turn tries them all at every step."""

    def house_rules(self, chance: Random) -> Doc:
        """Values that may be laid over any preset."""

    def seats(self, kind: str, chance: Random, with_bots: bool) -> list[Seat]:
        """Who sits at the table in a match of a kind."""

    def deck(self, chance: Random, seats: int) -> tuple[Card, ...]:
        """A deck that makes things happen when it is dealt to so many seats."""

    def follow(self, game: Game, entry: Entry) -> None:
        """Every entry of a game as it is stored, with the game after it; for a checker that keeps its own account."""

    def plain_moves(self, view: Doc) -> list[Doc]:
        """Every move without optional fields that there could be, in any phase. view: of the seat on turn."""

    def named_moves(self, view: Doc, chance: Random) -> list[Doc]:
        """Right and wrong guesses at moves with optional fields; none where the phase has none."""

    def accepts(self, view: Doc, seat: int, move: Doc) -> bool:
        """The naive checker: whether the seat that has this view may make the move."""

    def turn_after(self, view: Doc, move: Doc) -> tuple[str, int | None]:
        """The naive checker: phase and seat after an accepted move, if the match goes on."""

    def check_listed(self, view: Doc) -> None:
        """What the view of the seat on turn says beside its legal moves is right."""

    def check_result(self, before: Doc, sent: Doc | None, result: Doc) -> None:
        """The result of a round follows from the stored state before it and the move as sent (None: unknown)."""

    def cards(self, dump: Doc) -> list[str]:
        """Every card of the stored state of a match, wherever it lies; empty before the first deal."""

    def most_moves(self, ruleset: Doc) -> int:
        """No round has more moves than this."""

    def reached(self, view: Doc, move: Doc, result: Doc | None) -> Iterable[str]:
        """What a move reached, from the mover's view before it and the round's result."""


@dataclass
class Table:
    """A game in play, the copy of it that grows from its log, and what was reached."""

    player: Player
    game: Game
    replica: Game
    reached: Counter[str] = field(default_factory=Counter)
    moves_in_round: int = 0
    now: int = START
    entries: list[Entry] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    views: dict[int | None, tuple[Game, Doc]] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.game.rulebook.turn(self.game.state) is None

    @property
    def ruleset(self) -> Doc:
        return self.game.rulebook.show_ruleset(self.game.rulebook.ruleset(self.game.state))

    def view(self, seat: int | None) -> Doc:
        """What a seat sees of the game as it is; made once."""
        seen, view = self.views.get(seat, (None, {}))
        if seen is not self.game:
            view = game_view(self.game, seat, LIFETIMES)
            self.views[seat] = (self.game, view)
        return view

    def seat_on_turn(self) -> int | None:
        turn = self.game.rulebook.turn(self.game.state)
        return None if turn is None else turn.seat

    @property
    def taken(self) -> list[int]:
        """The seats that are not open."""
        return [index for index, seat in enumerate(self.game.seats) if seat.kind != "open"]

    def plain_moves(self) -> list[Doc]:
        return self.player.plain_moves(self.view(self.seat_on_turn()))

    def dump(self) -> bytes:
        return orjson.dumps(self.game.rulebook.dump(self.game.state))

    def answer(self, seat: int, move: Doc) -> tuple[Game, tuple[Entry, ...]] | None:
        """The game after a move; None if the rules refuse it, and then a dry run is refused with the same words."""
        tried_out = refusal_of(lambda: tried(self.game, seat, move))
        answers: list[tuple[Game, tuple[Entry, ...]]] = []
        refused = refusal_of(lambda: answers.append(moved(self.game, seat, move, self.now)))
        assert told(tried_out) == told(refused), (seat, move)
        if refused is not None:
            self.reached[f"refused {refused.code}"] += 1
            return None
        return answers[0]

    def try_plain_moves(self, moves: Iterable[Doc], seats: Sequence[int] | None = None) -> None:
        """A move without optional fields is accepted exactly if it is listed; and nothing comes of a refusal.

        seats: which of them try it; without any, all do.
        """
        before = self.dump()
        assert self.view(None)["legal_moves"] == []
        for seat in self.taken if seats is None else seats:
            view = self.view(seat)
            listed = _listed(view)
            for move in moves:
                accepted = self.answer(seat, move) is not None
                assert accepted == (move in listed), (seat, move, listed)
                assert accepted == self.player.accepts(view, seat, move), (seat, move, view["round"])
        assert self.dump() == before

    def try_named_move(self, seat: int, move: Doc) -> bool:
        """A move with optional fields is accepted exactly if the naive checker accepts it."""
        before = self.dump()
        view = self.view(seat)
        accepted = self.answer(seat, move) is not None
        assert accepted == self.player.accepts(view, seat, move), (seat, move, view["round"])
        assert self.dump() == before
        self.reached[f"named {move['type']} {'accepted' if accepted else 'refused'}"] += 1
        return accepted

    def make(self, seat: int, move: Doc) -> None:
        """Make a legal move, and check all that must hold afterwards."""
        view = self.view(seat)
        self.story.append(f"seat {seat}: {move}")
        self.now += 1000
        answer = self.answer(seat, move)
        assert answer is not None, (seat, move, view["round"])
        after, entries = answer
        self._grow(view, seat, move, entries)
        self.game = after
        self._check_turn(view, move)
        self.check()

    def _grow(self, view: Doc, seat: int, move: Doc, entries: tuple[Entry, ...]) -> None:
        """Let the copy grow by the entries as they are stored, those of computer players too."""
        for index, entry in enumerate(entries):
            before = self.replica
            sent = move if index == 0 else None
            if entry.type in ("move", "round") and index:
                view = game_view(before, entry.seat, LIFETIMES)
                self.reached["computer player"] += 1
            self.replica = grown(before, stored(entry))
            self.entries.append(entry)
            self.player.follow(self.replica, entry)
            self._count_moves(entry)
            if entry.type == "ended":
                self.reached[f"end {entry.data['kind']}"] += 1
                continue
            result = entry.data.get("result")
            self.reached[f"phase {view['turn']['phase'] if view['turn'] else WAITING}"] += 1
            self.reached.update(self.player.reached(view, entry.data.get("move", move), result))
            if result is not None:
                self.reached[f"kind {result['kind']}"] += 1
                self.player.check_result(before.rulebook.dump(before.state), sent, result)

    def _count_moves(self, entry: Entry) -> None:
        """Every round ends: it has only so many moves."""
        self.moves_in_round = 0 if entry.type == "dealt" else self.moves_in_round + 1
        assert self.moves_in_round <= self.player.most_moves(self.ruleset) + 1

    def _check_turn(self, view: Doc, move: Doc) -> None:
        turn = self.game.rulebook.turn(self.game.state)
        if move["type"] in ("deal", "resign") or turn is None or any(seat.bot for seat in self.game.seats):
            return
        assert (turn.phase, turn.seat) == self.player.turn_after(view, move), (move, view)

    def check(self) -> None:
        """The laws of every state."""
        self._check_cards()
        self._check_storage()
        check_sums(self.game.rulebook.score(self.game.state))
        seat = self.seat_on_turn()
        if seat is not None:
            self.player.check_listed(self.view(seat))

    def _check_cards(self) -> None:
        cards = self.player.cards(self.game.rulebook.dump(self.game.state))
        assert len(cards) == len(set(cards))
        assert len(cards) in (0, 52)

    def _check_storage(self) -> None:
        """Replaying the log gives the snapshot, and the snapshot gives the state."""
        rulebook, state = self.game.rulebook, self.game.state
        assert self.replica == self.game
        assert orjson.dumps(rulebook.dump(self.replica.state)) == self.dump()
        assert rulebook.load(orjson.loads(self.dump())) == state

    def check_record(self) -> None:
        """The record of the match, played through the engine once more, comes to the same results; its proofs hold."""
        record = orjson.loads(orjson.dumps(record_of(self.entries)))
        replayed, verified = replay(record), verify(record)
        assert replayed.differences == ()
        assert verified.faults == ()
        assert len(record["rounds"]) == rounds_played(self.game) == verified.proven + verified.unproven
        self.reached["proven round"] += verified.proven

    def resign(self, seat: int) -> None:
        """A seat gives up; the entries are those of any move."""
        view = self.view(seat)
        self.story.append(f"seat {seat} resigns")
        self.game, entries = given_up(self.game, seat, self.now)
        self._grow(view, seat, {"type": "resign"}, entries)
        self.check()


def refusal_of(call: Callable[[], object]) -> RuleViolation | PlayError | None:
    """What a call is refused with; None if it is not."""
    try:
        call()
    except (RuleViolation, PlayError) as refused:
        return refused
    return None


def told(refused: RuleViolation | PlayError | None) -> tuple[str, str, Doc] | None:
    """What a caller learns of a refusal."""
    return None if refused is None else (refused.code, str(refused), refused.facts())


def check_sums(score: Doc) -> None:
    """The lines of each seat add up to its total; in every column too."""
    for seat, total in enumerate(score["totals"]):
        assert sum(line["points"] for line in score["lines"] if line["seat"] == seat) == total, score
    for column in score["columns"] or ():
        check_sums(column)


def rounds_played(game: Game) -> int:
    last = game.rulebook.view(game.state, None)["last_round"]
    return 0 if last is None else last["number"]


def opened(player: Player, preset: str, kind: str, chance: Random, with_bots: bool = False) -> Table:
    """A new game of a preset and a kind, with the decks of its first rounds; those of later rounds are shuffled."""
    rulebook = RULEBOOKS[player.KIND]
    ruleset = rulebook.read_ruleset(preset, player.house_rules(chance) | player.MATCHES[kind][0])
    seats = player.seats(kind, chance, with_bots)
    first_dealer = chance.choice([None, *range(len(seats))])
    root = chance.randbytes(32)
    taken = sum(seat.kind != "open" for seat in seats)
    game = Game(
        id="7f-laws",
        kind=player.KIND,
        state=rulebook.start(ruleset, len(seats), first_dealer),
        seats=tuple(seats),
        root=root,
        commitment=commitment(root),
        created_at=START,
        updated_at=START,
        decks=tuple(player.deck(chance, taken) for _ in range(chance.randint(1, MOST_ROUNDS))),
        version=1,
    )
    created = created_entry(game, first_dealer)
    replica = from_created(stored(created))
    player.follow(replica, created)
    return Table(player, game, replica, entries=[created])


def named(index: int) -> Seat:
    """A seat that somebody has taken."""
    return Seat(name=f"Player {index}", client_seed="seed" * index)


def stored(entry: Entry) -> Entry:
    """An entry as it comes back from storage."""
    return Entry(entry.type, entry.at, entry.seat, orjson.loads(orjson.dumps(entry.data)))


def play_matches(player: Player, preset: str) -> Counter[str]:
    """A match of every kind in a preset, under the laws; what was reached, and how often."""
    kinds = (play_match(player, preset, kind, Random(f"{preset}, {kind}")) for kind in player.MATCHES)
    return sum(kinds, Counter())


def play_match(player: Player, preset: str, kind: str, chance: Random) -> Counter[str]:
    """One match of a kind, under the laws; what was reached, and how often."""
    table = opened(player, preset, kind, chance, with_bots=chance.randrange(player.WITH_BOTS) == 0)
    try:
        _play_a_match(table, player.MATCHES[kind][1], chance)
    except Exception as broken:
        broken.add_note("\n".join([f"A match of the kind {kind!r}:", *table.story]))
        raise
    return table.reached


def _play_a_match(table: Table, tempers: tuple[str, ...], chance: Random) -> None:
    """A match from the first deal to its end, or until it has been long enough; now and then a seat gives up."""
    resigns_after = chance.choice([None, None, None, chance.randint(0, 60)])
    table.check()
    moves = 0
    while not table.over and rounds_played(table.game) < MOST_ROUNDS and moves < MOST_MOVES:
        if resigns_after is not None and moves >= resigns_after and table.game.status == "playing":
            table.resign(chance.choice(seats_dealt(table.game)))
            resigns_after = moves + chance.randint(0, 30)
            continue
        moves += 1
        everything = chance.randrange(table.player.EVERYTHING) == 0
        plain = table.plain_moves()
        table.try_plain_moves(plain if everything else chance.sample(plain, PLAINLY_TRIED))
        on_turn = table.seat_on_turn()
        if table.player.ALL_ON_TURN and on_turn is not None and not everything:
            table.try_plain_moves(plain, [on_turn])
        _take_turn(table, tempers, chance)
    table.try_plain_moves(table.plain_moves())
    table.check_record()


def _listed(view: Doc) -> list[Doc]:
    return [legal["move"] for legal in view["legal_moves"]]


def _take_turn(table: Table, tempers: tuple[str, ...], chance: Random) -> None:
    seat = table.seat_on_turn()
    if seat is None:
        table.make(chance.choice([each for each in table.taken if DEAL in _listed(table.view(each))]), DEAL)
        return
    view = table.view(seat)
    for guess in table.player.named_moves(view, chance):
        mover = chance.choice(table.taken) if chance.randrange(20) == 0 else seat
        if table.try_named_move(mover, guess) and "named" in tempers and chance.randrange(2):
            table.make(seat, guess)
            return
    move = chosen(table.player, view, tempers, chance)
    if move == RESIGN:
        table.resign(seat)
    else:
        table.make(seat, move)


def chosen(player: Player, view: Doc, tempers: tuple[str, ...], chance: Random) -> Doc:
    """A listed move of a seat, as one of the tempers chooses; or to give up."""
    temper = chance.choice(tempers)
    if temper in player.TEMPERS:
        return player.TEMPERS[temper](view)
    return dict(chance.choice(view["legal_moves"])["move"])
