"""Random games, as steps with the positions before and after them."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Generic, NamedTuple

from p2p_shanghaien.games.api import (
    Acted,
    Chance,
    Chosen,
    Drawn,
    Game,
    S,
    Simultaneous,
    State,
    Step,
    Terminal,
    Turn,
    advance,
)
from p2p_shanghaien.games.shanghaien import rules as shanghaien


class Moment(NamedTuple, Generic[S]):
    """A step of a game that is being played."""

    before: S
    step: Step
    after: S


def play(game: Game[S], rng: Random, prefer: str = "") -> Iterator[Moment[S]]:
    """A random game to its end. Two decisions in three are for an action that begins like `prefer`, where there is one.

    Only `rng.random()` is called: the one method whose values are the same in every version of Python.
    """
    state = game.start()
    while not isinstance(state.node, Terminal):
        step = random_step(state, rng, prefer)
        after = advance(state, step)
        yield Moment(state, step, after)
        state = after


def random_step(state: State, rng: Random, prefer: str = "") -> Step:
    """Anything that may come next."""
    match state.node:
        case Turn(player):
            return Acted(player, _pick(state.legal(player), rng, prefer))
        case Simultaneous():
            return Chosen((_pick(state.legal(0), rng, prefer), _pick(state.legal(1), rng, prefer)))
        case Chance(bounds):
            return Drawn(tuple(int(rng.random() * bound) for bound in bounds))
        case Terminal():
            raise ValueError("the game is over")


def _pick(actions: Sequence[str], rng: Random, prefer: str) -> str:
    preferred = [action for action in actions if action.startswith(prefer)]
    if preferred and rng.random() < 2 / 3:
        actions = preferred
    return actions[int(rng.random() * len(actions))]


def exchanged(state: shanghaien.State) -> shanghaien.State:
    """Return the same position of Shanghaien with the players' names exchanged."""
    return state._replace(
        player=1 - state.player,
        starter=1 - state.starter,
        placed=state.placed[::-1],
        tricked=state.tricked[::-1],
        tricks=state.tricks[::-1],
        crews=state.crews[::-1],
    )
