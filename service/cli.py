"""The command line: `upcard ...`. Exit code 2 is for a setting or option that cannot be used, 1 for the rest."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import IO, Any, NoReturn

import click

OPEN_MODE = "open mode: no API keys, whoever reaches this port may create games"
KEYED_MODE = "API keys are needed to create games"


_DATA = click.option(
    "--data",
    default=".upcard",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where games are kept; not used with REDIS_URL.",
)


class _BadSetting(click.ClickException):
    exit_code = 2


def version() -> str:
    """The version of the installed package."""
    try:
        return metadata.version("upcard")
    except metadata.PackageNotFoundError:
        return "(not installed)"


@click.group()
@click.version_option(version(), prog_name="upcard", message="%(prog)s %(version)s")
def main() -> None:
    """Gin rummy matches over HTTP."""


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 64), help="Processes that answer.")
@_DATA
def serve(host: str, port: int, workers: int, data: Path) -> None:
    """Serve the API, with the Redis of REDIS_URL or else an embedded Valkey."""
    from service.config import Settings
    from service.storage.embedded import find_server
    from service.supervisor import ROOT, address_of, bound, gunicorn_command, supervise

    with _told():
        settings = Settings.read(os.environ)
        if not settings.redis_url:
            find_server()  # where there is none, that is what to say, not that a folder cannot be made
        listener = bound(host, port)
        address = address_of(listener)
        mode = KEYED_MODE if settings.api_keys else OPEN_MODE
        if settings.redis_url:
            listener.close()
            _say(f"http://{address} - games are kept in the Redis of REDIS_URL - {mode}")
            _become(gunicorn_command(address, workers), ROOT)
        line = f"http://{address} - games are kept in {data.resolve()} - {mode}"
        sys.exit(supervise(data, settings.secrets, listener, workers, ready=line, tell=_say))


@main.command()
@click.argument("game_id", metavar="ID")
@_DATA
@click.option(
    "--secrets", is_flag=True, help="Print the snapshot and the log too: every card, and the root of all deals."
)
def inspect(game_id: str, data: Path, secrets: bool) -> None:
    """Print how the game ID stands, and what is kept of it and for how long; no card and no token.

    The game is looked for in the Redis of REDIS_URL or else in the data folder, whether it is being served or not.
    """
    from service.config import Settings
    from service.inspector import described, told_with_secrets
    from service.storage.embedded import reached
    from service.storage.inspection import held
    from service.storage.reaching import connect

    with _told():
        settings = Settings.read(os.environ)
        with nullcontext(settings.redis_url) if settings.redis_url else reached(data) as url:
            found = held(connect(url, settings.redis_timeout, 1), game_id)
    for line in (*described(found), *(told_with_secrets(found) if secrets else ())):
        click.echo(line)


@main.command()
@click.argument("file", type=click.File("rb"))
def replay(file: IO[bytes]) -> None:
    """Play the records in FILE through the engine.

    FILE is JSON, JSON Lines, or - for standard input. Prints one line of JSON a record, with its results and its score.
    Exits with 1 if a record cannot be played, or says something else than the rules do.
    """
    from service.play.replay import replay as play_record

    def check(number: int, record: Any) -> list[str]:
        found = play_record(record)
        click.echo(json.dumps({"record": number, "results": found.results, "score": found.score}))
        return [str(difference) for difference in found.differences]

    _check_all(file, "replayed", check)


@main.command()
@click.argument("file", type=click.File("rb"))
def verify(file: IO[bytes]) -> None:
    """Check that the deals in FILE were fixed beforehand, and dealt as promised.

    FILE is JSON, JSON Lines, or - for standard input. Prints one line of JSON a record. Exits with 1 if a proof fails.
    """
    from service.play.verify import verify as verify_record

    def check(number: int, record: Any) -> list[str]:
        found = verify_record(record)
        counts = {"proven": found.proven, "unproven": found.unproven, "failed": len(found.faults)}
        click.echo(json.dumps({"record": number, **counts}))
        return [str(fault) for fault in found.faults]

    _check_all(file, "verified", check)


def _check_all(file: IO[bytes], done: str, check: Callable[[int, Any], list[str]]) -> NoReturn:
    """Check each record of a file; what is wrong goes to standard error, with the record's number and a count."""
    from service.play.replay import RecordFault

    records = _records(file.read())
    faulty = 0
    for number, read in enumerate(_with_progress(records), 1):
        try:
            faults = check(number, read())
        except RecordFault as unplayable:
            faults = [str(unplayable)]
        faulty += bool(faults)
        for fault in faults:
            click.echo(f"record {number}, {fault}", err=True)
    click.echo(f"{len(records)} records {done}, {faulty} with faults", err=True)
    sys.exit(1 if faulty or not records else 0)


def _with_progress(records: list[Callable[[], Any]]) -> Iterator[Callable[[], Any]]:
    """The records one by one, with a bar on standard error where that is a terminal and standard output is not."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from records
        return
    with click.progressbar(records, file=sys.stderr) as bar:
        yield from bar


def _records(raw: bytes) -> list[Callable[[], Any]]:
    """The records of a file, each to be read when its turn comes: one JSON document, or one a line."""
    try:
        whole = json.loads(raw)
    except (ValueError, RecursionError):
        lines = [(number, line) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]
        return [partial(_record, number, line) for number, line in lines]
    return [lambda: whole]


def _record(number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise click.ClickException(f"line {number} is not JSON: {fault}") from None


@main.group()
def keys() -> None:
    """API keys of backends."""


@keys.command("new")
@click.argument("tenant")
def new_key(tenant: str) -> None:
    """Make an API key for TENANT: the key, which is shown only now, and what goes into UPCARD_API_KEYS."""
    from service.config import TENANT
    from service.web.keys import hash_of
    from service.web.keys import new_key as random_key

    if not TENANT.fullmatch(tenant):
        raise click.ClickException("a tenant has 1 to 64 letters, digits, dots, dashes or underscores")
    key = random_key()
    click.echo(f"key:             {key}")
    click.echo(f"UPCARD_API_KEYS: {tenant}:{hash_of(key)}")


@main.command()
@click.argument("game", default="gin")
def rulesets(game: str) -> None:
    """List the published rulesets of GAME, with their values and sources, as JSON."""
    from service.play.rulesets import all_rulesets

    found = [ruleset for ruleset in all_rulesets() if ruleset["game"] == game]
    if not found:
        raise click.ClickException(f"there is no game {game!r}")
    click.echo(json.dumps(found, indent=2))


def _become(command: list[str], folder: Path) -> NoReturn:
    os.chdir(folder)
    os.execv(command[0], command)  # noqa: S606 - there is no shell in it


def _say(line: str) -> None:
    click.echo(f"upcard: {line}", err=True)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what a person can mend into one line on standard error and an exit code."""
    from service.config import ConfigError
    from service.play.errors import NoSuchGame, StoreError, StoreUnavailable
    from service.storage.data_folder import DataFolderError
    from service.storage.embedded import EmbeddedError
    from service.supervisor import SupervisorError

    try:
        yield
    except ConfigError as error:
        raise _BadSetting(str(error)) from None
    except StoreUnavailable as away:
        raise click.ClickException(f"the store does not answer: {away.reason}") from None
    except (DataFolderError, EmbeddedError, SupervisorError, NoSuchGame, StoreError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
