"""The output: lines of text on a terminal, a pipe or a file. Nothing else writes."""

import os
import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from p2p_shanghaien.ui.characters import ASCII, UNICODE

MAX_WIDTH: Final = 100
"""The width of a paragraph: longer lines are hard to read."""

INDENT: Final = 2
"""The cells by which a continuation line is indented further than its paragraph."""

QUOTE: Final = "| "
"""The bar before each line of chat."""

WARNING: Final = "bold white on red"


class Screen:
    """A screen that shows text in the width and the characters of the output.

    `ascii_only` None leaves it to the encoding of the output. If colour is unwanted (NO_COLOR) or impossible, only
    characters and line ends are written.
    """

    def __init__(self, console: Console | None = None, *, ascii_only: bool | None = None) -> None:
        self.console = console or Console(
            color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False, emoji=False
        )
        if ascii_only is None:
            ascii_only = not self.console.encoding.startswith("utf")
        self.charset = ASCII if ascii_only else UNICODE
        self.lines = 0
        """The number of lines written."""

    @property
    def height(self) -> int | None:
        """The number of lines that stay visible; None if nothing scrolls away."""
        return self.console.height if self.console.is_terminal else None

    def show(self, *items: str | Text) -> None:
        """Write each item on lines of its own: strings wrapped between words, drawn lines as they are."""
        lines = self._lines(items)
        self.lines += len(lines)
        self.console.print(Text("\n").join(lines), soft_wrap=True)

    def quote(self, text: str) -> None:
        """Write a line of chat."""
        self.show(*map(Text, quoted(self.charset.transliterate(text), self.width)))

    def warn(self, text: str) -> None:
        """Write `text` conspicuously."""
        self.show(*(Text(line, WARNING) for line in wrapped(self.charset.transliterate(text), self.width)))

    def ring(self, signal: str = "\a") -> None:
        """Ring the bell of the terminal, if it is one, or send it another `signal`."""
        if self.console.is_terminal:
            self.console.file.write(signal)
            self.console.file.flush()

    def counted(self, items: Sequence[str | Text]) -> int:
        """Return the number of lines that `show` would write for `items`."""
        return len(self._lines(items))

    def _lines(self, items: Sequence[str | Text]) -> list[Text]:
        lines: list[Text] = []
        for item in items:
            lines += (
                map(Text, wrapped(self.charset.transliterate(item), self.width)) if isinstance(item, str) else [item]
            )
        return lines

    @property
    def width(self) -> int:
        """The number of cells of a line."""
        return min(self.console.width, MAX_WIDTH)


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of `text`, each paragraph broken between words to at most `width` cells.

    Continuation lines are indented further than their paragraph, so only a sentence of ours begins at the margin,
    whatever a peer has put into it. A wider word continues in the next line; only a path, or an invitation, stays
    whole, since it must be copied as it is.
    """
    return _wrapped(text, width, _COPIED)


def folded(text: str, width: int) -> list[str]:
    """Return the same for text in which nothing may be wider, not even a path."""
    return _wrapped(text, width, None)


def quoted(text: str, width: int) -> list[str]:
    """Return the lines of chat, each behind a bar, with which no line of ours begins."""
    return [QUOTE + line for line in folded(text, width - len(QUOTE))]


def _wrapped(text: str, width: int, whole: re.Pattern[str] | None) -> list[str]:
    width = max(width, 2)  # a character may take two cells, and a window may leave none
    lines = []
    for paragraph in text.split("\n"):
        depth = len(paragraph) - len(paragraph.lstrip(" ")) + INDENT
        indent = " " * (depth if depth + INDENT <= width else 0)
        line = ""
        for word in _WORD.findall(paragraph):
            if line.strip(" ") and cell_len((line + word).rstrip(" ")) > width:
                lines.append(line)
                line = indent + word.lstrip(" ")
            else:
                line += word
            if cell_len(line.rstrip(" ")) > width and not (whole and whole.match(word)):
                *full, line = _chopped(line, indent, width)
                lines += full
        lines.append(line)
    return lines


def _chopped(line: str, indent: str, width: int) -> list[str]:
    """Return `line`, whose word is too wide for it, in pieces; the first may be indented differently."""
    lead = line[: len(line) - len(line.lstrip(" "))]
    if cell_len(lead) + INDENT > width:
        lead = ""
    first, *rest = chop_cells(line.lstrip(" "), width - len(lead))
    pieces = chop_cells("".join(rest), width - len(indent)) if rest else []
    return [lead + first, *(indent + piece for piece in pieces)]


_WORD: Final = re.compile(r" *[^ ]+(?: [?!:;](?= |$))*(?: *$)?")
"""A word with the space before it; the last one keeps what follows, such as the space behind a prompt.

A mark that French sets apart, as in `Qui ?`, stays with its word.
"""

_COPIED: Final = re.compile(r" *(/|~/|\\\\|[A-Za-z]:\\|https?://|\S*([0-9A-Z]{5}-){12})")
