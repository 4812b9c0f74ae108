"""An answer while the peer claims to have more entries than we: it waits for its turn, and nothing spins."""

import asyncio
import random
from dataclasses import replace

from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.session.negotiation import complete_handshake
from tests.session.memory import Decisive, seat, settled
from tests.session.test_listener import Hall


class Ponderer(Decisive):
    """Decides only when `may_decide`."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.may_decide = asyncio.Event()
        self.asked = asyncio.Event()
        self.count = 0

    async def decide(self, state: State, player: int) -> str:
        self.count += 1
        self.asked.set()
        await self.may_decide.wait()
        return await super().decide(state, player)


async def test_a_side_that_must_wait_for_entries_is_not_asked_over_and_over() -> None:
    rng = random.Random(5)
    hall, guest = Hall(rng), seat("Gustav", rng)
    ponderer = Ponderer(rng)
    hall.host.side = replace(hall.host.side, decider=ponderer, patience=None)
    playing = asyncio.create_task(hall.visit(guest))
    await asyncio.wait_for(ponderer.asked.wait(), 5)
    hall.network.is_down = True
    await hall.network.cut()
    await settled()
    # somebody with the guest's key claims to have more, and never shows it
    log = hall.host.logs[0]
    head = Head(len(verify(log.data, RULES).entries) + 2, bytes(32))
    link, _ = hall.knock()
    hello = guest.side.guest_hello(link.secured.channel)._replace(resumes=log.session)
    await complete_handshake(link, link.receive, Handshake(guest.side.identity, hello, VERSIONS, head=head))
    await settled()
    ponderer.may_decide.set()
    await asyncio.sleep(0.05)
    assert ponderer.count == 1
    assert hall.host.onlooker.codes.count("not_your_turn") == 1
    # the guest itself comes back: the decision is asked for again, and the game goes on
    await link.close()
    hall.network.is_down = False
    await asyncio.wait_for(playing, 10)
    await asyncio.wait_for(hall.hosting, 10)
    assert hall.host.logs[0].data == guest.logs[0].data
    assert verify(log.data, RULES).verdict == Verdict.COMPLETE
    await hall.close()
