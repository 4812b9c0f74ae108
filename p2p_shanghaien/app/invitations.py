"""Invitations as a host hands them over: the invitation itself, and the relay where it is of use, if there is one."""

import re
from dataclasses import dataclass
from typing import Final

from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import GROUP_SIZE, GROUPS, read, written
from p2p_shanghaien.net.addresses import RelayAddress, parse_relay

_NEARLY: Final = GROUPS - 2
"""Groups from which on something is taken for an invitation."""


@dataclass(frozen=True)
class Invited:
    """An invitation as a guest was sent it, with the relay at which the host waits, or None."""

    invitation: Invitation
    relay: RelayAddress | None = None

    def __str__(self) -> str:
        """Return the line to hand over: the relay as it was given, a slash, 13 groups."""
        groups = written(self.invitation)
        return f"{self.relay}/{groups}" if self.relay else groups


def is_invited(text: str) -> bool:
    """Return whether a line is meant as an invitation, however mistyped: it ends with nearly as many groups.

    They may be written together; neither an address nor the name of a game has so many characters, but for hexadecimal
    digits.
    """
    words = re.findall("[0-9A-Za-z]+", text.rpartition("/")[2])
    together = len(words) == 1 and len(words[0]) > _NEARLY * GROUP_SIZE and re.search("[g-z]", words[0].lower())
    return len(words) >= _NEARLY or bool(together)


def read_invited(text: str) -> Invited:
    """Return what a typed or pasted line says. Raises Malformed for the groups, UsageError for the relay."""
    relay, slash, groups = text.rpartition("/")
    return Invited(read(groups), parse_relay(relay) if slash else None)
