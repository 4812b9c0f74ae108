"""The chance of winning between rounds, estimated from the cards: what ends of a round are worth to `solver`.

Each nationality has an expected margin and a variance, if every sailor not yet seen goes to either player or to nobody
with fixed chances; they add up over nationalities, tricks and the next start, and the normal curve makes of them the
chance that player 0 ends ahead. After round 8 nothing is left to chance: 1 for a win, 1/2 for a draw, 0 for a loss.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from p2p_shanghaien.games.shanghaien.cards import JOKER_VALUE, NATIONALITIES, is_trick
from p2p_shanghaien.games.shanghaien.rules import ROUNDS, ROW, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import nationality_points, strengths
from p2p_shanghaien.players.shanghaien.geometry import TAKERS
from p2p_shanghaien.players.shanghaien.tables import Played, Values

FATES: Final = (0.43, 0.43, 0.14)
"""The chances that a card goes to player 0, to player 1, and to nobody, found in play."""

TRICK: Final = 2.5
"""The points that an unused trick is worth while there are rounds to play; after the last it is one."""

START: Final = 0.5
"""The points that starting the next round is worth."""

_STRONGEST: Final = 32
"""Above every strength: five sailors make 13, eight tricks and a wild one played as jokers 18."""

_NATIONS: Final = np.arange(len(NATIONALITIES))


def chances(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """The chance that player 0 wins, a draw counting half, at each end of the round: a `solver.Judge` in float32."""
    return _chances(*_leads(state, pairs))


def points(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """Player 0's expected lead at the end of the game, at each end of the round: a `solver.Judge` in float32."""
    return _leads(state, pairs)[0]


def between(state: State) -> tuple[float, float]:
    """The chance that player 0 wins, and the expected lead, where no round is in progress."""
    over = state.phase == Phase.OVER
    leads, variances = _expected(state, [("", "")], over=over)
    lead = leads[:, None] + (0 if over else START * (1 - 2 * state.starter))
    return float(_chances(lead, variances[:, None])[0, 0, 0]), float(lead[0, 0, 0])


def _leads(state: State, pairs: Sequence[tuple[Played, Played]]) -> tuple[Values, Values]:
    """The expected lead in points (pairs, 2, 729), and its variance (pairs, 1, 729), at each end of the round."""
    over = state.round == ROUNDS
    leads, variances = _expected(state, pairs, over=over)
    starts = np.array([[-START], [START]], np.float32) * (not over)  # who calls Shanghai does not start
    return leads[:, None] + starts, variances[:, None]


def _chances(leads: Values, variances: Values) -> Values:
    """The chance of ending ahead; where nothing is left to chance it is 1, 1/2 or 0."""
    certain = variances == 0
    deviations = leads / np.sqrt(np.where(certain, 1, variances))
    return np.asarray(np.where(certain, (np.sign(leads) + 1) / 2, _normal(deviations)), np.float32)


def _expected(state: State, pairs: Sequence[tuple[Played, Played]], *, over: bool) -> tuple[Values, Values]:
    """The expected lead but for the start, and its variance, each (pairs, 729); none once the game is `over`."""
    trick = 1.0 if over else TRICK
    leads, variances = _crews(state, pairs)
    leads += trick * _tricks(state, pairs)
    if over:
        return leads, np.zeros_like(leads)
    unseen = [card for card in state.pile if is_trick(card)]
    return leads, variances + np.float32(len(unseen) * (FATES[0] + FATES[1]) * trick**2)


def _crews(state: State, pairs: Sequence[tuple[Played, Played]]) -> tuple[Values, Values]:
    """The expected margin and the variance of all nationalities together, each (pairs, 729)."""
    by_nation = _margins(state)
    none = by_nation[:, 0, 0].sum(axis=0)
    more = by_nation - by_nation[:, :1, :1]
    totals = np.empty((len(pairs), *none.shape), np.float32)
    for place, (mine, other) in enumerate(pairs):
        first, second = _nation(mine), _nation(other)
        totals[place] = none
        if first is not None and first == second:
            totals[place] += more[first, 1, 1]
            continue
        if first is not None:
            totals[place] += more[first, 1, 0]
        if second is not None:
            totals[place] += more[second, 0, 1]
    return totals[..., 0], totals[..., 1]


def _nation(played: Played) -> int | None:
    return NATIONALITIES.index(played[2]) if "=" in played else None


def _margins(state: State) -> Values:
    """Expected margin and variance of each nationality, without and with each player's joker: (8, 2, 2, 729, 2)."""
    worth = np.zeros((ROW, len(NATIONALITIES)), np.intp)  # nothing is won where no row is laid out
    for place, card in enumerate(state.row):
        if not is_trick(card):
            worth[place, NATIONALITIES.index(card[0])] = int(card[1])
    held = []
    for side in (0, 1):
        now = strengths(state.crews[side])
        won = np.equal(TAKERS, side) @ worth + [now.get(nation, 0) for nation in NATIONALITIES]
        held.append(won.T)
    joker = np.array([0, JOKER_VALUE])
    mine = held[0][:, None, None] + joker[:, None, None]
    other = held[1][:, None, None] + joker[:, None]
    unseen = [tuple(card[1] for card in state.pile if card[0] == nation) for nation in NATIONALITIES]
    outlooks = np.stack([_outlook(tuple(map(int, values))) for values in unseen])
    margins: Values = outlooks[_NATIONS[:, None, None, None], mine, other]
    return margins


def _tricks(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """How many more unused tricks player 0 has, (pairs, 729)."""
    tricks = np.zeros(ROW, np.intp)
    tricks[: len(state.row)] = [is_trick(card) for card in state.row]
    won = np.equal(TAKERS, 0) @ tricks - np.equal(TAKERS, 1) @ tricks
    held = [len(state.tricks[0]) - bool(mine) - len(state.tricks[1]) + bool(other) for mine, other in pairs]
    return np.asarray(np.array(held)[:, None] + won, np.float32)


def _normal(deviations: Values) -> Values:
    """The normal distribution function, to 0.0002: a logistic curve of a cubic (Page 1977)."""
    clipped = np.clip(deviations, -6, 6)
    chance: Values = 1 / (1 + np.exp(clipped * (-1.5976 - 0.070566 * clipped**2)))
    return chance


_POINTS: Final = np.array(
    [
        [nationality_points(mine, other) - nationality_points(other, mine) for other in range(2 * _STRONGEST)]
        for mine in range(2 * _STRONGEST)
    ]
)
"""Player 0's margin in a nationality by both strengths."""


@cache
def _outlook(unseen: tuple[int, ...]) -> Values:
    """The mean and variance of a nationality's margin by both strengths, (32, 32, 2), with `unseen` sailors to come."""
    mean, square = np.zeros((2, _STRONGEST, _STRONGEST))
    for takers in product(range(len(FATES)), repeat=len(unseen)):
        chance = np.prod([FATES[taker] for taker in takers])
        gains = [sum(value for value, taker in zip(unseen, takers, strict=True) if taker == side) for side in (0, 1)]
        margins = _POINTS[gains[0] : gains[0] + _STRONGEST, gains[1] : gains[1] + _STRONGEST]
        mean += chance * margins
        square += chance * margins**2
    return np.stack([mean, square - mean**2], axis=-1).astype(np.float32)
