"""`random`: every legal action is as likely as any other."""

from random import Random

from p2p_shanghaien.games.api import Action, State


def choose(state: State, player: int, rng: Random) -> Action:
    """A legal action, each with the same chance."""
    return rng.choice(state.legal(player))
