"""A person who thinks for a long time costs nobody the connection."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_shanghaien.games.api import State
from p2p_shanghaien.net import transport
from tests.faults.sitting import check_finished, game, play, seats
from tests.session.memory import Decisive

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

KEEPALIVE = 0.1
"""Seconds between pings, and as many until the answer is missed: a two-hundredth of the real ones."""

TEN_MINUTES = 600 * KEEPALIVE / 20


class Thinker(Decisive):
    """Takes its time once, then plays as others do."""

    has_thought = False

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        if not self.has_thought:
            self.has_thought = True
            await asyncio.sleep(TEN_MINUTES)
        return await super().decide(state, player, legal)


@pytest.mark.parametrize("seat", [0, 1])
async def test_ten_minutes_at_the_prompt_keep_the_connection(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ping_interval", "ping_timeout"):
        monkeypatch.setitem(transport._BOTH_SIDES, name, KEEPALIVE)
    both = seats(0)
    both[seat].side = replace(both[seat].side, decider=Thinker(random.Random(seat)))
    begun = asyncio.get_running_loop().time()
    lines = await play(*both, game(0))
    assert asyncio.get_running_loop().time() - begun >= TEN_MINUTES
    assert len(lines) == 1
    check_finished(*both)
