"""A participant without a person."""

from collections.abc import Callable
from functools import partial

from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE
from p2p_shanghaien.games.api import State
from p2p_shanghaien.waiting import if_long


class Machine:
    """A participant that agrees to everything, waits as long as it takes, and never chats.

    If a decision takes long, `thinks` is called with `name`, and with None when it is over.
    """

    def __init__(self, name: str, thinks: Callable[[str | None], None]) -> None:
        self._name = name
        self._thinks = thinks

    async def decide(self, state: State, player: int) -> str:
        try:
            with if_long(partial(self._thinks, self._name)):
                return await self._decide(state, player)
        finally:
            self._thinks(None)

    async def _decide(self, state: State, player: int) -> str:
        """Return the decision, without a notice."""
        raise NotImplementedError

    async def agrees(self, code: str, /, **details: object) -> bool:  # noqa: ARG002
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:  # noqa: ARG002
        return None

    def command(self) -> None:
        return None

    async def again(self) -> int:
        return IF_YOU_LIKE

    async def challenges(self, name: str) -> bool:  # noqa: ARG002
        return False
