"""A quick estimate of a position: the lead if Shanghai were called with the dice as they lie.

The lead is counted in points at the end of the game. The unseen sailors of each nationality are given to either player
or to nobody with fixed probabilities, so that the future of a crew has a value.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES, strength
from p2p_shanghaien.games.shanghaien.rules import DICE, OPEN, ROUNDS, State
from p2p_shanghaien.games.shanghaien.scoring import Placed, contests, nationality_points, strengths

TAKEN: Final = 0.43
"""The probability that an unseen sailor comes to a given player; with the remaining probability it leaves the game."""
TRICK: Final = 2.5
"""The value in points of a trick while it can still be played."""
UNUSED: Final = 1.0
"""Points of a trick once all rounds are over."""


def lead(state: State, placed: Placed | None = None, direction: str | None = None) -> float:
    """Return player 0's expected lead in points if the round ended now; with other dice than `state`'s, if given.

    Between rounds and at the end of the game, it is the value of the crews and tricks.
    """
    crews = [_crew(state.crews[0]), _crew(state.crews[1])]
    tricks = len(state.tricks[0]) - len(state.tricks[1])
    if state.row:
        row = state.row[::-1] if (state.direction if direction is None else direction) == ">" else state.row
        takers = _takers(state.placed if placed is None else placed)
        gained: tuple[list[int], list[int]] = ([0] * len(NATIONALITIES), [0] * len(NATIONALITIES))
        for card, taker in zip(row, takers, strict=True):
            if taker is None:
                continue
            if card[0] == "X":
                tricks += 1 - 2 * taker
            else:
                gained[taker][_PLACES[card[0]]] += strength(card)
        first = tuple(map(int.__add__, crews[0], gained[0]))
        second = tuple(map(int.__add__, crews[1], gained[1]))
    else:
        first, second = crews
    over = state.round == ROUNDS and (bool(state.row) or not state.pile)
    worth = UNUSED if over else TRICK
    return sum(map(_nationality_lead, first, second, _unseen(state.pile))) + worth * tricks


def placings(state: State, player: int) -> list[float]:
    """Return the lead after `player` has placed one more die on each of the numbers 1 to 6, at the better end."""
    better = min if player else max
    directions = ("<", ">") if state.direction == OPEN else (state.direction,)
    values = []
    for number in range(DICE):
        own = state.placed[player]
        more = (*own[:number], own[number] + 1, *own[number + 1 :])
        placed = (state.placed[0], more) if player else (more, state.placed[1])
        values.append(better([lead(state, placed, direction) for direction in directions]))
    return values


def of_roll(values: Sequence[float], player: int, dice: Sequence[int]) -> float:
    """Return the value of a roll.

    `values` has the lead after placing each number, and `player` takes the better die.
    """
    return (min if player else max)([values[die - 1] for die in dice])


def of_rolls(values: Sequence[float], player: int) -> float:
    """Return the mean of `of_roll` over the 36 rolls."""
    # sorted from the owner's worst to the best, the k-th value (from 0) is the better one in 2 k + 1 of the rolls
    ascending = sorted(values, reverse=player == 1)
    return sum([(2 * place + 1) * value for place, value in enumerate(ascending)]) / DICE**2


_PLACES: Final = {nationality: place for place, nationality in enumerate(NATIONALITIES)}


@cache
def _nationality_lead(own: int, other: int, unseen: tuple[int, ...]) -> float:
    """Return the expected lead in a nationality in which the players hold `own` and `other`."""
    if not unseen:
        return nationality_points(own, other) - nationality_points(other, own)
    value, rest = unseen[0], unseen[1:]
    taken = _nationality_lead(own + value, other, rest) + _nationality_lead(own, other + value, rest)
    return TAKEN * taken + (1 - 2 * TAKEN) * _nationality_lead(own, other, rest)


@lru_cache(maxsize=4096)
def _takers(placed: Placed) -> tuple[int | None, ...]:
    return tuple([contest.taker for contest in contests(placed)])


@lru_cache(maxsize=1024)
def _crew(crew: tuple[str, ...]) -> tuple[int, ...]:
    """Return a crew's strength in each nationality."""
    totals = strengths(crew)
    return tuple([totals.get(nationality, 0) for nationality in NATIONALITIES])


@lru_cache(maxsize=256)
def _unseen(pile: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the values of each nationality's sailors in the pile."""
    return tuple(tuple(int(card[1]) for card in pile if card[0] == nationality) for nationality in NATIONALITIES)
