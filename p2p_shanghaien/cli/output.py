"""What commands print that do not sit at a table."""

import sys
from textwrap import indent
from typing import Final

import click

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.ui.words import describe, say

_warned: set[str] = set()
"""What was said already; many a file is looked at more than once."""

TABLE: Final = 80
"""Columns of the widest table."""


def table_columns() -> int:
    """Return how many columns a table may have: 80, or what a narrower terminal has."""
    return min(_terminal_columns(), TABLE) if sys.stdout.isatty() else TABLE


def _terminal_columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def echo(text: str, *, err: bool = False, margin: int = 0) -> None:
    """Print `text`, `margin` to the right: at a terminal broken between words, which it does not do by itself;
    elsewhere as it is."""
    if (sys.stderr if err else sys.stdout).isatty():
        # what draws is slow to import
        from p2p_shanghaien.ui.screen import MAX_WIDTH, wrapped

        text = "\n".join(wrapped(text, min(_terminal_columns(), MAX_WIDTH) - margin))
    click.echo(indent(text, " " * margin), err=err)


def warn(error: ShanghaienError) -> None:
    """Name what is passed over, once, on standard error."""
    text = say("warning", message=describe(error))
    if text not in _warned:
        _warned.add(text)
        echo(text, err=True)
