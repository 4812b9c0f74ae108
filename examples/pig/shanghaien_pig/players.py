"""The value of positions, and the player who always does what is best by it."""

from random import Random

from p2p_shanghaien.games.api import Action, Chance, Terminal
from p2p_shanghaien.players import Evaluator, Option, PositionValue
from shanghaien_pig.rules import SIDES, State
from shanghaien_pig.solver import lead, turn, win


class PigEvaluator(Evaluator[State]):
    """The exact value of each position."""

    def value(self, state: State) -> PositionValue:
        match state.node:
            case Terminal(scores, winner):
                return PositionValue(float(winner == 0), float(scores[0] - scores[1]))
            case Chance():
                return _mean([self.value(state.apply_chance((index,))) for index in range(SIDES)])
        mine, theirs = state.scores[state.player], state.scores[1 - state.player]
        by_win, by_lead = (float(turn(state.goal, end, mine, theirs)[state.total]) for end in (win, lead))
        sign = -1 if state.player else 1
        return PositionValue(min(max((1 + sign * by_win) / 2, 0.0), 1.0), sign * by_lead)

    def options(self, state: State) -> tuple[Option, ...]:
        return tuple(Option(action, self.value(state.apply(action))) for action in state.legal(state.player))

    def luck(self, before: State, after: State) -> PositionValue:
        expected, got = self.value(before), self.value(after)
        return PositionValue(got.chance - expected.chance, got.points - expected.points)


def optimal(state: State, player: int, rng: Random) -> Action:  # noqa: ARG001 - nothing is left to chance
    """Return the action with the best win probability."""
    options = PigEvaluator().options(state)
    return max(options, key=lambda option: (1 - 2 * player) * option.value.chance).action


def _mean(values: list[PositionValue]) -> PositionValue:
    chances, points = zip(*values, strict=True)
    return PositionValue(sum(chances) / SIDES, sum(points) / SIDES)
