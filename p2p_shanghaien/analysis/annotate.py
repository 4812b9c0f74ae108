"""Luck and skill of a game: what every step changed, and whose step it was.

The value of a game to player 0 is followed from the first position to the last. The change by a draw is luck; the loss
of a decision against the best choice is lost skill. If both players choose at once, each choice is compared with the
player's best one before the other's is known (`players.simultaneous`); the rest of their change is the matchup, neither
luck nor skill. Nothing else changes the value. Everything is counted in integers, and the value of a position follows
from the next one's (`_followed`), so that start, luck, skill and matchups add up to the result exactly, and the best
choice costs exactly nothing. The last digits of the evaluation, which are not exact, go to draws and matchups.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from p2p_shanghaien.games.api import Acted, Action, Chosen, Drawn, Simultaneous, State, Step, Turn
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Evaluator, Option, PositionValue, simultaneous
from p2p_shanghaien.players.options import GAME, POINT

__all__ = [
    "GAME",
    "POINT",
    "THRESHOLDS",
    "Analysis",
    "Annotated",
    "Decision",
    "FixedValue",
    "Grade",
    "Rated",
    "StepKind",
    "Tally",
    "annotate",
]


class FixedValue(NamedTuple):
    """A win probability in millionths, a draw counting half, and an expected margin in thousandths of a point; or a
    change.
    """

    chance: int = 0
    points: int = 0

    def plus(self, other: "FixedValue") -> "FixedValue":
        """Return the sum."""
        return FixedValue(self.chance + other.chance, self.points + other.points)

    def minus(self, other: "FixedValue") -> "FixedValue":
        """Return the difference."""
        return FixedValue(self.chance - other.chance, self.points - other.points)

    def change_to(self, player: int | None) -> "FixedValue":
        """Return this change to player 0 from a player's point of view; None takes player 0's."""
        return FixedValue(-self.chance, -self.points) if player == 1 else self

    def to_player(self, player: int) -> "FixedValue":
        """Return this value to player 0 as the value to `player`."""
        return FixedValue(GAME - self.chance, -self.points) if player == 1 else self


class Grade(StrEnum):
    """The grade of a bad decision."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"


THRESHOLDS: Final = {Grade.BLUNDER: 80_000, Grade.MISTAKE: 40_000, Grade.INACCURACY: 20_000}
"""The least loss of win probability for each grade: 8, 4 and 2 percentage points.

They are those of GNU Backgammon, the strongest free program for a game of dice (0.16, 0.08 and 0.04 of an equity that
goes from -1 to 1). Chess programs ask for about twice as much, but a chess game has fewer decisions that matter little.
"""


class StepKind(StrEnum):
    """The kind of a step."""

    DECISION = "decision"
    FORCED = "forced"
    """Only one action was legal, so nothing was decided."""
    SIMULTANEOUS = "simultaneous"
    """Both players chose, neither knowing the other's choice."""
    DRAW = "draw"


class Rated(NamedTuple):
    """A legal action, and its cost to the player against the best.

    The cost in win probability is for a player who plays to win, that in points for one who plays for points alone.
    """

    action: Action
    cost: FixedValue


class Decision(NamedTuple):
    """An action of a player, and its cost. `options` are all legal ones, the best first; none if it was forced."""

    player: int
    action: Action
    options: tuple[Rated, ...]
    cost: FixedValue

    @property
    def best(self) -> Action:
        """The best action: the action itself, if it is among the best."""
        return self.action if self.cost.chance == 0 or not self.options else self.options[0].action

    @property
    def grade(self) -> Grade | None:
        """The grade of a bad decision, or None."""
        return grade_of(self.cost.chance)


def grade_of(chance: int) -> Grade | None:
    """Return the worst grade whose threshold this loss of win probability, in millionths, reaches; None: none."""
    return next((grade for grade, least in THRESHOLDS.items() if chance >= least), None)


class Annotated(NamedTuple):
    """A step of a game; `step` counts from 0, as in the record. `before` and `after` are the values to player 0.

    `player` decided or rolled; None for simultaneous choices, and for a draw that nobody's action caused. `decisions`
    has one for an action, one of each player for simultaneous choices, and none for a draw.
    """

    step: int
    kind: StepKind
    player: int | None
    before: FixedValue
    after: FixedValue
    decisions: tuple[Decision, ...] = ()

    @property
    def chosen(self) -> tuple[Decision, ...]:
        """The decisions for which there was a choice."""
        return tuple(decision for decision in self.decisions if decision.options)

    @property
    def change(self) -> FixedValue:
        """The luck of a draw for its player, or player 0; the matchup of two choices, from player 0's point of view."""
        return self.luck if self.kind == StepKind.DRAW else self.matchup

    @property
    def luck(self) -> FixedValue:
        """The gain of the player by the draw; nothing for any other step."""
        return self.after.minus(self.before).change_to(self.player) if self.kind == StepKind.DRAW else FixedValue()

    @property
    def matchup(self) -> FixedValue:
        """The gain of player 0 by two simultaneous choices, costs apart; nothing for any other step."""
        if self.kind != StepKind.SIMULTANEOUS:
            return FixedValue()
        first, second = self.decisions
        return self.after.minus(self.before).plus(first.cost).minus(second.cost)


class Tally(NamedTuple):
    """A player's part in a game, or in several: decisions, their cost, and the luck of the player's own rolls."""

    decisions: int
    lost: FixedValue
    rolls: FixedValue
    grades: Counter[Grade]


class Analysis(NamedTuple):
    """The analysis of a game, step by step and in sum, from player 0's point of view; each tally from its player's.

    `unowned` is the luck of nobody's draws. `given_up` is the change by a resignation: only win probability, since
    points are only made by playing on. `result` is that of the game, or, if it was not played to its end, the value of
    the last position with what was given up.
    """

    steps: tuple[Annotated, ...]
    start: FixedValue
    tallies: tuple[Tally, Tally]
    unowned: FixedValue
    given_up: FixedValue
    result: FixedValue

    def chances(self, player: int) -> tuple[int, ...]:
        """Return the player's win probability at the start and after each step."""
        return tuple(value.to_player(player).chance for value in (self.start, *(step.after for step in self.steps)))

    def luck(self, player: int) -> FixedValue:
        """Return all luck of the game for the player: the draws of both, and nobody's."""
        mine, other = self.tallies[player].rolls, self.tallies[1 - player].rolls
        return mine.minus(other).plus(self.unowned.change_to(player))

    def matchup(self, player: int) -> FixedValue:
        """Return the player's gain by simultaneous choices, costs apart."""
        return _sum(step.matchup for step in self.steps).change_to(player)

    @property
    def has_simultaneous(self) -> bool:
        """True if both players chose at the same time at least once."""
        return any(step.kind == StepKind.SIMULTANEOUS for step in self.steps)

    def skill(self, player: int) -> FixedValue:
        """Return the cost of the opponent's decisions, less that of the player's."""
        return self.tallies[1 - player].lost.minus(self.tallies[player].lost)


def annotate(record: Record, evaluator: Evaluator[Any]) -> Analysis:
    """Return the analysis of the game on `record`. Raises Illegal if its steps violate a rule."""
    steps, ended, positions = record.steps, record.ended, list(record.positions())
    evaluated = [_evaluated(position, evaluator) for position in positions]
    values = _followed(steps, evaluated)
    annotated = tuple(
        _annotated(index, step, values[index : index + 2], evaluated[index], _roller(positions, steps, index))
        for index, step in enumerate(steps)
    )
    given_up = FixedValue()
    if ended and ended.winner is not None:
        given_up = FixedValue((0 if ended.winner else GAME) - values[-1].chance)
    return Analysis(
        annotated,
        values[0],
        (_tally(annotated, 0), _tally(annotated, 1)),
        _sum(each.luck for each in annotated if each.player is None),
        given_up,
        values[-1].plus(given_up),
    )


class _Evaluated(NamedTuple):
    """A position by itself: its value, and the options of each player who decides, the best first."""

    value: FixedValue
    options: Mapping[int, tuple[Rated, ...]]

    def decision(self, player: int, action: Action, cost: FixedValue) -> Decision:
        options = self.options[player]
        return Decision(player, action, options if len(options) > 1 else (), cost)

    def cost(self, player: int, action: Action) -> FixedValue:
        (cost,) = [option.cost for option in self.options[player] if option.action == action]
        return cost


def _evaluated(state: State, evaluator: Evaluator[Any]) -> _Evaluated:
    match state.node:
        case Turn(player):
            options = evaluator.options(state)
            return _Evaluated(_value(_best(options, player)), {player: _rated(options, player)})
        case Simultaneous():
            choices = simultaneous.options(state, evaluator)
            rated = {player: _rated(options, player) for player, options in enumerate(choices)}
            return _Evaluated(_value(evaluator.value(state)), rated)
        case _:
            return _Evaluated(_value(evaluator.value(state)), {})


def _best(options: Sequence[Option], player: int) -> PositionValue:
    return PositionValue.best((option.value for option in options), player)


def _rated(options: Sequence[Option], player: int) -> tuple[Rated, ...]:
    best = _best(options, player)
    behind = (
        PositionValue(abs(best.chance - option.value.chance), abs(best.points - option.value.points))
        for option in options
    )
    rated = [Rated(option.action, _value(each)) for option, each in zip(options, behind, strict=True)]
    return tuple(sorted(rated, key=lambda each: each.cost))


def _value(value: PositionValue) -> FixedValue:
    return FixedValue(round(value.chance * GAME), round(value.points * POINT))


def _followed(steps: Sequence[Step], evaluated: Sequence[_Evaluated]) -> list[FixedValue]:
    """Return the value of each position: before a decision, the value that follows and the decision's cost."""
    values = [evaluated[-1].value]
    for step, position in zip(reversed(steps), reversed(evaluated[:-1]), strict=True):
        if isinstance(step, Acted):
            before = values[-1].plus(position.cost(step.player, step.action).change_to(step.player))
            # the sum of two rounded values may be a unit beyond the range of a probability
            values.append(before._replace(chance=min(max(before.chance, 0), GAME)))
        else:
            values.append(position.value)
    return values[::-1]


def _annotated(
    index: int, step: Step, values: Sequence[FixedValue], evaluated: _Evaluated, roller: int | None
) -> Annotated:
    before, after = values
    match step:
        case Acted(player, action):
            decision = evaluated.decision(player, action, before.minus(after).change_to(player))
            kind = StepKind.DECISION if decision.options else StepKind.FORCED
            return Annotated(index, kind, player, before, after, (decision,))
        case Chosen(actions):
            decisions = tuple(
                evaluated.decision(player, action, evaluated.cost(player, action))
                for player, action in enumerate(actions)
            )
            return Annotated(index, StepKind.SIMULTANEOUS, None, before, after, decisions)
        case Drawn():
            return Annotated(index, StepKind.DRAW, roller, before, after)


def _roller(positions: Sequence[State], steps: Sequence[Step], index: int) -> int | None:
    """Return whose draw it is: the player's whose action led to it and who continues after it, or nobody's."""
    if index == 0 or not isinstance(before := steps[index - 1], Acted):
        return None
    return before.player if positions[index + 1].node == Turn(before.player) else None


def _tally(steps: Sequence[Annotated], player: int) -> Tally:
    own = [decision for each in steps for decision in each.decisions if decision.player == player]
    return Tally(
        sum(bool(decision.options) for decision in own),
        _sum(decision.cost for decision in own),
        _sum(each.luck for each in steps if each.player == player),
        Counter(decision.grade for decision in own if decision.grade),
    )


def _sum(values: Iterable[FixedValue]) -> FixedValue:
    total = FixedValue()
    for value in values:
        total = total.plus(value)
    return total
