"""How long the peer may take: a deadline for every wait in which it could hold us up for nothing (SPEC 4.13)."""

import asyncio
from typing import Final, NamedTuple

from p2p_shanghaien.fairplay.hello import Position
from p2p_shanghaien.fairplay.peer import Peer

HANDSHAKE: Final = 10.0
"""Seconds for a handshake and, where nobody has to be asked, for agreeing to the game."""

PROGRAM: Final = 60.0
"""Seconds for whatever else a program says without its person, once the game has begun."""

PERSON: Final = 300.0
"""Seconds for the person at the peer to agree to a game, or to say whether they want another."""


class Deadlines(NamedTuple):
    """The deadlines of one side, in seconds. None is extended by anything but what is waited for."""

    handshake: float = HANDSHAKE
    program: float = PROGRAM
    person: float = PERSON


class Due:
    """When the peer's program must have continued the chain, by the event loop's clock."""

    def __init__(self, within: float) -> None:
        self._within = within
        self._due: tuple[Position, float] | None = None
        self.opening: float | None = None
        """Seconds for a host to open the game, instead, while it may still ask its person."""

    def at(self, peer: Peer) -> float | None:
        """Return the time at which what `peer` waits for is overdue; None while it waits for no program."""
        if not peer.awaits_program:
            self._due = None
            return None
        if self._due is None or self._due[0] != peer.position:
            within = self._within if self.opening is None else self.opening
            self._due = peer.position, asyncio.get_running_loop().time() + within
        return self._due[1]

    def restart(self) -> None:
        """Count from now on: there is a new connection, over which nobody has to be asked any more."""
        self._due = self.opening = None
