"""Game files: what a shell offers when Tab is pressed, and loading them, with what is shown meanwhile.

Only names that this program has made are offered (logs, fingerprints), never text of a peer's: a shell would run it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click import Context, Parameter
from click.shell_completion import CompletionItem

from p2p_shanghaien.app import library
from p2p_shanghaien.app.library import GameFile
from p2p_shanghaien.cli.output import echo, progress_bar
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.store.paths import all_logs, games_folder, home_folder, last_written
from p2p_shanghaien.ui.words import say

FILE: Final = click.Path(path_type=Path)
NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.dedupe import Found


def kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The kept games, the one last played first, each with when that was."""
    try:
        paths = [path for path in all_logs(games_folder(home_folder())) if path.stem.startswith(incomplete)]
    except LocalError:
        return []  # the command itself says what is wrong
    return [
        CompletionItem(path.stem, help=say("completion_game", when=f"{last_written(path):%Y-%m-%d %H.%M}"))
        for path in paths
    ]


def files_and_kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, which the shell finds by itself, and the kept games."""
    return [CompletionItem(incomplete, type="file"), *kept_games(context, parameter, incomplete)]


def loaded(name: str) -> GameFile:
    """Return the game in the file that `name` means, as `library.load`; name what is damaged of it."""
    game = library.load(name, games_folder(home_folder()))
    if game.report and game.report.verdict == Verdict.INVALID_FILE:
        echo(say("damage_shown", file=game.path.name, reason=game.report.error), err=True)
    return game


def scanned(names: Sequence[str]) -> "Iterator[tuple[str, Found]]":
    """Yield what each file holds that `names` mean (`library.collect`), with a progress bar."""
    files = library.collect(names, games_folder(home_folder()))
    with progress_bar(len(files)) as advance:
        for found in library.scan(files):
            yield found
            advance(1)
