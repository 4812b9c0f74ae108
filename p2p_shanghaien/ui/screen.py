"""The one place that writes: lines of text on a terminal, a pipe or a file."""

import os
import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.text import Text

from p2p_shanghaien.ui.view import ASCII, UNICODE, Symbols, ascii_text

MAX_WIDTH: Final = 100
"""Cells of a paragraph: longer lines are hard to read."""


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
    """The lines of `text`, each paragraph broken between words to at most `width` cells.

    A wider word stays whole: it is a path or a command, and must be copied as it is.
    """
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _WORD.findall(paragraph):
            if line and cell_len((line + word).rstrip(" ")) > width:
                lines.append(line)
                line = word.lstrip(" ")
            else:
                line += word
        lines.append(line)
    return lines


def folded(text: str, width: int) -> list[str]:
    """The same where nothing can be wider: a wider word goes on in the next line, as text without spaces does."""
    width = max(width, 2)  # a character may take two cells, and a window may leave none
    return [
        piece
        for line in wrapped(text, width)
        for piece in ([line] if cell_len(line.rstrip(" ")) <= width else chop_cells(line, width))
    ]


_WORD: Final = re.compile(r" *[^ ]+(?: [?!:;](?= |$))*(?: *$)?")
"""A word with the space before it; the last one keeps what follows, such as the space behind a prompt. A mark that
French sets apart, as in `Qui ?`, stays with its word."""
