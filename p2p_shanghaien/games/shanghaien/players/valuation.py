"""What every position of a game is worth: inside a round by `solver`, between rounds by `value`."""

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.shanghaien.players.solver import Judge, Solution, solve
from p2p_shanghaien.games.shanghaien.players.value import between, chances, points
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players import Option, Outlook, Valuation


class RoundByRound(Valuation[State]):
    """The value of positions: solves a round once, from the first of its positions that it is asked about."""

    def __init__(self) -> None:
        self._chances = _Kept(chances)
        self._points = _Kept(points)

    def outlook(self, state: State) -> Outlook:
        if state.phase in (Phase.ROW, Phase.OVER):
            return Outlook(*between(state))
        return Outlook(self._chances.of(state).value(state), self._points.of(state).value(state))

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(state.node, Turn):
            return ()
        by_chance, by_points = self._chances.of(state).actions(state), self._points.of(state).actions(state)
        return tuple(
            Option(first.action, Outlook(first.value, second.value))
            for first, second in zip(by_chance, by_points, strict=True)
        )

    def luck(self, before: State, after: State) -> Outlook:
        """Of a roll; what a row is expected to bring is only estimated."""
        if before.phase not in (Phase.DICE, Phase.REROLL):
            return Outlook(0.0, 0.0)
        expected, got = self.outlook(before), self.outlook(after)
        return Outlook(got.chance - expected.chance, got.points - expected.points)


class _Kept:
    """The latest solution under one judge."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._solution: Solution | None = None

    def of(self, state: State) -> Solution:
        """A solution that has `state`."""
        if self._solution is None or not self._solution.reaches(state):
            self._solution = solve(state, self._judge)
        return self._solution
