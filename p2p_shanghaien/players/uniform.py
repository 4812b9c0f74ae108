"""The level `random`: every legal action is equally likely."""

from random import Random

from p2p_shanghaien.games.api import Action, State


def choose(state: State, player: int, rng: Random) -> Action:
    """Return a legal action, each with the same probability."""
    return rng.choice(state.legal(player))
