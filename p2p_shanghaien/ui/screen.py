"""The one place that writes: lines of text on a terminal, a pipe or a file."""

import os
import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from p2p_shanghaien.ui.characters import ASCII, UNICODE, Symbols, ascii_text

MAX_WIDTH: Final = 100
"""Cells of a paragraph: longer lines are hard to read."""

INDENT: Final = 2
"""Cells by which a continuation line is indented further than its paragraph."""

QUOTE: Final = "| "
"""Stands before each line of what somebody said."""

WARNING: Final = "bold white on red"


class Screen:
    """Shows text in the width and the characters that the output has.

    `ascii_only` None leaves it to the encoding of the output. Where colour is unwanted (NO_COLOR) or impossible,
    nothing but characters and line ends is written.
    """

    def __init__(self, console: Console | None = None, *, ascii_only: bool | None = None) -> None:
        self.console = console or Console(
            color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False, emoji=False
        )
        self.ascii_only = not self.console.encoding.startswith("utf") if ascii_only is None else ascii_only
        self.lines = 0
        """How many lines have been written."""

    @property
    def symbols(self) -> Symbols:
        return ASCII if self.ascii_only else UNICODE

    @property
    def height(self) -> int | None:
        """How many lines stay visible; None where nothing scrolls away."""
        return self.console.height if self.console.is_terminal else None

    def fit(self, text: str) -> str:
        """`text` in the characters that the output has."""
        return ascii_text(text) if self.ascii_only else text

    def show(self, *items: str | Text) -> None:
        """Write each item on lines of its own: strings wrapped between words, drawn lines as they are."""
        lines = self._lines(items)
        self.lines += len(lines)
        self.console.print(Text("\n").join(lines), soft_wrap=True)

    def quote(self, text: str) -> None:
        """Write what somebody said."""
        self.show(*map(Text, quoted(self.fit(text), self.width)))

    def warn(self, text: str) -> None:
        """Write `text` so that it strikes the eye."""
        self.show(*(Text(line, WARNING) for line in wrapped(self.fit(text), self.width)))

    def ring(self) -> None:
        """Ring the bell of the terminal, if it is one."""
        if self.console.is_terminal:
            self.console.file.write("\a")
            self.console.file.flush()

    def counted(self, items: Sequence[str | Text]) -> int:
        """How many lines `show` would write for `items`."""
        return len(self._lines(items))

    def _lines(self, items: Sequence[str | Text]) -> list[Text]:
        lines: list[Text] = []
        for item in items:
            lines += map(Text, wrapped(self.fit(item), self.width)) if isinstance(item, str) else [item]
        return lines

    @property
    def width(self) -> int:
        """How many cells a line may have."""
        return min(self.console.width, MAX_WIDTH)


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of `text`, each paragraph broken between words to at most `width` cells.

    Continuation lines are indented further than their paragraph, so what stands at the margin begins a sentence of
    ours, whatever a peer has put into one. A wider word goes on in the next line; only a path stays whole, since it
    must be copied as it is.
    """
    return _wrapped(text, width, _PATH)


def folded(text: str, width: int) -> list[str]:
    """The same where nothing can be wider, a path neither."""
    return _wrapped(text, width, None)


def quoted(text: str, width: int) -> list[str]:
    """Return the lines of what somebody said, each behind a bar, which no line of ours begins with."""
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
    """Return `line`, whose word is too wide for it, in pieces; the first may be indented otherwise."""
    lead = line[: len(line) - len(line.lstrip(" "))]
    if cell_len(lead) + INDENT > width:
        lead = ""
    first, *rest = chop_cells(line.lstrip(" "), width - len(lead))
    pieces = chop_cells("".join(rest), width - len(indent)) if rest else []
    return [lead + first, *(indent + piece for piece in pieces)]


_WORD: Final = re.compile(r" *[^ ]+(?: [?!:;](?= |$))*(?: *$)?")
"""A word with the space before it; the last one keeps what follows, such as the space behind a prompt. A mark that
French sets apart, as in `Qui ?`, stays with its word."""

_PATH: Final = re.compile(r" *(/|~/|\\\\|[A-Za-z]:\\|https?://)")
