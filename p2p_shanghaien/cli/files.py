"""The commands that read games on file: `games`, `verify`, `export`."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import click

from p2p_shanghaien.cli.completing import files_and_kept_games
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.many import Source, sources
from p2p_shanghaien.cli.move import move_away
from p2p_shanghaien.cli.output import echo, warn
from p2p_shanghaien.cli.reading import content, read_game
from p2p_shanghaien.cli.reports import SHORTEST, UNFINISHED, details, is_unheard, summary
from p2p_shanghaien.cli.verdicts import verdict_fields
from p2p_shanghaien.errors import LocalError, ShanghaienError, UsageError, Violation
from p2p_shanghaien.fairplay.verify import SEVERITY, KeptHandshake, Report, Verdict
from p2p_shanghaien.fairplay.verify import verify as checked
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.store.bundles import is_moved
from p2p_shanghaien.store.files import replace
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.lines import handshake_lines
from p2p_shanghaien.store.logs import (
    PRIVATE_SUFFIX,
    SUFFIX,
    Private,
    all_logs,
    find,
    is_played,
    last_written,
    read_handshakes,
    read_private,
    seat_of,
)
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.words import describe, listed, say

_FILE: Final = click.Path(path_type=Path)


@command(help="help_verify")
@argument(
    "files",
    nargs=-1,
    required=True,
    metavar="metavar_file",
    shell_complete=files_and_kept_games,
)
@option("--key", "keys", multiple=True, metavar="metavar_hex", help="help_option_key")
@option("--handshakes", "shown", multiple=True, type=_FILE, metavar="metavar_file", help="help_option_handshakes")
@option("--details", "wordy", is_flag=True, help="help_option_details")
@option("--json", "as_json", is_flag=True, help="help_option_json_verdicts")
def verify(files: tuple[str, ...], keys: tuple[str, ...], shown: tuple[Path, ...], wordy: bool, as_json: bool) -> int:
    wanted = frozenset(map(_key, keys))
    handshakes: list[KeptHandshake] = []
    codes = []
    for path in shown:
        try:
            handshakes += _handshakes(path)
        except LocalError as error:
            # the logs have their verdicts all the same
            echo(say("error", message=describe(error)), err=True)
            codes.append(error.exit_code)
    found = list(sources(files, (SUFFIX,)))
    outcomes = verified((source for _, source in found), handshakes)
    for (name, _), outcome in zip(found, outcomes, strict=True):
        absent = _absent(wanted, outcome)
        codes += [outcome.exit_code, *(LocalError.exit_code for _ in absent)]
        if as_json:
            click.echo(json.dumps(verdict_fields(name, outcome, absent if keys else None)))
        else:
            _tell(name, outcome, absent, wordy=wordy)
    return max(codes, key=SEVERITY.index)


def _absent(wanted: Iterable[bytes], outcome: Report | ShanghaienError) -> Sequence[bytes]:
    """Return those of the `wanted` keys that took no part in the game of a log that could be read."""
    if isinstance(outcome, ShanghaienError):
        return ()
    return sorted(set(wanted).difference(outcome.session.keys if outcome.session else ()))


def _tell(name: str, outcome: Report | ShanghaienError, absent: Iterable[bytes], *, wordy: bool) -> None:
    if isinstance(outcome, ShanghaienError):
        echo(say("verdict_line", file=name, verdict=describe(outcome)))
        return
    echo(say("verdict_line", file=name, verdict=summary(outcome)))
    for key in absent:
        echo(say("key_absent", file=name, key=key.hex()))
    if wordy:
        for line in details(outcome):
            echo(line, margin=2)


@command(help="help_games")
def games() -> None:
    home = Home.of_user()
    paths = all_logs(home.games)
    if not paths:
        echo(say("no_games", folder=home.games))
        return
    echo(say("games_at", folder=home.games))
    for path, outcome in zip(paths, verified(paths), strict=True):
        when = f"{last_written(path):%Y-%m-%d %H:%M}"
        text = describe(outcome) if isinstance(outcome, ShanghaienError) else summary(outcome)
        echo(say("game_line", file=path.name, when=when, names=_names(outcome), verdict=text))
        if isinstance(outcome, Report) and outcome.session:
            shortest = _beginning(path.stem, [other.stem for other in paths])
            for line in _prospects(home, path, outcome, since=when, short=shortest):
                echo(line, margin=4)


def _prospects(home: Home, path: Path, report: Report, *, since: str, short: str) -> Iterator[str]:
    """What can be said of a game that may go on: who is waited for, and whether it can go on from here."""
    session = report.session
    assert session is not None
    seat = seat_of(path)
    private = _own_private(home, path, session.keys[seat])
    if private and is_unheard(report, seat, private):
        yield say("game_unheard", name=session.names[1 - seat])
    elif report.verdict not in UNFINISHED:
        return
    elif private and seat in report.awaited:
        yield say("game_waits_for_you", since=since)
    else:
        yield say("game_waits", who=listed(session.names[awaited] for awaited in report.awaited), since=since)
    if is_moved(path):
        yield say("game_moved")
    if private and is_played(path):
        yield say("game_goes_on_now")
    elif private:
        yield say("game_goes_on", game=short)


def _own_private(home: Home, path: Path, key: bytes) -> Private | None:
    """What is kept beside the log of a game that this home's person can go on with; `key` is that of the seat."""
    if not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX)):
        return None
    try:
        private = read_private(path)
        # the computer's seat goes on together with the person's
        return private if private.key == IDENTITY and home.holder(key) else None
    except LocalError as error:
        warn(error)
        return None


def _beginning(name: str, names: Sequence[str]) -> str:
    """The first few characters of `name`, as many as tell it from the other `names`."""
    lengths = range(SHORTEST, len(name))
    return next((name[:size] for size in lengths if sum(other.startswith(name[:size]) for other in names) == 1), name)


@command(help="help_export")
@argument("file", metavar="metavar_file", shell_complete=files_and_kept_games)
@option("-o", "--output", type=_FILE, metavar="metavar_file", help="help_option_output")
@option("--move", is_flag=True, help="help_option_move")
@option("--handshakes", is_flag=True, help="help_option_export_handshakes")
def export(file: str, output: Path | None, move: bool, handshakes: bool) -> int:
    code = 0
    if move:
        if output is None or handshakes:
            raise UsageError("move_needs_output")
        move_away(file, output)
        return code
    if handshakes:
        data = handshake_lines(_kept_handshakes(find(Home.of_user().games, file)))
    else:
        game = read_game(file)
        if game.report and game.report.verdict == Verdict.VIOLATION:
            raise Violation("not_exported", reason=summary(game.report))
        data, code = record.write(game.record).encode(), game.exit_code
    if output is None:
        # what another program takes is the file as it is; to a terminal, names in it must not be commands
        text = data.decode()
        click.echo("\n".join(map(printable, text.split("\n"))) if sys.stdout.isatty() else text, nl=False)
    else:
        replace(output, data)
    return code


def _handshakes(path: Path) -> Sequence[KeptHandshake]:
    """Those in a file that somebody shows. Raises LocalError, also where there are none."""
    if handshakes := read_handshakes(path):
        return handshakes
    raise LocalError("no_handshakes", path=path)


def _kept_handshakes(log: Path) -> Sequence[KeptHandshake]:
    """Those kept beside a log, where the secret stands, too. Raises LocalError, also where there are none."""
    neighbour = log.with_suffix(PRIVATE_SUFFIX)
    if os.path.lexists(neighbour) and (handshakes := read_handshakes(neighbour)):
        return handshakes
    raise LocalError("no_handshakes_kept", file=log.name)


def verified(logs: Iterable[Source], handshakes: Sequence[KeptHandshake] = ()) -> list[Report | ShanghaienError]:
    """The report on each log, in order. Threads will do: signatures are checked outside the interpreter's lock."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(partial(_verify, handshakes=handshakes), logs))


def _verify(source: Source, handshakes: Sequence[KeptHandshake]) -> Report | ShanghaienError:
    if isinstance(source, ShanghaienError):
        return source
    try:
        with GAMES.named_in_errors():
            return checked(content(source), RULES, handshakes)
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
