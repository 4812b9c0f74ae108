"""Nothing that a peer says, or is called, begins a line that looks like one of ours, at either screen."""

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from p2p_shanghaien.text import MAX_CHAT, MAX_NAME, cleaned
from p2p_shanghaien.ui.full.drawing import PLAIN, Canvas
from p2p_shanghaien.ui.full.story import Story
from p2p_shanghaien.ui.naming import called
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.presenter import sentence
from p2p_shanghaien.ui.screen import QUOTE, Screen, folded, wrapped
from p2p_shanghaien.ui.words import say
from tests.ui.desk import Script

OURS = say("game_won_you", near=12, far=9)
"""A sentence that a peer would like to say in our name."""

FILLERS = [
    "x",
    "-",
    " ",
    "hi ",
    "\u3000",
    "\u00a0",
    "漢",
    "\u0301",
    "x\u0301",
    "\u2800",
    "א",
    "\uff57",
    "🎲",
    "/x",
    "|",
    "\u200b",
]

forged = st.builds(
    lambda filler, count, tail, more: (filler * count)[: MAX_CHAT - len(OURS) - 1] + tail + OURS + more,
    st.sampled_from(FILLERS),
    st.integers(0, 200),
    st.sampled_from(["", " ", "\n", "\u2028", "\r"]),
    st.text(max_size=40),
)
peer_text = st.one_of(forged, st.text(max_size=MAX_CHAT), st.text("ab /漢\u0301", max_size=MAX_CHAT))


def plain(width: int, code: str, **details: object) -> Sequence[str]:
    """Return the lines that a table of lines prints of news."""
    file = io.StringIO()
    screen = Screen(Console(file=file, width=width, color_system=None, highlight=False, markup=False, emoji=False))
    PlainTable(screen, Script(screen, (), interactive=False)).notify(code, **details)
    return file.getvalue().removesuffix("\n").split("\n")


@given(peer_text, st.integers(20, 130))
def test_each_line_of_chat_stands_behind_a_bar(text: str, width: int) -> None:
    said = cleaned(text, MAX_CHAT, "hi")
    lines = plain(width, "chat", name="Ben", text=said)
    assert all(line.startswith(QUOTE) for line in lines)
    assert lines[0].startswith(f"{QUOTE}Ben:")
    assert all(cell_len(line.rstrip(" ")) <= width for line in lines), "the terminal would fold it at the margin"
    story = Story()
    story.add(sentence("chat", name="Ben", text=said))
    full = story.lines(Canvas(width, 24, PLAIN))
    assert all(line.plain.startswith(f" {QUOTE}") and line.cell_len <= width for line in full)


@pytest.mark.parametrize("code", ["opponent_awaited", "resigned", "offered", "reconnected", "play_with_guest"])
@given(st.one_of(st.text(max_size=MAX_NAME), st.text("ab /漢", min_size=20, max_size=MAX_NAME)), st.integers(20, 130))
def test_a_line_at_the_margin_begins_a_sentence_of_ours(code: str, text: str, width: int) -> None:
    text = say(code, name=called("called_guest", cleaned(text, MAX_NAME, "Ben"), "Hanna"))
    for first, *rest in (wrapped(text, width), folded(text, width)):
        assert not first.startswith(" ")
        assert all(line.startswith("  ") for line in rest)
        assert all(cell_len(line.rstrip(" ")) <= width for line in (first, *rest))


def test_the_forged_sentence_that_stood_alone() -> None:
    said = cleaned("hi" + " " * 90 + OURS, MAX_CHAT, "")
    for width in range(20, 130):
        assert not any(line.lstrip(" ").startswith(OURS[:10]) for line in plain(width, "chat", name="Ben", text=said))
