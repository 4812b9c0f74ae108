"""Games with one opponent, from the handshake to the last "no, thank you"."""

from collections.abc import Callable
from functools import partial

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.handshake import LEAVING, Established
from p2p_shanghaien.fairplay.hello import Hello, Invitation
from p2p_shanghaien.fairplay.keys import SHARE_SIZE
from p2p_shanghaien.fairplay.match import begin
from p2p_shanghaien.fairplay.peer import Peer
from p2p_shanghaien.fairplay.transcript import opening
from p2p_shanghaien.session.drive import Driver
from p2p_shanghaien.session.mailbox import Mailbox
from p2p_shanghaien.session.meeting import Side, Table, meet, say_bye
from p2p_shanghaien.session.parts import Link, Opponent


class Series:
    """One or more games with whoever is at the other end of `link`.

    `hello` makes our hello, with a fresh nonce each time. `started` turns true with the first game that both agreed to.
    """

    def __init__(
        self, side: Side, link: Link, hello: Callable[[], Hello], invitation: Invitation | None = None
    ) -> None:
        self._side = side
        self._link = link
        self._mailbox = Mailbox(link)
        self._hello = hello
        self._invitation = invitation
        self._met = False
        self.started = False

    async def meet(self) -> Established:
        """The handshake. Raises CannotConnect."""
        established = await meet(self._link, self._mailbox, self._side.handshake(self._hello(), self._invitation))
        self._met = True
        return established

    async def play(self, established: Established) -> None:
        """Agree and play until one side has had enough. Raises what `Table.agree` and `Driver.play` raise."""
        driver: Driver | None = await self._sit_down(established)
        self.started = True
        while driver:
            await driver.play()
            driver = await self._again(driver)

    async def _again(self, last: Driver) -> Driver | None:
        """Sit down once more, if both want to. What goes wrong now takes nothing from the game that was played."""
        try:
            if not await last.another():
                return None
            return await self._sit_down(await self.meet(), last.opponent)
        except (CannotConnect, ConnectionLost) as error:
            self._side.watcher.told(error.code, **error.details)
            return None

    async def close(self, reason: str = LEAVING) -> None:
        """Hang up; whom we have met is told why."""
        await self._mailbox.close()
        if self._met:
            await say_bye(self._link, reason)
        await self._link.close()

    async def _sit_down(self, established: Established, before: Opponent | None = None) -> Driver:
        """Agree on a game, without asking our side where it has just played with the same opponent `before`."""
        side = self._side
        table = Table(side, self._link, self._mailbox, established)
        if before is None:
            table.introduce()
        elif table.opponent.key != before.key:
            raise CannotConnect("opponent_changed", name=before.name)
        session = await table.agree(ask=before is None)
        meeting = established.meeting
        secret = side.random_bytes(SHARE_SIZE)
        peer = Peer(
            begin(session),
            table.seat,
            side.identity,
            secret=secret,
            handshake=meeting.handshake,
            notes=table.notes,
        )
        first_bytes = opening(meeting.hellos, established.proofs)
        return Driver(
            peer,
            self._link,
            self._mailbox,
            side=side,
            opponent=table.opponent,
            start_log=partial(side.keep, session, table.seat, first_bytes, secret, self._link.remote),
        )


async def join_games(series: Series) -> None:
    """Meet the host and play. Raises CannotConnect, ConnectionLost or Violation."""
    try:
        await series.play(await series.meet())
    finally:
        await series.close()
