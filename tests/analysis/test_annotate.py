"""Luck and skill: they add up exactly, best play costs nothing, and what is known by hand comes out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from p2p_shanghaien.analysis.annotate import GAME, Analysis, Decision, FixedValue, Grade, StepKind, annotate
from p2p_shanghaien.games.api import Acted, Chance, Drawn, Game, State, Step, Terminal, Turn, advance
from p2p_shanghaien.games.record import Ended, Record
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase
from p2p_shanghaien.games.shanghaien.rules import State as Position
from p2p_shanghaien.players import ComputerPlayer, Evaluator, Option, PositionValue, computer_player, evaluator
from tests.sweeps import sweep
from tests.ui.ledger import RECORDS, load

WILD = Shanghaien.from_settings({"variant": "extra-wild", "tricks": "p3 b2 r3"})


@dataclass(frozen=True)
class From(Shanghaien):
    """A game that begins in the middle."""

    position: Position | None = None

    def start(self) -> Position:
        return self.position or super().start()


LAST: Final = From(
    position=Shanghaien()
    .start()
    ._replace(
        phase=Phase.TURN,
        direction="<",
        placed=((4, 0, 0, 0, 0, 0), (0, 5, 0, 0, 0, 1)),
        tricks=("", ""),
        round=8,
        row=("A3", "F2", "G1", "D1", "T1", "S4"),
        pile=(),
    )
)
"""The last turns of a game. Ada (0) has four dice on an American 3; Ben has five on a French 2, one on a Spanish 4, and
none left. So far that is 3 against 6. If Ada puts a die on the 4, nobody has it: 3 against 2. Any other die gains a
point at most. After it Ben can only call Shanghai."""


def evaluate() -> Evaluator[Any]:
    return evaluator("shanghaien")


def analysed(game: Game[Any], steps: Sequence[Step], ended: Ended | None = None) -> Analysis:
    return annotate(Record(game, steps=tuple(steps), ended=ended), evaluate())


def played(game: Game[Any], seed: int, *levels: str) -> tuple[Step, ...]:
    players = [computer_player("shanghaien", level) for level in levels]
    return tuple(_steps(game, seed, players))


def _steps(game: Game[Any], seed: int, players: Sequence[ComputerPlayer[Any]]) -> Iterator[Step]:
    rng = Random(seed)
    state: State = game.start()
    while not isinstance(node := state.node, Terminal):
        step: Step
        if isinstance(node, Chance):
            step = Drawn(tuple(rng.randrange(bound) for bound in node.bounds))
        else:
            assert isinstance(node, Turn)
            action = players[node.player](state, node.player, rng)
            assert isinstance(action, str)
            step = Acted(node.player, action)
        yield step
        state = advance(state, step)


def check_sums(analysis: Analysis) -> None:
    """Every sum again, by a reader who has the steps alone."""
    start, given_up, result = analysis.start, analysis.given_up, analysis.result
    at = start
    for step in analysis.steps:
        assert step.before == at
        at = step.after
    for part in (0, 1):  # chances, then points
        assert at[part] + given_up[part] == result[part]
        for player in (0, 1):
            sign, whole = (1, 0) if player == 0 else (-1, (GAME, 0)[part])
            own = whole + sign * start[part]
            own += analysis.luck(player)[part] + analysis.skill(player)[part] + analysis.matchup(player)[part]
            own += sign * given_up[part]
            assert own == whole + sign * result[part]
            mine = [decision for step in analysis.steps for decision in step.decisions if decision.player == player]
            assert sum(decision.cost[part] for decision in mine) == analysis.tallies[player].lost[part]
            rolls = [step for step in analysis.steps if step.player == player]
            assert sum(step.luck[part] for step in rolls) == analysis.tallies[player].rolls[part]
            draws = [step for step in analysis.steps if step.kind == StepKind.DRAW]
            assert sum(sign * (step.after[part] - step.before[part]) for step in draws) == analysis.luck(player)[part]
    for step in analysis.steps:
        assert len(step.decisions) == {StepKind.DRAW: 0, StepKind.SIMULTANEOUS: 2}.get(step.kind, 1)
        for decision in step.decisions:
            check_decision(decision)
        change = step.after.minus(step.before)
        if step.kind == StepKind.SIMULTANEOUS:
            first, second = step.decisions
            assert (first.player, second.player, step.player) == (0, 1, None)
            assert change == second.cost.minus(first.cost).plus(step.matchup)
        elif step.kind != StepKind.DRAW:
            (decision,) = step.decisions
            assert decision.player == step.player
            assert (step.kind == StepKind.DECISION) == bool(decision.options)
            assert decision.cost.change_to(1 - decision.player) == change


def check_decision(decision: Decision) -> None:
    assert min(decision.cost) >= 0
    if not decision.options:
        assert decision.cost == FixedValue()
        return
    assert len(decision.options) > 1
    assert decision.options[0].cost.chance == 0
    assert decision.best in [each.action for each in decision.options if each.cost.chance == 0]
    (taken,) = [each.cost for each in decision.options if each.action == decision.action]
    assert taken == decision.cost


@sweep("path", RECORDS, every=6, ids=lambda path: path.stem)
def test_known_games_add_up(path: Path) -> None:
    record = load(path)
    analysis = analysed(record.game, record.steps, record.ended)
    check_sums(analysis)
    over = record.last().node
    assert isinstance(over, Terminal)
    lead = over.scores[0] - over.scores[1]
    assert analysis.result == FixedValue(GAME // 2 * (1 + (lead > 0) - (lead < 0)), 1000 * lead)


@sweep("seed", range(4), every=4)
def test_games_with_all_kinds_of_tricks_add_up(seed: int) -> None:
    steps = played(WILD, seed, *(("random", "greedy") if seed % 2 else ("easy", "random")))
    assert any(isinstance(step, Acted) and step.action.startswith("!") for step in steps)
    check_sums(analysed(WILD, steps))


@sweep("seed", range(2), every=2)
def test_unfinished_games_add_up_to_the_worth_of_the_last_position(seed: int) -> None:
    game = Shanghaien()
    whole = played(game, seed, "random", "easy")
    for length in [0, 1, 2, 3, *Random(seed).sample(range(4, len(whole)), 3)]:
        analysis = analysed(game, whole[:length])
        check_sums(analysis)
        state: State = game.start()
        for step in whole[:length]:
            state = advance(state, step)
        value = evaluate().value(state)
        assert analysis.result.chance == pytest.approx(value.chance * GAME, abs=2)
        assert analysis.given_up == FixedValue()


@pytest.mark.parametrize("by", [0, 1])
def test_resigning_gives_up_what_there_was(by: int) -> None:
    steps = played(Shanghaien(), 5, "random", "random")[:30]
    so_far = analysed(Shanghaien(), steps).result
    analysis = analysed(Shanghaien(), steps, Ended(by))
    check_sums(analysis)
    assert analysis.result == FixedValue(0 if by == 0 else GAME, so_far.points)
    assert analysis.given_up == FixedValue(analysis.result.chance - so_far.chance, 0)


def test_abandoning_by_consent_gives_nothing_up() -> None:
    steps = played(Shanghaien(), 6, "random", "random")[:30]
    assert analysed(Shanghaien(), steps, Ended(None)) == analysed(Shanghaien(), steps)


@pytest.mark.thorough
@sweep("seed", range(2), every=2)
def test_best_play_costs_nothing(seed: int) -> None:
    evaluated = evaluate()

    def best(state: State, player: int, rng: Random) -> str:
        pick = min if player else max
        return pick(evaluated.options(state), key=lambda option: option.value.chance).action

    analysis = analysed(WILD, tuple(_steps(WILD, seed, [best, best])))
    check_sums(analysis)
    for tally in analysis.tallies:
        assert tally.decisions > 10
        assert tally.lost.chance == 0
        assert not tally.grades
    assert analysis.skill(0).chance == analysis.skill(1).chance == 0


def test_the_luck_of_all_36_rolls_is_nothing_in_the_mean() -> None:
    state: State = WILD.start()
    evaluated = evaluate()
    checked = 0
    for step in played(WILD, 7, "random", "greedy"):
        if state.node == Chance((6, 6)) and (checked := checked + 1) % 5 == 0:
            assert isinstance(state, Position)
            lucks = []
            for roll in [(a, b) for a in range(6) for b in range(6)]:
                (draw,) = annotate(Record(From(position=state), steps=(Drawn(roll),)), evaluated).steps
                lucks.append(draw.after.minus(draw.before))
            assert abs(Fraction(sum(luck.chance for luck in lucks), 36)) <= 1
            assert abs(Fraction(sum(luck.points for luck in lucks), 36)) <= 1
        state = advance(state, step)
    assert checked >= 30


def test_giving_a_game_away_is_a_blunder() -> None:
    analysis = analysed(LAST, (Acted(0, "#"),))
    (step,) = analysis.steps
    (decision,) = step.decisions
    assert step.kind == StepKind.DECISION
    assert decision.best == "roll"
    assert decision.grade == Grade.BLUNDER
    # a six comes in 11 rolls of 36; of the others 21 have a die that gains a point, 4 have none
    assert step.before == FixedValue(round(11 / 36 * GAME), round((11 * 1 + 21 * -2 + 4 * -3) / 36 * 1000))
    assert step.after == FixedValue(0, -3000)
    check_sums(analysis)


@pytest.mark.parametrize(("die", "lost", "grade"), [("-6", 0, None), ("-3", GAME, Grade.BLUNDER)])
def test_luck_and_skill_of_a_turn_known_by_hand(die: str, lost: int, grade: Grade | None) -> None:
    analysis = analysed(LAST, (Acted(0, "roll"), Drawn((5, 2)), Acted(0, die), Acted(1, "#")))
    rolling, draw, placing, shanghai = analysis.steps
    assert rolling.decisions[0].cost == FixedValue()
    assert draw.player == 0
    assert draw.luck.chance == GAME - round(11 / 36 * GAME)
    assert (placing.decisions[0].cost.chance, placing.decisions[0].grade) == (lost, grade)
    assert shanghai.kind == StepKind.FORCED
    check_sums(analysis)
    bad_luck = analysed(LAST, (Acted(0, "roll"), Drawn((0, 1))))
    assert bad_luck.steps[1].luck.chance == -round(11 / 36 * GAME)


def test_rows_are_nobodys_luck_and_rolls_are_the_rollers() -> None:
    record = load(RECORDS[6])
    analysis = analysed(record.game, record.steps)
    for step, before in zip(analysis.steps, list(record.positions())[:-1], strict=True):
        assert isinstance(before, Position)
        if step.kind == StepKind.DRAW:
            assert step.player == (None if before.phase == Phase.ROW else before.player)


@dataclass
class Noisy(Evaluator[Any]):
    """A valuation of the last turns that differs from itself by what two kernels of a processor do."""

    noise: float

    def value(self, state: State) -> PositionValue:
        return PositionValue(1 / 3 + self.noise, 0.0)

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(state.node, Turn):
            return ()
        best, *others = state.legal(state.node.player)
        return (
            Option(best, PositionValue(1.0, 0.0)),
            *(Option(action, PositionValue(1 / 3, 0.0)) for action in others),
        )

    def luck(self, before: State, after: State) -> PositionValue:
        return PositionValue(0.0, 0.0)


@pytest.mark.parametrize("noise", [0.0, 3e-7, -3e-7, 2e-6])
def test_no_worth_is_more_than_a_game(noise: float) -> None:
    """A cost of two thirds and a third left are a whole, however they are rounded."""
    action = LAST.start().legal(0)[1]
    (step,) = annotate(Record(LAST, steps=(Acted(0, action),)), Noisy(noise)).steps
    assert step.after.chance == pytest.approx(GAME / 3, abs=3)
    assert 0 <= step.after.chance <= step.before.chance <= GAME
    assert step.decisions[0].cost == step.before.minus(step.after)
