"""Output of commands outside a table, and what the user's settings say of it."""

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.store.paths import home_folder, settings_file
from p2p_shanghaien.ui.localized import option
from p2p_shanghaien.ui.words import describe, say

if TYPE_CHECKING:
    from p2p_shanghaien.settings import Settings
    from p2p_shanghaien.short_name import ShortName
    from p2p_shanghaien.store.home import Home

_warned: set[str] = set()
"""Warnings given already; many a file is looked at more than once."""

SEVERITY: Final = (0, 5, 1, 3, 6)
"""Exit codes of commands that read files, from the best to the worst (SPEC 9.2)."""

TABLE: Final = 80
"""Columns of the widest table."""


ascii_option = option("--ascii", "ascii_only", is_flag=True, default=None, help="help_option_ascii")
"""The option of commands that can draw and write in ASCII; `in_ascii` says whether they do."""


def settings_of(home: "Home") -> "Settings":
    """Return how the user likes the program; name what in the settings cannot be used."""
    loaded = home.settings()
    for error in loaded.errors:
        warn(error)
    return loaded.settings


def in_ascii(wanted: bool | None) -> bool | None:
    """Return whether a command writes in ASCII only: because it is `wanted` this once, or by the settings.

    None leaves it to what the output can encode.
    """
    if wanted or not os.path.lexists(settings_file(home_folder())):
        return wanted
    from p2p_shanghaien.store.home import Home

    return settings_of(Home.of_user()).ascii


def table_columns() -> int:
    """Return how many columns a table may have: 80, or what a narrower terminal has."""
    return min(_terminal_columns(), TABLE) if sys.stdout.isatty() else TABLE


def _terminal_columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def echo(*lines: str, err: bool = False, ascii_only: bool | None = None) -> None:
    """Print each of `lines`: at a terminal broken between words, which it does not do by itself; elsewhere as it is."""
    for line in lines:
        text = _shown(line, ascii_only)
        if (sys.stderr if err else sys.stdout).isatty():
            from p2p_shanghaien.ui.screen import MAX_WIDTH, wrapped

            text = "\n".join(wrapped(text, min(_terminal_columns(), MAX_WIDTH)))
        click.echo(text, err=err)


def _shown(text: str, ascii_only: bool | None) -> str:
    """Return `text` in the characters that are wanted."""
    if not ascii_only:
        return text
    # what draws is slow to import
    from p2p_shanghaien.ui.characters import ASCII

    return ASCII.transliterate(text)


def echo_folded(*lines: str, ascii_only: bool | None = None) -> None:
    """Print each of `lines` broken between words, to the width of the terminal, and elsewhere to that of a table."""
    from p2p_shanghaien.ui.screen import MAX_WIDTH, wrapped

    width = min(_terminal_columns(), MAX_WIDTH) if sys.stdout.isatty() else TABLE
    for line in lines:
        click.echo("\n".join(wrapped(_shown(line, ascii_only), width)))


def dump(value: object) -> None:
    """Print `value` as a line of JSON."""
    click.echo(json.dumps(value))


def refuse(name: "str | ShortName", error: ShanghaienError, *, ascii_only: bool | None = None) -> int:
    """Say on standard error what is wrong with the file called `name`; return its exit code."""
    # brings cryptography, which help needs nothing of
    from p2p_shanghaien.ui.verdicts import trouble

    echo(say("error", message=trouble(name, error)), err=True, ascii_only=ascii_only)
    return error.exit_code


def worst_exit_code(codes: Iterable[int]) -> int:
    """Return the exit code of a command that has read several files, from the exit code of each."""
    return max(codes, key=SEVERITY.index, default=0)


def warn(error: ShanghaienError) -> None:
    """Name what is passed over, once, on standard error."""
    text = say("warning", message=describe(error))
    if text not in _warned:
        _warned.add(text)
        trace(error)
        echo(text, err=True)


def trace(error: ShanghaienError) -> None:
    """Show where `error` came about, on standard error, if that is wished for."""
    if os.environ.get("SHANGHAIEN_TRACEBACK"):
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)


_told: Final[set[object]] = set()


def tell_unusable_games() -> None:
    """Say on standard error which installed games are left out, each once, as far as games have been asked for."""
    for game in GAMES.unusable:
        if (game.entry, game.distribution) not in _told:
            _told.add((game.entry, game.distribution))
            reason = say(game.reason, **game.details)
            left_out = say("game_left_out", entry=game.entry, distribution=game.distribution, reason=reason)
            echo(say("error", message=left_out), err=True)


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error while the block runs, where that is a terminal.

    It is moved on by calling what the block is given.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        *(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        console=console,
        transient=True,
        disable=not console.is_terminal or not total,
        # what is printed meanwhile appears above the bar, unless it goes to a file: then it must get there
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task = bar.add_task("", total=total)
        yield lambda steps: bar.advance(task, steps)
