"""What has happened at a full screen: sentences, folded once for a width however many follow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from p2p_shanghaien.ui.screen import QUOTE, folded, quoted
from p2p_shanghaien.ui.words import Later

MAX_STORY: Final = 1000
"""Sentences that are kept to be scrolled back to."""


@dataclass
class Told:
    """A sentence, its style, and whether somebody said it rather than the program."""

    words: str | Later
    style: str = ""
    said: bool = False

    def __post_init__(self) -> None:
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say it in the language that is chosen now."""
        self.text = str(self.words)

    def lines(self, width: int) -> list[Text]:
        """Return the sentence in lines, each one cell away from both edges."""
        fold = quoted if self.said else folded
        return [Text(f" {line}", self.style) for line in fold(self.text, max(width - 2, 10))]


class Story:
    """The last sentences, the newest one at the end."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._width = -1
        self._lines: list[Text] = []
        """The lines of the first sentences at that width, as far as they have been folded."""
        self._heights: list[int] = []
        """How many lines each of those sentences takes."""

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[Told]:
        return iter(self._told)

    @property
    def last(self) -> str:
        """The newest sentence, if there is one."""
        if not self._told:
            return ""
        newest = self._told[-1]
        return f"{QUOTE}{newest.text}" if newest.said else newest.text

    def add(self, told: Told) -> None:
        """Add a sentence; the oldest one goes where there are too many."""
        self._told.append(told)
        if len(self._told) > MAX_STORY:
            del self._told[0]
            if self._heights:
                del self._lines[: self._heights.pop(0)]

    def put_into_words(self) -> None:
        """Say everything in the language that is chosen now."""
        for told in self._told:
            told.put_into_words()
        self._lines, self._heights = [], []

    def clear(self) -> None:
        """Forget everything."""
        self._told, self._lines, self._heights = [], [], []

    def lines(self, width: int) -> Sequence[Text]:
        """Return all the lines at `width`. Only sentences that are new at this width are folded."""
        if width != self._width:
            self._width, self._lines, self._heights = width, [], []
        for told in self._told[len(self._heights) :]:
            lines = told.lines(width)
            self._lines += lines
            self._heights.append(len(lines))
        return self._lines
