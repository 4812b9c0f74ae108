"""Game files: what a shell offers when Tab is pressed, and loading them, with what is shown meanwhile.

Only names that this program has made are offered (digits, fingerprints), never text of a peer's: a shell would run it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click import Context, Parameter
from click.shell_completion import CompletionItem

from p2p_shanghaien.app import library
from p2p_shanghaien.app.library import GameFile, Name
from p2p_shanghaien.cli.output import echo, progress_bar
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.store.files import explained
from p2p_shanghaien.store.paths import all_records, games_folder, home_folder, practice_folder, watched_folder
from p2p_shanghaien.ui.words import say, shown

FILE: Final = click.Path(path_type=Path)
NEW_FILE: Final = click.Path(path_type=Path, dir_okay=False)

_PRACTICE: Final = re.compile("[a-z0-9-]+")
"""The name of a practice game's record, without its suffix."""

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.dedupe import Found
    from p2p_shanghaien.store.catalogue import SavedLog


def kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The digits of the saved games, the one last played first, each with its day and its players."""
    from p2p_shanghaien.store.catalogue import saved_games

    return _named(lambda: saved_games(games_folder(home_folder())), incomplete)


def _named(listed: "Callable[[], Sequence[SavedLog]]", incomplete: str) -> list[CompletionItem]:
    """The digits of the `listed` games that begin with what is typed."""
    try:
        games = listed()
    except LocalError:
        return []  # the command itself says what is wrong
    # whoever has typed more than the digits goes on with the name of the file
    words = [(name.digits if name.digits.startswith(incomplete) else path.stem, name) for path, name in games]
    return [CompletionItem(word, help=shown(name)) for word, name in words if word.startswith(incomplete)]


def files_and_kept_games(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, which the shell finds by itself, and the saved games, also those that were watched, or of practice."""
    from p2p_shanghaien.store.catalogue import watched_games

    watched = _named(lambda: watched_games(watched_folder(home_folder())), incomplete)
    games = [*kept_games(context, parameter, incomplete), *watched, *_practice_games(incomplete)]
    return [CompletionItem(incomplete, type="file"), *games]


def _practice_games(incomplete: str) -> list[CompletionItem]:
    """The names of the practice games, as this program gives them, the one last played first."""
    try:
        records = all_records(practice_folder(home_folder()))
    except LocalError:
        return []
    names = [record.stem for record in records if _PRACTICE.fullmatch(record.stem)]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def or_latest(names: Sequence[str], *, ascii_only: bool | None = None) -> Sequence[str | Path]:
    """Return `names`, or the latest saved game where there are none, as standard error then says. Raises LocalError."""
    return names or [latest_log(ascii_only=ascii_only)]


def latest_log(*, ascii_only: bool | None = None) -> Path:
    """Return the log of the latest saved game, which standard error names. Raises LocalError."""
    from p2p_shanghaien.store.catalogue import latest, short_name

    path = latest(games_folder(home_folder()))
    echo(say("latest_game", game=short_name(path)), err=True, ascii_only=ascii_only)
    return path


def loaded(name: str | None, *, ascii_only: bool | None = None) -> GameFile:
    """Return the game in the file that `name` means, or else the latest, as `library.load`; name its damage."""
    (file,) = or_latest(() if name is None else (name,), ascii_only=ascii_only)
    game = library.load(file, games_folder(home_folder()))
    if game.report and game.report.verdict == Verdict.INVALID_FILE:
        echo(say("damage_shown", file=game.name, reason=game.report.error), err=True, ascii_only=ascii_only)
    return game


class Scanned:
    """The files that `names` mean (`library.collect`); iterating reads them, with a progress bar."""

    def __init__(self, names: Sequence[str | Path]) -> None:
        self._files = library.collect(names, games_folder(home_folder()))

    def __iter__(self) -> "Iterator[tuple[str, Found]]":
        """Yield the name of each file for programs, and its content."""
        with progress_bar(len(self._files)) as advance:
            for found in library.scan(self._files):
                yield found
                advance(1)

    def shown(self, name: str) -> Name:
        """Return the name for people of the file that has `name` for programs."""
        return library.shown_name(name, self._files[name])


def write_text(path: Path, text: str) -> None:
    """Write what others may read, and what can be made again at any time. Raises LocalError."""
    with explained(path):
        path.write_text(text, encoding="utf-8")
