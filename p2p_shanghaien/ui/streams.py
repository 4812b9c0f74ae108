"""The capabilities of standard input and output: full screen, a prompt, or plain lines."""

import os
import sys
from contextlib import suppress
from typing import Final

from p2p_shanghaien.ui.reading import PlainReader, Reader
from p2p_shanghaien.ui.screen import Screen

DUMB: Final = ("dumb", "unknown")
"""Values of TERM for terminals without a movable cursor."""

FULL_SCREEN: Final = (80, 24)
"""Cells across and down that a full screen needs for a whole table."""


def has_full_screen() -> bool:
    """Return whether a full screen is possible: a terminal at both ends, with a movable cursor and enough room."""
    try:
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        size = os.get_terminal_size(sys.stdout.fileno()) if at_terminal else os.terminal_size((0, 0))
    except (AttributeError, OSError, ValueError):  # closed, or not a file
        return False
    return _terminal() not in DUMB and size.columns >= FULL_SCREEN[0] and size.lines >= FULL_SCREEN[1]


def _terminal() -> str:
    return os.environ.get("TERM") or ("dumb" if os.name == "posix" else "console")


def reader(screen: Screen) -> Reader:
    """Return the reader that suits the terminal, pipe or file of standard input, or nothing at all."""
    try:
        descriptor, person = sys.stdin.fileno(), sys.stdin.isatty()
    except (AttributeError, OSError, ValueError):  # standard input is closed, or not a file
        descriptor, person = -1, False
    if person and sys.stdout.isatty() and _terminal() not in DUMB:
        from p2p_shanghaien.ui.terminal import TerminalReader  # noqa: PLC0415 - a pipe needs no prompt_toolkit

        # a terminal of another system (mintty on Windows) has no console; each system has its own error for that
        with suppress(Exception):
            return TerminalReader()
    return PlainReader(screen, descriptor, interactive=person)
