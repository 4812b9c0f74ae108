"""Local names of peers: their own, unless they could be mistaken for somebody else's, or for words of the program."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final
from unicodedata import category

from p2p_shanghaien.lookalikes import look_alike
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.game_words import installed_words
from p2p_shanghaien.ui.language import PROGRAM, in_every_language
from p2p_shanghaien.ui.words import SHARED, has_words, say, template

_NAME: Final = re.compile(r"[^\W\d_](\w|[-_.'’ ](?=\w))*")  # noqa: RUF001 - an apostrophe as well
"""The pattern of letters and digits, with single signs between them; marks on letters aside."""
_QUOTATION_MARKS: Final = re.compile('["«»‹›“”„‟]')  # noqa: RUF001 - quotation marks of any language


def called(code: str, name: str, own: str) -> str:
    """Return the local name of the peer called `name` if our own name is `own`.

    A doubtful name is quoted behind the peer's seat, by the words of `code`: a line that begins with it then begins
    with our words, and no shortening takes them away.
    """
    name = printable(name)
    if not _is_doubtful(name) and not look_alike(name, own):
        return name
    # as one word, so that no part of it is taken for a path, which is never broken
    return say(code, name=_QUOTATION_MARKS.sub("'", name).replace(" ", "\N{NO-BREAK SPACE}"))


def is_unmistakable(name: str, names: Iterable[str]) -> bool:
    """Return whether no other of `names`, one for each player, looks like `name`, so that no key has to be shown."""
    return sum(look_alike(name, each) for each in names) == 1


def level_name(level: str) -> str:
    """Return a level of computer players as people read it; itself if there is no word for it."""
    code = f"level_{level}"
    return say(code) if has_words(code) else level


def level_words(level: str) -> frozenset[str]:
    """Return what a level may be called at a table, in any language."""
    code = f"level_{level}"
    return frozenset({level, *(in_every_language(code, template(code)) if has_words(code) else ())})


def _is_doubtful(name: str) -> bool:
    """Return whether a sentence that begins with `name` might be mistaken for another."""
    bare = "".join(character for character in name if category(character)[0] != "M")
    if not _NAME.fullmatch(bare) or not name.startswith(bare[0]):
        return True
    first = re.split(r"[\W_]", bare, maxsplit=1)[0]
    return any(look_alike(first, word) for word in _first_words())


@cache
def _first_words() -> frozenset[str]:
    """Return the words with which sentences and labels of ours begin, in every language."""
    return frozenset(_begun_with())


def _begun_with() -> Iterator[str]:
    ours = ((PROGRAM, words) for words in SHARED)
    for domain, words in (*ours, *installed_words()):
        for code, english in words.items():
            for text in in_every_language(code, english, domain):
                word = re.match(r"[^\W\d_]{2,}", text)
                if word and word.group()[0].isupper():
                    yield word.group().casefold()
