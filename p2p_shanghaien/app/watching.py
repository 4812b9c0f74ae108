"""Watching a game at somebody else's table: connect, verify, keep the log, come back (protocol/SPEC.md, 4.16).

As in the lobby, nothing here prints or asks; errors are those of `errors`.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Final

from p2p_shanghaien.errors import AppCode, CannotConnect, ConnectionLost, FairplayCode, Malformed, SessionCode
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import Bye, HungUp, InvitationNeeded
from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.preface import NotOurGame
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.fairplay.watching import Watched, WatchingStopped
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.relay_client import Notify, RelayTable, call
from p2p_shanghaien.net.transport import connect
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.dialer import FIRST_DELAY, MAX_DELAY
from p2p_shanghaien.session.ports import Link, SecureLink
from p2p_shanghaien.session.secure_link import calling
from p2p_shanghaien.store.data import keep_data
from p2p_shanghaien.store.watched import WatchedLog

__all__ = ["Watching"]

_REFUSALS: Final[Mapping[Bye | None, AppCode]] = {
    Bye.NOT_WATCHABLE: AppCode.NOT_WATCHABLE,
    Bye.BUSY: AppCode.WATCHERS_FULL,
}
_SOON: Final = 1.0
"""Seconds after which a host that has shown nothing is taken to wait for its guest."""


class Watching:
    """A place from which the games at a host's table are watched, with the `invitation` to that, if there is one.

    Their logs are kept in `folder`. `notify` is told what becomes of the connection. If the table needs an invitation
    and there is none, `ask_invitation` is asked.
    """

    def __init__(
        self,
        folder: Path,
        where: Address | RelayTable,
        invitation: Invitation | None,
        notify: Notify,
        ask_invitation: Callable[[], Awaitable[Invitation]] | None = None,
    ) -> None:
        self._folder = folder
        self._where = where
        self._invitation = invitation
        self._notify = notify
        self._ask_invitation = ask_invitation
        self._watched = self._watcher()
        self._log: WatchedLog | None = None
        self._has_met = False
        """True once the host has answered: from then on a connection that cannot be made is tried again."""
        self.is_connected = True
        """False while the host is away."""

    @property
    def report(self) -> Report | None:
        """The verdict on the log of the game that was watched last, if there is one."""
        return self._watched.report

    @property
    def path(self) -> Path | None:
        """The log of the game that was watched last, if there is one."""
        return self._log.path if self._log else None

    async def reports(self) -> AsyncGenerator[Report, None]:
        """Yield the verdict on the log whenever it has grown, and when the connection is lost or found again.

        It ends when the host leaves. Another game has another session. Raises CannotConnect, WatchingStopped where
        there is nothing more to be watched here, and LocalError.
        """
        pause = 0.0
        try:
            while True:
                try:
                    async with aclosing(self._connected()) as grown:
                        async for report in grown:
                            pause = 0.0
                            yield report
                except (CannotConnect, ConnectionLost) as error:
                    if self._has_come_to_its_end(error):
                        return
                    if await self._has_invitation_now(error):
                        continue
                    if not self._can_be_tried_again(error):
                        raise
                    if self.is_connected:
                        self.is_connected = False
                        self._notify("watching_interrupted", reason=error)
                        if self._watched.report:
                            yield self._watched.report
                await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - no secret
                pause = min(max(FIRST_DELAY, 2 * pause), MAX_DELAY)
        finally:
            if self._log:
                self._log.close()

    def _watcher(self) -> Watched:
        return Watched(RULES, self._invitation.host if self._invitation else None, self._open)

    def _open(self, session: bytes) -> bytes:
        """Open the log of a session, of which there may be something already. Raises LocalError."""
        if self._log:
            self._log.close()
        self._log = WatchedLog.open(self._folder, session)
        return self._log.kept

    def _has_come_to_its_end(self, error: CannotConnect | ConnectionLost) -> bool:
        """Return whether the host has left, or is gone after a whole game."""
        report = self._watched.report
        is_complete = report is not None and report.verdict == Verdict.COMPLETE
        is_gone = is_complete and isinstance(error, CannotConnect)
        return is_gone or (isinstance(error, HungUp) and error.reason == Bye.LEAVING)

    async def _has_invitation_now(self, error: CannotConnect | ConnectionLost) -> bool:
        """Ask for an invitation where that is what was missing; return whether there is one by now."""
        if not isinstance(error, InvitationNeeded) or self._ask_invitation is None:
            return False
        self._invitation = await self._ask_invitation()
        self._watched, self._has_met = self._watcher(), False
        return True

    def _can_be_tried_again(self, error: CannotConnect | ConnectionLost) -> bool:
        match error:
            case WatchingStopped() | NotOurGame() | InvitationNeeded() | HungUp(reason=Bye.WRONG_INVITATION):
                return False
        # a host that is just being started again knows nobody's key for a moment
        return self._has_met

    async def _connected(self) -> AsyncGenerator[Report, None]:
        """Yield reports as long as one connection lasts. Raises CannotConnect and ConnectionLost."""
        where = self._where
        raw = await (connect(where) if isinstance(where, Address) else call(where, self._notify))
        try:
            link = await self._secured(raw)
            raw.settled()
            self._has_met = True
            await link.send(self._watched.start())
            if not self.is_connected:
                self.is_connected = True
                self._notify("watching_again")
                if self._watched.report:
                    yield self._watched.report
            while True:
                if self._takes(await self._frame(link)) and self._watched.report:
                    yield self._watched.report
        finally:
            await raw.close()

    async def _secured(self, raw: Link) -> SecureLink:
        """Open the channel. Raises CannotConnect and ConnectionLost."""
        key = self._invitation.channel_key if self._invitation else NO_KEY
        try:
            async with asyncio.timeout(HANDSHAKE):
                return await calling(key, secrets.token_bytes)(raw)
        except TimeoutError:
            raise CannotConnect(SessionCode.HANDSHAKE_TIMED_OUT) from None

    async def _frame(self, link: SecureLink) -> bytes:
        """Return the next frame. Raises ConnectionLost."""
        if self._watched.report is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_SOON):
                    return await link.receive()
            self._notify("watching_waits")
        return await link.receive()

    def _takes(self, frame: bytes) -> bool:
        """Return whether a frame of the host has brought anything, which is kept by then.

        Raises WatchingStopped, InvitationNeeded, HungUp and LocalError.
        """
        try:
            return self._watched.receive(frame)
        except HungUp as bye:
            if bye.reason == Bye.INVITATION_NEEDED and not self._invitation:
                raise InvitationNeeded from None
            if code := _REFUSALS.get(bye.reason):
                raise WatchingStopped(code) from None
            raise
        except Malformed as error:
            raise WatchingStopped(FairplayCode.CANNOT_WATCH, reason=error) from None
        finally:
            # also what came before an entry that ends it
            if self._log and self._watched.report:
                if self._watched.session and not self._log.is_begun:
                    game = self._watched.session.game
                    for data in game.named_data().values():
                        keep_data(self._folder, data)
                    for news, details in game.data_news():
                        self._notify(news, **details)
                self._log.write(self._watched.data)
