"""The characters that a screen can show: its signs, text cut to so many cells, and text in ASCII."""

import re
import unicodedata
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size

from p2p_shanghaien.ui import words
from p2p_shanghaien.ui.language import ascii_letters


class Charset(NamedTuple):
    """The characters that a screen can show, with its few signs besides letters and digits, each one cell wide."""

    ascii_only: bool
    far: str
    """The sign that points to the far side of the table."""
    near: str
    nothing: str
    """The sign for an empty cell of a table."""
    ellipsis: str
    """The sign at the end of shortened text."""

    def transliterate(self, text: str) -> str:
        """Return `text` in these characters.

        In ASCII letters lose their accents, and those without a plain letter are escaped.
        """
        if not self.ascii_only or text.isascii():
            return text
        text = _GUILLEMETS.sub('"', text)
        return "".join(map(_ascii_letter, text)).encode("ascii", "backslashreplace").decode()

    def say(self, code: str, /, **details: object) -> str:
        """Return the words for `code` in these characters, for a place in a drawing."""
        return self.transliterate(words.say(code, **details))

    def cut(self, text: str, cells: int) -> str:
        """Return `text`, shortened if it is wider than `cells`."""
        return text if cell_len(text) <= cells else set_cell_size(text, cells - 1).rstrip() + self.ellipsis


UNICODE: Final = Charset(False, "▲", "▼", "·", "…")
ASCII: Final = Charset(True, "^", "v", ".", "~")

_GUILLEMETS: Final = re.compile("«[ \xa0]?|[ \xa0]?»")
_PLAIN: Final = {"„": '"', "“": '"', "”": '"', "’": "'", "–": "-", "·": ".", "ß": "ss", "œ": "oe"}  # noqa: RUF001 - these signs
"""Marks and letters of our languages that Unicode does not decompose."""


def _ascii_letter(character: str) -> str:
    if plain := ascii_letters().get(character) or _PLAIN.get(character):
        return plain
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
    return plain if plain.isascii() else character
