"""Scoring: who takes which card at Shanghai, and the value of a crew at the end."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES, strength

Placed = tuple[tuple[int, ...], tuple[int, ...]]
"""The number of each player's dice on the cards number 1 to 6."""


class Contest(NamedTuple):
    """The contest for the card of one number. Pairs are indexed by player."""

    dice: tuple[int, int]
    neighbours: tuple[int, int] | None
    """The sums of the dice on neighbouring cards, if they had to decide."""
    taker: int | None


_BY_COUNT: Final = {
    (a, b): Contest((a, b), None, None if a == b else int(b > a))
    for a in range(7)
    for b in range(7)
    if a != b or a == 0
}
"""The contests that the numbers of dice decide."""


def contests(placed: Placed) -> tuple[Contest, ...]:
    """Return the six contests in order of number (rules, "Shanghai ends the round")."""
    pairs = zip(placed[0], placed[1], strict=True)
    return tuple([_BY_COUNT.get(dice) or _by_neighbours(placed, dice, index) for index, dice in enumerate(pairs)])


def _by_neighbours(placed: Placed, dice: tuple[int, int], index: int) -> Contest:
    sums = (_neighbour_sum(placed[0], index), _neighbour_sum(placed[1], index))
    return Contest(dice, sums, None if sums[0] == sums[1] else int(sums[1] > sums[0]))


def _neighbour_sum(counts: Sequence[int], index: int) -> int:
    """Return the sum of one player's dice on the cards beside number index + 1, by their numbers."""
    lower = counts[index - 1] * index if index > 0 else 0
    higher = counts[index + 1] * (index + 2) if index < 5 else 0
    return lower + higher


def strengths(crew: Sequence[str]) -> dict[str, int]:
    """Return each nationality's strength in a crew, jokers included; nationalities not held are absent."""
    totals = dict.fromkeys(NATIONALITIES, 0)
    for card in crew:
        totals[card[0]] += strength(card)
    return {nationality: total for nationality, total in totals.items() if total}


def nationality_points(own: int, other: int) -> int:
    """Return the points for a nationality in which one holds `own` and the opponent `other`."""
    if other == 0:
        return own
    return other if own > other else 0


def scores(crews: Sequence[Sequence[str]], tricks: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return both players' points: from the comparison of crews, and one for each unused trick."""
    first, second = strengths(crews[0]), strengths(crews[1])
    points = [len(tricks[0]), len(tricks[1])]
    for nationality in NATIONALITIES:
        a, b = first.get(nationality, 0), second.get(nationality, 0)
        points[0] += nationality_points(a, b)
        points[1] += nationality_points(b, a)
    return points[0], points[1]
