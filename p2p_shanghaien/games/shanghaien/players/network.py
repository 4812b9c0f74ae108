"""A small network that judges a position between rounds: what it sees, how it reckons, and where its weights are.

A nationality is seen by what each player holds of it and which of its sailors are not yet seen; all nationalities are
seen alike, and what is made of them adds up. With the tricks and the start it is what a hidden layer works with. The
network looks at a position twice, as either player, and the difference counts: the players are alike by construction.

There is one network for each round and aim, fitted backwards from the last round: `python -m fitting` makes value.npz.
What it says may differ in the last digits of float32 between machines, so that `master` may choose otherwise there
between things that are as good as equal.
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
"""Above every strength: five sailors make 13, eight tricks and a wild one played as jokers 18."""

TRICKS: Final = "pbrw"
"""The kinds of tricks, in the order in which they are counted."""

_MOST: Final = (1, 1, 2, 1)
"""How many sailors of the values 1 to 4 a nationality has."""

UNSEEN: Final = tuple(product(*(range(most + 1) for most in _MOST)))
"""Every choice of a nationality's sailors that may be unseen, as counts of the values 1 to 4: 24 of them."""

UNSEEN_PLACE: Final = {counts: place for place, counts in enumerate(UNSEEN)}

FATES: Final = (0.43, 0.43, 0.14)
"""The chances that a card goes to one player, to the other, and to nobody, found in play."""

MARGINS: Final = np.array(
    [
        [nationality_points(mine, other) - nationality_points(other, mine) for other in range(2 * STRENGTHS)]
        for mine in range(2 * STRENGTHS)
    ],
    np.float32,
)
"""The margin in points in a nationality, by both strengths."""


class Network(NamedTuple):
    """Weights, by which `reckon` is defined; S features of a nationality, G of the rest, K and H units."""

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
    """A network with its work on nationalities done; its H units twice, as player 0 and as player 1 see it.

    The value to player 0 is `out` times what is positive of the units, which are sums: of `nations` over all
    nationalities, of the tricks' counts times `held`, `other` and `unseen`, of `start` for who starts, and `bias`.
    """

    nations: Floats
    """(unseen, player 0's strength, player 1's strength, 2 H)"""
    held: Floats
    """(2, 4, 2 H): for player 0's tricks of each kind, and for player 1's."""
    unseen: Floats
    """(4, 2 H)"""
    start: Floats
    """(2, 2 H): where player 0 starts, and where player 1 does."""
    bias: Floats
    """(2 H)"""
    out: Floats
    """(2 H)"""


def rest(mine: NDArray[np.integer], other: NDArray[np.integer], unseen: NDArray[np.integer], starts: object) -> Floats:
    """What a network sees beside nationalities, (positions, 13): counts of tricks, (positions, 4) each, and the start.

    `starts` is 1 where the player who looks starts the round, else 0.
    """
    return np.concatenate([mine, other, unseen, np.asarray(starts)[:, None]], axis=1).astype(np.float32)


@cache
def features() -> Floats:
    """What a network sees of a nationality, (24, 32, 32, 12), by unseen sailors and both strengths.

    Unseen sailors are given to either player or to nobody with fixed chances: means and spreads over these.
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
    """The network for positions before round `number` (1 to 8)."""
    return tabulated(networks()[aim, number])


def tabulated(network: Network) -> Table:
    """The same network, ready for use."""
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
    """All networks, by aim and the number of the round that comes next."""
    with files(__package__).joinpath("value.npz").open("rb") as file, np.load(file) as stored:
        return unpacked(stored)


def packed(by_use: dict[tuple[Aim, int], Network]) -> dict[str, NDArray[np.float16]]:
    """Networks as named arrays."""
    return {
        f"{aim}/{number}/{name}": values.astype(np.float16)
        for (aim, number), network in by_use.items()
        for name, values in network._asdict().items()
    }


def unpacked(arrays: Mapping[str, NDArray[np.floating]]) -> dict[tuple[Aim, int], Network]:
    """Named arrays as networks, which must be there for all uses."""
    return {
        (aim, number): Network(*(arrays[f"{aim}/{number}/{name}"].astype(np.float32) for name in Network._fields))
        for aim in AIMS
        for number in range(1, ROUNDS + 1)
    }
