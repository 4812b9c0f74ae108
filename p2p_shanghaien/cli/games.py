"""The games kept on this machine, and their way elsewhere: `games`, `export`, `import`."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from p2p_shanghaien.app.library import UNFINISHED, verified
from p2p_shanghaien.app.saved import SHORTEST, is_unheard
from p2p_shanghaien.cli.arguments import files_and_kept_games
from p2p_shanghaien.cli.loading import loaded
from p2p_shanghaien.cli.localized import argument, command, option
from p2p_shanghaien.cli.output import echo, warn
from p2p_shanghaien.errors import LocalError, ShanghaienError, UsageError, Violation
from p2p_shanghaien.fairplay.verify import KeptHandshake, Report, Verdict
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.bundles import is_moved, pack, read_bundle, unpack
from p2p_shanghaien.store.files import replace
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.lines import handshake_lines
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, Private, is_played, read_handshakes, read_private
from p2p_shanghaien.store.place import all_logs, find, last_written, seat_of
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.verdicts import summary
from p2p_shanghaien.ui.words import describe, listed, say

_FILE: Final = click.Path(path_type=Path)


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
            echo(*(f"    {line}" for line in _prospects(home, path, outcome, since=when, short=shortest)))


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
        game = loaded(file)
        if game.report and game.report.verdict == Verdict.VIOLATION:
            raise Violation("not_exported", reason=game.report)
        data, code = record.write(game.record).encode(), game.exit_code
    if output is None:
        # what another program takes is the file as it is; to a terminal, names in it must not be commands
        text = data.decode()
        click.echo("\n".join(map(printable, text.split("\n"))) if sys.stdout.isatty() else text, nl=False)
    else:
        replace(output, data)
    return code


def _kept_handshakes(log: Path) -> Sequence[KeptHandshake]:
    """Those kept beside a log, where the secret stands, too. Raises LocalError, also where there are none."""
    neighbour = log.with_suffix(PRIVATE_SUFFIX)
    if os.path.lexists(neighbour) and (handshakes := read_handshakes(neighbour)):
        return handshakes
    raise LocalError("no_handshakes_kept", file=log.name)


def _names(outcome: Report | ShanghaienError) -> str:
    if isinstance(outcome, ShanghaienError) or outcome.session is None:
        return say("nobody_known")
    return say("host_and_guest", host=outcome.session.names[0], guest=outcome.session.names[1])


def move_away(game: str, bundle: Path) -> None:
    """Pack the kept game `game` into the new file `bundle`, and give it up here. Raises LocalError."""
    path = find(Home.of_user().games, game)
    pack(path, bundle, RULES)
    echo(say("moved_away", file=path.name, bundle=bundle))


@command("import", help="help_import")
@argument("bundle", metavar="metavar_file", type=click.Path(path_type=Path))
def import_game(bundle: Path) -> None:
    home = Home.of_user()
    packed = read_bundle(bundle, RULES)
    if home.holder(packed.key, packed.private.key) is None:
        raise LocalError("key_of_game_missing", key=packed.private.key)
    path = unpack(packed, home.games)
    echo(say("moved_here", file=path.name))
