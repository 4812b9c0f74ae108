"""A small network that evaluates the position before a round: its input, its function, and its weights.

It sees a position twice, from either player's point of view, and half the difference is the expected margin: the
players are symmetric by construction. The margin, on the scale of its round, gives the win probability. There is one
network for each round but the last (`endgame`), with and without Black Jack, fitted backwards from the last round:
`python -m fitting.halunken` makes value.npz.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.halunken.players import lookahead
from p2p_shanghaien.games.halunken.players.courses import NOWHERE, RUM, UNKNOWN, Flags, Ints, Rows
from p2p_shanghaien.games.halunken.players.crews import ROGUES, Bits, gains, keys, losses, members, points, sizes
from p2p_shanghaien.games.halunken.rules import JACK, NUMBERS, ROUNDS, SPACES

Inputs: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.floating]

_SCALE: Final = np.float32(0.1)
"""Points are counted in tens."""
_NEVER: Final = -(10**4)


class Network(NamedTuple):
    """Weights that define the network's function; F inputs, H units."""

    centre: Floats
    """(F): subtracted from the input."""
    hidden: Floats
    """(F, H)"""
    bias: Floats
    """(H)"""
    out: Floats
    """(H)"""
    direct: Floats
    """(F): from the input to the output."""
    spread: Floats
    """(1): the margin in points at which the win probability is e/(e + 1)."""

    def margins(self, seen: Inputs) -> NDArray[np.float64]:
        """Return player 0's expected margin in points for positions seen by both players, (2, N, F)."""
        both = seen - self.centre.astype(np.float32)
        units = np.maximum(both @ self.hidden.astype(np.float32) + self.bias.astype(np.float32), 0)
        found = units @ self.out.astype(np.float32) + both @ self.direct.astype(np.float32)
        margins: NDArray[np.float64] = (found[0].astype(np.float64) - found[1]) * (0.5 / float(_SCALE))
        return margins


class _Crews(NamedTuple):
    """The crews and piles that occur, each once, and their features."""

    of: Ints
    """(N, 2): the place of each player's crew below."""
    bits: Bits
    points: Inputs
    size: Ints
    most: Inputs
    """The number of rogues of the doubled colour, and its sum."""
    lead: Inputs
    """By how many rogues it leads."""
    gains: Inputs
    """(crews, 44): what each top is worth; UNKNOWN is for the rogues of `pile`."""
    loss: Inputs
    """The cheapest loss."""


def inputs(rows: Rows, hands: Flags, opener: Ints, *, may: bool) -> Inputs:
    """Return the input of the network for N positions before a round, as either player sees it: (2, N, F).

    `hands` are the cards left, (N, 3, 8), all of one round, and `opener` opens the auction. A theft may be left if
    `may`.
    """
    known = _crews(rows)
    thefts = _thefts(known)
    sides = [_side(rows, hands, opener, known, thefts, player) for player in (0, 1)]
    ahead = lookahead.features(rows, hands, may=may).astype(np.float32) * _SCALE
    return np.stack([np.concatenate([sides[own], sides[1 - own], ahead[own]], axis=1) for own in (0, 1)])


def _crews(rows: Rows) -> _Crews:
    crews, of = np.unique(rows.crews, return_inverse=True)
    of = of.reshape(rows.crews.shape)
    by_colour = keys(crews)
    ordered = np.sort(by_colour, axis=1)
    best = gains(crews)
    worth = np.zeros((len(crews), ROGUES + 2), np.float32)
    worth[:, :ROGUES] = best * _SCALE
    lost = np.where(members(crews), losses(crews), -_NEVER).min(axis=1)
    return _Crews(
        of=of,
        bits=crews,
        points=points(crews) * _SCALE,
        size=sizes(crews),
        most=np.stack([ordered[:, -1] // 1000, (ordered[:, -1] % 1000) * _SCALE], axis=1).astype(np.float32),
        lead=(ordered[:, -1] // 1000 - ordered[:, -2] // 1000).astype(np.float32),
        gains=worth,
        loss=np.where(crews == 0, 0, lost * _SCALE).astype(np.float32),
    )


class _Thefts(NamedTuple):
    """The gain by the best theft from the other player, and whether the sizes allow it: (N, 2) by thief."""

    gain: Inputs
    allowed: Flags


def _thefts(known: _Crews) -> _Thefts:
    count = len(known.size)
    pairs, of = np.unique(known.of[:, 0] * count + known.of[:, 1], return_inverse=True)
    first, second = pairs // count, pairs % count
    crews = known.bits
    gain, allowed = np.zeros((len(pairs), 2), np.float32), np.zeros((len(pairs), 2), np.bool_)
    for thief, (own, other) in enumerate(((first, second), (second, first))):
        worth = np.where(members(crews[other]), gains(crews[own]) + losses(crews[other]), _NEVER).max(axis=1)
        there = known.size[other] > 0
        gain[:, thief] = np.where(there, worth * _SCALE, 0)
        allowed[:, thief] = there & (known.size[own] <= known.size[other])
    return _Thefts(gain[of.ravel()], allowed[of.ravel()])


def _side(rows: Rows, hands: Flags, opener: Ints, known: _Crews, thefts: _Thefts, player: int) -> Inputs:
    """Return the inputs that are `player`'s own: (N, F / 2)."""
    each, crew = np.arange(len(rows)), known.of[:, player]
    own, other = rows.captains[:, player], rows.captains[:, 1 - player]
    cards, rum = hands[:, player, :NUMBERS], hands[:, player, RUM]
    unknown = _unknown(rows, known, crew)
    worth = known.gains[crew[:, None], rows.tops]
    worth = np.where(rows.tops == UNKNOWN, unknown[:, None], worth)
    spaces = (own[:, None] + np.arange(1, NUMBERS + 1)) % SPACES
    ahead = worth[each[:, None], spaces]
    reached = np.where(cards, ahead, 0)
    by_worth = np.sort(reached, axis=1)
    theft, allowed = thefts.gain[:, player], thefts.allowed[:, player]
    behind = (other - own) % SPACES
    catches = _has(cards, behind) | (rum & (behind <= NUMBERS))
    to_jack = (rows.jack - own) % SPACES
    there = rows.jack != NOWHERE
    robs = there & (_has(cards, to_jack) | (rum & (to_jack <= NUMBERS)))
    boat = np.where(members(rows.boat), known.gains[crew, :ROGUES], 0).max(axis=1)
    hired = there & _reaches(rows, hands, other) & (known.size[crew] <= known.size[known.of[:, 1 - player]] + 1)
    stolen = hired * theft
    met = np.where(there, _meeting(rows, hands, own), 0)
    met_other = np.where(there, _meeting(rows, hands, other), 0)
    found = [
        known.points[crew],
        known.size[crew],
        known.most[crew, 0],
        known.most[crew, 1],
        known.lead[crew],
        unknown,
        worth.mean(axis=1),
        by_worth[:, -1],
        by_worth[:, -2],
        by_worth[:, -3],
        reached.sum(axis=1),
        np.where(rum, ahead.max(axis=1), 0),
        rum,
        (cards * np.arange(1, NUMBERS + 1)).sum(axis=1) / NUMBERS,
        theft,
        allowed * theft,
        catches,
        catches * allowed * theft,
        robs,
        robs * boat,
        boat,
        met,
        met * known.loss[crew],
        met_other * allowed * theft,
        known.loss[crew],
        opener == player,
        _two_moves(worth, cards, own),
        stolen,
        np.maximum(stolen - known.loss[crew], 0),
    ]
    return np.stack([np.asarray(one, np.float32) for one in found], axis=1)


def _unknown(rows: Rows, known: _Crews, crew: Ints) -> Inputs:
    """Return the mean worth of a rogue that is not yet seen."""
    piles, of = np.unique(rows.pile, return_inverse=True)
    unseen = members(piles).astype(np.float32)
    mean = known.gains[:, :ROGUES] @ unseen.T / np.maximum(unseen.sum(axis=1), 1)
    found: Inputs = mean[crew, of.ravel()]
    return found


def _has(cards: Flags, distance: Ints) -> Flags:
    """Return where there is the card for a distance."""
    found: Flags = (distance <= NUMBERS) & cards[np.arange(len(cards)), np.minimum(distance, NUMBERS) - 1]
    return found


def _reaches(rows: Rows, hands: Flags, captain: Ints) -> Flags:
    """Return where Black Jack has a card by which he meets a captain."""
    distance = (captain - rows.jack) % SPACES
    highest = NUMBERS - hands[:, JACK, NUMBERS - 1 :: -1].argmax(axis=1)
    some = hands[:, JACK, :NUMBERS].any(axis=1) & (highest >= distance)
    found: Flags = some | (hands[:, JACK, RUM] & (distance <= NUMBERS))
    return found


def _two_moves(worth: Inputs, cards: Flags, own: Ints) -> Inputs:
    """Return the best that two moves bring together, by two of the cards with numbers; 0 if there are not two."""
    spaces = (own[:, None] + np.arange(1, 2 * NUMBERS + 1)) % SPACES
    ahead = worth[np.arange(len(own))[:, None], spaces]
    best = np.zeros(len(own), np.float32)
    for number in range(NUMBERS):
        later = np.where(cards, ahead[:, number + 1 : number + 1 + NUMBERS], _NEVER)
        later[:, number] = _NEVER
        both = ahead[:, number] + later.max(axis=1)
        best = np.where(cards[:, number], np.maximum(best, both), best)
    return best


def _meeting(rows: Rows, hands: Flags, captain: Ints) -> Floats:
    """Return the share of Black Jack's cards by which he meets a captain."""
    distance = (captain - rows.jack) % SPACES
    numbers = np.arange(1, NUMBERS + 1)
    reach = (hands[:, JACK, :NUMBERS] & (numbers >= distance[:, None])).sum(axis=1)
    rum = hands[:, JACK, RUM] * np.maximum(NUMBERS + 1 - distance, 0) / NUMBERS
    found: Floats = (reach + rum) / np.maximum(hands[:, JACK].sum(axis=1), 1)
    return found


@cache
def network(blackjack: bool, number: int) -> Network:
    """Return the network for positions before round `number` (1 to 7)."""
    return networks()[blackjack, number]


@cache
def networks() -> dict[tuple[bool, int], Network]:
    """Return all networks, by the option `blackjack` and the number of the round that comes next."""
    with files(__package__).joinpath("value.npz").open("rb") as file, np.load(file) as stored:
        return unpacked(stored)


def packed(by_use: Mapping[tuple[bool, int], Network]) -> dict[str, NDArray[np.float32]]:
    """Return networks as named arrays."""
    return {
        f"{_GAME[blackjack]}/{number}/{name}": np.asarray(values, np.float32)
        for (blackjack, number), network_ in by_use.items()
        for name, values in network_._asdict().items()
    }


def unpacked(arrays: Mapping[str, NDArray[np.floating]]) -> dict[tuple[bool, int], Network]:
    """Return the networks in named arrays, which must be complete."""
    return {
        (blackjack, number): Network(
            *(arrays[f"{_GAME[blackjack]}/{number}/{name}"].astype(np.float32) for name in Network._fields)
        )
        for blackjack in _GAME
        for number in range(1, ROUNDS)
    }


_GAME: Final = {True: "normal", False: "simple"}
