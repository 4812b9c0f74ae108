"""Our side of a session: who observes it, who decides, and what can be said besides. Values and protocols alone."""

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.games.api import Game, State, Step


class Watcher(Protocol):
    """Whoever looks on at our side of the table."""

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        """The starter is drawn: `names` by player, `me` our player, None where we merely look on.

        A game taken up again has come to `state`.
        """

    def drew(self, draw: Drew, ours: bool) -> None:
        """Chance has spoken, and the step that it leads to follows; `ours` is whether our side committed to it."""

    def stepped(self, before: State, step: Step, after: State) -> None:
        """The game moved on."""

    def told(self, code: str, /, **details: object) -> None:
        """Other news."""


@dataclass(frozen=True)
class Say:
    """A line for the other side to read; clean, as `text.is_clean` says of chat."""

    text: str


@dataclass(frozen=True)
class Resign:
    """Our side gives the game up."""


@dataclass(frozen=True)
class Offer:
    """Our side would abandon the game by consent."""


@dataclass(frozen=True)
class Accept:
    """Our side accepts the other's offer to abandon the game."""


Remark: TypeAlias = Say | Resign | Offer | Accept
"""What one can say in a game besides deciding."""


class Decider(Protocol):
    """Whoever decides on our side: a person or a computer player."""

    async def agrees(self, code: str, /, **details: object) -> bool:
        """Whether to go on with what is asked: the options, or who has come."""

    def stop_waiting(self, code: str, /, **details: object) -> Coroutine[Any, Any, None] | None:
        """Return once our side no longer wants to wait for what `code` says of the peer; None if it always waits."""

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        """One of `legal`."""

    def remark(self) -> Coroutine[Any, Any, Remark] | None:
        """The next thing said besides deciding, whoever is to decide; None if nothing ever is."""

    async def again(self) -> int:
        """Another game with the same opponent: one of `notes.AGAINS`."""
