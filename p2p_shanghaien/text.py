"""Which characters a peer may send, and how untrusted text is made printable (protocol/SPEC.md, section 13)."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

MAX_NAME: Final = 32
"""Code points of a display name."""

MAX_CHAT: Final = 400
"""Code points of a chat line."""

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
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # surrogates
    (0xE000, 0xF8FF),  # private use
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFF),  # specials
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0x10FFFF),  # tags, variation selectors, private use planes
)
"""Ranges of code points, ends included, that no name or message may hold. They do not follow Unicode versions."""

_FORBIDDEN: Final = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in FORBIDDEN) + "]")


def is_clean(text: str, limit: int) -> bool:
    """Whether a peer may send `text`: 1 to `limit` code points in NFC, none forbidden, no space at either end."""
    return (
        0 < len(text) <= limit
        and text == text.strip()
        and unicodedata.is_normalized("NFC", text)
        and not _FORBIDDEN.search(text)
    )


def cleaned(text: str, limit: int, default: str) -> str:
    """The nearest text to `text` that is clean, or `default` if nothing is left of it. For our own person's input."""
    kept = _FORBIDDEN.sub("", unicodedata.normalize("NFC", text))
    kept = unicodedata.normalize("NFC", kept).strip()[:limit].strip()
    return kept if is_clean(kept, limit) else default


def printable(text: object) -> str:
    """`text` with every forbidden character written as an escape: safe to show on any terminal."""
    return _FORBIDDEN.sub(_escaped, str(text))


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the one of `known` that `word` may be a slip for, capitals aside, if there is any.

    `alike` is the least share of characters in common, as by difflib.
    """
    folded = {each.casefold(): each for each in known}
    return next((folded[each] for each in get_close_matches(word.casefold(), folded, 1, alike)), None)
