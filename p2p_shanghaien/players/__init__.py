"""Computer players: pure functions of a position, a player and a random generator, found by name."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Final, TypeAlias

from p2p_shanghaien.games.api import Action, State

ComputerPlayer: TypeAlias = Callable[[State, int, Random], Action]
"""What `player` does in a position: one of `state.legal(player)`. All chance in it comes from the generator."""

_PLACES: Final = {"random": ("p2p_shanghaien.players.uniform", "choose")}

NAMES: Final = tuple(_PLACES)
"""The computer players there are."""


def computer_player(name: str) -> ComputerPlayer:
    """The computer player called `name`, one of NAMES."""
    module, attribute = _PLACES[name]
    player: ComputerPlayer = getattr(import_module(module), attribute)
    return player
