"""The solver against a plain search of the rules, against itself, and against the dice."""

import os
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Chance
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players import rounds, tables
from p2p_shanghaien.games.shanghaien.players.solver import Solution, solve
from p2p_shanghaien.games.shanghaien.players.value import chances
from p2p_shanghaien.games.shanghaien.rules import OPEN, Phase, State
from tests.games.playing import exchanged
from tests.players.rounds import ROLLED, Fancy, expectimax, judge_by, margin, random_walk, some_round
from tests.sweeps import sweep

THOROUGH = int(os.environ.get("SOLVER_THOROUGH", "1"))
"""The factor for the number of positions to try, and games to play."""

BATCHES = 8 * THOROUGH
BATCH = 10
HANDS = ("", "p", "b", "r", "w", "pb", "pr", "br", "bw", "pp")


def check_choices(solution: Solution, state: State, value: float) -> None:
    """At a decision, the best choice is worth what the position is, and the choices are those there are."""
    choices = solution.actions(state)
    assert tuple(choice.action for choice in choices) == state.legal(state.player)
    values = [choice.value for choice in choices]
    assert (min if state.player else max)(values) == pytest.approx(value, abs=1e-6)
    best = solution.best(state)
    assert best in choices
    assert best.value == pytest.approx(value, abs=1e-6)


@sweep("batch", range(BATCHES), every=14)
def test_agrees_with_a_plain_search(batch: int, monkeypatch: pytest.MonkeyPatch, thorough: bool) -> None:
    """Positions with up to three dice left to each, every phase, every trick, the direction open or fixed."""
    if batch % 2:
        monkeypatch.setattr(tables, "FEW", 0)  # the way in which large tables are made
    rng = Random(batch)
    for number in range(BATCH if thorough else 4):
        left = rng.choice([(3, 3), (2, 3), (3, 2), (2, 4), (4, 2), (1, 3), (3, 0)])
        hands = (rng.choice(HANDS), rng.choice(HANDS) if left != (3, 3) else rng.choice(HANDS[:5]))
        state = some_round(rng, left=left, tricks=hands, crew=rng.choice((0, 1, 3)))
        if number % 3 == 0:
            state = state._replace(direction=OPEN)
        state = random_walk(state, rng, rng.choice((0, 1, 2, 3)))
        worth = margin if number % 4 == 0 else Fancy(batch * BATCH + number)
        search, solution = expectimax(worth), solve(state, judge_by(worth))
        for _ in range(4):
            assert solution.value(state) == pytest.approx(search(state), abs=1e-9)
            if isinstance(state.node, Chance):
                assert solution.actions(state) == ()
            else:
                for action, value in solution.actions(state):
                    assert value == pytest.approx(search(state.apply(action)), abs=1e-9)
                check_choices(solution, state, search(state))
            state = random_walk(state, rng, rng.choice((1, 2, 5)))


@sweep("hands, direction", [(("", ""), "<"), (("b", ""), ">"), (("", "p"), "<")], every=3)
def test_agrees_with_a_plain_search_of_four_dice_each(hands: tuple[str, str], direction: str) -> None:
    rng = Random(f"{hands}")
    state = some_round(rng, left=(4, 4) if hands == ("", "") else (4, 3), tricks=hands, crew=2)
    state = state._replace(direction=direction)
    worth = Fancy(4)
    assert solve(state, judge_by(worth)).value(state) == pytest.approx(expectimax(worth)(state), abs=1e-9)


def whole_rounds(number: int, hands: tuple[str, str] = ("bpr", "bp")) -> Iterator[tuple[State, Random]]:
    """Rounds that nobody has placed a die in yet, the direction open."""
    for seed in range(number):
        rng = Random(seed)
        yield some_round(rng, left=(6, 6), tricks=hands, crew=5)._replace(direction=OPEN), rng


def test_values_hang_together(thorough: bool) -> None:
    """All through whole rounds: before a roll, the mean over rolls; at a decision, the best choice."""
    for start, rng in whole_rounds(3 if thorough else 1):
        state, solution = start.apply("roll"), solve(start, chances)
        seen = set()
        for _ in range(30):
            value = solution.value(state)
            if isinstance(state.node, Chance):
                mean = sum(chance * solution.value(state.apply_chance(roll)) for roll, chance in ROLLED.items()) / 36
                assert value == pytest.approx(mean, abs=1e-6)
            else:
                check_choices(solution, state, value)
            seen.add(state.phase)
            state = random_walk(state, rng, 1)
        assert seen >= {Phase.TURN, Phase.DICE, Phase.ROLLED}


def turned(state: State) -> State:
    """Return the same position with the players exchanged."""
    return state._replace(row=state.row[::-1], direction={OPEN: OPEN, "<": ">", ">": "<"}[state.direction])


@pytest.mark.parametrize("hands", [("bpr", "bp"), ("w", "r"), ("", "")])
def test_sides_and_ends_make_no_difference(hands: tuple[str, str]) -> None:
    for start, rng in whole_rounds(2, hands):
        state = random_walk(start, rng, rng.choice((2, 5, 9)))
        value = solve(state, chances).value(state)
        assert solve(exchanged(state), chances).value(exchanged(state)) == pytest.approx(1 - value, abs=2e-6)
        assert solve(turned(state), chances).value(turned(state)) == pytest.approx(value, abs=2e-6)


def test_single_precision_is_enough() -> None:
    for start, rng in whole_rounds(2):
        state = random_walk(start, rng, 4)
        double = solve(state, lambda state, pairs: chances(state, pairs).astype(np.float64))
        single = solve(state, chances)
        assert single.value(state) == pytest.approx(double.value(state), abs=1e-6)


@pytest.mark.parametrize(
    ("at_once", "block", "few"),
    [(1, 16384, 1 << 15), (20_000, 16384, 4096), (1 << 30, 16384, 1 << 30), (1 << 30, 50, 0)],
)
def test_the_portions_make_no_difference(monkeypatch: pytest.MonkeyPatch, at_once: int, block: int, few: int) -> None:
    """However many games, positions and values are worked on at a time, and kept, the values are the same."""
    for start, rng in whole_rounds(3, ("bpr", "prw")):
        walk = [random_walk(start, rng, 9)]
        walk += [random_walk(walk[0], rng, further) for further in (3, 6, 9, 12, 15)]
        values = [solve(state, chances).value(state) for state in walk]
        with monkeypatch.context() as patch:
            patch.setattr(rounds, "AT_ONCE", at_once)
            patch.setattr(tables, "BLOCK", block)
            patch.setattr(tables, "FEW", few)
            solution = solve(walk[0], chances)
            for state, value in zip(walk, values, strict=True):
                assert solution.value(state) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("at_once", [1, 20_000])
@pytest.mark.parametrize("mover", [0, 1])
def test_options_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch, mover: int, at_once: int) -> None:
    """All tables are the same as if the options were taken together, whatever the ends are worth."""
    played = (("", "p", "r", "p=A", "r=A", "p=F", "b"), ("", "p", "r", "b=C", "b=D", "p=D", "b"))
    endings = np.random.default_rng(mover).random((7, 7, 2, 729))
    dice = (((1, 1, 0, 0, 0, 1), (0, 0, 1, 1, 0, 0)), mover, played, endings)
    together = rounds.solve_round(*dice)
    monkeypatch.setattr(rounds, "AT_ONCE", at_once)
    apart = rounds.solve_round(*dice)
    for pair in product(*played):
        assert pair in together
        if pair not in apart:
            assert "" not in pair
            continue
        game, same = apart[pair], together[pair]
        for kind in ("turn", "roll"):
            for some, others in zip(getattr(game.tables, kind), getattr(same.tables, kind), strict=True):
                assert (some is None) == (others is None)
                if some is not None:
                    assert some[game.row, game.column] == pytest.approx(others[same.row, same.column], abs=1e-12)
    if at_once == 1:
        early = apart["", "b"].tables
        assert all(values is None or values.base is None for values in (*early.turn, *early.roll)), "frees the others"


def test_a_solution_serves_later_positions_as_a_new_one_would() -> None:
    for start, rng in whole_rounds(4):
        state, solution = start, solve(start, chances)
        for _ in range(6):
            state = random_walk(state, rng, 3)
            assert solution.value(state) == pytest.approx(solve(state, chances).value(state), abs=1e-6)


def test_what_was_asked_before_makes_no_difference() -> None:
    """The second position has more of everything, but cannot come from the first: with five dice, nobody rolls."""
    (start, _), *_ = whole_rounds(1, ("p", "b"))
    start = start._replace(player=1, starter=1)
    both = start._replace(direction=">", player=0, tricked=(True, True), tricks=("", ""))
    first = both._replace(placed=((1, 1, 0, 1, 0, 0), (1, 2, 1, 0, 1, 0)))
    second = both._replace(placed=((1, 1, 0, 1, 1, 0), (1, 3, 1, 0, 1, 0)))
    solution = solve(start, chances)
    for state in (first, second, first):
        assert solution.value(state) == pytest.approx(solve(state, chances).value(state), abs=1e-6)
    assert not solve(first, chances).reaches(second)


@sweep("hands", [("", ""), ("p", "r"), ("b", "b"), ("r", "w")], every=3)
def test_plays_out_as_predicted(hands: tuple[str, str]) -> None:
    """Thousands of rounds played by the solution end, on average, in what it says: within four standard errors."""
    rng = Random(f"{hands} played out")
    state = some_round(rng, left=(5, 5), tricks=hands, crew=3)
    worth = Fancy(8)
    solution = solve(state, judge_by(worth))
    known: dict[State, str] = {}
    results = [worth(play_out(state, solution, known, rng)) for _ in range(3000 * THOROUGH)]
    assert len(set(results)) > 10
    error = stdev(results) / sqrt(len(results))
    assert abs(fmean(results) - solution.value(state)) < 4 * error


def play_out(state: State, solution: Solution, known: dict[State, str], rng: Random) -> State:
    """Return the position after a round played by the solution."""
    while state.phase not in (Phase.ROW, Phase.OVER):
        if isinstance(state.node, Chance):
            state = state.apply_chance([rng.randrange(bound) for bound in state.node.bounds])
            continue
        if state not in known:
            known[state] = solution.best(state).action
        state = state.apply(known[state])
    return state


def test_no_round_in_progress() -> None:
    with pytest.raises(ValueError, match="no round is in progress"):
        solve(Shanghaien().start(), chances)


@sweep("seed", range(40), every=4)
def test_reaches_all_that_follows_and_no_turn_before(seed: int) -> None:
    rng = Random(seed)
    state = some_round(rng, left=(6, 6), tricks=(rng.choice(HANDS), rng.choice(HANDS)), crew=3)
    state = state._replace(direction=rng.choice((OPEN, "<", ">")))
    walk = [state]
    for _ in range(40):
        state = random_walk(state, rng, 1)
        if state != walk[-1]:
            walk.append(state)
    for place, start in enumerate(walk):
        solution = solve(start, chances)
        turn = max(index for index in range(place + 1) if index == 0 or walk[index].phase == Phase.TURN)
        assert all(solution.reaches(later) for later in walk[place:])
        assert not any(solution.reaches(earlier) for earlier in walk[:turn])


@pytest.mark.parametrize(
    ("held", "left", "gained"),
    [
        (("bpr", "bp"), ("pr", "p"), ()),  # playing both dice, they are placed
        (("bpr", "bp"), ("", "bp"), ()),  # one trick a round
        (("bp", ""), ("bpr", ""), ()),
        (("bp", ""), ("br", ""), ()),
        (("bp", ""), ("r", ""), ()),
        (("w", ""), ("", ""), ()),  # a wild one is played as a joker or not at all
        (("bp", ""), ("b", ""), ("Ab",)),
        (("bp", ""), ("b", ""), ("Ap", "Fp")),
        (("bp", ""), ("bp", ""), ("Ap",)),
    ],
)
def test_no_single_trick_brings_that_about(
    held: tuple[str, str], left: tuple[str, str], gained: tuple[str, ...]
) -> None:
    (start, _), *_ = whole_rounds(1, held)
    crews = ((*start.crews[0], *gained), start.crews[1])
    after = start._replace(tricked=(True, True), tricks=left, crews=crews)
    one_each = after._replace(direction="<", placed=((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)))
    solution = solve(start, chances)
    assert not solution.reaches(after)
    assert not solution.reaches(one_each)


def test_other_positions() -> None:
    (start, rng), *_ = whole_rounds(1)
    later = random_walk(start, rng, 7)
    solution = solve(later, chances)
    others = [
        start,
        later._replace(row=later.row[::-1]),
        later._replace(tricks=("", "")),
        later._replace(tricked=(True, True), tricks=("", "")),
        later._replace(tricked=(True, True), tricks=("bprw", "bprw")),
        later._replace(tricked=(True, True), crews=((), ())),
        later._replace(tricked=(True, True), tricks=("bp", "bp"), crews=((*later.crews[0], "Ab"), later.crews[1])),
        later._replace(phase=Phase.ROW),
        later._replace(phase=Phase.TURN, player=1 - later.player, dice=()),
    ]
    for other in others:
        assert not solution.reaches(other)
        with pytest.raises(ValueError, match="not a later position"):
            solution.value(other)
    with pytest.raises(ValueError, match="empty"):
        solution.best(later._replace(phase=Phase.DICE, dice=()))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_round_is_worth_what_one_of_its_ends_is(kind: type[np.floating]) -> None:
    """If all ends are alike, all positions are; rounding, which differs by processor, takes no mean beyond."""
    rng = Random(4)
    for alike in (1.0, 0.0, 0.1, 2 / 3):
        state = some_round(rng, left=(3, 3), tricks=("pb", "r"), crew=1)

        def same(position: State, pairs: Sequence[tuple[str, str]], alike: float = alike) -> NDArray[np.floating]:
            return np.full((len(pairs), 2, 729), alike, kind)

        solution = solve(state, same)
        exact = float(kind(alike))
        assert solution.value(state) == exact
        assert {choice.value for choice in solution.actions(state)} <= {exact}


def test_a_mean_is_never_beyond_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some processors' sums of the probabilities of rolls come out a little above one."""
    too_much = {np.dtype(kind): (tables.CHANCES * (1 + 2e-6)).astype(kind) for kind in (np.float32, np.float64)}
    monkeypatch.setattr(tables, "_CHANCES", too_much)
    rng = Random(7)
    for _ in range(10):
        state = some_round(rng, left=(3, 3), tricks=("p", ""), crew=1)
        solution = solve(state, lambda _, pairs: np.ones((len(pairs), 2, 729), np.float32))
        values = [solution.value(state), *(choice.value for choice in solution.actions(state))]
        assert set(values) == {1.0}
