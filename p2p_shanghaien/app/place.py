"""A person's place at a table, however it is shown: line mode's and the full screen's are of this kind."""

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, runtime_checkable

from p2p_shanghaien.games.api import State
from p2p_shanghaien.session.participant import Remark, Watcher


@runtime_checkable
class Place(Watcher, Protocol):
    """A table of any kind, as a session and the commands use it: an observer with questions."""

    @property
    def attended(self) -> bool:
        """True where somebody sits there and sees a question before answering it."""
        ...

    def thinks(self, name: str | None) -> None:
        """Show that `name` takes long over a decision; None: no longer."""

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        """Return the action, one of `legal`, that the person chooses for `player`. Raises Quit. May be cancelled."""
        ...

    async def confirm(self, code: str, /, **details: object) -> bool:
        """Return whether the person says yes to the question of `code`. Raises Quit. May be cancelled."""
        ...

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str:
        """Return the line that is typed when asked `code`; empty where the person would rather not. Raises Quit."""
        ...

    async def remark(self) -> Remark:
        """Return what the person says besides deciding, in a game in which they play. Raises Quit. May be cancelled."""
        ...

    async def attend(self, session: Coroutine[Any, Any, int]) -> int:
        """Run `session` at this table and return its exit code."""
        ...
