"""Fits a network to what positions are worth, by gradients (Adam; Kingma and Ba 2015), in numpy alone."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fitting.positions import Seen
from p2p_shanghaien.games.shanghaien.players.network import Aim, Floats, Network, features

NATION_UNITS: Final = 24
HIDDEN_UNITS: Final = 16

BATCH: Final = 256
RATE: Final = 1e-2
"""The first step size, which falls to nothing along a cosine. A smaller one stops at worse networks."""
MEMORY: Final = (0.9, 0.999)
"""The shares of the mean gradient, and of its mean square, that are kept from one step to the next."""
DECAY: Final = 1e-2
"""The share of `RATE` that weights lose at every step."""
HELD_OUT: Final = 0.1
"""The share of positions that a network is tested on and never fitted to."""


class Fit(NamedTuple):
    """A network, and its loss on positions that it was not fitted to."""

    network: Network
    loss: float


def fit(aim: Aim, seen: Seen, worth: Floats, passes: int, seed: tuple[int, int]) -> Fit:
    """Return the network for the value of these positions to player 0: win probabilities, or margins in points.

    The same positions are held out whatever the seed, so that several fits can be compared.
    """
    order = np.random.default_rng(0).permutation(len(worth))
    test, train = np.split(order, [round(HELD_OUT * len(worth))])
    rng = np.random.default_rng(seed)
    network = ignorant(seen, rng)
    momenta = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in network]
    steps = passes * (len(train) // min(BATCH, len(train)))
    for step, batch in enumerate(_batches(train, rng, steps)):
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        gradient = slope(aim, network, _part(seen, batch), worth[batch])
        for weights, down, (mean, square) in zip(network, gradient, momenta, strict=True):
            np.add(MEMORY[0] * mean, (1 - MEMORY[0]) * down, out=mean)
            np.add(MEMORY[1] * square, (1 - MEMORY[1]) * down**2, out=square)
            unbiased = [kept / (1 - memory ** (step + 1)) for kept, memory in zip((mean, square), MEMORY, strict=True)]
            change = unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8) + DECAY * weights
            np.subtract(weights, rate * change, out=weights)
    return Fit(network, loss(aim, network, _part(seen, test), worth[test]))


def ignorant(seen: Seen, rng: np.random.Generator) -> Network:
    """Return a network that has not learnt anything."""

    def spread(rows: int, *columns: int, share: float = 1.0) -> Floats:
        return np.asarray(rng.normal(size=(rows, *columns)) / np.sqrt(rows) * share, np.float32)

    return Network(
        nation=spread(features().shape[-1], NATION_UNITS),
        nation_bias=np.zeros(NATION_UNITS, np.float32),
        hidden=spread(NATION_UNITS, HIDDEN_UNITS, share=0.25),
        rest=spread(seen.rest.shape[-1], HIDDEN_UNITS, share=0.25),
        bias=np.zeros(HIDDEN_UNITS, np.float32),
        out=spread(HIDDEN_UNITS),
    )


def evaluated(network: Network, seen: Seen) -> Floats:
    """Return what a network says of positions (`network.Table` has the same in another form)."""
    return _Pass(network, seen).found


def loss(aim: Aim, network: Network, seen: Seen, worth: Floats) -> float:
    """Return the mean loss: of chances the cross entropy in nats, of points half the squared error."""
    found = evaluated(network, seen)
    if aim == "chance":
        return float(np.mean(np.logaddexp(0, found) - worth * found))
    return float(np.mean((found - worth) ** 2) / 2)


def slope(aim: Aim, network: Network, seen: Seen, worth: Floats) -> Network:
    """Return the gradient of `loss`, in the form of a network."""
    done = _Pass(network, seen)
    said = 1 / (1 + np.exp(-done.found)) if aim == "chance" else done.found
    error = (said - worth) / len(worth)
    to_out = np.stack([error, -error]).astype(np.float32)
    to_hidden = to_out[..., None] * network.out * (done.hidden > 0)
    to_nation = (to_hidden @ network.hidden.T)[:, :, None] * (done.nation > 0)
    return Network(
        nation=done.looked.reshape(-1, done.looked.shape[-1]).T @ to_nation.reshape(-1, to_nation.shape[-1]),
        nation_bias=to_nation.sum(axis=(0, 1, 2)),
        hidden=np.tensordot(done.nations, to_hidden, ((0, 1), (0, 1))),
        rest=np.tensordot(seen.rest, to_hidden, ((0, 1), (0, 1))),
        bias=to_hidden.sum(axis=(0, 1)),
        out=np.tensordot(done.hidden, to_out, ((0, 1), (0, 1))),
    )


class _Pass:
    """A network at work on N positions, each seen by both players: everything on the way is kept for gradients."""

    def __init__(self, network: Network, seen: Seen) -> None:
        self.looked = features().reshape(-1, features().shape[-1])[seen.nations]
        self.nation = np.maximum(self.looked @ network.nation + network.nation_bias, 0)
        self.nations = self.nation.sum(axis=2)
        self.hidden = np.maximum(self.nations @ network.hidden + seen.rest @ network.rest + network.bias, 0)
        out = self.hidden @ network.out
        self.found: Floats = out[0] - out[1]


def _part(seen: Seen, places: NDArray[np.intp]) -> Seen:
    return Seen(seen.nations[:, places], seen.rest[:, places])


def _batches(train: NDArray[np.intp], rng: np.random.Generator, count: int) -> Iterator[NDArray[np.intp]]:
    """Yield so many parts of the positions, in another order on every pass."""
    size = min(BATCH, len(train))
    while True:
        mixed = rng.permutation(train)
        for begin in range(0, len(train) - size + 1, size):
            if count == 0:
                return
            count -= 1
            yield mixed[begin : begin + size]
