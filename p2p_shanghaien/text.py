"""The characters that a peer may send, and the escapes for untrusted text (protocol/SPEC.md, section 13)."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

MAX_NAME: Final = 32
"""The limit of code points of a display name."""

MAX_CHAT: Final = 400
"""The limit of code points of a chat line."""

FORBIDDEN: Final = (
    (0x0000, 0x001F),  # C0 controls
    (0x007F, 0x009F),  # delete and C1 controls
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels, invisible
    (0x180B, 0x180F),  # Mongolian variation and vowel separators
    (0x200B, 0x200F),  # zero-width characters, directional marks
    (0x2028, 0x202E),  # line and paragraph separators, bidirectional embeddings and overrides
    (0x2060, 0x206F),  # invisible operators, bidirectional isolates
    (0x2800, 0x2800),  # braille pattern without dots
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # surrogates
    (0xE000, 0xF8FF),  # private use
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFF),  # specials
    (0x13430, 0x1345F),  # Egyptian joiners and blanks
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D159, 0x1D159),  # musical null notehead
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0x10FFFF),  # tags, variation selectors, private use planes
)
"""Ranges of code points, ends included, that no name or message may hold. They do not follow Unicode versions."""

SPACES: Final = (
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
"""Ranges of white space, besides U+0020, that no name or message may contain; it is harmless when shown."""


def _one_of(*ranges: tuple[int, int]) -> str:
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]"


_FORBIDDEN: Final = re.compile(_one_of(*FORBIDDEN))
_UNCLEAN: Final = re.compile(f"{_one_of(*FORBIDDEN, *SPACES)}|^ |  | $")


def is_permitted(text: str, limit: int) -> bool:
    """Return whether `text` is clean, its normal form aside.

    That is 1 to `limit` code points, none forbidden, single spaces within: the same on every machine, as verdicts on
    files depend on it.
    """
    return 0 < len(text) <= limit and not _UNCLEAN.search(text) and _assigned(text) == text


def is_clean(text: str, limit: int) -> bool:
    """Return whether a peer may send `text`: permitted, and in NFC."""
    return is_permitted(text, limit) and is_normal(text)


def is_normal(text: str) -> bool:
    """Return whether `text` is in NFC."""
    return unicodedata.is_normalized("NFC", text)


def is_visible(text: str) -> bool:
    """Return whether any code point of `text` is visible by itself, as a combining mark is not.

    This depends on the machine's version of Unicode, so it is for names in a handshake, never for files.
    """
    return any(unicodedata.category(character)[0] not in "MZ" for character in text)


def is_name(text: str) -> bool:
    """Return whether `text` is valid as the user's own name."""
    return is_clean(text, MAX_NAME) and is_visible(text)


def cleaned(text: str, limit: int, default: str) -> str:
    """Return the nearest text to `text` that is clean, or `default` if nothing is left of it: for a user's input."""
    kept = _FORBIDDEN.sub("", " ".join(unicodedata.normalize("NFC", text).split()))
    kept = " ".join(unicodedata.normalize("NFC", _assigned(kept)).split())[:limit].strip()
    return kept if is_clean(kept, limit) else default


def _assigned(text: str) -> str:
    """Return `text` without code points that Unicode 14.0 leaves unassigned."""
    if text.isascii():
        return text
    from p2p_shanghaien.unassigned import is_unassigned  # noqa: PLC0415 - a table that few texts need

    return "".join(character for character in text if not is_unassigned(character))


def printable(text: object) -> str:
    """Return `text` with every forbidden character as an escape: safe to show on any terminal."""
    shown = str(text)
    # nearly all text, and seen many times faster
    if shown.isascii() and shown.isprintable():
        return shown
    return _FORBIDDEN.sub(_escaped, shown)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the one of `known` that `word` may be a misspelling of, whatever its case, if there is any.

    `alike` is the least share of characters in common, as by difflib.
    """
    folded = {each.casefold(): each for each in known}
    return next((folded[each] for each in get_close_matches(word.casefold(), folded, 1, alike)), None)


class Listed(tuple[str, ...]):
    """Words for an enumeration in a sentence, with an "and" before the last one."""

    __slots__ = ()
