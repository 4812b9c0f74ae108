"""A person who thinks for a long time costs nobody the connection."""

import asyncio
import random
from dataclasses import replace

import pytest

from p2p_shanghaien.games.api import State
from tests.faults.sitting import MINUTE, check_finished, game, play, seats
from tests.session.memory import Decisive
from tests.sweeps import sweep

TEN_MINUTES = 10 * MINUTE

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets, pytest.mark.timeout(TEN_MINUTES + 60)]


class Thinker(Decisive):
    """Takes its time once, then plays as others do."""

    has_thought = False

    async def decide(self, state: State, player: int) -> str:
        if not self.has_thought:
            self.has_thought = True
            await asyncio.sleep(TEN_MINUTES)
        return await super().decide(state, player)


@pytest.mark.thorough
@sweep("seat", [0, 1], every=2)
async def test_ten_minutes_at_the_prompt_keep_the_connection(seat: int) -> None:
    both = seats(0)
    both[seat].side = replace(both[seat].side, decider=Thinker(random.Random(seat)))
    begun = asyncio.get_running_loop().time()
    lines = await play(*both, game(0), longest=TEN_MINUTES + 30)
    assert asyncio.get_running_loop().time() - begun >= TEN_MINUTES
    assert len(lines) == 1
    check_finished(*both)
