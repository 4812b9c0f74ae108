"""Names that look alike, by Unicode's confusables (UTS 39): for warnings to the user, never for a verdict."""

import re
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

_SIGNS: Final = re.compile(r"[\W_]+")
_MARK: Final = "\u200e"


def look_alike(one: str, other: str) -> bool:
    """Return whether a hasty reader takes one name for the other."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


@lru_cache(maxsize=1024)
def _skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of `name`.

    Lower-case letters resemble other characters than upper-case ones: I l, but i does not.
    """
    return frozenset({_skeleton(name), _skeleton(name.casefold())})


def _skeleton(name: str) -> str:
    """Return the letters and digits that `name` resembles, without case; the name itself if it has none."""
    resembled = _bare("".join(map(_prototype, _bare(name)))).casefold()
    # resemblance continues in the other case: 0 looks like O, and so does o
    resembled = "".join(map(_prototype, resembled)).casefold()
    return _SIGNS.sub("", resembled) or name


def _bare(text: str) -> str:
    """Return `text` without marks on its letters."""
    return "".join(character for character in normalize("NFKD", text) if category(character)[0] != "M")


@lru_cache(maxsize=1024)
def _prototype(character: str) -> str:
    """Return the representative of all characters that look like `character`.

    The library lists, under each character, those that look like it. One represents all the others, and is the only one
    listed under them.
    """
    listed = _listed(character)
    if len(listed) != 1:
        return character
    (other,) = listed
    if len(other) > 1 or len(_listed(other)) > 1:
        return other
    return min(character, other)


def _listed(text: str) -> list[str]:
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - it takes a while to read

    # right-to-left characters stand between directional marks
    others = confusables_data.get(text) or confusables_data.get(f"{_MARK}{text}{_MARK}", ())
    return [other["c"].strip(_MARK) for other in others]
