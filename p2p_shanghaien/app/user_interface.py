"""The user interface of a table, implemented by plain mode and full-screen mode."""

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from p2p_shanghaien.games.api import State, Transition
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.session.participant import Command, Observer


class UserInterface(Observer, Protocol):
    """A table of any kind, as a session and the commands use it: an observer with questions."""

    @property
    def is_interactive(self) -> bool:
        """True if a person at a terminal sees a question before answering it."""
        ...

    def thinks(self, name: str | None) -> None:
        """Show that `name` takes long over a decision; None: no longer."""

    def taken_back(self, earlier: Sequence[Transition], state: State) -> None:
        """Go back to the position `state`, which `earlier` steps led to: the user's last decision is taken back."""

    async def decide(self, state: State, player: int) -> str:
        """Return the legal action that the user chooses for `player`. May be cancelled.

        Raises Quit, and TakeBack in practice.
        """
        ...

    async def confirm(self, code: str, /, **details: object) -> bool:
        """Return whether the user says yes to the question of `code`. May be cancelled.

        Raises Quit, and TakeBack at the end of a game of practice.
        """
        ...

    async def tutored(self, mistake: Mistake, *, takes_back: bool) -> bool:
        """Show the mistake that the user's decision was; return whether they take it back, if `takes_back`.

        Raises Quit. May be cancelled.
        """
        ...

    async def ask(self, code: str, /, completions: Sequence[str] = (), **details: object) -> str:
        """Return the line typed in answer to `code`; empty if the user gives none. Raises Quit."""
        ...

    async def rematch(self) -> bool:
        """Return whether the user wants another game with the opponent of the one that has just ended.

        How that went is shown as well. Raises Quit. May be cancelled.
        """
        ...

    async def command(self) -> Command:
        """Return the user's next command besides decisions, in a game in which they play.

        Raises Quit. May be cancelled.
        """
        ...

    async def run_session(self, session: Coroutine[Any, Any, int]) -> int:
        """Run `session` at this table and return its exit code."""
        ...
