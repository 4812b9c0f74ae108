"""Hints whose figures are known beforehand, and that take as long as a test likes."""

import asyncio
from collections.abc import Sequence

from p2p_shanghaien.errors import AppCode, LocalError
from p2p_shanghaien.games.api import State
from p2p_shanghaien.players import Option, PositionValue


class Adviser:
    """Advises that the last choice is the best, with a chance of 0.7, and each before it is worth 0.1 less.

    While it is `held` it does not answer. `asked` counts how often it was asked.
    """

    def __init__(self, failure: str = "") -> None:
        self.asked = 0
        self._failure = failure
        self._free = asyncio.Event()
        self._free.set()

    def hold(self) -> None:
        self._free.clear()

    def answer(self) -> None:
        self._free.set()

    async def __call__(self, state: State, player: int) -> Sequence[Option]:
        self.asked += 1
        await self._free.wait()
        if self._failure:
            raise LocalError(AppCode.ADVICE_FAILED, reason=self._failure)
        legal = state.legal(player)[::-1]
        return [Option(action, PositionValue(0.7 - 0.1 * number, 1.5 - number)) for number, action in enumerate(legal)][
            ::-1
        ]


async def silent(state: State, player: int) -> Sequence[Option]:
    """There is nothing to be said."""
    return ()
