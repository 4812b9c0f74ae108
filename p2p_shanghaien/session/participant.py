"""The local player of a session: its observer, its decisions, and its commands. Values and protocols alone."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Game, State, Step


class Observer(Protocol):
    """An observer of the local seat."""

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        """The starter is drawn: `names` by player, `me` our player, None for a mere observer.

        A resumed game is at `state`.
        """

    def drew(self, draw: Drew, ours: bool) -> None:
        """A draw was decided, and the step that it leads to follows; `ours` if we committed to it."""

    def stepped(self, before: State, step: Step, after: State) -> None:
        """A step was made."""

    def notify(self, code: str, /, **details: object) -> None:
        """There is other news."""


@dataclass(frozen=True)
class Chat:
    """A line of chat for the peer; clean, as `text.is_clean` defines it for chat."""

    text: str


@dataclass(frozen=True)
class Resign:
    """A command to resign."""


@dataclass(frozen=True)
class Offer:
    """A command to offer to abandon the game by consent."""


@dataclass(frozen=True)
class Accept:
    """A command to accept the peer's offer to abandon the game."""


@dataclass(frozen=True)
class Recounted:
    """News that so many watch by now."""

    count: int


Command: TypeAlias = Chat | Resign | Offer | Accept
"""A command in a game besides decisions."""


class Decider(Protocol):
    """The one who decides at the local seat: a person or a computer player."""

    async def agrees(self, code: str, /, **details: object) -> bool:
        """Return whether to accept what is asked: the options, or the opponent."""

    def stop_waiting(self, code: str, /, **details: object) -> Coroutine[Any, Any, None] | None:
        """Return once the local player no longer waits for what `code` says of the peer; None if it always waits."""

    async def decide(self, state: State, player: int) -> str:
        """Return a legal action of `player`."""

    def command(self) -> Coroutine[Any, Any, Command] | None:
        """Return the next command besides decisions, whoever is to decide; None if there never is one."""

    async def again(self) -> int:
        """Return the answer to another game with the same opponent: one of `notes.AGAINS`."""

    async def challenges(self, name: str) -> bool:
        """Return whether to challenge the opponent, who has left and is called `name`, to a rematch some other time."""
