"""The preface: the first frame in each direction, which says who speaks which versions (protocol/SPEC.md, 4.3)."""

import struct
from typing import Final

from p2p_shanghaien.errors import CannotConnect, FairplayCode

__all__ = ["VERSIONS", "OtherVersion", "parse_preface", "preface"]

MAGIC: Final = b"p2p-shanghaien"
VERSIONS: Final = (1,)
"""The supported protocol versions, best last."""

MAX_VERSIONS: Final = 32
"""The limit of versions in a preface and in a hello."""


class NotOurGame(CannotConnect):
    """There is a host, but not for our game: another attempt does not help."""


class OtherVersion(NotOurGame):
    """The peer speaks other versions of the protocol; `theirs` and `ours` list them."""

    def __init__(self, theirs: str, ours: str) -> None:
        super().__init__(FairplayCode.OTHER_VERSION, theirs=theirs, ours=ours)
        self.theirs = theirs
        self.ours = ours


def preface(versions: tuple[int, ...] = VERSIONS) -> bytes:
    """Return the first frame in each direction: the magic word, then 2 bytes for each version.

    It has this form in every version of the protocol.
    """
    return MAGIC + struct.pack(f">{len(versions)}H", *versions)


def parse_preface(frame: bytes) -> tuple[int, ...]:
    """Return the versions that the peer supports. Raises NotOurGame for another kind of program."""
    numbers = frame[len(MAGIC) :]
    if not frame.startswith(MAGIC) or not 2 <= len(numbers) <= 2 * MAX_VERSIONS or len(numbers) % 2:
        raise NotOurGame(FairplayCode.NOT_OUR_PROTOCOL)
    return struct.unpack(f">{len(numbers) // 2}H", numbers)


def check_version(theirs: tuple[int, ...]) -> None:
    """Raise OtherVersion unless we speak a version of the peer's, too."""
    if not set(theirs) & set(VERSIONS):
        raise OtherVersion(_listed(theirs), _listed(VERSIONS))


def _listed(versions: tuple[int, ...]) -> str:
    return ", ".join(str(version) for version in versions)
