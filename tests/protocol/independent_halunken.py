"""Halunken & Spelunken for the second implementation: the plain table of the tests, as a match needs it.

The table was written from the rules of the game; the names and the encoding are those of protocol/SPEC.md, section 15.
"""

from collections.abc import Sequence
from typing import Any

from tests.games.halunken.table import Table
from tests.protocol.independent_game import Impossible


def settings_are_proper(settings: Sequence[Sequence[str]]) -> bool:
    """15.1: all settings, in order."""
    if [name for name, _ in settings] != ["blackjack", "hands", "theft"]:
        return False
    blackjack, hands, theft = (value for _, value in settings)
    return blackjack in ("on", "off") and hands in ("1", "3") and theft in ("takes", "may")


class Halunken:
    """A game under way. It changes as it goes on; `value` gives the state of 15.4."""

    def __init__(self, settings: Sequence[Sequence[str]]) -> None:
        blackjack, hands, theft = (value for _, value in settings)
        self.table = Table(blackjack == "on", int(hands), theft == "may")

    @property
    def player(self) -> int:
        """Return who decides in the open."""
        return self.table.player

    def value(self) -> Any:
        """15.4"""
        return _lists(self.table.encoded())

    def waits_for(self) -> str:
        """5.3: "draw", "choice", "action" or "end"."""
        kind = self.table.waits.split()[0]
        return {"turn": "action", "simultaneous": "choice", "over": "end"}.get(kind, kind)

    def bounds(self) -> list[int] | None:
        """15.5: the bounds of the draw that is waited for, None where none is."""
        return [int(bound) for bound in self.table.waits.split()[1:]] if self.waits_for() == "draw" else None

    def draw(self, indices: Sequence[int]) -> None:
        """15.5"""
        self.table.draw(indices)

    def legal(self, player: int) -> set[str]:
        """15.6"""
        return self.table.legal(player)

    def act(self, action: str) -> None:
        """Carry out a decision in the open."""
        if action not in self.table.legal(self.player):
            raise Impossible(action)
        self.table.act(action)

    def choose(self, actions: Sequence[str]) -> None:
        """5.7: both choices, player 0's first."""
        if any(action not in self.table.legal(player) for player, action in enumerate(actions)):
            raise Impossible(actions)
        self.table.choose(*actions)

    def scores(self) -> list[int]:
        """15.3, at the end; by player."""
        return self.table.scores


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value
