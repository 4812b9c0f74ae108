"""Positions between rounds as games bring them about, what they are worth one round on, and what a network sees."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Chance, Terminal
from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, NATIONALITIES, PLUS_MINUS, is_trick
from p2p_shanghaien.games.shanghaien.game import EXTRA_WILD, STANDARD, Shanghaien
from p2p_shanghaien.games.shanghaien.players.geometry import MIRRORED, ROLLS
from p2p_shanghaien.games.shanghaien.players.network import STRENGTHS, TRICKS, UNSEEN_PLACE, Floats, rest
from p2p_shanghaien.games.shanghaien.players.rounds import options, solve_round, worth_playing
from p2p_shanghaien.games.shanghaien.players.solver import Evaluate
from p2p_shanghaien.games.shanghaien.players.tables import BEST, CHANCES
from p2p_shanghaien.games.shanghaien.rules import NO_DICE, ROW, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import Placed, strengths
from p2p_shanghaien.players import computer_player

OTHER_RULES: Final = 0.25
"""The share of the games with another deck, and of those with the variant."""
MISHAPS: Final = (0.0, 0.05, 0.3)
"""The rates of random actions of a game's players: games of some kinds, so that unusual crews occur too."""


class Seen(NamedTuple):
    """The input of a network for N positions, as player 0 (first of two) and as player 1."""

    nations: NDArray[np.intp]
    """(2, N, 8): places in `features` with its leading axes flattened."""
    rest: Floats
    """(2, N, 13)"""


def seen(states: Sequence[State]) -> Seen:
    """Return the positions in numbers."""
    kinds = np.array([_unseen(state) for state in states])
    held = np.array(
        [[[strengths(crew).get(nation, 0) for nation in NATIONALITIES] for crew in state.crews] for state in states]
    )
    hands = np.array([[[hand.count(kind) for kind in TRICKS] for hand in state.tricks] for state in states])
    left = np.array([[state.pile.count(f"X{kind}") for kind in TRICKS] for state in states])
    starter = np.array([state.starter for state in states])
    nations = [(kinds * STRENGTHS + held[:, side]) * STRENGTHS + held[:, 1 - side] for side in (0, 1)]
    others = [rest(hands[:, side], hands[:, 1 - side], left, starter == side) for side in (0, 1)]
    return Seen(np.stack(nations), np.stack(others))


def _unseen(state: State) -> list[int]:
    cards = Counter(card for card in state.pile if not is_trick(card))
    return [UNSEEN_PLACE[tuple(cards[f"{nation}{value}"] for value in range(1, 5))] for nation in NATIONALITIES]


def games(count: int, rng: Random) -> Iterator[list[State]]:
    """Yield the positions between rounds of so many games, the first before round 1, the last before round 8."""
    greedy = computer_player("shanghaien", "greedy")
    for _ in range(count):
        mishaps, state, found = rng.choice(MISHAPS), some_rules(rng).start(), []
        while not isinstance(state.node, Terminal):
            if state.phase == Phase.ROW:
                found.append(state)
            if isinstance(state.node, Chance):
                state = drawn(state, rng)
            elif rng.random() < mishaps:
                state = state.apply(rng.choice(state.legal(state.player)))
            else:
                state = state.apply(greedy(state, state.player, rng))
        yield found


def some_rules(rng: Random) -> Shanghaien:
    """Return the usual game or, now and then, one with other options."""
    variant = EXTRA_WILD if rng.random() < OTHER_RULES else STANDARD
    if rng.random() >= OTHER_RULES:
        return Shanghaien(variant)
    cuts = sorted((rng.randint(0, 8), rng.randint(0, 8)))
    return Shanghaien(variant, (cuts[0], cuts[1] - cuts[0], 8 - cuts[1]))


def drawn(state: State, rng: Random) -> State:
    """Return the position after some row or roll."""
    node = state.node
    assert isinstance(node, Chance)
    return state.apply_chance([rng.randrange(bound) for bound in node.bounds])


def opening(state: State, evaluate: Evaluate) -> float:
    """The exact value of a round that begins with `state`, whose row is laid out: as `solver` has it, but quicker.

    The solver asks the rules what may be done. Here the first turn is reckoned by arrays: the better of both directions
    for each die, with what tricks make of it.
    """
    mover = state.player
    best = BEST[mover]
    played = (options(state, 0), options(state, 1))
    pairs = [(mine, other) for mine in played[0] for other in played[1]]
    # In double precision: fitting magnifies the last digits, which in single precision vary with how the solver works.
    endings = evaluate(state, pairs).reshape(len(played[0]), len(played[1]), 2, -1).astype(np.float64)
    thought = worth_playing(played, endings)
    left = tuple(played[0][index] for index in thought[0]), tuple(played[1][index] for index in thought[1])
    endings = endings[thought[0]][:, thought[1]]
    both_ways = [solve_round(NO_DICE, mover, left, ends) for ends in (endings, endings[..., MIRRORED])]

    def after(trick: str, *dice: int) -> float:
        added = tuple(dice.count(number) for number in range(ROW))
        placed: Placed = (added, NO_DICE[1]) if mover == 0 else (NO_DICE[0], added)
        pair = (trick, "") if mover == 0 else ("", trick)
        values = [kept[pair].value(placed, 1 - mover, rolling=False) for kept in both_ways]
        return float(best(values[0], values[1]))

    mine = left[mover]
    ways = [trick for trick in mine if trick == "" or "=" in trick]
    one = best.reduce(np.array([[after(trick, n) for n in range(ROW)] for trick in ways]))
    if PLUS_MINUS in mine:
        turned = np.array([after(PLUS_MINUS, n) for n in range(ROW)])
        one[:-1] = best(one[:-1], turned[1:])
        one[1:] = best(one[1:], turned[:-1])
    lower, higher = np.array(ROLLS).T
    rolls = best(one[lower], one[higher])
    if BOTH in mine:
        rolls = best(rolls, np.array([after(BOTH, *roll) for roll in ROLLS]))
    if AGAIN in mine:
        second = np.array([after(AGAIN, n) for n in range(ROW)])
        rolls = best(rolls, CHANCES @ best(second[lower], second[higher]))
    return float(CHANCES @ rolls)
