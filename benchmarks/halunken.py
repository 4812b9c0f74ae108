"""A Monte-Carlo tree search at Halunken & Spelunken to measure the levels against: benchmarks/halunken.c.

The rules stand there a second time, for speed. A test compares them with the engine's, position by position. Searches
end with the hand.
"""

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import ClassVar, Final, NamedTuple

from benchmarks.compiling import compiled
from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.halunken.rogues import DECK, Rogue
from p2p_shanghaien.games.halunken.rules import CARDS, LEAVE, PASS, Phase, State

SOURCE: Final = Path(__file__).with_name("halunken.c")

EXPLORATION: Final = 0.5
"""The constant of UCT: with 0.25, 0.5, 0.75 and 1.0 it won 20, 21, 27 and 20% of 300 games against `master`, which is
the same within 5% (10,000 simulations)."""
_MOST_ACTIONS: Final = 64
_NOBODY: Final = 2
_ROGUE: Final = 16
_NONE: Final = 60
_NUMBER: Final = 64
_CARDS: Final = 80
_PLACE: Final = {rogue: place for place, rogue in enumerate(DECK)}


class Position(ctypes.Structure):
    """A position as the C code has it; the fields are those of `rules.State`, in numbers."""

    _fields_: ClassVar[list[tuple[str, type]]] = [
        ("crews", ctypes.c_uint64 * 2),
        ("boat", ctypes.c_uint64),
        ("pile", ctypes.c_uint64),
        ("lead", ctypes.c_int32),
        ("phase", ctypes.c_uint8),
        ("player", ctypes.c_uint8),
        ("round", ctypes.c_uint8),
        ("opener", ctypes.c_uint8),
        ("bid", ctypes.c_uint8),
        ("hirer", ctypes.c_uint8),
        ("blackjack", ctypes.c_uint8),
        ("may", ctypes.c_uint8),
        ("shown", ctypes.c_uint8 * 3),
        ("numbers", ctypes.c_uint8 * 3),
        ("captains", ctypes.c_uint8 * 2),
        ("jack", ctypes.c_uint8),
        ("cards", ctypes.c_uint8 * 3),
        ("tops", ctypes.c_uint8 * 14),
        ("left", ctypes.c_uint8 * 14),
        ("padding", ctypes.c_uint8 * 5),
    ]


def position(state: State) -> Position:
    """Return the C code's form of `state`."""
    made = Position(phase=state.phase, player=state.player, round=state.round, jack=state.jack)
    made.crews[:] = [_bits(crew) for crew in state.crews]
    made.boat, made.pile = _bits(state.boat), _bits(state.pile)
    made.lead = state.scores[0] - state.scores[1]
    made.opener = _NOBODY if state.opener is None else state.opener
    made.hirer = _NOBODY if state.hirer is None else state.hirer
    made.bid = _PLACE[state.bid] + 1 if state.bid else 0
    made.blackjack, made.may = state.options.blackjack, state.options.may
    made.shown[:] = [CARDS.index(card) + 1 if card else 0 for card in state.shown]
    made.numbers[:], made.captains[:] = state.numbers, state.captains
    made.cards[:] = [sum(1 << CARDS.index(card) for card in cards) for cards in state.cards]
    made.tops[:] = [_PLACE[top] + 1 if top else 0 for top in state.tops]
    made.left[:] = state.left
    return made


def _bits(rogues: Iterable[Rogue]) -> int:
    return sum(1 << _PLACE[rogue] for rogue in rogues)


@cache
def number(action: Action) -> int:
    """Return the number of an action (halunken.c has the numbers)."""
    kind, _, thing = action.partition(":")
    if action in (PASS, LEAVE):
        return _NONE
    if kind == "at":
        return int(thing)
    if thing:
        return _ROGUE + _PLACE[thing]
    if "=" in action:
        return _NUMBER + int(action.partition("=")[2])
    card, _, his = action.partition("+")
    return _CARDS + 9 * (CARDS.index(card) + 1) + (CARDS.index(his) + 1 if his else 0)


@cache
def library() -> ctypes.CDLL:
    """Return the compiled C code."""
    return compiled(SOURCE)


def legal(at: Position, player: int) -> list[int]:
    """Return what is open to a player in a position, as the C code has it."""
    found = (ctypes.c_uint8 * _MOST_ACTIONS)()
    count = library().legal(ctypes.byref(at), player, found)
    return found[:count]


def act(at: Position, action: Action) -> None:
    """Change the position by an action."""
    library().apply(ctypes.byref(at), number(action))


def reveal(at: Position, actions: tuple[Action, Action]) -> None:
    """Change the position by both secret choices."""
    library().reveal(ctypes.byref(at), number(actions[0]), number(actions[1]))


def draw(at: Position, indices: Sequence[int]) -> None:
    """Change the position by what chance gave."""
    library().draw(ctypes.byref(at), (ctypes.c_uint8 * len(indices))(*indices))


class Choice(NamedTuple):
    """The search's result for an action: how often it was tried, and how often its player won (a draw is half)."""

    action: Action
    visits: int
    wins: float


@dataclass(frozen=True)
class DecoupledSearch:
    """A computer player that searches with so many simulations for every decision.

    Of open actions it takes the one most visited; of secret ones each as often as it was visited, as a mixture.
    """

    simulations: int
    exploration: float = EXPLORATION

    def __call__(self, state: AnyState, player: int, rng: Random) -> Action:
        assert isinstance(state, State)
        actions = state.legal(player)
        if len(actions) == 1:
            return actions[0]
        choices = self.choices(state, player, rng.getrandbits(64))
        if state.phase == Phase.CHOICE:
            return rng.choices(actions, [choice.visits for choice in choices])[0]
        return max(choices, key=lambda choice: choice.visits).action

    def choices(self, state: State, player: int, seed: int) -> list[Choice]:
        """Return every legal action with what the search found of it. Raises MemoryError."""
        at, actions = position(state), state.legal(player)
        visits, wins = (ctypes.c_uint32 * _MOST_ACTIONS)(), (ctypes.c_float * _MOST_ACTIONS)()
        constant = ctypes.c_double(self.exploration)
        root = ctypes.byref(at)
        if not library().search(root, player, self.simulations, constant, ctypes.c_uint64(seed), visits, wins):
            raise MemoryError("the tree of a search")
        by_number = {each: place for place, each in enumerate(legal(at, player))}
        places = [by_number[number(action)] for action in actions]
        return [Choice(action, visits[at], wins[at]) for action, at in zip(actions, places, strict=True)]
