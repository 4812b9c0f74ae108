"""News of visitors that a host turns away: why, once each, and no more of them than a person can read."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.fairplay.channel import WrongInvitation
from p2p_shanghaien.fairplay.handshake import Bye, InvitationNeeded, OtherSession, Refused
from p2p_shanghaien.fairplay.preface import OtherVersion
from p2p_shanghaien.session.rate_limit import RateLimit

SHOWN: Final = 5, 1 / 60
"""Visitors turned away that are shown at once, and for each further second: whoever has many addresses fills no
screen."""

BUSY: Final = "turned_away_busy"
"""The code of the news that somebody came while the seat was taken."""


class Notify(Protocol):
    """A listener to news, such as `Observer.notify`."""

    def __call__(self, code: str, /, **details: object) -> None: ...


def nobody(code: str, /, **details: object) -> None:
    """Tell nobody."""


class Visitors:
    """Tells `notify` of visitors that were turned away, once for each address and reason.

    Nonsense and silence are not worth telling: nobody wanted to play. Nothing is told but numbers and the address,
    which no visitor can choose.
    """

    def __init__(self, notify: Notify, clock: Callable[[], float] = time.monotonic) -> None:
        self._notify = notify
        self._limit = RateLimit(*SHOWN, clock)
        self._told: set[tuple[str, str]] = set()
        self._flooded = False

    def failed(self, address: str, error: CannotConnect, *, taken: bool) -> None:
        """Tell why no handshake came about with a visitor from `address`; `taken` if a game was being played."""
        match error:
            case OtherVersion():
                self.turned_away(address, "turned_away_version", theirs=error.theirs, ours=error.ours)
            case WrongInvitation() | InvitationNeeded() | Refused(reason=Bye.WRONG_INVITATION):
                self.turned_away(address, "turned_away_invitation")
            case OtherSession() | Refused(reason=Bye.OTHER_SESSION):
                self.turned_away(address, BUSY if taken else "turned_away_other_game")

    def turned_away(self, address: str, code: str, **details: object) -> None:
        """Tell of a visitor that was turned away, unless that has been told or too many were."""
        if (address, code) in self._told:
            return
        if self._limit.allows():
            self._told.add((address, code))
            self._notify(code, address=address, **details)
        elif not self._flooded:
            self._flooded = True
            self._notify("turned_away_more")
