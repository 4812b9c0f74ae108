"""Rounds of Shanghaien in progress, ways to value their ends, and a plain search that only the rules engine informs."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import numpy as np

from p2p_shanghaien.games.api import Chance, Turn
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES, ordered
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players.geometry import TAKERS
from p2p_shanghaien.games.shanghaien.players.tables import Values
from p2p_shanghaien.games.shanghaien.rules import OPEN, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import scores, strengths

ROLLED = {(a, b): 1 if a == b else 2 for a in range(6) for b in range(a, 6)}
"""The rolls, as indices to draw, with their chances in 36."""


def expectimax(worth: Callable[[State], float]) -> Callable[[State], float]:
    """Return the value of a position in a round, by trying out everything. `worth` values positions after the round."""

    @cache
    def value(state: State) -> float:
        if state.phase in (Phase.ROW, Phase.OVER):
            return worth(state)
        if isinstance(state.node, Chance):
            return sum(chance * value(state.apply_chance(roll)) for roll, chance in ROLLED.items()) / 36
        values = [value(state.apply(action)) for action in state.legal(state.player)]
        return max(values) if state.player == 0 else min(values)

    return value


def judge_by(worth: Callable[[State], float], dtype: type[np.floating] = np.float64) -> Callable[..., Values]:
    """Return what `solve` asks for, made from a value of single positions."""

    def evaluate(state: State, pairs: Sequence[tuple[str, str]]) -> Values:
        return np.array(
            [[[worth(end(state, pair, caller, taken)) for taken in TAKERS] for caller in (0, 1)] for pair in pairs],
            dtype,
        )

    return evaluate


def end(state: State, played: tuple[str, str], caller: int, takers: Sequence[int]) -> State:
    """Return the position after the round in which these tricks were played, and these took the row's cards left to
    right.
    """
    crews, tricks = [list(crew) for crew in state.crews], list(state.tricks)
    for side, trick in enumerate(played):
        if trick:
            tricks[side] = tricks[side].replace(trick[0], "", 1)
        if "=" in trick:
            crews[side].append(trick[2] + trick[0])
    for card, taker in zip(state.row, takers, strict=True):
        if taker < 2 and card[0] == "X":
            tricks[taker] += card[1]
        elif taker < 2:
            crews[taker].append(card)
    over = state.round == 8
    return state._replace(
        player=caller if over else 1 - caller,
        phase=Phase.OVER if over else Phase.ROW,
        dice=(),
        direction=OPEN,
        placed=((0,) * 6, (0,) * 6),
        tricked=(False, False),
        tricks=("".join(sorted(tricks[0])), "".join(sorted(tricks[1]))),
        crews=(ordered(crews[0]), ordered(crews[1])),
        round=state.round if over else state.round + 1,
        starter=state.starter if over else 1 - caller,
        row=(),
    )


class Fancy:
    """A value of positions after a round that depends on everything a round can change, in no sensible way."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._by_nationality = rng.normal(size=(2, 8, 40))
        self._by_trick = {letter: rng.normal(size=2) * 2 for letter in "pbrw"}
        self._start = rng.normal()
        self._known: dict[object, float] = {}

    def __call__(self, state: State) -> float:
        key = (state.starter, state.crews, state.tricks)
        if key not in self._known:
            self._known[key] = self._worth(state)
        return self._known[key]

    def _worth(self, state: State) -> float:
        total = self._start * (1 if state.starter == 0 else -1)
        for side in (0, 1):
            for nationality, strength in strengths(state.crews[side]).items():
                total += self._by_nationality[side, NATIONALITIES.index(nationality), strength]
            total += sum(self._by_trick[letter][side] for letter in state.tricks[side])
        return float(np.tanh(total / 4))


def margin(state: State) -> float:
    """Return the points by which player 0 leads when nothing more is won: what is played for in round 8."""
    first, second = scores(state.crews, state.tricks)
    return float(first - second)


def some_round(rng: Random, *, left: tuple[int, int], tricks: tuple[str, str] = ("", ""), crew: int = 6) -> State:
    """A position before a turn, with so many dice `left` to the players, whose crews have so many sailors.

    The direction is fixed, one way or the other.
    """
    pile = list(Shanghaien().start().pile)
    rng.shuffle(pile)
    crews = [ordered(card for card in _deal(pile, crew) if card[0] != "X") for _ in range(2)]
    row = _deal(pile, 6)
    placed = [_dice(rng, 6 - dice) for dice in left]
    return State(
        player=rng.randrange(2),
        phase=Phase.TURN,
        dice=(),
        direction=rng.choice("<>"),
        placed=(placed[0], placed[1]),
        tricked=(False, False),
        tricks=tricks,
        crews=(crews[0], crews[1]),
        round=rng.randrange(1, 9),
        starter=0,
        row=row,
        pile=tuple(card for card in Shanghaien().start().pile if card in pile),
    )


def _deal(pile: list[str], cards: int) -> tuple[str, ...]:
    return tuple(pile.pop() for _ in range(cards))


def _dice(rng: Random, number: int) -> tuple[int, ...]:
    numbers = [rng.randrange(6) for _ in range(number)]
    return tuple(numbers.count(card) for card in range(6))


def random_walk(state: State, rng: Random, steps: int) -> State:
    """Return a position of the round, some random steps on; the last one before the round would end at the most."""
    for _ in range(steps):
        node = state.node
        if isinstance(node, Turn):
            after = state.apply(rng.choice(state.legal(node.player)))
            if after.phase in (Phase.ROW, Phase.OVER):
                return state
            state = after
        else:
            assert isinstance(node, Chance)
            state = state.apply_chance([rng.randrange(bound) for bound in node.bounds])
    return state
