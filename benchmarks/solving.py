"""The exact solution of a round beside a plain loop in C over the same positions, compiled here and run on one thread.

Both get the same tables of the rules and the same values of the ends, which takes neither any time, and must agree.
"""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import isclose
from pathlib import Path
from random import Random
from statistics import geometric_mean
from typing import NamedTuple

import numpy as np

from benchmarks.alone import alone
from benchmarks.report import Row
from p2p_shanghaien.games.api import Chance, Terminal
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players import rounds
from p2p_shanghaien.games.shanghaien.players.geometry import MIRRORED, ONE_MORE, PLACEMENTS, TWO_MORE, Layer, layers
from p2p_shanghaien.games.shanghaien.players.solver import solve
from p2p_shanghaien.games.shanghaien.players.tables import Options, Values
from p2p_shanghaien.games.shanghaien.players.value import chances
from p2p_shanghaien.games.shanghaien.rules import NO_DICE, OPEN, Phase, State

SOURCE = Path(__file__).with_suffix(".c")
COMPILE = ("gcc", "-O3", "-march=native", "-shared", "-fPIC")
REPEATS = 9
POSITIONS = 40
SHARE = 0.2
"""The share of the positions of a game that are measured."""


class Problem(NamedTuple):
    """A round to solve from a position before a turn: what is solved, and what its ends are worth."""

    state: State
    played: tuple[Options, Options]
    endings: Values


class _Layer(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("there", "mover", "may_roll", "dice", "moving", "waiting")),
        ("ends", ctypes.c_void_p),
    ]


class _Position(ctypes.Structure):
    _fields_ = [
        ("turns", ctypes.c_int32),
        ("layers", (ctypes.c_void_p * 2) * 2),
        ("one", ctypes.c_void_p * 6),
        ("two", ctypes.c_void_p * 5),
    ]


def run(repeats: int = REPEATS, positions: int = POSITIONS) -> list[Row]:
    """Measure each position with both in turns; the quickest of several times counts, as nothing but delays vary."""
    if shutil.which(COMPILE[0]) is None:
        return [Row(f"the loop in C: there is no {COMPILE[0]} here", None, "", "", None)]
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(Path(folder))
        rows = _compared("a round without tricks", [problem(fresh_round(("", ""), 4))], loop, repeats)
        rows += _compared(f"{positions} mid-game positions with tricks", list(mid_game(positions)), loop, repeats)
        rows += _compared("the worst: three tricks and jokers for all nationalities each", [worst()], loop, repeats)
    _, memory = alone(solve_worst)
    return [*rows, Row("most memory that the worst takes, in both directions", memory, "MB", "", None)]


def _compared(name: str, problems: list[Problem], loop: "Loop", repeats: int) -> list[Row]:
    """Return what all take together, as a ratio to the loop in C; then the mean of the ratios, late ones counting like
    any.
    """
    ours, plain = [], []
    for problem in problems:
        runs = (partial(solved, problem), loop.prepare(problem))
        values = [run() for run in runs]  # the first time, ours makes the tables of the rules
        if not isclose(*values, abs_tol=2e-6):
            raise AssertionError(f"{values} for {problem.state}")
        times = [[_seconds(run) for run in runs] for _ in range(repeats)]
        ours.append(min(time for time, _ in times))
        plain.append(min(time for _, time in times))
    rows = [
        Row(f"{name}: C", sum(plain) * 1000, "ms", "", 1.0),
        Row(f"{name}: numpy", sum(ours) * 1000, "ms", "C", sum(ours) / sum(plain)),
    ]
    if len(problems) > 1:
        ratio = geometric_mean([a / b for a, b in zip(ours, plain, strict=True)])
        rows.append(Row(f"{name}: the mean of their ratios", None, "", "C", ratio))
    return rows


def _seconds(run: Callable[[], float]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def solved(problem: Problem) -> float:
    """Return the value of the position, by the solver's tables."""
    state = problem.state
    solved = rounds.solve_round(state.placed, state.player, problem.played, problem.endings)
    return solved["", ""].value(NO_DICE, state.player, rolling=False)


class Loop:
    """The loop in C, compiled into a folder."""

    def __init__(self, folder: Path) -> None:
        library = folder / "solving.so"
        subprocess.run([*COMPILE, "-o", library, SOURCE], check=True)
        self._solve = ctypes.CDLL(str(library)).solve
        self._solve.restype = ctypes.c_float

    def prepare(self, problem: Problem) -> Callable[[], float]:
        """Return a run of the loop on the problem, with the tables of the rules at hand."""
        state = problem.state
        patterns = [[layers(state.placed, state.player, (a, b)) for b in (0, 1)] for a in (0, 1)]
        arrays = [[(_Layer * len(these))(*map(_layer, these)) for these in row] for row in patterns]
        position = _Position(len(patterns[0][0]))
        for first, second in product((0, 1), repeat=2):
            position.layers[first][second] = ctypes.addressof(arrays[first][second])
        position.one[:] = [places.ctypes.data for places in ONE_MORE]
        position.two[:] = [places.ctypes.data for places in TWO_MORE]
        kinds = [
            "".join("j" if "=" in option else option or "-" for option in side).encode() for side in problem.played
        ]
        endings = np.ascontiguousarray(problem.endings, np.float32)

        def run() -> float:
            sizes = (ctypes.c_int32(len(side)) for side in kinds)
            value: float = self._solve(ctypes.byref(position), *sizes, *kinds, ctypes.c_void_p(endings.ctypes.data))
            assert arrays, "the position points to them"
            return value

        return run


def _layer(layer: Layer | None) -> _Layer:
    if layer is None:
        return _Layer()
    moving, waiting = (len(PLACEMENTS[layer.added[side]]) for side in (layer.mover, 1 - layer.mover))
    ends = None if layer.ends is None else layer.ends.ctypes.data
    return _Layer(1, layer.mover, layer.may_roll, layer.added[layer.mover], moving, waiting, ends)


def problem(state: State) -> Problem:
    """Return what the solver solves in a position before a turn, its direction fixed."""
    _, played, endings = whole(state)
    mine, others = rounds.worth_playing(played, endings)
    thought = (tuple(played[0][index] for index in mine), tuple(played[1][index] for index in others))
    return Problem(state, thought, endings[mine][:, others])


def whole(state: State) -> Problem:
    """Return what it would solve if no trick were needless."""
    played = (rounds.options(state, 0), rounds.options(state, 1))
    endings = chances(state, list(product(*played))).reshape(len(played[0]), len(played[1]), 2, -1)
    return Problem(state, played, endings)


def fresh_round(tricks: tuple[str, str], sailors: int) -> State:
    """Return a fourth round that nobody has placed a die in, with so many nationalities in both crews."""
    state = Shanghaien().start()
    pile = list(state.pile)
    crews = [tuple(f"{nation}{value}" for nation in NATIONALITIES[:sailors]) for value in (1, 2)]
    row = ("A3", "F4", "G3", "C4", "D3", "Xb")
    for card in (*crews[0], *crews[1], *row):
        pile.remove(card)
    return state._replace(
        phase=Phase.TURN,
        direction="<",
        tricks=tricks,
        crews=(crews[0], crews[1]),
        round=4,
        row=row,
        pile=tuple(pile),
    )


def worst() -> Problem:
    """Three kinds of tricks each, and jokers for all eight nationalities, none of them needless."""
    return whole(fresh_round(("bpr", "bpr"), len(NATIONALITIES)))


def mid_game(number: int) -> Iterator[Problem]:
    """Positions before a turn of games played by the solver, in which tricks can still be played."""
    rng = Random(1)
    found = 0
    while found < number:
        state = Shanghaien().start()
        while not isinstance(node := state.node, Terminal):
            if isinstance(node, Chance):
                state = state.apply_chance([rng.randrange(bound) for bound in node.bounds])
                continue
            if state.phase == Phase.TURN and state.direction != OPEN and rng.random() < SHARE:
                this = problem(state)
                if max(map(len, this.played)) > 1 and found < number:
                    found += 1
                    yield this
            state = state.apply(solve(state, chances).best(state).action)


def solve_worst() -> None:
    """Solve the worst position in both directions, and keep both solutions."""
    state, played, endings = worst()
    kept = [rounds.solve_round(state.placed, state.player, played, each) for each in (endings, endings[..., MIRRORED])]
    assert all(("", "") in solved for solved in kept)
