"""Simultaneous choices: judged before the other's is known, by what is known by hand and by what must always hold."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.analysis.annotate import GAME, POINT, Analysis, Annotated, FixedValue, Grade, StepKind, annotate
from p2p_shanghaien.games.api import (
    Acted,
    Action,
    Chance,
    Chosen,
    Drawn,
    Simultaneous,
    State,
    Step,
    Terminal,
    Turn,
    advance,
)
from p2p_shanghaien.games.record import Ended, Record
from p2p_shanghaien.players import Evaluator, Option, PositionValue, Weight
from tests import toy
from tests.analysis.test_annotate import check_sums
from tests.matrix_games import Solution, solve
from tests.sweeps import sweep
from tests.toy import Toy
from tests.toy_values import AverageValues, Values


class Duel(NamedTuple):
    """A game of a single simultaneous choice: player 0 picks a row, player 1 a column, of leads at the end."""

    leads: tuple[tuple[int, ...], ...]
    result: int | None = None

    @property
    def node(self) -> Simultaneous | Terminal:
        if self.result is None:
            return Simultaneous()
        lead = self.result
        return Terminal((lead, 0), None if lead == 0 else int(lead < 0))

    def legal(self, player: int) -> tuple[Action, ...]:
        return tuple(map(str, range(len(self.leads[0] if player else self.leads))))

    def apply_joint(self, actions: tuple[Action, Action]) -> "Duel":
        row, column = map(int, actions)
        return self._replace(result=self.leads[row][column])

    def mirrored(self) -> "Duel":
        """Return the same game with the players' parts exchanged."""
        return Duel(tuple(tuple(-lead for lead in column) for column in zip(*self.leads, strict=True)))

    def solved(self) -> tuple[Solution, Solution]:
        """Return the solutions for win probability and for points."""
        return solve([[(1 + (lead > 0) - (lead < 0)) / 2 for lead in row] for row in self.leads]), solve(self.leads)


class Alone(NamedTuple):
    """A game that begins at a position."""

    position: Duel

    def start(self) -> Duel:
        return self.position


class Solved(Evaluator[Any]):
    """Knows how to play a duel, by chances and by points."""

    def __init__(self, to_win: Solution, for_points: Solution) -> None:
        self.solutions = to_win, for_points

    def value(self, state: State) -> PositionValue:
        if isinstance(over := state.node, Terminal):
            return PositionValue(0.5 if over.winner is None else 1.0 - over.winner, float(over.scores[0]))
        return PositionValue(*(solution.value for solution in self.solutions))

    def options(self, state: State) -> tuple[Option, ...]:
        return ()

    def luck(self, before: State, after: State) -> PositionValue:
        raise AssertionError("nothing is drawn")

    def mirrored(self) -> "Solved":
        to_win, for_points = self.solutions
        return Solved(
            Solution(1 - to_win.value, to_win.columns, to_win.rows),
            Solution(-for_points.value, for_points.columns, for_points.rows),
        )


class Mixing(Solved):
    def mixture(self, state: State, player: int) -> Sequence[Weight]:
        pairs = zip(*((each.columns if player else each.rows) for each in self.solutions), strict=True)
        # what is never played need not be named
        return [Weight(str(n), *pair) for n, pair in enumerate(pairs) if pair != (0.0, 0.0)]

    def mirrored(self) -> "Mixing":
        return Mixing(*super().mirrored().solutions)


def of_one_step(duel: Duel, row: int, column: int) -> Record:
    return Record(Alone(duel), steps=(Chosen((str(row), str(column))),))  # type: ignore[arg-type]


def step_of(duel: Duel, row: int, column: int, evaluator: Evaluator[Any]) -> Annotated:
    analysis = annotate(of_one_step(duel, row, column), evaluator)
    check_sums(analysis)
    (step,) = analysis.steps
    assert step.kind == StepKind.SIMULTANEOUS
    assert step.luck == FixedValue()
    return step


def chances_lost(step: Annotated) -> tuple[int, int]:
    first, second = step.decisions
    return first.cost.chance, second.cost.chance


PENNIES = Duel(((1, -1), (-1, 1)))
"""Player 0 wins if both show the same side."""
BIASED = Duel(((1, -1), (-1, 0)))
"""The same, but two tails are a draw. From p = (1 - p) / 2, both show heads in a third of all games, and that is player
0's chance."""


def test_in_matching_pennies_no_choice_costs_anything_and_the_matchup_decides() -> None:
    for row in (0, 1):
        for column in (0, 1):
            for evaluator in (Mixing(*PENNIES.solved()), Solved(*PENNIES.solved())):
                step = step_of(PENNIES, row, column, evaluator)
                assert [decision.cost for decision in step.decisions] == [FixedValue(), FixedValue()]
                assert [decision.grade for decision in step.decisions] == [None, None]
                won = 1 if row == column else -1
                assert step.matchup == FixedValue(won * GAME // 2, won * POINT)


def test_biased_pennies_against_the_best_mixture() -> None:
    evaluator = Mixing(*BIASED.solved())
    assert evaluator.value(BIASED).chance == pytest.approx(1 / 3)  # type: ignore[arg-type]
    for row, column, after in ((0, 0, GAME), (0, 1, 0), (1, 0, 0), (1, 1, GAME // 2)):
        step = step_of(BIASED, row, column, evaluator)
        assert chances_lost(step) == (0, 0)
        assert step.matchup.chance == after - 333_333


def test_biased_pennies_against_a_choice_that_is_not_known() -> None:
    """Against either side of a coin, heads wins half of all games and tails a quarter: player 1 had best show tails."""
    evaluator = Solved(*BIASED.solved())
    assert not evaluator.mixture(BIASED, 0)
    lost = {(0, 0): (0, GAME // 4), (0, 1): (0, 0), (1, 0): (GAME // 4, GAME // 4), (1, 1): (GAME // 4, 0)}
    for (row, column), costs in lost.items():
        step = step_of(BIASED, row, column, evaluator)
        assert chances_lost(step) == costs
        assert [decision.grade for decision in step.decisions] == [Grade.BLUNDER if cost else None for cost in costs]
        assert [decision.best for decision in step.decisions] == ["0", "1"]


def test_giving_up_in_pennies_costs_the_game_that_was_worth_half() -> None:
    duel = Duel(((1, -1), (-1, 1), (-1, -1)))
    step = step_of(duel, 2, 0, Mixing(*duel.solved()))
    first, second = step.decisions
    assert (first.cost, first.grade) == (FixedValue(GAME // 2, POINT), Grade.BLUNDER)
    assert second.cost == FixedValue()
    assert step.matchup == FixedValue()


def test_a_player_with_one_action_decides_nothing() -> None:
    duel = Duel(((1, -1),))
    analysis = annotate(of_one_step(duel, 0, 0), Mixing(*duel.solved()))
    check_sums(analysis)
    (forced, free) = analysis.steps[0].decisions
    assert (forced.options, forced.cost, forced.best) == ((), FixedValue(), "0")
    assert (len(free.options), free.cost, free.best) == (2, FixedValue(GAME, 2 * POINT), "1")
    assert [tally.decisions for tally in analysis.tallies] == [0, 1]
    assert analysis.matchup(0) == FixedValue()


LEADS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(-3, 3)] * width), min_size=1, max_size=4).map(tuple)
)


@given(LEADS, st.booleans())
def test_what_holds_of_every_duel(leads: tuple[tuple[int, ...], ...], mixed: bool) -> None:
    duel = Duel(leads)
    evaluator = (Mixing if mixed else Solved)(*duel.solved())
    mirror = evaluator.mirrored()
    steps = [[step_of(duel, row, column, evaluator) for column in range(len(leads[0]))] for row in range(len(leads))]
    for row, line in enumerate(steps):
        for column, step in enumerate(line):
            other = step_of(duel.mirrored(), column, row, mirror)
            for mine, theirs in zip(step.decisions, other.decisions[::-1], strict=True):
                assert mine.cost == pytest.approx(theirs.cost, abs=1)
            assert step.matchup == pytest.approx(other.matchup.change_to(1), abs=4)
    if mixed:
        check_equilibrium(steps, *evaluator.solutions)


def check_equilibrium(steps: Sequence[Sequence[Annotated]], to_win: Solution, for_points: Solution) -> None:
    """Check that these choices lose nothing, and that two who play so have no matchup in the mean."""
    for part, solution in enumerate((to_win, for_points)):
        for row, line in enumerate(steps):
            for column, step in enumerate(line):
                first, second = step.decisions
                assert solution.rows[row] <= 1e-9 or first.cost[part] == 0
                assert solution.columns[column] <= 1e-9 or second.cost[part] == 0
        mean = sum(
            solution.rows[row] * solution.columns[column] * step.matchup[part]
            for row, line in enumerate(steps)
            for column, step in enumerate(line)
        )
        assert mean == pytest.approx(0, abs=4)


# Whole games of the toy, in which draws and turns follow choices.


def toys(seed: int, rounds: int = 3, evaluator: Values | None = None) -> tuple[Step, ...]:
    """Return a game at random; or, with a valuation, one in which both play as well as it knows."""
    return tuple(_steps(Random(seed), Toy(rounds=rounds).start(), evaluator))


def _steps(rng: Random, state: toy.State, evaluator: Values | None) -> Iterator[Step]:
    def picked(player: int) -> Action:
        if evaluator is None:
            return rng.choice(state.legal(player))
        if isinstance(state.node, Turn):
            better = min if player else max
            return better(evaluator.options(state), key=lambda option: option.value.chance).action
        mixture = evaluator.mixture(state, player)
        return rng.choices([each.action for each in mixture], [each.to_win for each in mixture])[0]

    step: Step
    while not isinstance(node := state.node, Terminal):
        match node:
            case Chance(bounds):
                step = Drawn(tuple(rng.randrange(bound) for bound in bounds))
            case Turn(player):
                step = Acted(player, picked(player))
            case Simultaneous():
                step = Chosen((picked(0), picked(1)))
        yield step
        state = advance(state, step)


def analysed(steps: Sequence[Step], evaluator: Evaluator[Any], rounds: int = 3, ended: Ended | None = None) -> Analysis:
    analysis = annotate(Record(Toy(rounds=rounds), steps=tuple(steps), ended=ended), evaluator)
    check_sums(analysis)
    return analysis


@pytest.mark.parametrize("values", [Values, AverageValues])
@sweep("seed", range(8), every=5)
def test_games_add_up_and_are_mirrored_by_swapping_the_players(seed: int, values: type[AverageValues]) -> None:
    steps = toys(seed)
    swapped = [
        Chosen(step.actions[::-1])
        if isinstance(step, Chosen)
        else Acted(1 - step.player, step.action)
        if isinstance(step, Acted)
        else step
        for step in steps
    ]
    for length in (len(steps), len(steps) // 2):
        here, there = analysed(steps[:length], values()), analysed(swapped[:length], values())
        assert here.result.minus(FixedValue(GAME // 2)) == pytest.approx(
            there.result.minus(FixedValue(GAME // 2)).change_to(1), abs=2
        )
        for player in (0, 1):
            mine, theirs = here.tallies[player], there.tallies[1 - player]
            assert (mine.decisions, mine.grades) == (theirs.decisions, theirs.grades)
            assert mine.lost == pytest.approx(theirs.lost, abs=length)
            assert here.matchup(player) == pytest.approx(there.matchup(1 - player), abs=3 * length)
            assert here.luck(player) == pytest.approx(there.luck(1 - player), abs=3 * length)
    for step, annotated in zip(steps, analysed(steps, values()).steps, strict=True):
        assert (annotated.kind == StepKind.SIMULTANEOUS) == isinstance(step, Chosen)
        assert (annotated.kind == StepKind.DRAW) == isinstance(step, Drawn)


@pytest.mark.parametrize("seed", range(8))
def test_who_plays_the_best_mixture_loses_nothing(seed: int) -> None:
    values = Values()
    analysis = analysed(toys(seed, evaluator=values), values)
    for tally in analysis.tallies:
        assert (tally.lost.chance, sum(tally.grades.values())) == (0, 0)
    assert analysis.skill(0).chance == 0


@pytest.mark.parametrize("by", [0, 1])
def test_resigning_before_both_choose_gives_up_what_there_was(by: int) -> None:
    analysis = analysed([], Values(), 1, Ended(by))
    assert analysis.given_up == FixedValue(GAME // 2 if by else -GAME // 2)


def test_bids_known_by_hand() -> None:
    """In the last round at level scores the lower of two bids two apart wins at once.

    Once both have bid 2, the lower bid is therefore the better one, whatever the other bids.
    """
    lost = analysed([Chosen(("2", "2")), Chosen(("3", "1")), Acted(1, "take")], Values(), 1)
    tie, bids, taking = lost.steps
    assert chances_lost(tie) == chances_lost(analysed([Chosen(("1", "3"))], Values(), 1).steps[0]) == (0, 0)
    assert chances_lost(bids) == (GAME // 2, 0)
    assert bids.decisions[0].best == "1"
    assert bids.matchup == FixedValue()
    assert taking.decisions[0].cost == FixedValue()
    assert lost.result == FixedValue(0, -10 * POINT)
    both = analysed([Chosen(("2", "2")), Chosen(("3", "3")), Chosen(("1", "1"))], Values(), 1)
    assert [tally.lost.chance for tally in both.tallies] == [GAME // 2, GAME // 2]
    assert [tally.grades for tally in both.tallies] == [{Grade.BLUNDER: 1}, {Grade.BLUNDER: 1}]
    assert [tally.decisions for tally in both.tallies] == [2, 2], "the last bid was forced"
    assert both.matchup(0).chance == 0
    won = analysed([Chosen(("1", "3")), Acted(0, "take")], Values(), 1)
    assert won.matchup(0).chance == GAME // 2
    assert won.matchup(1).chance == -GAME // 2
