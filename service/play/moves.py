"""Making a move: the human's, and the computer players' answers to it, in one change."""

from collections.abc import Callable

from msgspec.structs import replace

from service.bots.base import POLICIES
from service.play.callers import Caller, check_generation
from service.play.errors import NoSuchGame, SeatResigned, SeatsOpen
from service.play.game import Game, dealt
from service.play.log import Entry, entry_of, seeded
from service.play.ports import Head
from service.play.table import HOUR_MS, Answer, Conditions, Draft, GiveWay, Table, stay
from service.play.views import game_view
from service.play.walk import change, check_room
from service.rulebooks.base import DEAL, Doc


def submit(table: Table, game_id: str, caller: Caller, read: Callable[[str], Doc], conditions: Conditions) -> Answer:
    """Make a move: 200 with the caller's new view.

    read: gives the move as JSON, for the game's kind, or raises what its shape is refused with.
    Raises NoSuchGame, CredentialRefused, SeatsOpen, GameTooLarge, Stale, Busy, KeyReused or RuleViolation.
    """

    def act(game: Game, head: Head, now: int) -> Draft:
        move = read(game.kind)
        _check_room_to_deal(table, head, move)
        after, entries = moved(game, caller.seat, move, now, table.give_way)
        shown = game_view(after, caller.seat, table.lifetimes)
        return Draft(after, entries, shown, caller.seat, head.generations)

    return change(table, game_id, act, caller=caller, conditions=conditions, keep_ms=HOUR_MS)


def dry_run(table: Table, game_id: str, caller: Caller, read: Callable[[str], Doc]) -> Doc:
    """Whether a move would be accepted, and what the caller's own cards would come to. Nothing changes.

    Raises what `submit` would raise, but for what concerns its conditions.
    """
    loaded = table.store.load(game_id)
    if loaded.head is None:
        raise NoSuchGame
    check_generation(loaded.head, caller)
    game = loaded.game()
    move = read(game.kind)
    _check_room_to_deal(table, loaded.head, move)
    return tried(game, caller.seat, move)


def _check_room_to_deal(table: Table, head: Head, move: Doc) -> None:
    """A round that is in play may always be finished; only the next one is refused."""
    if move["type"] == DEAL:
        check_room(table, head)


def tried(game: Game, seat: int, move: Doc) -> Doc:
    """What a dry run tells a seat of its move. Raises what `moved` raises."""
    _check_may_move(game, seat, move)
    if move["type"] != DEAL:
        return game.rulebook.preview(game.state, seat, game.rulebook.read_move(move))
    dealt(game)
    return {"legal": True, "deadwood": None, "gin": False, "melds": [], "deadwood_cards": []}


def moved(game: Game, seat: int, move: Doc, now: int, give_way: GiveWay = stay) -> tuple[Game, tuple[Entry, ...]]:
    """The game after a seat's move and the answers of computer players, with an entry for each.

    give_way: called before each computer player thinks. Raises SeatsOpen, SeatResigned or RuleViolation; then nothing
    has changed.
    """
    _check_may_move(game, seat, move)
    game, entry = _deal(game, seat, move, now) if move["type"] == DEAL else _apply(game, seat, move, now)
    return answered(game, entry, now, give_way)


def _check_may_move(game: Game, seat: int, move: Doc) -> None:
    if game.status == "waiting" and not (move["type"] == DEAL and game.may_start(seat)):
        raise SeatsOpen
    check_plays(game, seat)


def check_plays(game: Game, seat: int) -> None:
    """Refuse a seat that has given up a match which the others play on. Raises SeatResigned."""
    playing = game.rulebook.playing(game.state)
    if not game.over and playing is not None and seat not in playing:
        raise SeatResigned


def answered(game: Game, entry: Entry, now: int, give_way: GiveWay = stay) -> tuple[Game, tuple[Entry, ...]]:
    """The game once the computer players on turn have moved too, and the match is closed if it ended.

    entry: of what a human did, the first of those that come out. The game comes out at the version that they make.
    """
    entries = [entry]
    while (bot := _bot_on_turn(game)) is not None:
        give_way()
        choose = POLICIES[game.kind][game.seats[bot].bot or ""]
        game, entry = _apply(game, bot, choose(_seen_by(game, bot)), now)
        entries.append(entry)
    end = game.rulebook.end(game.state)
    if end is not None:
        entries.append(Entry("ended", now, end.seat, {"kind": end.kind}))
    return replace(game, version=game.version + len(entries), updated_at=now), tuple(entries)


def _deal(game: Game, seat: int, move: Doc, now: int) -> tuple[Game, Entry]:
    client_seed = move.get("client_seed")
    data = {} if client_seed is None else {"client_seed": client_seed}
    return dealt(seeded(game, seat, client_seed)), Entry("dealt", now, seat, data)


def _apply(game: Game, seat: int, move: Doc, now: int) -> tuple[Game, Entry]:
    step = game.rulebook.apply(game.state, seat, game.rulebook.read_move(move))
    return replace(game, state=step.state), entry_of(step.event, now)


def _seen_by(game: Game, seat: int) -> Doc:
    """What a computer player is shown: the ruleset, and what the view of its seat holds of the match."""
    ruleset = game.rulebook.show_ruleset(game.rulebook.ruleset(game.state))
    return {"ruleset": ruleset, **game.rulebook.view(game.state, seat)}


def _bot_on_turn(game: Game) -> int | None:
    turn = game.rulebook.turn(game.state)
    if turn is None or turn.seat is None or game.seats[turn.seat].kind != "bot":
        return None
    return turn.seat
