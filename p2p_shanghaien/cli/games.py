"""The games kept on this machine, and their way elsewhere: `games`, `export`, `import`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from p2p_shanghaien.app.library import verified
from p2p_shanghaien.app.saved import prospects
from p2p_shanghaien.cli.files import FILE, files_and_kept_games, loaded
from p2p_shanghaien.cli.output import echo, warn
from p2p_shanghaien.errors import CliCode, LocalError, ShanghaienError, UsageError, Violation
from p2p_shanghaien.fairplay.verify import KeptHandshake, Report, Verdict
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.archives import export_archive, import_archive, read_archive
from p2p_shanghaien.store.files import replace
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.lines import handshake_lines
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, read_handshakes
from p2p_shanghaien.store.paths import all_logs, find, last_written
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.localized import argument, command, option
from p2p_shanghaien.ui.verdicts import summary
from p2p_shanghaien.ui.words import describe, say


@command(help="help_games")
def games() -> None:
    home = Home.of_user()
    paths = all_logs(home.games)
    if not paths:
        echo(say("no_games", folder=home.games))
        return
    echo(say("games_at", folder=home.games))
    for path, outcome in zip(paths, verified(paths), strict=True):
        text = describe(outcome) if isinstance(outcome, ShanghaienError) else summary(outcome)
        session = outcome.session if isinstance(outcome, Report) else None
        names = say("host_and_guest", host=session.names[0], guest=session.names[1]) if session else say("nobody_known")
        echo(say("game_line", file=path.name, when=last_written(path), names=names, verdict=text))
        if isinstance(outcome, Report):
            for code, details in prospects(home, path, outcome, paths, warn):
                echo("    " + say(code, **details))


@command(help="help_export")
@argument("file", metavar="metavar_file", shell_complete=files_and_kept_games)
@option("-o", "--output", type=FILE, metavar="metavar_file", help="help_option_output")
@option("--move", is_flag=True, help="help_option_move")
@option("--handshakes", is_flag=True, help="help_option_export_handshakes")
def export(file: str, output: Path | None, move: bool, handshakes: bool) -> int:
    code, kept = 0, Home.of_user().games
    if move:
        if output is None or handshakes:
            raise UsageError(CliCode.MOVE_NEEDS_OUTPUT)
        path = find(kept, file)
        export_archive(path, output, RULES)
        echo(say("moved_away", file=path.name, archive=output))
        return code
    if handshakes:
        data = handshake_lines(_kept_handshakes(find(kept, file)))
    else:
        game = loaded(file)
        if game.report and game.report.verdict == Verdict.VIOLATION:
            raise Violation(CliCode.NOT_EXPORTED, reason=game.report)
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
    raise LocalError(CliCode.NO_HANDSHAKES_KEPT, file=log.name)


@command("import", help="help_import")
@argument("archive", metavar="metavar_file", type=FILE)
def import_game(archive: Path) -> None:
    home = Home.of_user()
    packed = read_archive(archive, RULES)
    home.owner(packed.key, packed.private.key)  # raises where the game cannot go on here
    path = import_archive(packed, home.games)
    echo(say("moved_here", file=path.name))
