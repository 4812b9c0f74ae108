"""The output: widths, characters, escapes."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from p2p_shanghaien.ui.screen import Screen, folded, wrapped
from p2p_shanghaien.ui.view import ASCII, UNICODE
from tests.ui.desk import Desk


@given(st.text(alphabet="ab é漢\xa0\n/", max_size=60), st.integers(0, 30))
def test_folded_lines_lose_nothing_and_fit(text: str, width: int) -> None:
    lines = folded(text, width)
    assert all(cell_len(line.rstrip(" ")) <= max(width, 2) for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace("\n", "").replace(" ", "")


def test_paragraphs_are_wrapped_between_words() -> None:
    assert wrapped("one two three", 8) == ["one two", "  three"]
    assert wrapped("one two", 7) == ["one two"]
    assert wrapped("one\ntwo", 80) == ["one", "two"]
    assert wrapped("漢字 漢字 漢字", 9) == ["漢字 漢字", "  漢字"]
    assert wrapped("one two\xa0", 7) == ["one", "  two\xa0"]


def test_indents_and_the_space_behind_a_prompt_stay() -> None:
    assert wrapped("    command here", 12) == ["    command", "      here"]
    assert wrapped("Your choice: ", 80) == ["Your choice: "]
    assert wrapped("", 80) == [""]


def test_paths_stay_whole() -> None:
    path = "/home/" + "x" * 100
    assert wrapped(f"The log: {path}", 80) == ["The log:", f"  {path}"]
    assert wrapped(f"The log:\n    {path}", 80) == ["The log:", f"    {path}"]


def test_a_word_that_is_too_wide_goes_on_indented() -> None:
    assert wrapped("x" * 25, 10) == ["x" * 10, "  " + "x" * 8, "  " + "x" * 7]
    assert folded("/home/" + "x" * 10, 10) == ["/home/xxxx", "  " + "x" * 6]


@given(st.lists(st.text("ab漢", min_size=1, max_size=8), max_size=30), st.integers(16, 40))
def test_wrapping_loses_nothing(words: list[str], width: int) -> None:
    lines = wrapped(" ".join(words), width)
    assert " ".join(lines).split() == words
    assert all(cell_len(line) <= width for line in lines)


def test_lines_are_counted() -> None:
    desk = Desk()
    items: list[str | Text] = ["word " * 40, Text("drawn"), "two\nlines"]
    desk.screen.show(*items)
    assert desk.screen.counted(items) == desk.screen.lines == len(desk.shown()) == 6


@pytest.mark.parametrize(("encoding", "charset"), [("utf-8", UNICODE), ("ascii", ASCII), ("iso8859-1", ASCII)])
def test_the_encoding_decides_about_characters(encoding: str, charset: object) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert Screen(Console(file=file)).charset is charset
    assert Screen(Console(file=file), ascii_only=True).charset is ASCII


def test_nothing_scrolls_away_where_there_is_no_terminal() -> None:
    assert Desk().screen.height is None
    assert Desk(terminal=True, height=30).screen.height == 30


@pytest.mark.parametrize("markup", ["[red]x[/red]", ":smile:", "[link=http://example.org]x[/link]", "\\[x]"])
def test_text_is_no_markup(markup: str) -> None:
    desk = Desk(terminal=True)
    desk.screen.show(markup)
    assert desk.shown() == [markup]


def test_every_sign_is_one_cell() -> None:
    for charset in (UNICODE, ASCII):
        signs = (charset.far, charset.near, charset.nothing, charset.ellipsis)
        assert all(cell_len(sign) == 1 for sign in signs)
        assert "".join(signs).isascii() == charset.ascii_only


def test_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert Screen().console.color_system is None
