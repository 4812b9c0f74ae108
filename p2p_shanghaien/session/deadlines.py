"""Deadlines for every wait in which a peer could block us without cost (SPEC 4.14)."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, NamedTuple

from p2p_shanghaien.fairplay.endpoint import Endpoint

HANDSHAKE: Final = 10.0
"""Seconds for a handshake and, if no user has to be asked, for agreeing to the game."""

PROGRAM: Final = 60.0
"""Seconds for any other entry that a program makes without its user, once the game has begun."""

PERSON: Final = 300.0
"""Seconds for the peer's user to agree to a game, or to answer whether they want another."""


class Deadlines(NamedTuple):
    """The deadlines for one peer, in seconds. Nothing but the expected frame extends them."""

    handshake: float = HANDSHAKE
    program: float = PROGRAM
    person: float = PERSON


class Due:
    """The time, by the event loop's clock, by which the peer's program must have continued the chain."""

    def __init__(self, within: float) -> None:
        self._within = within
        self._due: tuple[int, float] | None = None
        """The number of the entry that is expected, and the time by which it is."""
        self.opening: float | None = None
        """Seconds for a host to open the game, instead, while it may still ask its user."""

    def limit(self, endpoint: Endpoint) -> AbstractAsyncContextManager[object]:
        """Return a block that raises TimeoutError once the entry that `endpoint` waits for is overdue.

        It lasts as long as it may if `endpoint` waits for no program.
        """
        if not endpoint.awaits_program:
            self._due = None
            return nullcontext()
        number = endpoint.match.number
        if self._due is None or self._due[0] != number:
            within = self._within if self.opening is None else self.opening
            self._due = number, asyncio.get_running_loop().time() + within
        return asyncio.timeout_at(self._due[1])

    def restart(self) -> None:
        """Count from now on: there is a new connection, over which no user has to be asked any more."""
        self._due = self.opening = None
