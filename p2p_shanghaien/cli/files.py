"""The commands that read games on file: `games`, `verify`, `export`."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from os import cpu_count
from pathlib import Path
from typing import Final

import click

from p2p_shanghaien.cli.move import move_away
from p2p_shanghaien.cli.reading import read_game
from p2p_shanghaien.cli.reports import UNFINISHED, details, summary
from p2p_shanghaien.errors import LocalError, ShanghaienError, UsageError, Violation
from p2p_shanghaien.fairplay.verify import SEVERITY, Report, Verdict
from p2p_shanghaien.fairplay.verify import verify as checked
from p2p_shanghaien.games import record
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.store.files import read_bytes, replace
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.logs import GameLog, all_logs, find, read_private, seat_of
from p2p_shanghaien.ui.words import describe, listed, say

SHORTEST: Final = 8
"""Characters of a log's name that are shown, where they are enough to name it."""


@click.command(help=say("help_verify"))
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--key", "keys", multiple=True, metavar="HEX", help=say("help_option_key"))
@click.option("--details", "wordy", is_flag=True, help=say("help_option_details"))
def verify(files: tuple[str, ...], keys: tuple[str, ...], wordy: bool) -> int:
    wanted = frozenset(map(_key, keys))
    codes = []
    for name, outcome in zip(files, verified(files), strict=True):
        if isinstance(outcome, ShanghaienError):
            click.echo(say("verdict_line", file=name, verdict=describe(outcome)))
            codes.append(outcome.exit_code)
            continue
        click.echo(say("verdict_line", file=name, verdict=summary(outcome)))
        codes.append(outcome.exit_code)
        for key in sorted(wanted.difference(outcome.session.keys if outcome.session else ())):
            click.echo(say("key_absent", file=name, key=key.hex()))
            codes.append(LocalError.exit_code)
        if wordy:
            for line in details(outcome):
                click.echo(f"  {line}")
    return max(codes, key=SEVERITY.index)


@click.command(help=say("help_games"))
def games() -> None:
    home = Home.of_user()
    paths = all_logs(home.games)
    if not paths:
        click.echo(say("no_games", folder=home.games))
        return
    click.echo(say("games_at", folder=home.games))
    for path, outcome in zip(paths, verified(map(str, paths)), strict=True):
        when = f"{datetime.fromtimestamp(path.stat().st_mtime).astimezone():%Y-%m-%d %H:%M}"
        text = describe(outcome) if isinstance(outcome, ShanghaienError) else summary(outcome)
        click.echo(say("game_line", file=path.name, when=when, names=_names(outcome), verdict=text))
        if isinstance(outcome, Report) and outcome.verdict in UNFINISHED:
            shortest = _beginning(path.stem, [other.stem for other in paths])
            for line in _prospects(home, path, outcome, since=when, short=shortest):
                click.echo(f"    {line}")


def _prospects(home: Home, path: Path, report: Report, *, since: str, short: str) -> Iterator[str]:
    """What can be said of an unfinished game: who is waited for, and whether it can go on from here."""
    session = report.session
    assert session is not None
    seat = seat_of(path)
    try:
        private = read_private(path)
        # the computer's seat goes on together with the person's
        ours = private.key == IDENTITY and home.holder(session.keys[seat]) is not None
    except LocalError:
        ours = False
    if ours and seat in report.awaited:
        yield say("game_waits_for_you", since=since)
    else:
        yield say("game_waits", who=listed(session.names[awaited] for awaited in report.awaited), since=since)
    if ours:
        try:
            GameLog.reopen(path, 0).close()
        except LocalError as error:
            if error.code == "seat_in_use":
                yield say("game_goes_on_now")
        else:
            yield say("game_goes_on", game=short)


def _beginning(name: str, names: Sequence[str]) -> str:
    """The first few characters of `name`, as many as tell it from the other `names`."""
    lengths = range(SHORTEST, len(name))
    return next((name[:size] for size in lengths if sum(other.startswith(name[:size]) for other in names) == 1), name)


@click.command(help=say("help_export"))
@click.argument("file")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help=say("help_option_output"))
@click.option("--move", is_flag=True, help=say("help_option_move"))
def export(file: str, output: Path | None, move: bool) -> None:
    if move:
        if output is None:
            raise UsageError("move_needs_output")
        move_away(file, output)
        return
    game = read_game(file)
    if game.report and game.report.verdict == Verdict.VIOLATION:
        raise Violation("not_exported", reason=summary(game.report))
    text = record.write(game.record)
    if output is None:
        click.echo(text, nl=False)
    else:
        replace(output, text.encode())


def verified(files: Iterable[str]) -> list[Report | ShanghaienError]:
    """The report on each file, in order. Threads will do: signatures are checked outside the interpreter's lock."""
    with ThreadPoolExecutor(cpu_count()) as pool:
        return list(pool.map(_verify_file, files))


def _verify_file(name: str) -> Report | ShanghaienError:
    try:
        return checked(read_bytes(find(Home.of_user().games, name)), CATALOGUE)
    except ShanghaienError as error:
        return error


def _names(outcome: Report | ShanghaienError) -> str:
    if isinstance(outcome, ShanghaienError) or outcome.session is None:
        return say("nobody_known")
    return say("host_and_guest", host=outcome.session.names[0], guest=outcome.session.names[1])


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise UsageError("bad_key_text", text=text) from None
