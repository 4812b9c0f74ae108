"""The guest's way to the host: calling it, and calling again (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.fairplay.handshake import BUSY, LEAVING, OTHER_SESSION, Handshake
from p2p_shanghaien.session.door import DEADLINE
from p2p_shanghaien.session.meeting import meet, say_bye
from p2p_shanghaien.session.parts import Connected, Link, Resumption

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 10.0
"""Seconds between calls: doubled each time."""

HOPELESS: Final = (OTHER_SESSION, f"peer_{OTHER_SESSION}", "other_version", "not_our_protocol")
"""What calling again does not mend: somebody is there, and it is not our game."""


class Call:
    """The gate of a guest. `dial` opens a connection, `handshake` makes our side of one for a new game."""

    def __init__(
        self,
        dial: Callable[[], Awaitable[Link]],
        handshake: Callable[[], Handshake],
        *,
        deadline: float = DEADLINE,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self._dial = dial
        self._handshake = handshake
        self._deadline = deadline
        self._longest_pause = longest_pause
        self._resumption: Resumption | None = None
        self._link: Link | None = None

    async def first(self) -> Connected:
        """The host, having proved its key. Raises CannotConnect."""
        try:
            return await self._meet(self._handshake())
        except CannotConnect as error:
            if error.code == OTHER_SESSION:
                # the host's hello names a game that has begun: its seat is taken
                raise CannotConnect(f"peer_{BUSY}") from None
            raise

    def expect(self, resumption: Resumption | None) -> None:
        """Call for this game from now on."""
        self._resumption = resumption

    async def again(self) -> Connected:
        """Call until the host answers for our game. Raises CannotConnect where that cannot come."""
        assert self._resumption is not None, "only a game can be taken up again"
        pause = min(FIRST_PAUSE, self._longest_pause)
        while True:
            try:
                connected = await self._meet(self._resumption.handshake())
            except CannotConnect as error:
                if error.code in HOPELESS:
                    raise
            else:
                if self._resumption.accepts(connected.established):
                    return connected
                await say_bye(connected.link, OTHER_SESSION)
                await connected.link.close()
                raise CannotConnect(OTHER_SESSION)
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._longest_pause)

    async def release(self) -> None:
        """Say good-bye and hang up."""
        if self._link:
            await say_bye(self._link, LEAVING)
            await self._link.close()

    async def _meet(self, handshake: Handshake) -> Connected:
        link = await self._dial()
        try:
            async with asyncio.timeout(self._deadline):
                established = await meet(link, link.receive, handshake)
        except TimeoutError:
            await link.close()
            raise CannotConnect("handshake_timed_out") from None
        except BaseException:
            await link.close()
            raise
        self._link = link
        return Connected(link, established)
