"""Games of practice against another player whose decisions follow from the course, as the luck does."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from p2p_shanghaien.app.practice import Practice
from p2p_shanghaien.games.api import Action
from p2p_shanghaien.players import ComputerPlayer

Reply: TypeAlias = Callable[[Practice], Action]
"""Returns the action of `practice.other`, who decides there: for the same course always the same."""


def by_level(player: ComputerPlayer[Any], seed: str) -> Reply:
    """Return the decisions of a computer player, whose randomness follows from `seed`."""
    return lambda practice: player(practice.state, practice.other, Random(repr((seed, *practice.steps))))


def choose(practice: Practice, action: Action, reply: Reply) -> Practice:
    """Return the game after `action` of the local player and what follows, up to their next decision or the end.

    Where both choose at once, `reply` decides without knowing `action`. Raises Illegal.
    """
    actions = {player: action if player == practice.me else reply(practice) for player in practice.deciders}
    return answered(practice.decide(actions), reply)


def answered(practice: Practice, reply: Reply) -> Practice:
    """Return the game after all decisions that the other player takes alone before the local player decides."""
    while practice.deciders == (practice.other,):
        practice = practice.decide({practice.other: reply(practice)})
    return practice
