"""The pictures of README and docs are what the program draws today."""

import re

from pictures.__main__ import FOLDER, PLACES, pictures


def test_the_pictures_are_up_to_date() -> None:
    """`python -m pictures` draws them again."""
    made = dict(pictures())
    assert {path.name for path in made} == set(PLACES)
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text
        assert len(text) < 40_000


def test_what_they_show() -> None:
    for path, text in pictures():
        said = re.search("<desc[^>]*>(.*)</desc>", text)
        assert said
        assert ("called Shanghai" in said[1]) == (path == FOLDER / "round.svg")
        assert ("Halunken" in said[1]) == (path == FOLDER / "halunken.svg")
        assert "COMPLETE" in said[1]
