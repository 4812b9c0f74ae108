"""One seat in a process of its own, which can be killed or stopped at a chosen step: `SEAT HOMES PORT FATE STEP`.

FATE is `live`, `die` (without any farewell) or `stop` (SIGSTOP; somebody else has to send SIGCONT). What was told is
printed at the end.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import Connection, connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.series import Series
from tests.faults.mortal import Life, MortalLink, Player, play_on
from tests.faults.sitting import KEEPALIVE
from tests.toy import Toy

KILLED = 9
GAME = Toy(2)
LAST_WORD = 3.0
"""Seconds in which a program that was killed is up again."""


class Sleeper(Life):
    """One that stops for a while instead of dying."""

    def step(self, what: str) -> None:
        self.steps.append(what)
        if len(self.steps) == self.last:
            os.kill(os.getpid(), signal.SIGSTOP)


@asynccontextmanager
async def hosting(life: Life, port: int, side: Side) -> AsyncIterator[Series]:
    hello = partial(side.host_hello, GAME)
    door = Listener(side.secure(Role.HOST), partial(side.handshake, hello))

    async def receive(connection: Connection) -> None:
        await door.receive(MortalLink(connection, life))

    async with serve(receive, "127.0.0.1", port, KEEPALIVE):
        try:
            yield Series(side, door, hello)
        finally:
            await door.release()


@asynccontextmanager
async def joining(life: Life, port: int, side: Side) -> AsyncIterator[Series]:
    async def dial() -> MortalLink:
        return MortalLink(await connect(Address("127.0.0.1", port), keepalive=KEEPALIVE), life)

    handshake = partial(side.handshake, side.guest_hello)
    calling = Dialer(dial, side.secure(Role.GUEST), handshake, longest_pause=0.1)
    try:
        yield Series(side, calling, side.guest_hello)
    finally:
        await calling.release()


async def main(seat: int, homes: Path, port: int, fate: str, step: int) -> None:
    player = Player(seat, homes, seed=0, last_word=LAST_WORD)
    life = Life()
    if fate == "die":
        life = Life(step, kill=partial(os._exit, KILLED))
    elif fate == "stop":
        life = Sleeper(step)
    await play_on(player, life, partial(hosting if seat == 0 else joining, life, port))
    print(*player.onlooker.codes)


if __name__ == "__main__":
    words = sys.argv[1:]
    asyncio.run(main(int(words[0]), Path(words[1]), int(words[2]), words[3], int(words[4])))
