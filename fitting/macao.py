"""Makes games/macao/players/value.npz again: `python -m fitting.macao FILE`.

The first games are played by `greedy` with mishaps, and a network is fitted to their results. It plays the next games,
looking one action ahead, and the next network is fitted to these, each position to the mean of what the network says of
later ones and of the result: from generation to generation. The same seed makes the same file on the same machine;
elsewhere the last digits of floats may differ, of which weights keep few.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fitting.regress import HELD_OUT, MEMORY
from p2p_shanghaien.games.api import Action, Chance, Terminal, Turn
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.players import greedy
from p2p_shanghaien.games.macao.players.features import Features, Floats
from p2p_shanghaien.games.macao.players.network import POINTS, Network, packed, squashed, unpacked
from p2p_shanghaien.games.macao.rules import Course, Phase, State, start

UNITS: Final = 32
RATE: Final = 3e-3
DECAY: Final = 1e-2
BATCH: Final = 512
PASSES: Final = 24
MARGINS: Final = 0.5
"""The weight of margins, beside that of chances."""
TRUST: Final = 0.1
"""The weight of the network's value of the next position, beside what follows."""
MISHAPS: Final = (0.0, 0.05, 0.15)
"""The rates of random actions of a player, one for each game: unusual positions occur too."""
OTHERS: Final = 0.15
"""The share of players that are `greedy` in later generations."""
SHARE: Final = 50
"""The games that a process is given at a time."""
GAMES: Final = (1000, 1000, 1000)
"""The games of each generation."""
KEPT: Final = 2
"""The number of latest generations whose games a network is fitted to."""


class Played(NamedTuple):
    """Positions of games as a network sees them, (2, N, F), and what they are fitted to, (N, 2)."""

    seen: NDArray[np.float32]
    wanted: NDArray[np.float32]


class AtOnce:
    """A player that takes the action with the best value at once, by a network."""

    def __init__(self, network: Network, features: Features) -> None:
        self._network = network
        self._features = features

    def choose(self, state: State, player: int, rng: Random) -> Action:
        legal = state.legal(player)
        if len(legal) == 1:
            return legal[0]
        after = [Course(state).act(action).state for action in legal]
        values = (1 - 2 * player) * self.chances(after)
        return rng.choice([legal[at] for at in np.flatnonzero(values > values.max() - 1e-9)])

    def chances(self, states: Sequence[State]) -> Floats:
        found = np.array([_result(state)[0] if state.phase == Phase.OVER else 0.5 for state in states])
        going = [at for at, state in enumerate(states) if state.phase != Phase.OVER]
        if going:
            found[going] = self._network.values(self._features.rows([states[at] for at in going]))[:, 0]
        return found


def _result(state: State) -> tuple[float, float]:
    over = state.node
    assert isinstance(over, Terminal)
    return 0.5 if over.winner is None else 1.0 - over.winner, over.scores[0] - over.scores[1]


@cache
def _features() -> Features:
    return Features(reconstruction())


def played(network: Network | None, seed: str, numbers: Sequence[int]) -> Played:
    """Return the positions of the games of these numbers."""
    games = [_game(network, Random(f"{seed} {number}")) for number in numbers]
    return Played(np.concatenate([game.seen for game in games], 1), np.concatenate([game.wanted for game in games]))


def _game(network: Network | None, rng: Random) -> Played:
    features = _features()
    choosing = [_player(network, features, rng) for _ in range(2)]
    mishaps = [rng.choice(MISHAPS) for _ in range(2)]
    state = start(reconstruction())
    seen = []
    while not isinstance(node := state.node, Terminal):
        if state.phase != Phase.SET_UP:
            seen.append(state)
        match node:
            case Chance(bounds):
                state = Course(state).draw([rng.randrange(bound) for bound in bounds]).state
            case Turn(player):
                strays = rng.random() < mishaps[player]
                action = rng.choice(state.legal(player)) if strays else choosing[player](state, player, rng)
                state = Course(state).act(action).state
            case _:
                raise AssertionError("nobody chooses at the same time")
    inputs = features.rows(seen)
    chance, margin = _result(state)
    ends = np.array([chance, margin / POINTS])
    wanted = np.empty((len(seen), 2))
    values = network.values(inputs) / (1, POINTS) if network else None
    for at in reversed(range(len(seen))):
        wanted[at] = ends
        if values is not None:
            ends = (1 - TRUST) * ends + TRUST * values[at]
    return Played(inputs.astype(np.float32), wanted.astype(np.float32))


def _player(network: Network | None, features: Features, rng: Random) -> Any:
    if network is None or rng.random() < OTHERS:
        return greedy.choose
    return AtOnce(network, features).choose


def fit(data: Played, seed: tuple[int, ...], passes: int = PASSES) -> tuple[Network, tuple[float, float]]:
    """Return a network, and its errors on positions it was not fitted to: the roots of the mean squares."""
    count, size = len(data.wanted), data.seen.shape[-1]
    # what is held out comes from other games
    test, train = np.split(np.arange(count), [round(HELD_OUT * count)])
    rng = np.random.default_rng(seed)
    sample = data.seen[:, :: max(count // 20_000, 1)]
    centre = sample.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    deviation = (sample.std(axis=(0, 1), dtype=np.float64) + 0.05).astype(np.float32)
    weights = [
        (rng.normal(size=(size, UNITS)) / size**0.5).astype(np.float32),
        np.zeros(UNITS, np.float32),
        np.zeros((UNITS, 2), np.float32),
        np.zeros((size, 2), np.float32),
    ]
    momenta = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    a_pass = len(train) // min(BATCH, len(train))
    steps = passes * a_pass
    for step in range(steps):
        if step % a_pass == 0:
            mixed = rng.permutation(train)
        at = mixed[step % a_pass * BATCH :][:BATCH]
        seen = (data.seen[:, at] - centre) / deviation
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        for each, down, (mean, square) in zip(weights, slope(weights, seen, data.wanted[at]), momenta, strict=True):
            np.add(MEMORY[0] * mean, (1 - MEMORY[0]) * down, out=mean)
            np.add(MEMORY[1] * square, (1 - MEMORY[1]) * down**2, out=square)
            unbiased = mean / (1 - MEMORY[0] ** (step + 1)), square / (1 - MEMORY[1] ** (step + 1))
            np.subtract(each, rate * (unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8) + DECAY * each), out=each)
    hidden, bias, out, direct = weights
    hidden, direct = hidden / deviation[:, None], direct / deviation[:, None]
    network = unpacked(packed(Network(hidden, bias - centre @ hidden, out, direct)))
    off = network.values(data.seen[:, test].astype(np.float64)) / (1, POINTS) - data.wanted[test]
    chance, margin = np.sqrt(np.mean(off**2, axis=0))
    return network, (float(chance), float(margin) * POINTS)


def slope(weights: Sequence[Any], seen: Any, wanted: Any) -> list[Any]:
    """Return the gradient of the loss: the cross entropy of chances, and half the mean squared error of margins."""
    hidden, bias, out, direct = weights
    units = np.maximum(seen @ hidden + bias, 0)
    found = units @ out + seen @ direct
    both = (found[0] - found[1]) / 2
    error = np.stack(
        [
            2 * (squashed(both[:, 0]) - wanted[:, 0]) / np.sqrt(1 + both[:, 0] ** 2),
            MARGINS * (both[:, 1] - wanted[:, 1]),
        ],
        axis=1,
    ) / (2 * len(wanted))
    to_out = np.stack([error, -error]).astype(seen.dtype)
    to_units = (to_out @ out.T) * (units > 0)
    flat = seen.reshape(-1, seen.shape[-1])
    return [
        flat.T @ to_units.reshape(-1, to_units.shape[-1]),
        to_units.sum(axis=(0, 1)),
        units.reshape(-1, units.shape[-1]).T @ to_out.reshape(-1, 2),
        flat.T @ to_out.reshape(-1, 2),
    ]


def generations(games: Sequence[int], seed: int, executor: Executor) -> Network:
    """Return the network of the last generation; `games` are the numbers of games of each."""
    network: Network | None = None
    kept: list[Played] = []
    for number, count in enumerate(games):
        began = time.monotonic()
        parts = [range(count)[at : at + SHARE] for at in range(0, count, SHARE)]
        new = _joined(list(executor.map(partial(played, network, f"{seed} {number}"), parts)))
        # the games of `greedy` are only to begin with
        kept = [*kept, new][1 - KEPT if number == 1 else -KEPT :]
        took = time.monotonic() - began
        network, (chance, margin) = fit(_joined(kept), (seed, number))
        print(
            f"generation {number}: off by {chance:.4f} and {margin:.2f} points, played in {took:.0f} s, "
            f"fitted in {time.monotonic() - began - took:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    assert network is not None
    return network


def _joined(parts: Sequence[Played]) -> Played:
    return Played(np.concatenate([part.seen for part in parts], 1), np.concatenate([part.wanted for part in parts]))


def main() -> None:
    """Fit them all, saying on standard error how it goes."""
    parser = argparse.ArgumentParser(prog="python -m fitting.macao", description="Fits the network of Macao.")
    parser.add_argument("file", type=Path, metavar="FILE", help="what is written: a .npz")
    parser.add_argument("--games", type=int, nargs="+", default=GAMES, help="games by generation")
    parser.add_argument("--seed", type=int, default=2019, help="fixes everything (default: 2019)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="processes (default: one for every core)")
    given = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of each process
    with ProcessPoolExecutor(given.cores, get_context("spawn")) as executor:
        arrays: dict[str, Any] = dict(packed(generations(given.games, given.seed, executor)))
    np.savez_compressed(given.file, **arrays)


if __name__ == "__main__":
    main()
