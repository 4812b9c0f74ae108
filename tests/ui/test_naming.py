"""Local names of peers: their own, unless they might be mistaken for another name or for words of the program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.participants.computer import level_of
from p2p_shanghaien.players import levels
from p2p_shanghaien.text import MAX_NAME, is_clean
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.naming import called, level_name, level_words
from p2p_shanghaien.ui.view import viewpoint
from p2p_shanghaien.ui.words import say
from tests.sweeps import together

NO_BREAK = "\xa0"


@together("name", ["Gustav", "Ben Gunn", "Ada_L", "anna.b", "Jean-Luc", "O'Neil", "René", "上海人", "שלום", "नमस्ते"])
def test_an_ordinary_name_is_used_as_it_is(name: str) -> None:
    assert called("called_guest", name, "Hanna") == name


@pytest.mark.parametrize("name", ["Hanna", "hanna", "\u041d\u0430nn\u0430", "Hanna.", "H anna"])
def test_a_name_like_our_own_is_told_apart(name: str) -> None:
    assert called("called_guest", name, "Hanna") == f'Guest "{name.replace(" ", NO_BREAK)}"'
    assert called("called_host", name, "Hanna") == f'Host "{name.replace(" ", NO_BREAK)}"'


@together("language", ["en", "fr", "it", "de"])
@together(
    "name",
    [
        *(
            "You",
            "you",
            "Y0u",
            "\u04aeou",
            "You win",
            "You_win",
            "Vous",
            "Tu",
            "Du",
            "Player 1",
            "Joueur 2",
            "Spieler 1",
        ),
        *(
            "Computer (master)",
            "Ordinateur (easy)",
            "The game is over, 12 to 9",
            "Waiting for Ben",
            "WARNING",
            "Warnung",
        ),
        *("Ada. You win", "Guest", 'Guest "Ben"', "| Ben", "1", ".", "/home/ada", "🎲", "\u0301Ada"),
    ],
)
def test_words_of_ours_are_no_name(name: str, language: str) -> None:
    try:
        choose(language)
        begins = called("called_guest", "", "").split(NO_BREAK)[0].rstrip('"«»„“')
        assert called("called_guest", name, "Hanna").startswith(begins)
    finally:
        choose("en")


@pytest.mark.parametrize("name", ["Joker", "Totals: 9", "Trick"])
def test_nor_are_words_of_a_game(name: str) -> None:
    assert called("called_guest", name, "Hanna") == f'Guest "{name.replace(" ", NO_BREAK)}"'


def test_a_name_does_not_close_its_quotation_marks() -> None:
    assert called("called_guest", 'Ben" resigns. "', "Hanna") == "Guest \"Ben'\xa0resigns.\xa0'\""


@given(st.text(max_size=32), st.text(max_size=32))
def test_whatever_both_are_called_their_labels_differ(ours: str, theirs: str) -> None:
    for own in (ours, "Hanna", theirs):
        first, second = viewpoint((own, called("called_guest", theirs, own)), 0).labels
        assert first != second


def test_names_of_a_record_that_look_alike_are_told_apart() -> None:
    assert viewpoint(("Hanna", "\u041d\u0430nn\u0430"), None).labels == ("Hanna (1)", "\u041d\u0430nn\u0430 (2)")
    assert viewpoint(("Vous", "Y0u"), None).labels == ("Player 1", "Player 2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_level_is_shown_in_each_language_and_found_again_in_all(language: str) -> None:
    """A game that began in one language can be taken up again in another, and so can one of an English table."""
    levels_shown = set()
    for level in levels("shanghaien"):
        choose(language)
        try:
            name = say("computer_name", player=level_name(level))
            assert (level_name(level) == level) == (language == "en")
        finally:
            choose("en")
        assert is_clean(name, MAX_NAME)
        levels_shown.add(name)
        for shown in (name, f"Computer ({level})"):
            assert level_of(shown, "shanghaien", level_words) == level
    assert len(levels_shown) == len(levels("shanghaien"))
    assert level_name("optimal") == "optimal", "of another distribution"
