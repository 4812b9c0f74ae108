"""The toy game of the vectors, written from protocol/vectors/README.md alone; it shares nothing with the package."""

from collections.abc import Sequence
from typing import Any

from tests.protocol.independent_game import Impossible


def settings_are_proper(settings: Sequence[Sequence[str]]) -> bool:
    """Return all settings, in order."""
    if [name for name, _ in settings] != ["rounds", "opening"]:
        return False
    rounds, opening = (value for _, value in settings)
    return rounds in set("123456789") and opening in ("bid", "draw", "turn")


class Toy:
    """A game under way. It changes as it goes on; `value` gives its state."""

    def __init__(self, settings: Sequence[Sequence[str]]) -> None:
        rounds, opening = (value for _, value in settings)
        self.scores_now = [0, 0]
        self._begin(opening, int(rounds), None if opening == "bid" else 0)

    def _begin(self, phase: str, left: int, player: int | None) -> None:
        self.phase, self.left, self.player = phase, left, player
        self.bids = ["1", "2", "3"]
        self.decisions = ["dare", "pass", "take"]
        self.treasure = 10

    def value(self) -> list[Any]:
        """Return the state."""
        return [self.phase, self.left, self.player, self.bids, self.decisions, self.treasure, self.scores_now]

    def waits_for(self) -> str:
        """Return "draw", "choice", "action" or "end"."""
        return {"bid": "choice", "draw": "draw", "storm": "draw", "turn": "action", "over": "end"}[self.phase]

    def bounds(self) -> list[int] | None:
        """Return the bounds of the draw that is waited for, None where none is."""
        return {"draw": [6, 300], "storm": [1, 65536, 2]}.get(self.phase)

    def legal(self, player: int) -> set[str]:
        """Return what a player may do."""
        if self.phase == "bid":
            return set(self.bids)
        return set(self.decisions) if self.phase == "turn" and player == self.player else set()

    def act(self, action: str) -> None:
        """A decision in the open."""
        assert self.player is not None
        if action not in self.legal(self.player):
            raise Impossible(action)
        if action == "take":
            self._end_round(self.player)
            return
        self.decisions = [each for each in self.decisions if each != action]
        if action == "dare":
            self.phase = "draw"
        else:
            self.player = 1 - self.player

    def choose(self, actions: Sequence[str]) -> None:
        """Both bids, player 0's first."""
        if not set(actions) <= self.legal(0):
            raise Impossible(actions)
        first, second = map(int, actions)
        if first == second:
            self.bids = [bid for bid in self.bids if bid != actions[0]]
            if not self.bids:
                self._end_round(None)
        elif abs(first - second) == 1:
            self.phase, self.player = "draw", 0 if first > second else 1
        else:
            self.phase, self.player = "turn", 0 if first < second else 1

    def draw(self, indices: Sequence[int]) -> None:
        """Apply drawn indices."""
        assert self.player is not None
        if self.phase == "storm":
            if not indices[2]:
                self._end_round(None)
                return
            self.phase, self.player, self.treasure = "turn", 1 - self.player, indices[1]
            return
        self.treasure = indices[1]
        if indices[0] in (1, 2):
            self._end_round(self.player)
        else:
            self.phase = "turn" if indices[0] else "storm"

    def _end_round(self, taker: int | None) -> None:
        if taker is not None:
            self.scores_now = [score + self.treasure * (taker == at) for at, score in enumerate(self.scores_now)]
        self._begin("bid" if self.left > 1 else "over", self.left - 1, None)

    def scores(self) -> list[int]:
        """Return the scores by player."""
        return self.scores_now
