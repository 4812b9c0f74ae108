"""A Monte-Carlo tree search to measure the levels against: benchmarks/mcts.c, compiled when first used.

The rules stand there a second time, for speed. A test compares them with the engine's, position by position.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar, Final, NamedTuple

from benchmarks.compiling import compiled
from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES, strength
from p2p_shanghaien.games.shanghaien.rules import ROLL, ROUNDS, ROW, SHANGHAI, State

SOURCE: Final = Path(__file__).with_name("mcts.c")

SIZES: Final = (1_000, 10_000, 100_000)
"""Simulations a decision that are measured against."""

EXPLORATION: Final = 0.5
"""The constant of UCT: 0.4 and 0.7 were equal, 1.0 and 1.2 won 46% and 43% against them (10,000 simulations)."""
_MOST_ACTIONS: Final = 64
_ENDS: Final = ("", "<", ">")
_TRICKS: Final = "pbrw"
_FIRST_TRICK: Final = 64


class Position(ctypes.Structure):
    """A position as the C code has it; the fields are those of `rules.State`, in numbers."""

    _fields_: ClassVar[list[tuple[str, type]]] = [
        ("player", ctypes.c_uint8),
        ("phase", ctypes.c_uint8),
        ("count", ctypes.c_uint8),
        ("dice", ctypes.c_uint8 * 2),
        ("direction", ctypes.c_uint8),
        ("placed", ctypes.c_uint8 * 6 * 2),
        ("tricked", ctypes.c_uint8 * 2),
        ("tricks", ctypes.c_uint8 * 4 * 2),
        ("crews", ctypes.c_uint8 * 8 * 2),
        ("round", ctypes.c_uint8),
        ("starter", ctypes.c_uint8),
        ("row_size", ctypes.c_uint8),
        ("row", ctypes.c_uint8 * 6),
        ("pile_size", ctypes.c_uint8),
        ("pile", ctypes.c_uint8 * 48),
    ]


def position(state: State) -> Position:
    """Return the C code's form of `state`."""
    made = Position(player=state.player, phase=state.phase, count=len(state.dice), round=state.round)
    made.starter = state.starter
    made.dice[: len(state.dice)] = state.dice
    made.direction = _ENDS.index(state.direction)
    for player in (0, 1):
        made.placed[player][:] = state.placed[player]
        made.tricked[player] = state.tricked[player]
        made.tricks[player][:] = [state.tricks[player].count(letter) for letter in _TRICKS]
        for card in state.crews[player]:
            made.crews[player][NATIONALITIES.index(card[0])] += strength(card)
    made.row_size, made.pile_size = len(state.row), len(state.pile)
    made.row[: len(state.row)] = _cards(state.row)
    made.pile[: len(state.pile)] = _cards(state.pile)
    return made


@cache
def _cards(cards: tuple[str, ...]) -> list[int]:
    return [
        _FIRST_TRICK + _TRICKS.index(card[1]) if card[0] == "X" else 8 * NATIONALITIES.index(card[0]) + int(card[1])
        for card in cards
    ]


def _actions() -> dict[int, Action]:
    """Return the notation of each action's number (mcts.c has the numbers)."""
    named = {1: ROLL, 2: SHANGHAI, 64: "!r"}
    named |= {16 + 3 * die + end: f"-{die}{_ENDS[end]}" for die in range(1, 7) for end in range(3)}
    named |= {40 + die: f"!p+{die}" for die in range(1, 6)} | {50 + die: f"!p-{die}" for die in range(2, 7)}
    named |= {60 + end: f"!b{_ENDS[end]}" for end in range(3)}
    return named | {
        70 + 8 * kind + nation: f"!{letter}={nationality}"
        for kind, letter in enumerate(_TRICKS)
        for nation, nationality in enumerate(NATIONALITIES)
    }


ACTIONS: Final = _actions()
NUMBERS: Final = {action: number for number, action in ACTIONS.items()}


@cache
def library() -> ctypes.CDLL:
    """Return the compiled C code."""
    loaded = compiled(SOURCE)
    loaded.search.restype = ctypes.c_uint8
    return loaded


def legal(at: Position) -> list[Action]:
    """Return what is open in a position, as the C code has it."""
    found = (ctypes.c_uint8 * _MOST_ACTIONS)()
    count = library().legal(ctypes.byref(at), found)
    return [ACTIONS[number] for number in found[:count]]


def act(at: Position, action: Action) -> None:
    """Change the position by an action."""
    library().apply(ctypes.byref(at), ctypes.c_uint8(NUMBERS[action]))


def draw(at: Position, indices: Sequence[int]) -> None:
    """Change the position by what chance gave: a row's six indices, or those of two dice."""
    if len(indices) == 2:
        library().roll(ctypes.byref(at), ctypes.c_uint8(indices[0] + 1), ctypes.c_uint8(indices[1] + 1))
    else:
        library().lay_out(ctypes.byref(at), (ctypes.c_uint8 * len(indices))(*indices))


class Choice(NamedTuple):
    """The search's result for an action: how often it was tried, and how often that was won (a draw is half)."""

    action: Action
    visits: int
    wins: float


@dataclass(frozen=True)
class MonteCarlo:
    """A computer player that searches with so many simulations for every decision."""

    simulations: int
    exploration: float = EXPLORATION

    def __call__(self, state: AnyState, player: int, rng: Random) -> Action:
        actions = state.legal(player)
        if len(actions) == 1:
            return actions[0]
        return max(self.choices(state, rng.getrandbits(64)), key=lambda choice: choice.visits).action

    def choices(self, state: AnyState, seed: int) -> list[Choice]:
        """Return every legal action with what the search found of it. Raises MemoryError."""
        assert isinstance(state, State)
        assert len(state.pile) == ROW * (ROUNDS - state.round), "the C code deals without looking"
        at = position(state)
        visits, wins = (ctypes.c_uint32 * _MOST_ACTIONS)(), (ctypes.c_float * _MOST_ACTIONS)()
        constant = ctypes.c_double(self.exploration)
        chosen = library().search(ctypes.byref(at), self.simulations, constant, ctypes.c_uint64(seed), visits, wins)
        if not chosen:
            raise MemoryError("the tree of a search")
        share = wins if state.player == 0 else [count - won for count, won in zip(visits, wins, strict=True)]
        return [Choice(*found) for found in zip(legal(at), visits, share, strict=False)]
