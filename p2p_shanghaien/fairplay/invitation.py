"""Invitations as text, to be read out, typed and pasted (protocol/SPEC.md, 4.9)."""

import re
from collections.abc import Sequence
from typing import Final

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.keys import INVITATION_SIZE

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The digits, without letters that look or sound like another or like a digit."""
LOOKALIKES: Final = str.maketrans("ILO", "110")
GROUPS: Final = 13
GROUP_SIZE: Final = 5
"""Four digits of 5 bits each, and a check digit."""
_BITS: Final = 8 * (INVITATION_SIZE + 16)


def written(invitation: Invitation) -> str:
    """Return the text of an invitation: 13 groups of 5 characters with hyphens between, 77 characters."""
    number = invitation.is_to_watch << _BITS | int.from_bytes(invitation.secret + invitation.host, "big")
    return "-".join(_group(place, number >> 20 * (GROUPS - place)) for place in range(1, GROUPS + 1))


def read(text: str) -> Invitation:
    """Return the invitation in typed `text`. Raises Malformed, which names the first wrong group."""
    typed = re.sub(r"[^0-9A-Za-z]", "", text).upper().translate(LOOKALIKES)
    number = 0
    for place in range(1, GROUPS + 1):
        group = [ALPHABET.find(character) for character in typed[GROUP_SIZE * (place - 1) : GROUP_SIZE * place]]
        if len(group) < GROUP_SIZE:
            raise Malformed(FairplayCode.INVITATION_INCOMPLETE, group=place, groups=GROUPS)
        *digits, check = group
        if -1 in group or check != _check(place, digits):
            raise Malformed(FairplayCode.INVITATION_MISTYPED, group=place, groups=GROUPS)
        for digit in digits:
            number = number << 5 | digit
    if len(typed) > GROUPS * GROUP_SIZE:
        raise Malformed(FairplayCode.INVITATION_TOO_LONG, groups=GROUPS)
    kind = number >> _BITS
    if kind > 1:
        raise Malformed(FairplayCode.INVITATION_MISTYPED, group=1, groups=GROUPS)
    data = (number % (1 << _BITS)).to_bytes(_BITS // 8, "big")
    return Invitation(data[:INVITATION_SIZE], data[INVITATION_SIZE:], is_to_watch=bool(kind))


def _group(place: int, number: int) -> str:
    digits = [number >> shift & 31 for shift in (15, 10, 5, 0)]
    return "".join(ALPHABET[digit] for digit in (*digits, _check(place, digits)))


def _check(place: int, digits: Sequence[int]) -> int:
    """Return a check digit that detects a wrong character, two exchanged ones, and groups in the wrong order."""
    return (place + sum(weight * digit for weight, digit in enumerate(digits, start=2))) % 31
