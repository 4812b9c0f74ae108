"""The log of a full screen: sentences, folded once for a width however many follow."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from rich.text import Text

from p2p_shanghaien.ui.full.drawing import PLAIN, TextStyles
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
    """The last sentences, the newest one at the end. `transliterate` puts them into the characters that there are."""

    def __init__(self, transliterate: Callable[[str], str] = str) -> None:
        self._fit = transliterate
        self._told: deque[Sentence] = deque(maxlen=MAX_STORY)
        self._folded: deque[Sequence[Text]] = deque()
        """The lines of the first of them, as far as they have been folded at a width in an ink."""
        self._folded_for = -1, PLAIN

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
        """Say everything in the language and the characters that there are now."""
        self._folded.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._told.clear()
        self._folded.clear()

    def lines(self, width: int, text_styles: TextStyles) -> Sequence[Text]:
        """Return all the lines at `width`. Only sentences that are new at this width are folded."""
        if (width, text_styles) != self._folded_for:
            self._folded_for = width, text_styles
            self._folded.clear()
        for told in islice(self._told, len(self._folded), None):
            self._folded.append(self.folded(told, width, text_styles))
        return [line for lines in self._folded for line in lines]

    def folded(self, told: Sentence, width: int, text_styles: TextStyles) -> Sequence[Text]:
        """Return a sentence in lines, each one cell away from both edges."""
        fold = quoted if told.tone == Tone.CHAT else folded
        style = styles(text_styles).get(told.tone, "")
        return [Text(f" {line}", style) for line in fold(self._fit(str(told)), max(width - 2, 10))]
