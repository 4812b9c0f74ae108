"""Makes games/halunken/players/value.npz again: `python -m fitting.halunken FILE`.

Positions come from games of `easy` and `greedy` with mishaps, whose players bid more or less. Each round is solved
(auction and secret choices) with the network for the next one at its ends, round 7 with the last round solved, and its
network is fitted to that: from round 7 to the first. The same seed makes the same file on the same machine; elsewhere
the last digits of floats may differ.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fitting.regress import BATCH, HELD_OUT, MEMORY
from p2p_shanghaien.games.api import Chance, Simultaneous, Terminal
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players import easy, greedy
from p2p_shanghaien.games.halunken.players.courses import NOBODY, hands, row
from p2p_shanghaien.games.halunken.players.network import Network, inputs, packed
from p2p_shanghaien.games.halunken.players.rounds import CHANCE, POINTS, Judge, solve_round
from p2p_shanghaien.games.halunken.rogues import VALUE
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, PASS, ROUNDS, SPACES, Phase, State

_T = TypeVar("_T")
Floats = NDArray[np.float64]

UNITS: Final = 24
RATE: Final = 3e-3
DECAY: Final = 1e-2
RIDGE: Final = 1e-2
PASSES: Final = 150
MISHAPS: Final = (0.0, 0.05, 0.2)
"""The rates of random actions of a game's players: games of some kinds, so that unusual positions occur too."""
CAPS: Final = (0, 4, 6, 8, 15)
"""The highest rogues that a player bids, also one for each game."""
SHARE: Final = 25
"""Positions, or games, that a process is given at a time."""
PARTS: Final = dict.fromkeys(range(1, ROUNDS - 1), 0.4)
"""The share of the games from which positions are taken: those before round 7 take least time, and need most."""
VARIATIONS: Final[dict[int, int]] = {}
"""Variations of each position before late rounds, where it matters most which cards are left."""
SPREADS: Final = np.arange(2.0, 40.0, 0.25)


def positions(blackjack: str, seed: int, numbers: Sequence[int]) -> list[list[State]]:
    """Return the positions before rounds 1 to 7 in the games of these numbers, with variations of late ones."""
    return [_game(Halunken(blackjack), Random(f"{seed} {blackjack} {number}")) for number in numbers]


def _game(game: Halunken, rng: Random) -> list[State]:
    mishaps, caps = rng.choice(MISHAPS), (rng.choice(CAPS), rng.choice(CAPS))
    players = [rng.choice((easy.choose, greedy.choose)) for _ in range(2)]
    state = game.start()
    found: list[State] = []

    def decided(player: int) -> str:
        if rng.random() < mishaps:
            return rng.choice(state.legal(player))
        bidding = state.phase == Phase.AUCTION
        action = (greedy.choose if bidding else players[player])(state, player, rng)
        dear = action.startswith("bid:") and VALUE[action[4:]] > caps[player]
        return PASS if dear else action

    while not isinstance(node := state.node, Terminal) and len(found) < ROUNDS - 1:
        if state.round == len(found) + 1:
            found.append(state)
        match node:
            case Chance(bounds):
                state = state.apply_chance([rng.randrange(bound) for bound in bounds])
            case Simultaneous():
                state = state.apply_joint((decided(0), decided(1)))
            case _:
                state = state.apply(decided(node.player))
    return found


def varied(state: State, rng: Random) -> State:
    """Return a position before a round with other spaces, movement cards and opener, drawn at random."""
    first, second, jack = rng.sample(range(1, SPACES + 1), 3)
    cards = ["".join(sorted(rng.sample(CARDS, len(own)), key=CARDS.index)) for own in state.cards]
    state = state._replace(captains=(first, second), cards=(cards[0], cards[1], cards[JACK]))
    if state.options.blackjack:
        opener = rng.randrange(2)
        state = state._replace(jack=jack, opener=opener, player=opener)
    return state


class Solved(NamedTuple):
    """Positions as a network sees them, (2, N, F), and their values, (N, 2)."""

    seen: NDArray[np.float32]
    values: Floats


def solved(networks: Sequence[Network], states: Sequence[State]) -> Solved:
    """Return the positions before a round and their values; the networks of later rounds are used."""
    return Solved(seen(states), np.array([solve_round(Judge(state, networks)) for state in states]))


def seen(states: Sequence[State]) -> NDArray[np.float32]:
    """Return positions before a round as a network sees them, (2, N, F)."""
    found = []
    for state in states:
        opener = NOBODY if state.opener is None else state.opener
        found.append(inputs(row(state), hands(state)[None], np.array([opener]), may=state.options.may))
    return np.concatenate(found, axis=1)


def fit(
    data: Solved, seed: tuple[int, ...], passes: int = PASSES, begin: Network | None = None
) -> tuple[Network, float]:
    """Return a network, and the root of its mean squared error in points on positions that it was not fitted to.

    It is the best on these of all that it has been on the way, from `begin` if that is given.
    """
    order = np.random.default_rng(0).permutation(len(data.values))
    test, train = np.split(order, [round(HELD_OUT * len(order))])
    rng = np.random.default_rng(seed)
    size = data.seen.shape[-1]
    centre = data.seen.mean(axis=(0, 1), dtype=np.float64)
    deviation = data.seen.std(axis=(0, 1), dtype=np.float64) + 1e-3
    seen = (data.seen - centre) / deviation
    wanted = data.values[:, POINTS] / 10
    weights = [
        rng.normal(size=(size, UNITS)) / size**0.5,
        np.zeros(UNITS),
        np.zeros(UNITS),
        _straight((seen[0, train] - seen[1, train]) / 2, wanted[train]),
    ]
    if begin:
        moved = begin.bias + (centre - begin.centre) @ begin.hidden
        known = [begin.hidden * deviation[:, None], moved, begin.out, begin.direct * deviation]
        weights = [each.astype(np.float64) for each in known]
    momenta = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    batch = min(BATCH, len(train))
    a_pass = len(train) // batch
    best, least = weights, np.inf
    for step in range(passes * a_pass):
        if step % a_pass == 0:
            mixed = rng.permutation(train)
            if (off := _error(weights, seen[:, test], wanted[test])) < least:
                best, least = [each.copy() for each in weights], off
        at = mixed[step % a_pass * batch :][:batch]
        rate = RATE * (1 + np.cos(np.pi * step / (passes * a_pass))) / 2
        for each, down, (mean, square) in zip(weights, slope(weights, seen[:, at], wanted[at]), momenta, strict=True):
            np.add(MEMORY[0] * mean, (1 - MEMORY[0]) * down, out=mean)
            np.add(MEMORY[1] * square, (1 - MEMORY[1]) * down**2, out=square)
            unbiased = mean / (1 - MEMORY[0] ** (step + 1)), square / (1 - MEMORY[1] ** (step + 1))
            np.subtract(each, rate * (unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8) + DECAY * each), out=each)
    hidden, bias, out, direct = best
    found = Network(centre, hidden / deviation[:, None], bias, out, direct / deviation, np.array([1.0]))
    return found._replace(spread=np.array([_spread(found, data)])), 10 * least**0.5


def _straight(seen: Floats, wanted: Floats) -> Floats:
    """Return the direct weights that alone come nearest, by ridge regression: the network begins with them."""
    return np.asarray(np.linalg.solve(seen.T @ seen + RIDGE * len(seen) * np.eye(seen.shape[1]), seen.T @ wanted))


def _error(weights: Sequence[Floats], seen: Floats, wanted: Floats) -> float:
    hidden, bias, out, direct = weights
    found = np.maximum(seen @ hidden + bias, 0) @ out + seen @ direct
    return float(np.mean(((found[0] - found[1]) / 2 - wanted) ** 2))


def slope(weights: Sequence[Floats], seen: Floats, wanted: Floats) -> list[Floats]:
    """Return the gradient of half the mean squared error."""
    hidden, bias, out, direct = weights
    units = np.maximum(seen @ hidden + bias, 0)
    found = units @ out + seen @ direct
    error = ((found[0] - found[1]) / 2 - wanted) / len(wanted) / 2
    to_out = np.stack([error, -error])
    to_units = to_out[..., None] * out * (units > 0)
    return [
        np.tensordot(seen, to_units, ((0, 1), (0, 1))),
        to_units.sum(axis=(0, 1)),
        np.tensordot(units, to_out, ((0, 1), (0, 1))),
        np.tensordot(seen, to_out, ((0, 1), (0, 1))),
    ]


def _spread(network: Network, data: Solved) -> float:
    """Return the margin that makes win probabilities out of margins best, by cross entropy."""
    margins, wanted = network.margins(data.seen), data.values[:, CHANCE]
    losses = [np.mean(np.logaddexp(0, margins / spread) - wanted * margins / spread) for spread in SPREADS]
    return float(SPREADS[int(np.argmin(losses))])


def backwards(
    by_round: Sequence[Sequence[State]],
    seed: int,
    executor: Executor,
    tell: Callable[[str], object] = print,
    solve: Callable[[Sequence[Network], Sequence[State]], Solved] = solved,
    begin: Sequence[Network | None] = (None,) * (ROUNDS - 1),
) -> list[Network]:
    """Return the networks for positions before rounds 1 to 7, fitted from the last to the first.

    `solve` gives the values of positions before a round, and is called in other processes. The networks are fitted
    from those of `begin`.
    """
    networks: list[Network] = []
    for number in range(ROUNDS - 1, 0, -1):
        began = time.monotonic()
        rng, found = Random(f"{seed} {number}"), by_round[number - 1]
        states = list(found[: round(PARTS.get(number, 1) * len(found))])
        states += [varied(state, rng) for state in found for _ in range(VARIATIONS.get(number, 0))]
        # the networks of earlier rounds are not asked for
        known = [*networks[:1] * number, *networks]
        parts = list(executor.map(partial(solve, known), _parts(states)))
        data = Solved(np.concatenate([part.seen for part in parts], axis=1), np.concatenate([p.values for p in parts]))
        network, off = fit(data, (seed, number), begin=begin[number - 1])
        networks.insert(0, network)
        spread, of = float(network.spread[0]), float(np.std(data.values[:, POINTS]))
        tell(
            f"before round {number}: off by {off:.2f} points of {of:.2f}, spread {spread:.2f}, "
            f"{len(states)} positions, {time.monotonic() - began:.0f} s"
        )
    return networks


def _parts(items: Sequence[_T]) -> list[Sequence[_T]]:
    return [items[at : at + SHARE] for at in range(0, len(items), SHARE)]


def main() -> None:
    """Fit them all, saying on standard error how it goes."""
    parser = argparse.ArgumentParser(prog="python -m fitting.halunken", description="Fits the networks of Halunken.")
    parser.add_argument("file", type=Path, metavar="FILE", help="what is written: a .npz")
    parser.add_argument("--games", type=int, default=6000, help="games of each kind (default: 6000)")
    parser.add_argument("--seed", type=int, default=1997, help="fixes everything (default: 1997)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="processes (default: one for every core)")
    given = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of each process: several wait for each other most of the time
    networks: dict[tuple[bool, int], Network] = {}
    with ProcessPoolExecutor(given.cores, get_context("spawn")) as executor:
        for blackjack in ("on", "off"):
            games = executor.map(partial(positions, blackjack, given.seed), _parts(range(given.games)))
            by_round = list(zip(*(game for part in games for game in part), strict=True))
            tell = partial(print, f"blackjack {blackjack},", file=sys.stderr, flush=True)
            found = backwards(by_round, given.seed, executor, tell)
            networks |= {(blackjack == "on", number): each for number, each in enumerate(found, start=1)}
    arrays: dict[str, Any] = dict(packed(networks))
    np.savez_compressed(given.file, **arrays)


if __name__ == "__main__":
    main()
