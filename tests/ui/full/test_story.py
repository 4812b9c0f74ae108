"""The story of a game in full-screen mode: only new lines are wrapped."""

import pytest

from p2p_shanghaien.ui.full.drawing import DARK, PLAIN, Canvas
from p2p_shanghaien.ui.full.story import MAX_STORY, Story
from p2p_shanghaien.ui.presenter import Sentence, Tone
from p2p_shanghaien.ui.screen import folded


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the sentences that have been folded so far."""
    done: list[str] = []

    def fold(text: str, width: int) -> list[str]:
        done.append(text)
        return folded(text, width)

    monkeypatch.setattr("p2p_shanghaien.ui.full.story.folded", fold)
    return done


def test_each_sentence_is_folded_once(folds: list[str]) -> None:
    told = Story()
    for number in range(3 * MAX_STORY):
        told.add(Sentence(f"sentence {number} " + "word " * (number % 40)))
        told.lines(Canvas(60, 24, PLAIN))
    assert len(folds) == 3 * MAX_STORY
    assert len(told) == MAX_STORY


def test_lines_are_those_of_the_kept_sentences_at_any_width() -> None:
    told = Story()
    for number in range(MAX_STORY + 500):
        tone = Tone.NEWS if number % 3 else Tone.CHAT
        told.add(Sentence(f"sentence {number} " + "word " * (number % 40), tone))
        if number % 7 == 0:
            told.lines(Canvas(60, 24, PLAIN))
    for width in (60, 40, 60):
        for text_styles in (PLAIN, DARK):
            canvas = Canvas(width, 24, text_styles)
            assert list(told.lines(canvas)) == [line for each in told for line in told.folded(each, canvas)]
    told.clear()
    assert not told.lines(Canvas(60, 24, PLAIN))
    assert told.last == ""
