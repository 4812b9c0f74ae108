"""What commands print that do not sit at a table."""

import sys
from textwrap import indent

import click

from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.ui.words import describe, say

_warned: set[str] = set()
"""What was said already; many a file is looked at more than once."""


def echo(text: str, *, err: bool = False, margin: int = 0) -> None:
    """Print `text`, `margin` to the right: at a terminal broken between words, which it does not do by itself;
    elsewhere as it is."""
    if (sys.stderr if err else sys.stdout).isatty():
        # what draws is slow to import
        import shutil

        from p2p_shanghaien.ui.screen import MAX_WIDTH, wrapped

        text = "\n".join(wrapped(text, min(shutil.get_terminal_size().columns, MAX_WIDTH) - margin))
    click.echo(indent(text, " " * margin), err=err)


def warn(error: ShanghaienError) -> None:
    """Name what is passed over, once, on standard error."""
    text = say("warning", message=describe(error))
    if text not in _warned:
        _warned.add(text)
        echo(text, err=True)
