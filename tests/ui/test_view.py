"""The names of players on the screen, whatever they contain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.ui.view import ASCII, MAX_LABEL, UNICODE, outcome, viewpoint


def test_the_person_sits_on_the_near_side() -> None:
    for me in (0, 1):
        sitting = viewpoint(("Ada", "Ben"), me)
        assert (sitting.near, sitting.far) == (me, 1 - me)
        assert sitting.who(me) == "You"
        assert sitting.who(1 - me) == ("Ada", "Ben")[1 - me]


def test_a_watcher_is_nobody_at_the_table() -> None:
    sitting = viewpoint(("Ada", "Ben"), None)
    assert [sitting.who(0), sitting.who(1), sitting.near] == ["Ada", "Ben", 0]


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("?", "?"), ("Player 1", "Player 2")),
        (("Ada", "Ada"), ("Ada (1)", "Ada (2)")),
        (("you", "YOU"), ("Player 1", "Player 2")),
        (("Ada", "?"), ("Ada", "Player 2")),
        (("\u0301", ""), ("Player 1", "Player 2")),
        (("Player 2", "?"), ("Player 2 (1)", "Player 2 (2)")),
    ],
)
def test_labels_tell_the_players_apart(names: tuple[str, str], labels: tuple[str, str]) -> None:
    assert viewpoint(names, None).labels == labels


@given(st.text(max_size=32), st.text(max_size=32), st.booleans())
def test_labels_are_short_printable_and_different(first: str, second: str, ascii_only: bool) -> None:
    labels = viewpoint((first, second), None, ASCII if ascii_only else UNICODE).labels
    assert labels[0] != labels[1]
    for label in labels:
        assert 0 < cell_len(label) <= MAX_LABEL
        assert "\x1b" not in label
        assert label.isascii() or not ascii_only


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë", "Zoe"),
        ("Ångström", "Angstrom"),
        ("漢", "\\u6f22"),
        ("±", "\\xb1"),
        ("plain", "plain"),
        ("½", "\\xbd"),
        ("\u0301", ""),
    ],
)
def test_text_in_ascii(text: str, shown: str) -> None:
    assert ASCII.transliterate(text) == shown
    assert UNICODE.transliterate(text) == text


def test_cut_counts_cells() -> None:
    assert UNICODE.cut("漢字漢字", 8) == "漢字漢字"
    assert UNICODE.cut("漢字漢字", 7) == "漢字漢…"
    assert UNICODE.cut("漢字漢字", 6) == "漢字…"


def test_outcome_from_where_one_sits() -> None:
    won, drawn = Terminal((26, 27), 1), Terminal((9, 9), None)
    assert str(outcome(won, viewpoint(("Ada", "Ben"), 0))) == "The game is over, 26 to 27: Ben wins."
    assert str(outcome(won, viewpoint(("Ada", "Ben"), 1))) == "The game is over, 27 to 26: you win."
    assert str(outcome(won, viewpoint(("Ada", "Ben"), None))) == "The game is over, 26 to 27: Ben wins."
    assert str(outcome(drawn, viewpoint(("Ada", "Ben"), 1))) == "The game is over, 9 to 9: a draw."
