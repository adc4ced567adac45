"""What `upcard inspect` says of a game: enough to see how it stands, and no card, seed or token."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from service.play.errors import StoreError
from service.play.game import Game, Seat
from service.play.views import rfc3339
from service.storage.codec import decode_game, decode_logged
from service.storage.inspection import Held


def described(held: Held) -> Iterator[str]:
    """The lines for a person, a name in front of each group."""
    head = held.head
    log_bytes = head.size - len(held.snapshot)
    yield from _group("game", _game_lines(held))
    yield from _group("version", [str(head.version)])
    yield from _group("stamp", [head.stamp])
    yield from _group("tokens", [f"generation {each} of seat {seat}" for seat, each in enumerate(head.generations)])
    yield from _group("bytes", [f"{head.size}: {len(held.snapshot)} of the snapshot, {log_bytes} of the log"])
    yield from _group("keys", _key_lines(held))
    yield from _group("log", _log_lines(held))


def told_with_secrets(held: Held) -> Iterator[str]:
    """The snapshot and each entry of the log, as they are stored: JSON, with all cards and the seed of all deals."""
    yield from _group("snapshot", [held.snapshot.decode(errors="replace")])
    yield from _group("entries", [entry.decode(errors="replace") for entry in held.log])


def _group(name: str, lines: Iterable[str]) -> Iterator[str]:
    for index, line in enumerate(lines):
        yield f"{name if index == 0 else '':9} {line}"


def _game_lines(held: Held) -> Iterator[str]:
    try:
        game = decode_game(held.game_id, held.head.version, held.head.stamp, held.snapshot)
    except StoreError as fault:
        yield f"{held.game_id}: {fault}"
        return
    yield f"{game.id}: {game.kind}, {game.status}"
    yield _ruleset(game)
    yield from (f"seat {index}: {_seat(seat)}" for index, seat in enumerate(game.seats))
    yield f"created {rfc3339(game.created_at)}, changed {rfc3339(game.updated_at)}"


def _ruleset(game: Game) -> str:
    values = dict(game.rulebook.write_ruleset(game.rulebook.ruleset(game.state)))
    preset = values.pop("preset")
    return f"ruleset {preset}" + "".join(f", {field} {value}" for field, value in values.items())


def _seat(seat: Seat) -> str:
    return seat.name or (f"computer player, {seat.bot}" if seat.bot else "open")


def _key_lines(held: Held) -> Iterator[str]:
    yield from (f"{key}: {_left(milliseconds)}" for key, milliseconds in held.expiries.items())
    yield f"receipts: {len(held.receipts)}" + (f", the last {_left(held.receipts[-1])}" if held.receipts else "")


def _left(milliseconds: int) -> str:
    match milliseconds:
        case -2:
            return "missing"
        case -1:
            return "never expires"
    return f"expires in {timedelta(seconds=milliseconds // 1000)}"


def _log_lines(held: Held) -> Iterator[str]:
    """How often each type of entry is there, and when the first and the last of it were made."""
    times: dict[str, list[int]] = {}
    for version, raw in enumerate(held.log, start=1):
        try:
            entry = decode_logged(version, raw).entry
        except StoreError:
            yield f"entry {version} cannot be read"
        else:
            times.setdefault(entry.type, []).append(entry.at)
    for kind, at in times.items():
        yield f"{len(at):5} {kind:8} {' to '.join(rfc3339(each) for each in sorted({at[0], at[-1]}))}"
