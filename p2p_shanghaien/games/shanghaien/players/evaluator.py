"""The value of every position of a game: within a round by `solver`, between rounds by `value`."""

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.shanghaien.players.solver import Evaluate, Solution, solve
from p2p_shanghaien.games.shanghaien.players.value import between, chances, points
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players import Evaluator, Option, PositionValue


class RoundEvaluator(Evaluator[State]):
    """The evaluator of Shanghaien.

    It solves a round once, from the first of its positions that it is asked about.
    """

    def __init__(self) -> None:
        self._chances = _Kept(chances)
        self._points = _Kept(points)

    def value(self, state: State) -> PositionValue:
        if state.phase in (Phase.ROW, Phase.OVER):
            return PositionValue(*between(state))
        return PositionValue(self._chances.of(state).value(state), self._points.of(state).value(state))

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(state.node, Turn):
            return ()
        by_chance, by_points = self._chances.of(state).actions(state), self._points.of(state).actions(state)
        return tuple(
            Option(first.action, PositionValue(first.value, second.value))
            for first, second in zip(by_chance, by_points, strict=True)
        )

    def luck(self, before: State, after: State) -> PositionValue:
        """Return the luck of a roll; that of a row is not counted, as its mean is only estimated."""
        if before.phase not in (Phase.DICE, Phase.REROLL):
            return PositionValue(0.0, 0.0)
        expected, got = self.value(before), self.value(after)
        return PositionValue(got.chance - expected.chance, got.points - expected.points)


class _Kept:
    """The latest solution for one kind of value."""

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self._solution: Solution | None = None

    def of(self, state: State) -> Solution:
        """Return a solution that has `state`."""
        if self._solution is None or not self._solution.reaches(state):
            self._solution = solve(state, self._evaluate)
        return self._solution
