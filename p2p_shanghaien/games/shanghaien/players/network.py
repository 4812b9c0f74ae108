"""A small network that evaluates a position between rounds: its input, its function, and its weights.

Its input for a nationality is what each player holds of it and which of its sailors are not yet seen; all nationalities
are treated alike, and their contributions add up. Together with the tricks and the starter they are the input of a
hidden layer. The network evaluates a position twice, from either player's point of view, and the difference counts: the
players are symmetric by construction.

There is one network for each round and aim, fitted backwards from the last round: `python -m fitting` makes value.npz.
Its output may differ in the last digits of float32 between machines, so that `master` may choose differently there
between nearly equal choices.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.shanghaien.rules import ROUNDS
from p2p_shanghaien.games.shanghaien.scoring import nationality_points

Floats: TypeAlias = NDArray[np.floating]
Aim: TypeAlias = Literal["chance", "points"]
AIMS: Final[tuple[Aim, ...]] = ("chance", "points")

STRENGTHS: Final = 32
"""A limit above every strength: five sailors make 13, eight tricks and a wild one played as jokers 18."""

TRICKS: Final = "pbrw"
"""The kinds of tricks, in the order in which they are counted."""

_MOST: Final = (1, 1, 2, 1)
"""The number of sailors of the values 1 to 4 of a nationality."""

UNSEEN: Final = tuple(product(*(range(most + 1) for most in _MOST)))
"""Every possible set of a nationality's unseen sailors, as counts of the values 1 to 4: 24 of them."""

UNSEEN_PLACE: Final = {counts: place for place, counts in enumerate(UNSEEN)}

FATES: Final = (0.43, 0.43, 0.14)
"""The probabilities that a card goes to one player, to the other, and to nobody, measured in games."""

MARGINS: Final = np.array(
    [
        [nationality_points(mine, other) - nationality_points(other, mine) for other in range(2 * STRENGTHS)]
        for mine in range(2 * STRENGTHS)
    ],
    np.float32,
)
"""The margin in points in a nationality, by both strengths."""


class Network(NamedTuple):
    """Weights that define the network's function; S features of a nationality, G of the rest, K and H units."""

    nation: Floats
    """(S, K)"""
    nation_bias: Floats
    """(K)"""
    hidden: Floats
    """(K, H)"""
    rest: Floats
    """(G, H)"""
    bias: Floats
    """(H)"""
    out: Floats
    """(H)"""


class Table(NamedTuple):
    """A network with its nationalities evaluated in advance; its H units twice, for player 0 and for player 1.

    The value to player 0 is `out` times the positive part of the units, which are sums: of `nations` over all
    nationalities, of the tricks' counts times `held`, `other` and `unseen`, of `start` for the starter, and `bias`.
    """

    nations: Floats
    """(unseen, player 0's strength, player 1's strength, 2 H)"""
    held: Floats
    """(2, 4, 2 H): for player 0's tricks of each kind, and for player 1's."""
    unseen: Floats
    """(4, 2 H)"""
    start: Floats
    """(2, 2 H): if player 0 starts, and if player 1 does."""
    bias: Floats
    """(2 H)"""
    out: Floats
    """(2 H)"""


def rest(mine: NDArray[np.integer], other: NDArray[np.integer], unseen: NDArray[np.integer], starts: object) -> Floats:
    """Return the input of a network besides nationalities, (positions, 13).

    That is counts of tricks, (positions, 4) each, and the start: `starts` is 1 if the evaluating player starts the
    round, else 0.
    """
    return np.concatenate([mine, other, unseen, np.asarray(starts)[:, None]], axis=1).astype(np.float32)


@cache
def features() -> Floats:
    """Return the input of a network for a nationality, (24, 32, 32, 12), by unseen sailors and both strengths.

    Unseen sailors are given to either player or to nobody with fixed probabilities: means and spreads over these.
    """
    strength = np.arange(STRENGTHS, dtype=np.float32)
    mine, other = np.broadcast_arrays(strength[:, None], strength)
    return np.stack([_nation_features(counts, mine, other) for counts in UNSEEN]).astype(np.float32)


def _nation_features(counts: tuple[int, ...], mine: Floats, other: Floats) -> Floats:
    values = [value for value, count in enumerate(counts, start=1) for _ in range(count)]
    mean, square, gained, ahead, level = np.zeros((5, *mine.shape))
    for takers in product(range(len(FATES)), repeat=len(values)):
        chance = np.prod([FATES[taker] for taker in takers])
        won = [sum(value for value, taker in zip(values, takers, strict=True) if taker == side) for side in (0, 1)]
        first, second = mine + won[0], other + won[1]
        margin = MARGINS[won[0] : won[0] + STRENGTHS, won[1] : won[1] + STRENGTHS]
        mean += chance * margin
        square += chance * margin**2
        gained += chance * np.maximum(margin, 0)
        ahead += chance * (first > second)
        level += chance * (first == second)
    spread = np.sqrt(np.maximum(square - mean**2, 0))
    left = np.full_like(mean, sum(values))
    seen = [mean / 4, spread / 4, gained / 4, ahead, level, mine > 0, other > 0, mine / 8, other / 8]
    more = [left / 8, np.full_like(mean, len(values) / 4), np.maximum(left - np.abs(mine - other), 0) / 8]
    return np.stack([*seen, *more], axis=-1)


@cache
def table(aim: Aim, number: int) -> Table:
    """Return the network for positions before round `number` (1 to 8)."""
    return tabulated(networks()[aim, number])


def tabulated(network: Network) -> Table:
    """Return the same network, ready for use."""
    seen = np.maximum(features() @ network.nation + network.nation_bias, 0) @ network.hidden
    mine, other, unseen, start = np.split(network.rest, (4, 8, 12))
    nothing = np.zeros_like(start)
    return Table(
        nations=np.concatenate([seen, seen.swapaxes(1, 2)], axis=-1),
        held=np.stack([np.concatenate([mine, other], axis=-1), np.concatenate([other, mine], axis=-1)]),
        unseen=np.concatenate([unseen, unseen], axis=-1),
        start=np.concatenate([np.concatenate([start, nothing], -1), np.concatenate([nothing, start], -1)]),
        bias=np.concatenate([network.bias, network.bias]),
        out=np.concatenate([network.out, -network.out]),
    )


@cache
def networks() -> dict[tuple[Aim, int], Network]:
    """Return all networks, by aim and the number of the round that comes next."""
    with files(__package__).joinpath("value.npz").open("rb") as file, np.load(file) as stored:
        return unpacked(stored)


def packed(by_use: dict[tuple[Aim, int], Network]) -> dict[str, NDArray[np.float16]]:
    """Return networks as named arrays."""
    return {
        f"{aim}/{number}/{name}": values.astype(np.float16)
        for (aim, number), network in by_use.items()
        for name, values in network._asdict().items()
    }


def unpacked(arrays: Mapping[str, NDArray[np.floating]]) -> dict[tuple[Aim, int], Network]:
    """Return the networks in named arrays, which must be complete."""
    return {
        (aim, number): Network(*(arrays[f"{aim}/{number}/{name}"].astype(np.float32) for name in Network._fields))
        for aim in AIMS
        for number in range(1, ROUNDS + 1)
    }
