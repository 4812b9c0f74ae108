"""A person's place at a table, however it is shown: line mode's and the full screen's are of this kind."""

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, runtime_checkable

from p2p_shanghaien.games.api import Game, State, Step
from p2p_shanghaien.ui.talk import Remark


@runtime_checkable
class Place(Protocol):
    """`ui.line.LineTable` says what each of these does."""

    def begun(self, game: Game, names: tuple[str, str], me: int | None, state: State | None = None) -> None: ...

    def told(self, code: str, /, **details: object) -> None: ...

    def drew(self, draw: Any) -> None: ...

    def stepped(self, before: State, step: Step, after: State) -> None: ...

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str: ...

    async def confirm(self, code: str, /, **details: object) -> bool: ...

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str: ...

    async def remark(self) -> Remark: ...

    async def attend(self, session: Coroutine[Any, Any, int]) -> int: ...
