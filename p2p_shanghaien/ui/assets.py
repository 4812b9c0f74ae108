"""The files that pages are made of, and how their places are filled."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from string import Template
from typing import Final

from p2p_shanghaien.ui.picture import words
from p2p_shanghaien.ui.words import say

_PAGES: Final = files("p2p_shanghaien.ui.pages")


class _Filled(dict[str, str]):
    """The texts of a page's places; a place without one has the sentence of its name."""

    def __missing__(self, code: str) -> str:
        return words(say(code))


def asset(name: str) -> str:
    """Return the text of a file of pages."""
    return _PAGES.joinpath(name).read_text(encoding="utf-8")


def filled(name: str, **places: str) -> str:
    """Return the page that the file `name` makes with this markup in its places, and sentences in the others."""
    return Template(asset(name)).substitute(_Filled(places))


def digest_source(text: str) -> str:
    """Return `text` as a source that a content security policy allows."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
