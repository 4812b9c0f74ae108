"""The win probability and the expected margin between rounds: the values of a round's ends for `solver`.

Before the last round has been played, `network` estimates them; after it, they are the result.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from p2p_shanghaien.games.shanghaien.cards import JOKER_VALUE, NATIONALITIES, is_trick
from p2p_shanghaien.games.shanghaien.players.geometry import ALLOTMENTS, TAKERS
from p2p_shanghaien.games.shanghaien.players.network import (
    MARGINS,
    STRENGTHS,
    TRICKS,
    UNSEEN,
    UNSEEN_PLACE,
    Table,
    table,
)
from p2p_shanghaien.games.shanghaien.players.tables import Played, Values
from p2p_shanghaien.games.shanghaien.rules import ROUNDS, ROW, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import strengths

_NATIONS: Final = np.arange(len(NATIONALITIES))
_RESULT: Final = np.broadcast_to(MARGINS[:STRENGTHS, :STRENGTHS, None], (len(UNSEEN), STRENGTHS, STRENGTHS, 1))
"""The margin in a nationality, in the form of a network's table."""


def chances(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """Return player 0's win probability at each end of the round, a draw counting half.

    It is a `solver.Evaluate` in float32.
    """
    if state.round == ROUNDS:
        return (np.sign(_margins(state, pairs)) + 1) / 2
    return chance(evaluated(state, pairs, table("chance", state.round + 1)))


def points(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """Return player 0's expected margin at the end of the game, at each end of the round.

    It is a `solver.Evaluate` in float32.
    """
    if state.round == ROUNDS:
        return _margins(state, pairs)
    return evaluated(state, pairs, table("points", state.round + 1))


def between(state: State) -> tuple[float, float]:
    """Return player 0's win probability and expected margin if no round is in progress."""
    caller = 1 - state.starter
    if state.phase == Phase.OVER:
        margin = _margins(state, [("", "")])[0, 0, 0]
        return float(np.sign(margin) + 1) / 2, float(margin)
    found = [evaluated(state, [("", "")], table(aim, state.round))[0, caller, 0] for aim in ("chance", "points")]
    return float(chance(found[0])), float(found[1])


def chance(found: Values) -> Values:
    """Return a network's output for winning as a probability: the logistic curve."""
    return 1 / (1 + np.exp(-np.clip(found, -30, 30)))


def _margins(state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    """Return player 0's lead if nothing more is to come, (pairs, 2, 729)."""
    won, held = _tricks(state, pairs)
    more = (won[0] - won[1]).sum(axis=0) + (held[:, 0] - held[:, 1]).sum(axis=1)[:, None]
    leads = np.stack([margins[:, 0] for margins in _nations(state, pairs, _RESULT)]) + more
    return np.repeat(leads[:, None], 2, axis=1).astype(np.float32)


def evaluated(state: State, pairs: Sequence[tuple[Played, Played]], by: Table) -> Values:
    """Return a network's output at each end of the round, (pairs, 2, 729).

    It is a margin, or for `chance` a value to be made a probability.
    """
    won, held = _tricks(state, pairs)
    unseen = Counter(card[1] for card in state.pile if is_trick(card))
    always = np.tensordot(won, by.held, ((0, 1), (0, 1)))
    always += by.bias + np.array([unseen[kind] for kind in TRICKS], np.float32) @ by.unseen
    kept = np.tensordot(held, by.held, ((1, 2), (0, 1)))
    found = np.empty((len(pairs), 2, ALLOTMENTS), np.float32)
    room = np.empty_like(always)
    for place, nations in enumerate(_nations(state, pairs, by.nations)):
        units = nations + always
        for caller in (0, 1):
            np.add(units, kept[place] + by.start[1 - caller], out=room)  # the player who calls Shanghai does not start
            np.maximum(room, 0, out=room)
            np.matmul(room, by.out, out=found[place, caller])
    return found


def _tricks(state: State, pairs: Sequence[tuple[Played, Played]]) -> tuple[Values, Values]:
    """Return the number of tricks of each kind that each player wins in each allotment, and holds before.

    The shapes are (2, 4, 729) and (pairs, 2, 4).
    """
    won = np.zeros((2, len(TRICKS), ALLOTMENTS), np.float32)
    for place, card in enumerate(state.row):
        if is_trick(card):
            won[:, TRICKS.index(card[1])] += TAKERS[:, place] == np.array([[0], [1]])
    hands = np.array([[hand.count(kind) for kind in TRICKS] for hand in state.tricks])
    held = np.broadcast_to(hands, (len(pairs), *hands.shape)).astype(np.float32)
    for place, pair in enumerate(pairs):
        for side, played in enumerate(pair):
            if played:
                held[place, side, TRICKS.index(played[0])] -= 1
    return won, held


def _nations(state: State, pairs: Sequence[tuple[Played, Played]], by: Values) -> Iterator[Values]:
    """Yield for each pair the input of `by` for all nationalities together, (729, units)."""
    with_jokers = _by_nation(state, by)
    none = with_jokers[:, 0, 0].sum(axis=0)
    with_jokers -= with_jokers[:, :1, :1].copy()
    for first, second in ((_nation(mine), _nation(other)) for mine, other in pairs):
        if first is not None and first == second:
            yield none + with_jokers[first, 1, 1]
            continue
        total = none.copy()
        if first is not None:
            total += with_jokers[first, 1, 0]
        if second is not None:
            total += with_jokers[second, 0, 1]
        yield total


def _nation(played: Played) -> int | None:
    return NATIONALITIES.index(played[2]) if "=" in played else None


def _by_nation(state: State, by: Values) -> Values:
    """Return the input of `by` for each nationality, without and with each player's joker: (8, 2, 2, 729, units)."""
    worth = np.zeros((ROW, len(NATIONALITIES)), np.intp)  # nothing is won without a row
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
    unseen = Counter(card for card in state.pile if not is_trick(card))
    kinds = np.array(
        [UNSEEN_PLACE[tuple(unseen[f"{nation}{value}"] for value in range(1, 5))] for nation in NATIONALITIES]
    )
    found: Values = by[kinds[:, None, None, None], mine, other]
    return found
