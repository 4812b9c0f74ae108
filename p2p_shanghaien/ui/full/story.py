"""The log of a full screen: sentences, folded once for a width however many follow."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from rich.text import Text

from p2p_shanghaien.ui.full.drawing import Canvas, TextStyles
from p2p_shanghaien.ui.presenter import Sentence, Tone
from p2p_shanghaien.ui.screen import QUOTE, folded, quoted

MAX_STORY: Final = 1000
"""Sentences that are kept to be scrolled back to."""


def styles(text_styles: TextStyles) -> Mapping[Tone, str]:
    """Return the style of each tone that has one."""
    return {
        Tone.STRONG: text_styles.strong,
        Tone.CHAT: text_styles.strong,
        Tone.REMARK: text_styles.picked,
        Tone.WARNING: text_styles.bad,
    }


class Story:
    """The last sentences, the newest one at the end."""

    def __init__(self) -> None:
        self._told: deque[Sentence] = deque(maxlen=MAX_STORY)
        self._folded: deque[Sequence[Text]] = deque()
        """The lines of the first of them, as far as they have been folded for a canvas."""
        self._folded_for: Canvas | None = None

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self._told)

    @property
    def last(self) -> str:
        """The newest sentence, if there is one."""
        return "".join(f"{QUOTE if told.tone == Tone.CHAT else ''}{told}" for told in islice(reversed(self._told), 1))

    def add(self, *told: Sentence) -> None:
        """Add sentences; the oldest ones go where there are too many."""
        for each in told:
            if len(self._told) == MAX_STORY and self._folded:
                self._folded.popleft()
            self._told.append(each)

    def put_into_words(self) -> None:
        """Say everything in the language that is chosen now."""
        self._folded.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._told.clear()
        self._folded.clear()

    def lines(self, canvas: Canvas) -> Sequence[Text]:
        """Return all the lines on `canvas`. Only sentences that are new on it are folded."""
        if canvas != self._folded_for:
            self._folded_for = canvas
            self._folded.clear()
        for told in islice(self._told, len(self._folded), None):
            self._folded.append(self.folded(told, canvas))
        return [line for lines in self._folded for line in lines]

    def folded(self, told: Sentence, canvas: Canvas) -> Sequence[Text]:
        """Return a sentence in lines, each one cell away from both edges."""
        fold = quoted if told.tone == Tone.CHAT else folded
        style = styles(canvas.text_styles).get(told.tone, "")
        text = canvas.charset.transliterate(str(told))
        return [Text(f" {line}", style) for line in fold(text, max(canvas.width - 2, 10))]
