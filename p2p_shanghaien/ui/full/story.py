"""What has happened at a full screen: sentences, folded once for a width however many follow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.ui.full.parts import PLAIN, Ink
from p2p_shanghaien.ui.presenter import Sentence, Tone
from p2p_shanghaien.ui.screen import QUOTE, folded, quoted

MAX_STORY: Final = 1000
"""Sentences that are kept to be scrolled back to."""


def styles(ink: Ink) -> Mapping[Tone, str]:
    """Return the style of each tone that has one."""
    return {Tone.STRONG: ink.strong, Tone.CHAT: ink.strong, Tone.REMARK: ink.picked, Tone.WARNING: ink.bad}


class Story:
    """The last sentences, the newest one at the end. `fit` puts them into the characters that there are."""

    def __init__(self, fit: Callable[[str], str] = str) -> None:
        self._fit = fit
        self._told: list[Sentence] = []
        self._drawn_for = -1, PLAIN
        self._lines: list[Text] = []
        """The lines of the first sentences at that width and in that ink, as far as they have been folded."""
        self._heights: list[int] = []
        """How many lines each of those sentences takes."""

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self._told)

    @property
    def last(self) -> str:
        """The newest sentence, if there is one."""
        return "".join(f"{QUOTE if told.tone == Tone.CHAT else ''}{told}" for told in self._told[-1:])

    def add(self, told: Sentence) -> None:
        """Add a sentence; the oldest one goes where there are too many."""
        self._told.append(told)
        if len(self._told) > MAX_STORY:
            del self._told[0]
            if self._heights:
                del self._lines[: self._heights.pop(0)]

    def put_into_words(self) -> None:
        """Say everything in the language and the characters that there are now."""
        self._lines, self._heights = [], []

    def clear(self) -> None:
        """Forget everything."""
        self._told, self._lines, self._heights = [], [], []

    def lines(self, width: int, ink: Ink) -> Sequence[Text]:
        """Return all the lines at `width`. Only sentences that are new at this width are folded."""
        if (width, ink) != self._drawn_for:
            self._drawn_for = width, ink
            self.put_into_words()
        for told in self._told[len(self._heights) :]:
            lines = self.folded(told, width, ink)
            self._lines += lines
            self._heights.append(len(lines))
        return self._lines

    def folded(self, told: Sentence, width: int, ink: Ink) -> Sequence[Text]:
        """Return a sentence in lines, each one cell away from both edges."""
        fold = quoted if told.tone == Tone.CHAT else folded
        style = styles(ink).get(told.tone, "")
        return [Text(f" {line}", style) for line in fold(self._fit(str(told)), max(width - 2, 10))]
